"""Reports on a graph: counts, pictures, walks, impacts, health, hygiene and quality."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from nacre.domain.entities import Entity, EntityType
from nacre.domain.ids import EntityId, MemoryId
from nacre.domain.links import Link


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An entity in short."""

    id: UUID
    name: str
    type: str
    confidence: float


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A link between two entities in short."""

    id: UUID
    source: UUID
    target: UUID
    predicate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStats:
    """How much there is, and of what kinds."""

    entity_count: int
    relation_count: int
    entity_types: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPicture:
    """Entities and the links between them, for drawing."""

    entities: list[Entity]
    relations: list[Link]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSketch:
    """A large graph in few words, and how many entities and links between entities there are in all."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    total_nodes: int
    total_edges: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedNode:
    """An entity and a shortest way to it: `path` from a seed to it, `via` the last predicate, `~` when walked back."""

    entity_id: EntityId
    depth: int
    path: tuple[EntityId, ...]
    via: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What a walk came by, in the order it did; `best` are its strongest links; `truncated` says there was more."""

    nodes: list[ReachedNode]
    links: list[Link]
    best: list[Link]
    truncated: bool


class WalkState(StrEnum):
    """How far a graph can be walked."""

    EMPTY = "empty"
    INERT = "inert"
    THIN = "thin"
    HEALTHY = "healthy"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphHealth:
    """How many links between entities pass every gate of a walk, and how many the first closed gate stops.

    `empty` has no links, `inert` has links but none that is ever walked, `thin` walks less than a fifth of them.
    `connected_entities` are those that a walk can leave or reach.
    """

    state: WalkState
    message: str
    entities: int
    connected_entities: int
    links: int
    walkable_links: int
    walkable_share: float
    archived: int
    out_of_time: int
    unsure: int
    weak: int


class Reason(StrEnum):
    """What is suspicious, the gravest first."""

    NUMERIC_ONLY = "numeric_only"
    GENERIC_OR_SCAFFOLDING_NAME = "generic_or_scaffolding_name"
    METADATA_ROLE = "metadata_role"
    DISCOURSE_FRAGMENT = "discourse_fragment"
    ROLE_PREFIXED_SCAFFOLDING = "role_prefixed_scaffolding"
    SECTION_HEADING = "section_heading"
    TOO_SHORT = "too_short"
    NON_CONCRETE_ENTITY_TYPE = "non_concrete_entity_type"
    UNKNOWN_ENTITY_TYPE = "unknown_entity_type"
    EVENT_WITHOUT_TIME_OR_EVENT_SIGNAL = "event_without_time_or_event_signal"
    GENERIC_WORD = "generic_word"
    ZERO_MENTIONS = "zero_mentions"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspiciousEntity:
    """An entity that may be none, and why."""

    id: EntityId
    name: str
    canonical_name: str
    entity_type: str
    mentions: int
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateEntities:
    """Entities with one name."""

    canonical_name: str
    count: int
    ids: tuple[UUID, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeSummary:
    """Claims in force that stand in no group of their own, have no key, or rest on no memory and no evidence."""

    missing_group_key: int
    missing_claim_key: int
    missing_source_memory: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionCandidate:
    """A memory that names a known entity, in exactly its words, without being known to speak of it."""

    memory_id: MemoryId
    entity_id: EntityId
    entity_name: str
    mention_text: str
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HygieneTotals:
    """How much was looked at, and how much was found, whether it is shown or not."""

    entities: int
    suspicious: int
    duplicates: int
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HygieneReport:
    """The gravest of what looks wrong."""

    suspicious_entities: tuple[SuspiciousEntity, ...]
    duplicate_entities: tuple[DuplicateEntities, ...]
    attribute_summary: AttributeSummary
    safe_mention_candidates: tuple[MentionCandidate, ...]
    totals: HygieneTotals


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureQuality:
    """`score` is the mean of three shares: entities with a type, aspects that say what they are, claims with a key.

    `generic_aspects` and `profile_aspects` count the aspects of each such name, the commonest first.
    """

    score: float
    unknown_types: int
    generic_aspects: Mapping[str, int]
    profile_aspects: Mapping[str, int]
    claims_without_key: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQuality:
    """Shares from 0 to 1 of what is in force; None where there is nothing to take a share of.

    `citation_coverage` is the share of claims that rest on a memory or on evidence, `graph_garbage_rate` that of
    entities which are none. `reasons` counts why entities are doubted.
    """

    entities: int
    aspects: int
    claims: int
    citation_coverage: float | None
    graph_garbage_rate: float | None
    structure_quality: StructureQuality | None
    reasons: Mapping[str, int]


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
