"""`/api/ontology/proposals/…`: changes that wait for somebody to decide."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query

from nacre.domain.access import LOCAL, Permission
from nacre.domain.duplicates import MergePlan
from nacre.domain.proposals import ProposalStatus
from nacre.http.doors import Entered, OfAgentId, needs
from nacre.http.ontology_bodies import (
    Batch,
    DecisionBody,
    DuplicatesBody,
    EditBody,
    Limit,
    MergePlanBody,
    ProposalBody,
    RejectionBody,
)
from nacre.http.ontology_replies import OperationReply
from nacre.http.proposal_replies import (
    ConflictsReply,
    PlansReply,
    ProposalEvidenceReply,
    ProposalPage,
    ProposalReply,
    ProposalsReply,
)
from nacre.http.queries import AN_ID, Offset
from nacre.http.shapes import CamelRoute

router = APIRouter(prefix="/api/ontology/proposals", tags=["ontology"], route_class=CamelRoute)

ProposalPath = Annotated[UUID, Path(description="The id of a proposal.", examples=[AN_ID])]


@router.get("", **needs(Permission.RECALL))
def list_proposals(
    scope: OfAgentId,
    status: Annotated[ProposalStatus | None, Query(description="All of them if left out.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> ProposalPage:
    """Proposals, the last first."""
    page = scope.ontology.proposals.list(status, limit=limit, offset=offset)
    items = [ProposalReply.shown(each, scope.scope) for each in page]
    return ProposalPage(items=items, count=len(items), limit=limit, offset=offset)


@router.post("", status_code=201, **needs(Permission.MODIFY))
def create_proposal(body: ProposalBody, door: Entered) -> OperationReply:
    """Keep an operation for review; one that could not be carried out now is refused."""
    scope = body.scope(door)
    report = scope.ontology.order(body.envelope(), propose=True, actor=door.actor(body.actor))
    return OperationReply.summed(report, scope.scope)


@router.post("/batch", status_code=201, **needs(Permission.MODIFY))
def create_proposals(body: Batch, door: Entered) -> ProposalsReply:
    """Keep operations for review, all or none."""
    scope = body.scope(door)
    report = scope.ontology.submit(
        body.envelopes(), propose=True, actor=door.actor(body.actor), sole_actor=door.principal != LOCAL
    )
    return ProposalsReply.shown(report.proposals, scope.scope)


@router.get("/conflicts", **needs(Permission.RECALL))
def list_conflicts(scope: OfAgentId, limit: Limit = 50, offset: Offset = 0) -> ConflictsReply:
    """The claims for which more than one value is proposed."""
    items = scope.ontology.proposals.conflicts(limit=limit, offset=offset)
    return ConflictsReply(items=items, count=len(items))


@router.post("/repair/duplicates", **needs(Permission.MODIFY))
def repair_duplicates(body: DuplicatesBody, door: Entered) -> PlansReply:
    """How entities that have one name would be merged; `propose` keeps the merges that are possible for review."""
    plans = body.scope(door).ontology.proposals.repair_duplicates(
        limit=body.limit, propose=body.propose, actor=door.actor(body.actor)
    )
    return PlansReply(items=plans, count=len(plans))


@router.post("/repair/merge-plan", **needs(Permission.MODIFY))
def plan_merge(body: MergePlanBody, door: Entered) -> MergePlan:
    """What it would mean to make entities part of another; `propose` keeps the merges for review."""
    return body.scope(door).ontology.proposals.merge_plan(
        body.target_entity, body.source_entities, propose=body.propose, actor=door.actor(body.actor)
    )


@router.get("/{proposal}", **needs(Permission.RECALL))
def get_proposal(scope: OfAgentId, proposal: ProposalPath) -> ProposalReply:
    """A proposal, decided or not."""
    return ProposalReply.shown(scope.ontology.proposals.get(proposal), scope.scope)


@router.get("/{proposal}/evidence", **needs(Permission.RECALL))
def proposal_evidence(scope: OfAgentId, proposal: ProposalPath) -> ProposalEvidenceReply:
    """The words that a proposal rests on, and where they were said."""
    cited = scope.ontology.proposals.evidence(proposal)
    return ProposalEvidenceReply.shown(proposal, cited)


@router.post("/{proposal}/apply", **needs(Permission.MODIFY))
def apply_proposal(proposal: ProposalPath, door: Entered, body: DecisionBody | None = None) -> ProposalReply:
    """Carry out a proposal that waits; 400 marks it as failed for good, 404 and 409 leave it waiting."""
    said = body or DecisionBody()
    scope = said.scope(door)
    return ProposalReply.shown(scope.ontology.proposals.apply(proposal, actor=door.actor(said.actor)), scope.scope)


@router.patch("/{proposal}", **needs(Permission.MODIFY))
def edit_proposal(proposal: ProposalPath, door: Entered, body: EditBody) -> ProposalReply:
    """Change a proposal that waits, which must be possible to carry out now; else it stays as it was."""
    scope = body.scope(door)
    edited = scope.ontology.proposals.edit(
        proposal, body.payload, rationale=body.rationale, confidence=body.confidence, actor=door.actor(body.actor)
    )
    return ProposalReply.shown(edited, scope.scope)


@router.post("/{proposal}/reject", **needs(Permission.MODIFY))
def reject_proposal(proposal: ProposalPath, door: Entered, body: RejectionBody | None = None) -> ProposalReply:
    """Decide against a proposal that waits."""
    said = body or RejectionBody()
    scope = said.scope(door)
    decided = scope.ontology.proposals.reject(proposal, reason=said.reason, actor=door.actor(said.actor))
    return ProposalReply.shown(decided, scope.scope)
