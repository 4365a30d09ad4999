"""A graph with evidence, and walks over it: for tests of traversals."""

from typing import Any

from nacre import ScopedNacre, Settings
from nacre.domain.ids import SourceId
from nacre.domain.traversals import Traversal, TraversalConfig

# A brain that knows only what a test tells it.
OFF = Settings(worker="off", embedder="off", extraction="off")


def said(scope: ScopedNacre, text: str, session: str = "s1") -> SourceId:
    """A turn; returns its id."""
    return scope.observe("user", text, session=session).id


def claim(
    scope: ScopedNacre, entity: str, path: str, text: str, *, kind: str = "attribute", importance: float = 0.5
) -> SourceId:
    """A turn that says something of an entity, and the claim that rests on it; returns the turn."""
    turn = said(scope, text)
    scope.ontology.add(entity, path, text, said_in=turn, kind=kind, importance=importance)
    return turn


def walk(scope: ScopedNacre, entity: str = "Ana", query: str | None = None, **budgets: Any) -> Traversal:
    """A traversal from one entity, however slow the machine is."""
    config = TraversalConfig(**{"timeout_ms": 60_000, **budgets})
    return scope.ontology.traverse(query, focal=[entity], config=config)


def sample(scope: ScopedNacre, *names: str) -> dict[str, SourceId]:
    """Entities with one turn of evidence each, by name."""
    return {name: claim(scope, name, "about/topic", f"Something about {name}.") for name in names}
