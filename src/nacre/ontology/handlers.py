"""Every operation that there is, and what it does. What is not here cannot be asked for in any mode."""

from collections.abc import Callable, Mapping
from typing import Any

from nacre.domain.commands import Operation
from nacre.domain.errors import Invalid
from nacre.graph import handlers as graph
from nacre.graph.handlers import Outcome
from nacre.ontology import (
    archiving,
    aspects,
    assertions,
    claims,
    kinds,
    merging,
    outdated,
    recording,
    replacements,
    weighing,
)
from nacre.store.journals import Journal

HANDLERS: Mapping[type, Callable[[Journal, Any], Outcome]] = {
    **graph.HANDLERS,
    **archiving.HANDLERS,
    **merging.HANDLERS,
    **aspects.HANDLERS,
    **claims.HANDLERS,
    **assertions.HANDLERS,
    **kinds.HANDLERS,
    **outdated.HANDLERS,
    **recording.HANDLERS,
    **replacements.HANDLERS,
    **weighing.HANDLERS,
}
OPERATIONS: Mapping[str, type[Operation]] = {kind.operation: kind for kind in HANDLERS}  # type: ignore[attr-defined]


def handle(journal: Journal, operation: Operation) -> Outcome:
    """Carry out one operation."""
    handler = HANDLERS.get(type(operation))
    if handler is None:
        raise Invalid("operation", f"is not known: {type(operation).__name__}")
    return handler(journal, operation)
