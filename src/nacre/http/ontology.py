"""`/api/ontology/…`: operations, claims, links, names, and what is read from texts."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Body, Depends, Path, Query

from nacre.domain.access import LOCAL, Permission
from nacre.domain.claims import Claim, ClaimStatus
from nacre.domain.commands import Command, Origin
from nacre.domain.errors import Invalid
from nacre.domain.operations import AddAlias, RemoveAlias
from nacre.http.belief_replies import (
    AliasesReply,
    AliasReply,
    ClaimEvidencePage,
    ClaimEvidenceReply,
    ExplanationReply,
    ExplanationsReply,
    LinkEvidenceReply,
    VersionsReply,
)
from nacre.http.bodies import LINE
from nacre.http.doors import Entered, OfAgentId, needs
from nacre.http.ontology_bodies import (
    Actor,
    AliasBody,
    ClaimPath,
    ConsolidateBody,
    ExtractBody,
    Limit,
    OperationBody,
    OperationsBody,
    Version,
    Words,
    spelled,
)
from nacre.http.ontology_replies import BatchReply, ConsolidationReply, ExtractionReply, OperationReply
from nacre.http.queries import AN_ID, AsOf, Offset
from nacre.http.shapes import CamelRoute

router = APIRouter(prefix="/api/ontology", tags=["ontology"], route_class=CamelRoute)

EntityPath = Annotated[str, Path(description="By id, slug or name.", json_schema_extra=LINE)]
LinkPath = Annotated[UUID, Path(description="The id of a link.", examples=[AN_ID])]
OfClaim = Annotated[ClaimPath, Depends()]
LINES = '{"operation": "create_entity", "payload": {"name": "Acme", "entity_type": "organization"}}\n'
Lines = Annotated[
    bytes,
    Body(
        media_type="application/x-ndjson",
        description="Envelopes as lines of JSON; `text/plain` will do as well.",
        examples=[LINES],
    ),
]


@router.post("/operations/apply", **needs(Permission.MODIFY))
def apply_operation(body: OperationBody, door: Entered) -> OperationReply:
    """Carry out one operation, or only try it, or keep it for review."""
    scope = body.scope(door)
    actor = door.actor(body.actor)
    report = scope.ontology.order(body.envelope(), dry_run=body.dry_run, propose=body.propose, actor=actor)
    return OperationReply.summed(report, scope.scope)


@router.post("/operations/batch", **needs(Permission.MODIFY))
def apply_operations(body: OperationsBody, door: Entered) -> BatchReply:
    """Carry out operations, all or none; or only try them, or keep them for review. A dry run tells every error."""
    scope = body.scope(door)
    report = scope.ontology.submit(
        body.envelopes(),
        dry_run=body.dry_run,
        propose=body.propose,
        actor=door.actor(body.actor),
        sole_actor=door.principal != LOCAL,
    )
    return BatchReply.shown(report, scope.scope)


@router.post("/operations/stream", **needs(Permission.MODIFY))
def stream_operations(
    scope: OfAgentId,
    door: Entered,
    *,
    lines: Lines = b"",
    dry_run: bool = False,
    propose: bool = False,
    actor: Actor = None,
) -> BatchReply:
    """As a batch, for lines of JSON with an envelope each; empty lines do not count."""
    report = scope.ontology.stream(
        _text(lines).split("\n"),
        dry_run=dry_run,
        propose=propose,
        actor=door.actor(actor),
        sole_actor=door.principal != LOCAL,
    )
    return BatchReply.shown(report, scope.scope)


def _text(lines: bytes) -> str:
    try:
        return lines.decode()
    except UnicodeDecodeError as error:
        raise Invalid("line", "is not text in UTF-8") from error


@router.get("/claims/versions", **needs(Permission.RECALL))
def claim_versions(scope: OfAgentId, at: OfClaim, limit: Limit = 50, offset: Offset = 0) -> VersionsReply:
    """Everything a claim ever said, the last version first, unless one status is asked for."""
    status = at.status_or(None)
    page = scope.ontology.versions(at.entity, at.path, kind=at.kind, status=status, limit=limit, offset=offset)
    items = page
    return VersionsReply(items=items, count=len(items), limit=limit, offset=offset)


@router.get("/claims/version", **needs(Permission.RECALL))
def claim_version(scope: OfAgentId, at: OfClaim, version: Version) -> Claim:
    """One version of a claim by its number; 409 where several values side by side have such a version."""
    status = at.status_or(None)
    return scope.ontology.version(at.entity, at.path, version, kind=at.kind, status=status)


@router.get("/claims/evidence", **needs(Permission.RECALL))
def claim_evidence(scope: OfAgentId, at: OfClaim, limit: Limit = 50, offset: Offset = 0) -> ClaimEvidencePage:
    """What a claim rests on: what it says now, unless another status or `all` is asked for."""
    status = at.status_or(ClaimStatus.ACTIVE)
    page = scope.ontology.evidence(at.entity, at.path, kind=at.kind, status=status, limit=limit, offset=offset)
    items = [ClaimEvidenceReply.shown(each) for each in page]
    return ClaimEvidencePage(items=items, count=len(items), limit=limit, offset=offset)


@router.get("/claims/explain", **needs(Permission.RECALL))
def explain_claim(
    scope: OfAgentId,
    attribute_id: Annotated[UUID | None, Query(description="One version by its id.")] = None,
    entity: Words | None = None,
    path: Annotated[str | None, Query(description="`aspect/group/claim`, or `aspect/claim`.")] = None,
    as_of: AsOf = None,
) -> ExplanationsReply:
    """Why something is believed, or was at a moment: of one version, of one claim, or of all of an entity."""
    with spelled(claim="attribute_id"):
        found = scope.ontology.explain(attribute_id, entity=entity, path=path, as_of=as_of)
    items = [ExplanationReply.shown(each) for each in found]
    return ExplanationsReply(items=items, count=len(items))


@router.get("/links/{link}/evidence", **needs(Permission.RECALL))
def link_evidence(scope: OfAgentId, link: LinkPath) -> LinkEvidenceReply:
    """What a link rests on, and the operations that made it what it is."""
    return LinkEvidenceReply.shown(scope.ontology.explain_link(link))


@router.get("/entities/{entity}/aliases", **needs(Permission.RECALL))
def list_aliases(scope: OfAgentId, entity: EntityPath) -> AliasesReply:
    """The other names of an entity."""
    return AliasesReply.shown(scope.graph.get(entity))


@router.post("/entities/{entity}/aliases", status_code=201, **needs(Permission.MODIFY))
def add_alias(entity: EntityPath, body: AliasBody, door: Entered) -> AliasReply:
    """Let an entity go by one more name; 409 where an entity goes by it already."""
    operation = AddAlias(entity=entity, alias=body.alias)
    origin = Origin(kind=body.source) if body.source else None
    order = Command(operation=operation, confidence=body.confidence, origin=origin)
    body.scope(door).ontology.apply([order], actor=door.actor(body.actor))
    return AliasReply.shown(body.alias)


@router.delete("/entities/{entity}/aliases/{alias:path}", **needs(Permission.MODIFY))
def remove_alias(
    scope: OfAgentId,
    door: Entered,
    entity: EntityPath,
    alias: Annotated[str, Path(description="The alias, or its id.", json_schema_extra=LINE)],
    actor: Actor = None,
) -> AliasesReply:
    """Take one of its other names from an entity."""
    scope.ontology.apply([RemoveAlias(entity=entity, alias=alias)], actor=door.actor(actor))
    return AliasesReply.shown(scope.graph.get(entity))


@router.post("/extract", **needs(Permission.MODIFY))
def extract_proposals(body: ExtractBody, door: Entered) -> ExtractionReply:
    """What a text or a session says, as operations: only shown, or kept for review, or written down as assertions."""
    scope = body.scope(door)
    found = scope.ontology.proposals.extract(
        **body.place(),
        use_provider=body.use_provider,
        write_proposals=body.write_proposals,
        write_assertions=body.write_assertions,
        limit=body.limit,
        actor=door.actor(body.actor),
    )
    return ExtractionReply.shown(found, scope.scope)


@router.post("/consolidate", **needs(Permission.MODIFY))
def consolidate_proposals(body: ConsolidateBody, door: Entered) -> ConsolidationReply:
    """Reject proposals that say what an older one says, and name the claims for which rivals wait."""
    done = body.scope(door).ontology.proposals.consolidate(
        limit=body.limit, dry_run=body.dry_run, use_provider=body.use_provider, actor=door.actor(body.actor)
    )
    return ConsolidationReply.shown(done, dry_run=body.dry_run)
