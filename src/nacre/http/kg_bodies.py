"""Requests and replies of an agent's graph, in the words of their document.

Times are whole seconds since 1970, properties lead from text to text.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from nacre.brain import Door, ScopedNacre
from nacre.domain import checks
from nacre.domain.duplicates import DuplicateCandidate
from nacre.domain.entities import Entity
from nacre.domain.errors import Invalid
from nacre.domain.extractions import Extraction
from nacre.domain.graph_reports import GraphSketch, ReachedNode
from nacre.domain.links import Link
from nacre.domain.operation_results import OperationResult
from nacre.domain.operations import MAX_DESCRIPTION
from nacre.domain.scopes import Scope
from nacre.http.bodies import WORDS, Fraction, Instant, Metadata, Name, Text, limits

MAX_DEPTH = 5


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


class KgBody(BaseModel):
    """Names the user whose graph is meant; the address may do so instead."""

    model_config = ConfigDict(extra="forbid")

    user_id: Name | None = Field(default=None, description="Keep to this user's graph.")

    def scope(self, door: Door, agent: str, user_id: str | None) -> ScopedNacre:
        """The memory that is meant, if the caller may reach it."""
        if user_id is not None and self.user_id not in (None, user_id):
            raise Invalid("user_id", "is named twice, and not alike")
        return door.scope(agent, self.user_id if user_id is None else user_id)


class KgEntityBody(KgBody):
    """An entity to add, or to add to."""

    model_config = _example(
        external_id="john-doe", name="John Doe", entity_type="person", properties={"team": "platform"}
    )

    external_id: Name = Field(description="Its readable id: the entity that has it already is added to.")
    name: Name
    entity_type: Name = Field(description="`unknown` is stored for what is not a known type.")
    description: Annotated[str, limits(maxLength=MAX_DESCRIPTION, **WORDS)] | None = None
    properties: Metadata = {}
    confidence: Fraction = 1.0
    source_id: UUID | None = Field(default=None, description="The evidence that speaks of it, such as a turn's id.")


class KgTraverseBody(KgBody):
    """Where a walk starts, and how far it goes."""

    model_config = _example(entity_id="project-alpha", max_depth=2)

    entity_id: Name = Field(description="An entity by its id, its `external_id` or a name.")
    max_depth: Annotated[StrictInt, limits(minimum=1, maximum=MAX_DEPTH)] = Field(
        default=2, description="How many links away."
    )
    as_of: Instant | None = Field(default=None, description="The graph as it was at this time.")


class KgExtractBody(KgBody):
    """A text to bring into the graph."""

    model_config = _example(text="Alice manages Project Alpha. Bob works on Project Alpha.", min_confidence=0.75)

    text: Text
    provider: Name | None = Field(default=None, description="Whose language model reads it; the settings' if left out.")
    model: Name | None = Field(default=None, description="Which one; rules read it where there is none.")
    min_confidence: Fraction | None = Field(default=None, description="What is less sure is left out; 0 is the usual.")


class KgScanBody(KgBody):
    """How alike two entities must be to be put up for review, and how many pairs."""

    model_config = _example(threshold=0.9, limit=100)

    threshold: Fraction = 0.9
    limit: Annotated[StrictInt, limits(minimum=1, maximum=checks.MAX_LIMIT)] = 100


class KgMergeBody(KgBody):
    """Two entities that are one; the target stays."""

    model_config = _example(target_id="john-doe", source_id="j-doe")

    target_id: Name
    source_id: Name
    force: StrictBool = Field(default=False, description="Even if the source is pinned, or of another type.")


class KgDismissBody(KgBody):
    """A pair of entities that are two things."""

    model_config = _example(candidate_id="01890a5d-ac96-774b-bcce-b302099a8057")

    candidate_id: UUID


class KgReply(BaseModel):
    """A part of a graph as JSON."""

    model_config = ConfigDict(extra="forbid")


class KgEntityReply(KgReply):
    """An entity; `user_id` is empty where users share the graph, `source_id` is where it was first spoken of."""

    id: UUID
    agent_id: str
    user_id: str | None
    external_id: str
    name: str
    entity_type: str
    description: str | None
    properties: dict[str, str]
    source_id: UUID | None
    confidence: float
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, entity: Entity, home: Scope, source: UUID | None) -> "KgEntityReply":
        """The reply that holds an entity of a graph."""
        return cls(
            id=entity.id,
            agent_id=home.agent,
            user_id=home.user,
            external_id=entity.slug,
            name=entity.name,
            entity_type=entity.type,
            description=entity.description,
            properties=dict(entity.properties),
            source_id=source,
            confidence=entity.confidence,
            created_at=seconds(entity.created_at),
            updated_at=seconds(entity.updated_at),
        )


class KgRelationReply(KgReply):
    """A link from one entity to another, or to the plain `value` where there is no target."""

    id: UUID
    agent_id: str
    user_id: str | None
    source_entity_id: UUID
    relation_type: str
    target_entity_id: UUID | None
    value: str | None
    confidence: float
    properties: dict[str, str]
    created_at: int

    @classmethod
    def of(cls, link: Link, home: Scope) -> "KgRelationReply":
        """The reply that holds a link of a graph."""
        return cls(
            id=link.id,
            agent_id=home.agent,
            user_id=home.user,
            source_entity_id=link.source,
            relation_type=link.predicate,
            target_entity_id=link.target,
            value=link.value,
            confidence=link.confidence,
            properties=dict(link.properties),
            created_at=seconds(link.created_at),
        )


class KgConnectedReply(KgReply):
    """An entity and the links at it, in both directions."""

    entity: KgEntityReply
    relations: list[KgRelationReply]


class KgStatusReply(KgReply):
    """It was done; `audit` is what an undo takes, and null where nothing was changed."""

    status: Literal["ok", "deleted", "merged", "dismissed"]
    audit: UUID | None

    @classmethod
    def done(cls, status: Literal["ok", "deleted", "merged", "dismissed"], applied: OperationResult | None) -> Self:
        """The reply that tells of an operation."""
        return cls(status=status, audit=applied.audit if applied else None)


class KgStepReply(KgReply):
    """An entity and a shortest way to it; `via` is the last relation, with `~` in front when walked backwards."""

    entity: KgEntityReply
    depth: int
    path: list[UUID]
    via: str

    @classmethod
    def of(cls, reached: ReachedNode, entity: KgEntityReply) -> "KgStepReply":
        """The reply that holds a step of a walk."""
        return cls(entity=entity, depth=reached.depth, path=list(reached.path), via=reached.via)


class KgExtractReply(KgReply):
    """How much a text added, how many duplicates were joined or put up for review, and who read it."""

    entities: int
    relations: int
    dedup_merged: int
    dedup_flagged: int
    method: str
    notes: list[str]

    @classmethod
    def of(cls, made: Extraction) -> "KgExtractReply":
        """The reply that holds what a text came to."""
        return cls(
            entities=made.entities,
            relations=made.links,
            dedup_merged=made.merged,
            dedup_flagged=made.flagged,
            method=made.method,
            notes=[*made.notes, *made.failed],
        )


class KgStatsReply(KgReply):
    """The graph in numbers; `user_ids` are the agent's users, for who asks about no user in particular."""

    entity_count: int
    relation_count: int
    entity_types: dict[str, int]
    user_ids: list[str] | None


