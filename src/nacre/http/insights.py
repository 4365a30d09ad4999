"""Insights: the graph as a whole, the state it is in, and what the server runs on."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from nacre import __version__
from nacre.domain import checks
from nacre.domain.access import Permission
from nacre.domain.communities import Communities
from nacre.domain.constellations import MAX_ASPECTS, MAX_CLAIMS, MAX_ENTITIES, MAX_LINKS
from nacre.domain.graph_reports import HygieneReport, Impact
from nacre.domain.hits import Kind
from nacre.domain.navigation import MAX_PAGE, KnowledgeStats
from nacre.domain.projections import KINDS, MAX_POINTS, Projection
from nacre.http.constellation_replies import CONSTELLATION, rendered
from nacre.http.doors import Entered, OfAgentId, needs
from nacre.http.insight_bodies import (
    DiagnosticsReply,
    TraversalStatusReply,
)
from nacre.http.knowledge import PageLimit, up_to
from nacre.http.knowledge_bodies import GraphImpactBody
from nacre.http.queries import AsOf, Offset
from nacre.http.shapes import CamelRoute

router = APIRouter(prefix="/api", tags=["insights"], route_class=CamelRoute)


@router.get("/knowledge/stats", **needs(Permission.RECALL))
def knowledge_stats(scope: OfAgentId) -> KnowledgeStats:
    """How much is known, how much of what is remembered it covers, and where feedback has moved it."""
    return scope.knowledge.stats()


@router.get("/knowledge/communities", **needs(Permission.RECALL))
def list_communities(scope: OfAgentId, limit: PageLimit = 50, offset: Offset = 0) -> Communities:
    """Groups of entities that are linked more closely with each other than with the rest, the largest first."""
    return scope.knowledge.communities(limit=limit, offset=offset)


@router.get("/knowledge/hygiene", **needs(Permission.RECALL))
def knowledge_hygiene(
    scope: OfAgentId,
    limit: Annotated[int, up_to(500, description="How many findings of a kind are shown.")] = 50,
    memory_limit: Annotated[int, up_to(1_000, description="How many of the newest memories are looked at.")] = 200,
) -> HygieneReport:
    """What in the graph looks wrong; asking changes nothing."""
    return scope.knowledge.hygiene(limit=limit, memory_limit=memory_limit)


@router.get("/knowledge/traversal/status", **needs(Permission.RECALL))
def traversal_status(scope: OfAgentId) -> TraversalStatusReply:
    """What the last traversal came to."""
    return TraversalStatusReply(status=scope.ontology.last_traversal())


@router.get("/knowledge/constellation", response_model=CONSTELLATION, **needs(Permission.RECALL))
def draw_constellation(
    scope: OfAgentId,
    *,
    as_of: AsOf = None,
    limit: Annotated[int, up_to(MAX_ENTITIES, description="At most so many entities.")] = 150,
    aspects: Annotated[
        int,
        Query(
            description="Of each entity; without aspects, there are no claims.",
            json_schema_extra={"minimum": 0, "maximum": MAX_ASPECTS},
        ),
    ] = 6,
    attributes: Annotated[int, up_to(MAX_CLAIMS, description="Of each aspect.")] = 4,
    dependencies: Annotated[int, up_to(MAX_LINKS, description="At most so many links.")] = 500,
    proposals: Annotated[int, up_to(MAX_PAGE)] = 50,
    dreams: Annotated[int, up_to(MAX_PAGE)] = 10,
    shared: Annotated[bool, Query(description="With the graphs that other agents opened.")] = True,
) -> Response:
    """The graph as a dashboard draws it, with the graphs of agents whose `read_policy` is `shared`.

    What is pinned comes first, then what has the most links. Communities are those of today, whatever `as_of` says.
    """
    drawn = scope.knowledge.constellation(
        limit=limit,
        aspects=aspects,
        attributes=attributes,
        dependencies=dependencies,
        proposals=proposals,
        dreams=dreams,
        shared=shared,
        as_of=as_of,
    )
    return Response(rendered(drawn), media_type="application/json")


@router.post("/graph/impact", **needs(Permission.RECALL))
def graph_impact(body: GraphImpactBody, door: Entered) -> Impact:
    """What a change of an entity may come to: what will break, what is likely affected, what may need testing.

    `downstream` follows the links, `upstream` goes against them: what depends on an entity stands upstream.
    """
    knowledge, entity = body.scope(door).knowledge, checks.name("entityId", body.entity_id)
    return knowledge.impact(entity, direction=body.direction, max_depth=body.max_depth)


@router.get("/embeddings/projection", **needs(Permission.RECALL))
def project_embeddings(
    scope: OfAgentId,
    limit: Annotated[int, up_to(MAX_POINTS, description="At most so many.")] = 500,
    kinds: Annotated[
        list[str], Query(description="What to draw.", json_schema_extra={"items": {"enum": list(KINDS)}})
    ] = [Kind.MEMORY],  # noqa: B006 - nobody changes it
) -> Projection:
    """The newest memories, or turns as well, as points on a plane: what means the same stands close together."""
    return scope.projection(limit=limit, kinds=kinds)


@router.get("/diagnostics", **needs(Permission.DIAGNOSTICS))
def diagnostics(door: Entered) -> DiagnosticsReply:
    """What the server runs on, and which parts of it are switched off."""
    return DiagnosticsReply.told(__version__, door.server().diagnostics())
