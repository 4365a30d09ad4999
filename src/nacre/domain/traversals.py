"""Traversals: from the entities that matter just now to the evidence about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from nacre.domain import checks, keys
from nacre.domain.claims import Claim
from nacre.domain.entities import Entity
from nacre.domain.errors import Invalid
from nacre.domain.ids import AspectId, ClaimId, EntityId, LinkId, MemoryId, SourceId
from nacre.domain.scopes import Scope

MAX_HOPS = 10
MAX_EXPANSION = 10_000
DEFAULT_EXPANSION = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TraversalConfig:
    """How far a traversal goes, and how much it brings back.

    `scope` is whose memories and turns count: those of the graph's own scope, unless another is named. Links are
    followed from `min_confidence` on, and from `min_dependency_strength` on, which is confidence × strength.
    `max_branching` holds for each entity by itself, `max_traversal_paths` for memories and turns together.
    """

    scope: Scope | None = None
    max_aspects_per_entity: int = 10
    max_attributes_per_aspect: int = 20
    max_dependency_hops: int = 2
    min_dependency_strength: float = 0.3
    min_confidence: float = 0.5
    max_branching: int = 4
    max_traversal_paths: int = 50
    timeout_ms: int = 500
    aspect_filter: str | None = None

    def __post_init__(self) -> None:
        for name in ("max_aspects_per_entity", "max_attributes_per_aspect", "max_branching", "max_traversal_paths"):
            checks.count(name, getattr(self, name))
        checks.count("timeout_ms", self.timeout_ms, maximum=60_000)
        hops = self.max_dependency_hops
        if isinstance(hops, bool) or not isinstance(hops, int) or not 0 <= hops <= MAX_HOPS:
            raise Invalid("max_dependency_hops", f"must be a whole number from 0 to {MAX_HOPS}, not {hops!r}")
        checks.fraction("min_dependency_strength", self.min_dependency_strength)
        checks.fraction("min_confidence", self.min_confidence)
        if self.aspect_filter is not None:
            object.__setattr__(self, "aspect_filter", keys.canonical("aspect_filter", self.aspect_filter))


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """Where a traversal starts. `source` says what named the entities first.

    That is `given`, `checkpoint`, `project`, `query` or `pinned`; where nothing was found, `session` or `none`.
    """

    entity_ids: tuple[EntityId, ...] = ()
    source: str = "none"
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePath:
    """A way to a piece of evidence: links from where it began, an entity, and the claim, unless it was a mention."""

    entity: EntityId
    score: float
    links: tuple[LinkId, ...] = ()
    aspect: AspectId | None = None
    claim: ClaimId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traversal:
    """What a traversal came by: memories and turns, each best first, and the ways to them, the best first."""

    memory_ids: tuple[MemoryId, ...] = ()
    memory_scores: Mapping[MemoryId, float] = field(default_factory=dict)
    memory_paths: Mapping[MemoryId, tuple[EvidencePath, ...]] = field(default_factory=dict)
    turn_ids: tuple[SourceId, ...] = ()
    turn_scores: Mapping[SourceId, float] = field(default_factory=dict)
    turn_paths: Mapping[SourceId, tuple[EvidencePath, ...]] = field(default_factory=dict)
    constraints: tuple[Claim, ...] = ()
    entity_count: int = 0
    timed_out: bool = False
    active_aspect_ids: tuple[AspectId, ...] = ()
    focal_entity_ids: tuple[EntityId, ...] = ()
    source: str = "none"
    session: str | None = None
    took_ms: float = 0.0

    @property
    def paths(self) -> dict[UUID, tuple[EvidencePath, ...]]:
        """The ways to every item, memory or turn."""
        by_kind: tuple[Mapping[Any, tuple[EvidencePath, ...]], ...] = (self.memory_paths, self.turn_paths)
        return {item: ways for held in by_kind for item, ways in held.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class TraversalTelemetry:
    """What the last traversal of a scope came to."""

    at: datetime
    source: str
    focal_entity_ids: tuple[EntityId, ...]
    entity_count: int
    memory_count: int
    turn_count: int
    constraint_count: int
    timed_out: bool
    took_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandedAspect:
    """A side of an entity, and what is believed there."""

    name: str
    weight: float
    attributes: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandedDependency:
    """A link of an entity, seen from it: the name at the other end, and whether the link comes from there."""

    target: str
    type: str
    strength: float
    incoming: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A memory or a turn in words."""

    id: UUID
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityExpansion:
    """All that is known of an entity, as far as it fits; the counts say how much evidence there is."""

    entity: Entity
    constraints: tuple[Claim, ...]
    aspects: tuple[ExpandedAspect, ...]
    dependencies: tuple[ExpandedDependency, ...]
    memory_count: int
    memories: tuple[Excerpt, ...]
    turn_count: int
    turns: tuple[Excerpt, ...]
