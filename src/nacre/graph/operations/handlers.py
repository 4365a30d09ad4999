"""Every operation that there is, and what it does. What is not here cannot be asked for in any mode."""

from collections.abc import Callable, Mapping
from typing import Any

from nacre.domain.commands import Operation
from nacre.domain.errors import Invalid
from nacre.domain.operation_results import Effect
from nacre.graph.beliefs import aspects, assertions, claims
from nacre.graph.operations import (
    archive_handlers,
    kind_handlers,
    merge_handlers,
    outdated_marks,
    recording,
    replacements,
    weight_handlers,
)
from nacre.graph.operations import entity_handlers as graph
from nacre.store.base.journals import Journal

HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    **graph.HANDLERS,
    **archive_handlers.HANDLERS,
    **merge_handlers.HANDLERS,
    **aspects.HANDLERS,
    **claims.HANDLERS,
    **assertions.HANDLERS,
    **kind_handlers.HANDLERS,
    **outdated_marks.HANDLERS,
    **recording.HANDLERS,
    **replacements.HANDLERS,
    **weight_handlers.HANDLERS,
}
OPERATIONS: Mapping[str, type[Operation]] = {kind.operation: kind for kind in HANDLERS}  # type: ignore[attr-defined]


def handle(journal: Journal, operation: Operation) -> Effect:
    """Carry out one operation."""
    handler = HANDLERS.get(type(operation))
    if handler is None:
        raise Invalid("operation", f"is not known: {type(operation).__name__}")
    return handler(journal, operation)
