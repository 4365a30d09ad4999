"""`/api/knowledge/entities/{entity}/…`: what a page about one entity shows."""

from typing import Annotated

from fastapi import APIRouter, Query

from nacre.domain import checks
from nacre.domain.access import Permission
from nacre.domain.dossiers import MAX_VERSIONS, Beliefs
from nacre.domain.navigation import DIRECTIONS
from nacre.http.doors import OfAgentId, needs
from nacre.http.dossier_replies import (
    ConnectionReply,
    ConnectionsReply,
    MentionsReply,
    RelatedMemoriesReply,
    TimelineReply,
)
from nacre.http.knowledge import EntityPath, PageLimit, up_to
from nacre.http.queries import AsOf, BeforeId, Offset
from nacre.http.shapes import CamelRoute

router = APIRouter(prefix="/api/knowledge/entities/{entity}", tags=["knowledge"], route_class=CamelRoute)


@router.get("/beliefs", **needs(Permission.RECALL))
def entity_beliefs(
    scope: OfAgentId,
    entity: EntityPath,
    as_of: AsOf = None,
    versions: Annotated[int, up_to(MAX_VERSIONS, description="Of each claim, at most so many.")] = 10,
) -> Beliefs:
    """Everything that claims about an entity ever said, with the words it rests on, and which of it holds."""
    return scope.dossiers.beliefs(entity, as_of=as_of, versions=versions)


@router.get("/links", **needs(Permission.RECALL))
def entity_links(
    scope: OfAgentId,
    entity: EntityPath,
    *,
    direction: Annotated[str, Query(json_schema_extra={"enum": list(DIRECTIONS)})] = "both",
    as_of: AsOf = None,
    limit: Annotated[int, up_to(checks.MAX_LIMIT, description="At most so many.")] = 100,
    offset: Offset = 0,
) -> ConnectionsReply:
    """The links at an entity, to others and to plain values, the strongest first, each with the words it rests on."""
    found = scope.dossiers.connections(entity, direction=direction, as_of=as_of, limit=limit, offset=offset)
    return ConnectionsReply(items=[ConnectionReply.shown(each) for each in found], limit=limit, offset=offset)


@router.get("/mentions", **needs(Permission.RECALL))
def entity_mentions(scope: OfAgentId, entity: EntityPath, limit: PageLimit = 50, offset: Offset = 0) -> MentionsReply:
    """Where an entity is spoken of, in context, the last said first."""
    return MentionsReply(items=scope.dossiers.mentions(entity, limit=limit, offset=offset), limit=limit, offset=offset)


@router.get("/memories", **needs(Permission.RECALL))
def entity_memories(
    scope: OfAgentId, entity: EntityPath, limit: PageLimit = 50, offset: Offset = 0
) -> RelatedMemoriesReply:
    """The memories that speak of an entity, or that claims about it rest on, the last seen first."""
    found = scope.dossiers.memories(entity, limit=limit, offset=offset)
    return RelatedMemoriesReply(items=found, limit=limit, offset=offset)


@router.get("/timeline", **needs(Permission.RECALL))
def entity_timeline(
    scope: OfAgentId, entity: EntityPath, limit: PageLimit = 50, before: BeforeId = None
) -> TimelineReply:
    """What was done to an entity, its names, claims and links, the last first."""
    found = scope.dossiers.timeline(entity, limit=limit, before=before)
    return TimelineReply(items=found)
