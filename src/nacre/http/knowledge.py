"""`/api/knowledge/…`: the graph as people read it."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query

from nacre.brain import ScopedNacre
from nacre.domain import checks
from nacre.domain.access import Permission
from nacre.domain.claims import ClaimKind, ClaimStatus
from nacre.domain.entities import EntityType
from nacre.domain.navigation import DIRECTIONS, MAX_DEPTH, MAX_PAGE, EntityDetail, EntityPage, EntityTree, PinnedEntity
from nacre.domain.offers import EntityHealth
from nacre.domain.operations import PinEntity, UnpinEntity
from nacre.domain.summaries import ExpandedSessions
from nacre.domain.traversals import EntityExpansion
from nacre.http.bodies import LINE
from nacre.http.doors import Entered, OfAgentId, needs
from nacre.http.knowledge_bodies import (
    AspectsReply,
    AttributesReply,
    ClaimsReply,
    DependenciesReply,
    ExpandBody,
    ExpandSessionBody,
    GroupsReply,
    PinReply,
    UnpinReply,
)
from nacre.http.label_bodies import LabelsBody, LabelsReply
from nacre.http.queries import Offset, Since
from nacre.http.shapes import CamelRoute

router = APIRouter(prefix="/api/knowledge", tags=["knowledge"], route_class=CamelRoute)


def up_to(maximum: int, **more: Any) -> Any:
    """A number from 1 on: the schema tells its limits, the domain enforces them."""
    return Query(json_schema_extra={"minimum": 1, "maximum": maximum}, **more)


PageLimit = Annotated[int, up_to(MAX_PAGE, description="At most so many.")]
EntityPath = Annotated[str, Path(description="By its id, its slug or a name.", json_schema_extra=LINE)]
AspectPath = Annotated[str, Path(description="By its id or its name.", json_schema_extra=LINE)]
EntityName = Annotated[
    str, Query(description="By its id, its slug, a name, or a part of its name.", json_schema_extra=LINE)
]
Key = Annotated[str, Query(description="By its name.", json_schema_extra=LINE)]
OfType = Annotated[
    str | None, Query(description="Only entities of this type.", json_schema_extra={"enum": list(EntityType)})
]
PartOfName = Annotated[str | None, Query(description="A part of a name, in any case.", json_schema_extra=LINE)]
OfKind = Annotated[ClaimKind | None, Query(description="Only attributes, or only constraints.")]
OfStatus = Annotated[str, Query(description="One status, or `all`.", json_schema_extra={"enum": [*ClaimStatus, "all"]})]


@router.get("/entities", **needs(Permission.RECALL))
def list_entities(
    scope: OfAgentId,
    *,
    type: OfType = None,  # noqa: A002 - the document's name
    q: PartOfName = None,
    limit: PageLimit = 50,
    offset: Offset = 0,
) -> EntityPage:
    """The entities in force: the pinned first, then the most mentioned, the last changed, and by name."""
    return scope.knowledge.entities(type=type or None, q=q or None, limit=limit, offset=offset)


@router.get("/navigation/entities", **needs(Permission.RECALL))
def navigate_entities(
    scope: OfAgentId,
    *,
    type: OfType = None,  # noqa: A002 - the document's name
    q: PartOfName = None,
    limit: PageLimit = 50,
    offset: Offset = 0,
) -> EntityPage:
    """As `/api/knowledge/entities`."""
    return list_entities(scope, type=type, q=q, limit=limit, offset=offset)


@router.get("/navigation/entity", **needs(Permission.RECALL))
def navigate_to_entity(scope: OfAgentId, name: EntityName) -> EntityDetail:
    """The entity that goes by a name, or whose name begins so, or else holds it, in numbers."""
    return scope.knowledge.entity(name)


@router.get("/navigation/tree", **needs(Permission.RECALL))
def navigate_tree(
    scope: OfAgentId,
    entity: EntityName,
    *,
    max_aspects: Annotated[int, up_to(100)] = 20,
    max_groups: Annotated[int, up_to(100)] = 20,
    max_claims: Annotated[int, up_to(200)] = 50,
    depth: Annotated[int, up_to(MAX_DEPTH, description="1 is aspects, 2 groups as well, 3 claims, too.")] = 3,
) -> EntityTree:
    """What is believed of an entity, in outline: aspects, their groups and their claims."""
    return scope.knowledge.tree(
        entity, max_aspects=max_aspects, max_groups=max_groups, max_claims=max_claims, depth=depth
    )


@router.get("/navigation/aspects", **needs(Permission.RECALL))
def navigate_aspects(scope: OfAgentId, entity: EntityName, limit: PageLimit = 50, offset: Offset = 0) -> AspectsReply:
    """The aspects of an entity, the weightiest first, each with its counts."""
    found = scope.knowledge.aspects(entity, limit=limit, offset=offset)
    return AspectsReply(items=found, limit=limit, offset=offset)


@router.get("/navigation/groups", **needs(Permission.RECALL))
def navigate_groups(scope: OfAgentId, entity: EntityName, aspect: Key) -> GroupsReply:
    """The groups of an aspect, the fullest first, each with its counts."""
    return GroupsReply(items=scope.knowledge.groups(entity, aspect))


@router.get("/navigation/claims", **needs(Permission.RECALL))
def navigate_claims(scope: OfAgentId, entity: EntityName, aspect: Key, group: Key) -> ClaimsReply:
    """The claims of a group, by name, each with what it says now."""
    found = scope.knowledge.claims(entity, aspect, group)
    return ClaimsReply(items=found)


@router.get("/navigation/attributes", **needs(Permission.RECALL))
def navigate_attributes(
    scope: OfAgentId,
    entity: EntityName,
    aspect: Key,
    group: Key,
    claim: Key,
    *,
    kind: OfKind = None,
    status: OfStatus = "active",
    limit: PageLimit = 50,
    offset: Offset = 0,
) -> AttributesReply:
    """The versions of a claim: those in force, unless `status` says otherwise."""
    found = scope.knowledge.attributes(
        entity, aspect, group, claim, kind=kind, status=status, limit=limit, offset=offset
    )
    return AttributesReply(items=found, limit=limit, offset=offset)


@router.get("/entities/pinned", **needs(Permission.RECALL))
def list_pinned(
    scope: OfAgentId, limit: Annotated[int, up_to(checks.MAX_LIMIT, description="At most so many.")] = 200
) -> list[PinnedEntity]:
    """The pinned entities, the last pinned first."""
    return scope.knowledge.pinned(limit=limit)


@router.get("/entities/health", **needs(Permission.RECALL))
def entity_health(
    scope: OfAgentId,
    since: Since = None,
    min_comparisons: Annotated[int, up_to(checks.MAX_LIMIT, description="Leave out what was offered less often.")] = 3,
    limit: Annotated[int, up_to(checks.MAX_LIMIT, description="At most so many.")] = 100,
) -> list[EntityHealth]:
    """How well what is offered about each entity serves the sessions it is offered to."""
    return scope.ontology.offers.health(since=since, min_comparisons=min_comparisons, limit=limit)


@router.get("/entities/{entity}", **needs(Permission.RECALL))
def get_entity(scope: OfAgentId, entity: EntityPath) -> EntityDetail:
    """One entity in numbers."""
    return scope.knowledge.entity(_exactly(scope, entity))


@router.get("/entities/{entity}/aspects", **needs(Permission.RECALL))
def list_aspects(scope: OfAgentId, entity: EntityPath, limit: PageLimit = 50, offset: Offset = 0) -> AspectsReply:
    """The aspects of an entity, the weightiest first, each with its counts."""
    found = scope.knowledge.aspects(_exactly(scope, entity), limit=limit, offset=offset)
    return AspectsReply(items=found, limit=limit, offset=offset)


@router.get("/entities/{entity}/aspects/{aspect}/attributes", **needs(Permission.RECALL))
def list_attributes(
    scope: OfAgentId,
    entity: EntityPath,
    aspect: AspectPath,
    *,
    kind: OfKind = None,
    status: OfStatus = "active",
    limit: PageLimit = 50,
    offset: Offset = 0,
) -> AttributesReply:
    """What is believed of one side of an entity: what is in force, unless `status` says otherwise."""
    found = scope.knowledge.attributes(
        _exactly(scope, entity), aspect, kind=kind, status=status, limit=limit, offset=offset
    )
    return AttributesReply(items=found, limit=limit, offset=offset)


@router.get("/entities/{entity}/dependencies", **needs(Permission.RECALL))
def list_dependencies(
    scope: OfAgentId,
    entity: EntityPath,
    *,
    direction: Annotated[str, Query(json_schema_extra={"enum": list(DIRECTIONS)})] = "both",
    limit: Annotated[int, up_to(checks.MAX_LIMIT, description="At most so many.")] = 100,
    offset: Offset = 0,
) -> DependenciesReply:
    """The links in force between an entity and others, the strongest first."""
    found = scope.knowledge.dependencies(_exactly(scope, entity), direction=direction, limit=limit, offset=offset)
    return DependenciesReply(items=found, limit=limit, offset=offset)


@router.post("/entities/{entity}/pin", **needs(Permission.MODIFY))
def pin_entity(scope: OfAgentId, entity: EntityPath, door: Entered) -> PinReply:
    """Put an entity before all others, and keep it from being cleaned up."""
    [applied] = scope.graph.apply([PinEntity(entity=entity)], actor=door.actor())
    pinned_at = scope.graph.get(entity).pinned_at
    return PinReply.model_validate({"pinned_at": pinned_at, "audit": applied.audit})


@router.delete("/entities/{entity}/pin", **needs(Permission.MODIFY))
def unpin_entity(scope: OfAgentId, entity: EntityPath, door: Entered) -> UnpinReply:
    """Let a pinned entity take its usual place."""
    [applied] = scope.graph.apply([UnpinEntity(entity=entity)], actor=door.actor())
    return UnpinReply(audit=applied.audit)


@router.post("/labels", **needs(Permission.RECALL))
def labels(body: LabelsBody, door: Entered) -> LabelsReply:
    """What ids of entities, claims, links and assertions stand for, in force or not; unknown ids are left out."""
    return LabelsReply(items=body.scope(door).knowledge.labels(body.ids))


@router.post("/expand", **needs(Permission.RECALL))
def expand_entity(body: ExpandBody, door: Entered) -> EntityExpansion:
    """All that is known of an entity, or of one aspect of it, as much as fits into a number of tokens."""
    return body.scope(door).ontology.expand(body.entity, body.aspect, max_tokens=body.max_tokens)


@router.post("/expand/session", **needs(Permission.RECALL))
def expand_sessions(body: ExpandSessionBody, door: Entered) -> ExpandedSessions:
    """The sessions that speak of an entity, the newest first; none where it is unknown."""
    return body.scope(door).summaries.expand(
        body.entity_name, session=body.session_id, time_range=body.time_range, max_results=body.max_results
    )


def _exactly(scope: ScopedNacre, entity: str) -> UUID:
    """An address names one entity: no part of a name will do, as it does for people who look around."""
    return scope.graph.get(entity).id
