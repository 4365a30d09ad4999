"""Impacts: the entities around one that a change of it may reach."""

from dataclasses import dataclass

from nacre.domain.entities import EntityType
from nacre.domain.ids import EntityId

MAX_DEPTH = 10
DIRECTIONS = ("upstream", "downstream")
WILL_BREAK, LIKELY_AFFECTED, MAY_NEED_TESTING = "WILL BREAK", "LIKELY AFFECTED", "MAY NEED TESTING"


def label(depth: int) -> str:
    """How much a change matters to what is so many links away."""
    return {1: WILL_BREAK, 2: LIKELY_AFFECTED}.get(depth, MAY_NEED_TESTING)


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedEntity:
    """An entity, and the last predicate on a shortest way to it, with `~` in front when walked against."""

    id: EntityId
    name: str
    type: EntityType
    via: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The entities so many links away."""

    depth: int
    label: str
    entities: tuple[AffectedEntity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """The entities around one, the nearest first and each once; `truncated` says that there are more."""

    entity_id: EntityId
    entity_name: str
    direction: str
    impact: tuple[Layer, ...]
    truncated: bool
