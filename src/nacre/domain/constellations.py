"""A graph as a dashboard draws it: few words for each thing, so that thousands of them can be drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from nacre.domain import checks
from nacre.domain.claims import ClaimKind
from nacre.domain.entities import EntityType
from nacre.domain.ids import AspectId, ClaimId, EntityId, LinkId
from nacre.domain.navigation import MAX_PAGE
from nacre.domain.plain import Json

MAX_ENTITIES = 5_000
MAX_ASPECTS = 25
MAX_CLAIMS = 250
MAX_LINKS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingLimits:
    """How much of a graph a picture may hold: entities, aspects of each, claims of each aspect, links, overlays.

    Without aspects there are no claims either: so large graphs are drawn.
    """

    limit: int = 150
    aspects: int = 6
    attributes: int = 4
    dependencies: int = 500
    proposals: int = 50
    dreams: int = 10

    def __post_init__(self) -> None:
        checks.count("limit", self.limit, maximum=MAX_ENTITIES)
        if self.aspects:
            checks.count("aspects", self.aspects, maximum=MAX_ASPECTS)
        checks.count("attributes", self.attributes, maximum=MAX_CLAIMS)
        checks.count("dependencies", self.dependencies, maximum=MAX_LINKS)
        for name in ("proposals", "dreams"):
            checks.count(name, getattr(self, name), maximum=MAX_PAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySummary:
    """An entity, in short. It was first heard of at `created_at`, and last asked about at `last_referenced_at`."""

    id: EntityId
    name: str
    slug: str
    type: EntityType
    description: str | None
    confidence: float
    mentions: int
    pinned_at: datetime | None
    created_at: datetime
    updated_at: datetime
    last_referenced_at: datetime | None

    @property
    def pinned(self) -> bool:
        """Whether it stands before all others."""
        return self.pinned_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnClaim:
    """What a claim says, in short."""

    id: ClaimId
    aspect: AspectId
    group: str
    claim: str | None
    kind: ClaimKind
    value: str
    confidence: float
    importance: float
    version: int
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectSummary:
    """An aspect, in short."""

    id: AspectId
    entity: EntityId
    name: str
    key: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnAspect:
    """An aspect and its most important claims."""

    aspect: AspectSummary
    attributes: tuple[DrawnClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnEntity:
    """An entity, the agent whose it is, how many links it has in all, its community, and its weightiest aspects."""

    agent: str
    entity: EntitySummary
    last_mentioned_at: datetime | None
    degree: int
    aliases: tuple[str, ...]
    community: UUID | None
    aspects: tuple[DrawnAspect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLink:
    """A link between two entities, in short."""

    id: LinkId
    source: EntityId
    target: EntityId
    predicate: str
    strength: float
    confidence: float
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCommunity:
    """A group of entities that are linked closely."""

    id: UUID
    name: str
    member_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnProposal:
    """A change that waits for somebody to decide."""

    id: UUID
    operation: str
    payload: Mapping[str, Json]
    confidence: float | None
    rationale: str | None
    risk: str | None
    created_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnDream:
    """What a night's work came to."""

    id: UUID
    trigger: str
    status: str
    report: Mapping[str, Json]
    started_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRange:
    """From when on something is known of a graph, and when it last changed; None where it is empty."""

    earliest: datetime | None
    latest: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphTotals:
    """How much there is, whether it is drawn or not."""

    entities: int
    dependencies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Constellation:
    """A graph as a dashboard draws it, now or `as_of` a moment, with the graphs of agents that let others read theirs.

    `range` is where a moment can be chosen from. Communities are always those of today.
    """

    as_of: datetime | None
    range: TimeRange
    totals: GraphTotals
    entities: tuple[DrawnEntity, ...]
    dependencies: tuple[DrawnLink, ...]
    communities: tuple[DrawnCommunity, ...]
    proposals: tuple[DrawnProposal, ...]
    dreams: tuple[DrawnDream, ...]