class KgPictureReply(KgReply):
    """Entities and the links between them, for drawing."""

    entities: list[KgEntityReply]
    relations: list[KgRelationReply]


class KgNodeReply(KgReply):
    """An entity in short: its name, its type and its confidence."""

    id: UUID
    n: str
    t: str
    c: float


class KgEdgeReply(KgReply):
    """A link in short: where it begins, where it ends, and what it says."""

    id: UUID
    src: UUID
    tgt: UUID
    type: str


class KgCompactReply(KgReply):
    """A large graph in few words; the totals count what was left out, too."""

    nodes: list[KgNodeReply]
    edges: list[KgEdgeReply]
    total_nodes: int
    total_edges: int

    @classmethod
    def of(cls, sketch: GraphSketch) -> "KgCompactReply":
        """The reply that holds a sketch of a graph."""
        return cls(
            nodes=[KgNodeReply(id=each.id, n=each.name, t=each.type, c=each.confidence) for each in sketch.nodes],
            edges=[
                KgEdgeReply(id=each.id, src=each.source, tgt=each.target, type=each.predicate) for each in sketch.edges
            ],
            total_nodes=sketch.total_nodes,
            total_edges=sketch.total_edges,
        )


class KgScanReply(KgReply):
    """How many pairs are new to the review."""

    candidates_found: int


class KgCandidateReply(KgReply):
    """Two entities that may be the same."""

    id: UUID
    entity_a: KgEntityReply
    entity_b: KgEntityReply
    similarity: float
    status: str
    created_at: int

    @classmethod
    def of(cls, candidate: DuplicateCandidate, entities: Mapping[UUID, KgEntityReply]) -> "KgCandidateReply":
        """The reply that holds a pair."""
        return cls(
            id=candidate.id,
            entity_a=entities[candidate.entity_a],
            entity_b=entities[candidate.entity_b],
            similarity=candidate.similarity,
            status=candidate.status,
            created_at=seconds(candidate.created_at),
        )


class KgRenderer:
    """A scope's graph, in the words of the document."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._graph = scope.graph
        self._home = self._graph.home()

    def entities(self, some: Iterable[Entity]) -> list[KgEntityReply]:
        """Entities as replies hold them."""
        shown = list(some)
        sources = self._graph.first_said_in([each.id for each in shown])
        return [KgEntityReply.of(each, self._home, sources.get(each.id)) for each in shown]

    def relations(self, links: Iterable[Link]) -> list[KgRelationReply]:
        """Links as replies hold them."""
        return [KgRelationReply.of(each, self._home) for each in links]


def seconds(moment: datetime) -> int:
    """A moment as the document writes it."""
    return int(moment.timestamp())
