"""`/v1/agents/{agent}/kg/…`: an agent's graph, for one user where one is named."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response

from nacre.brain.graph import MAX_DRAWN
from nacre.domain import checks
from nacre.domain.access import Permission
from nacre.domain.duplicates import Decision
from nacre.http.bodies import LINE, WORDS
from nacre.http.doors import AgentPath, Entered, OfGraph, User, needs
from nacre.http.kg_bodies import (
    MAX_DEPTH,
    KgCandidateReply,
    KgCompactReply,
    KgConnectedReply,
    KgDismissBody,
    KgEntityBody,
    KgEntityReply,
    KgExtractBody,
    KgExtractReply,
    KgMergeBody,
    KgPictureReply,
    KgRenderer,
    KgScanBody,
    KgScanReply,
    KgStatsReply,
    KgStatusReply,
    KgStepReply,
    KgTraverseBody,
)
from nacre.http.knowledge import OfType
from nacre.http.queries import AsOf, Limit, Offset

MAX_PICTURE = 500
# Of one entity; the newest are shown.
MAX_RELATIONS = 1_000
# A header that says that there is more than is shown, where the document's shape has no place for it.
TRUNCATED = "Nacre-Truncated"

router = APIRouter(prefix="/v1/agents/{agent}/kg", tags=["graph"])

EntityPath = Annotated[
    str, Path(description="By its id, its `external_id` or a name.", examples=["john-doe"], json_schema_extra=LINE)
]


@router.get("/entities", **needs(Permission.RECALL))
def list_graph_entities(
    scope: OfGraph,
    *,
    type: OfType = None,  # noqa: A002 - the document's name
    q: Annotated[
        str | None, Query(description="Words of the name or description, or their beginnings.", json_schema_extra=WORDS)
    ] = None,
    limit: Limit = 50,
    offset: Offset = 0,
    as_of: AsOf = None,
) -> list[KgEntityReply]:
    """Entities by name and description; without `q`, the last changed first."""
    words = checks.text("q", q) if q else None
    found = scope.graph.search(words, type=type or None, limit=limit, offset=offset, as_of=as_of)
    return KgRenderer(scope).entities(found)


@router.get("/entities/{entity}", **needs(Permission.RECALL))
def get_graph_entity(scope: OfGraph, entity: EntityPath, response: Response, as_of: AsOf = None) -> KgConnectedReply:
    """An entity and the links at it; of more than 1,000 the newest, and the header `Nacre-Truncated`."""
    found, wording = scope.graph.node(entity, as_of=as_of, limit=MAX_RELATIONS + 1), KgRenderer(scope)
    if len(found.links) > MAX_RELATIONS:
        response.headers[TRUNCATED] = "true"
    relations = wording.relations(found.links[:MAX_RELATIONS])
    return KgConnectedReply(entity=wording.entities([found.entity])[0], relations=relations)


@router.post("/entities", **needs(Permission.MODIFY))
def upsert_graph_entity(agent: AgentPath, body: KgEntityBody, door: Entered, user_id: User = None) -> KgStatusReply:
    """Add an entity, or add to the one with this `external_id`; nothing it knew is lost."""
    graph = body.scope(door, agent, user_id).graph
    added = graph.upsert(
        body.name,
        type=body.entity_type,
        slug=checks.name("external_id", body.external_id),
        description=body.description,
        properties=body.properties,
        confidence=body.confidence,
        said_in=body.source_id,
        actor=door.actor(),
    )
    return KgStatusReply.done("ok", added)


@router.delete("/entities/{entity}", **needs(Permission.FORGET))
def delete_graph_entity(scope: OfGraph, entity: EntityPath, door: Entered) -> KgStatusReply:
    """Take an entity and its links out of force; an undo brings them back."""
    return KgStatusReply.done("deleted", scope.graph.archive(entity, actor=door.actor()))


@router.post("/traverse", **needs(Permission.RECALL))
def traverse_graph(
    agent: AgentPath, body: KgTraverseBody, door: Entered, response: Response, user_id: User = None
) -> list[KgStepReply]:
    """Everything within `max_depth` links of an entity, in both directions, each once and by a shortest way.

    The header `Nacre-Truncated` is there when it was too much to walk it all.
    """
    scope = body.scope(door, agent, user_id)
    checks.count("max_depth", body.max_depth, maximum=MAX_DEPTH)
    start = checks.name("entity_id", body.entity_id)
    walk = scope.graph.walk([start], hops=body.max_depth, as_of=body.as_of)
    found = scope.graph.get_many([node.entity_id for node in walk.nodes], as_of=body.as_of)
    known = {each.id: each for each in KgRenderer(scope).entities(found)}
    if walk.truncated:
        response.headers[TRUNCATED] = "true"
    return [KgStepReply.of(node, known[node.entity_id]) for node in walk.nodes if node.entity_id in known]


@router.post("/extract", **needs(Permission.REMEMBER))
def extract_into_graph(agent: AgentPath, body: KgExtractBody, door: Entered, user_id: User = None) -> KgExtractReply:
    """Bring what a text says into the graph: read by a language model where there is one, else by rules.

    The text is kept as evidence. Near-certain duplicates are joined, possible ones are put up for review.
    """
    made = body.scope(door, agent, user_id).graph.extract(
        body.text, provider=body.provider, model=body.model, min_confidence=body.min_confidence
    )
    return KgExtractReply.of(made)


@router.get("/stats", **needs(Permission.RECALL))
def graph_stats(agent: AgentPath, scope: OfGraph, door: Entered, as_of: AsOf = None) -> KgStatsReply:
    """How many entities and links there are, and of what types."""
    counted = scope.graph.stats(as_of=as_of)
    users = door.agent(agent).users() if scope.scope.user is None else None
    return KgStatsReply(
        entity_count=counted.entity_count,
        relation_count=counted.relation_count,
        entity_types=counted.entity_types,
        user_ids=users,
    )


@router.get("/graph", **needs(Permission.RECALL))
def draw_graph(
    scope: OfGraph,
    limit: Annotated[int, Query(json_schema_extra={"minimum": 1, "maximum": MAX_PICTURE})] = 200,
    as_of: AsOf = None,
) -> KgPictureReply:
    """The most connected entities and the links between them, at most three times as many, for drawing."""
    checks.count("limit", limit, maximum=MAX_PICTURE)
    seen, wording = scope.graph.picture(limit=limit, as_of=as_of, values=False), KgRenderer(scope)
    return KgPictureReply(entities=wording.entities(seen.entities), relations=wording.relations(seen.relations))


@router.get("/graph/compact", **needs(Permission.RECALL))
def draw_compact_graph(
    scope: OfGraph, limit: Annotated[int, Query(json_schema_extra={"minimum": 1, "maximum": MAX_DRAWN})] = 2_000
) -> KgCompactReply:
    """As `graph`, for many entities: few words for each, and how many there are in all."""
    return KgCompactReply.of(scope.graph.sketch(limit=limit))


@router.post("/dedup/scan", **needs(Permission.MODIFY))
def scan_for_duplicates(agent: AgentPath, body: KgScanBody, door: Entered, user_id: User = None) -> KgScanReply:
    """Look for duplicates in the whole graph, and put them up for review."""
    graph = body.scope(door, agent, user_id).graph
    return KgScanReply(candidates_found=graph.scan_duplicates(threshold=body.threshold, limit=body.limit))


@router.get("/dedup", **needs(Permission.RECALL))
def list_duplicates(
    scope: OfGraph, status: Decision = Decision.PENDING, limit: Limit = 50, offset: Offset = 0
) -> list[KgCandidateReply]:
    """The pairs of entities that wait for a decision, the most alike first; or those decided, the last first."""
    pairs = scope.graph.duplicates(status=status, limit=limit, offset=offset)
    keys: list[UUID] = list({key: None for pair in pairs for key in (pair.entity_a, pair.entity_b)})
    known = {each.id: each for each in KgRenderer(scope).entities(scope.graph.get_many(keys))}
    # An entity may be gone by now: undone or purged between the two looks.
    return [KgCandidateReply.of(pair, known) for pair in pairs if {pair.entity_a, pair.entity_b} <= known.keys()]


@router.post("/merge", **needs(Permission.MODIFY))
def merge_graph_entities(agent: AgentPath, body: KgMergeBody, door: Entered, user_id: User = None) -> KgStatusReply:
    """Make two entities one: the source gives all it has to the target."""
    graph = body.scope(door, agent, user_id).graph
    target, source = (checks.name(field, getattr(body, field)) for field in ("target_id", "source_id"))
    return KgStatusReply.done("merged", graph.merge(target, source, force=body.force, actor=door.actor()))


@router.post("/dedup/dismiss", **needs(Permission.MODIFY))
def dismiss_duplicate(agent: AgentPath, body: KgDismissBody, door: Entered, user_id: User = None) -> KgStatusReply:
    """Decide that a pair is two things; it does not come back, unless that is undone. Only a pair that waits can be."""
    graph = body.scope(door, agent, user_id).graph
    return KgStatusReply.done("dismissed", graph.dismiss_duplicate(body.candidate_id, actor=door.actor()))
