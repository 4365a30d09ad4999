"""What the routes that look at a graph as a whole give: reports, pictures and diagnostics."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from nacre.domain.hits import Kind
from nacre.domain.plain import Json
from nacre.http.knowledge_bodies import AttributeReply, KnownEntityReply
from nacre.http.wire import CamelReply
from nacre.ontology.suspicions import Reason


class SuspiciousReply(CamelReply):
    """An entity that may be none, and why."""

    id: UUID
    name: str
    canonical_name: str
    entity_type: str
    mentions: int
    reason: Reason


class TwinsReply(CamelReply):
    """Entities with one name."""

    canonical_name: str
    count: int
    ids: list[UUID]
    names: list[str]


class AttributeSummaryReply(CamelReply):
    """Claims in force that stand in no group, have no key, or rest on nothing."""

    missing_group_key: int
    missing_claim_key: int
    missing_source_memory: int


class MentionReply(CamelReply):
    """A memory that names a known entity without being known to speak of it."""

    memory_id: UUID
    entity_id: UUID
    entity_name: str
    mention_text: str
    snippet: str


class TotalsReply(CamelReply):
    """How much was looked at and found, whether it is shown or not."""

    entities: int
    suspicious: int
    duplicates: int
    memories: int


class HygieneReply(CamelReply):
    """The gravest of what looks wrong; nothing was changed."""

    suspicious_entities: list[SuspiciousReply]
    duplicate_entities: list[TwinsReply]
    attribute_summary: AttributeSummaryReply
    safe_mention_candidates: list[MentionReply]
    totals: TotalsReply


class TelemetryReply(CamelReply):
    """What a traversal came to."""

    at: datetime
    source: str
    focal_entity_ids: list[UUID]
    entity_count: int
    memory_count: int
    turn_count: int
    constraint_count: int
    timed_out: bool
    took_ms: float


class TraversalStatusReply(CamelReply):
    """The last traversal since the server was started, if there was one."""

    status: TelemetryReply | None


class ExpandedAspectReply(CamelReply):
    """A side of an entity, and what is believed there."""

    name: str
    weight: float
    attributes: list[AttributeReply]


class ExpandedDependencyReply(CamelReply):
    """A link of the entity: the name at its other end, and whether it comes from there."""

    target: str
    type: str
    strength: float
    incoming: bool


class ExcerptReply(CamelReply):
    """A memory or a turn in words."""

    id: UUID
    content: str


class ExpansionReply(CamelReply):
    """All that is known of an entity, as far as it fits; the counts say how much evidence there is."""

    entity: KnownEntityReply
    constraints: list[AttributeReply]
    aspects: list[ExpandedAspectReply]
    dependencies: list[ExpandedDependencyReply]
    memory_count: int
    memories: list[ExcerptReply]
    turn_count: int
    turns: list[ExcerptReply]


class SessionSummaryReply(CamelReply):
    """What a session came to; `harness` is the agent that it was held with."""

    id: UUID
    session_key: str
    harness: str
    earliest_at: datetime
    latest_at: datetime
    content: str


class ExpandedSessionsReply(CamelReply):
    """The sessions that speak of an entity, the newest first; `total` counts those that did not fit, too."""

    entity_name: str
    summaries: list[SessionSummaryReply]
    total: int


class AffectedReply(CamelReply):
    """An entity, and the last link on the way to it, with `~` in front when it leads the other way."""

    id: UUID
    name: str
    type: str
    via: str


class LayerReply(CamelReply):
    """The entities so many links away."""

    depth: int
    label: str
    entities: list[AffectedReply]


class GraphImpactReply(CamelReply):
    """What a change may come to, the nearest first; `truncated` says that there is more."""

    entity_id: UUID
    entity_name: str
    direction: str
    impact: list[LayerReply]
    truncated: bool


class PointReply(CamelReply):
    """A memory or a turn, the beginning of what it says, and where it stands, from -1 to 1 on both axes."""

    id: UUID
    kind: Kind
    content: str
    x: float
    y: float
    created_at: datetime
    category: str | None
    importance: float | None


class ProjectionReply(CamelReply):
    """The newest items that have a vector, and how many there are in all; `notes` say why there are none."""

    items: list[PointReply]
    total: int
    notes: list[str]


class GraphDiagnosticsReply(CamelReply):
    """Whether the graph is read, and whether extraction may write to it."""

    enabled: bool
    extraction_writes_enabled: bool


class JobCountsReply(CamelReply):
    """How many jobs wait, and how many were given up."""

    waiting: int
    dead: int


class DiagnosticsReply(CamelReply):
    """What the server runs on, and which parts of it are switched off."""

    version: str
    database: str
    embedder: str | None
    rerank: str
    language_model: str | None
    graph: GraphDiagnosticsReply
    cache: Literal["off", "answers", "does not answer"]
    jobs: JobCountsReply

    @classmethod
    def told(cls, version: str, diagnostics: dict[str, Json]) -> "DiagnosticsReply":
        """The reply that holds what a brain says of itself."""
        return cls.model_validate({"version": version, **diagnostics})
