"""What `/api/ontology/proposals` answers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from nacre.domain.audits import Record
from nacre.domain.claims import Cardinality
from nacre.domain.commands import Origin
from nacre.domain.plain import plain
from nacre.domain.proposals import Cited, ClaimConflict, Proposal, ProposalStatus
from nacre.domain.repairs import MergePlan
from nacre.domain.scopes import Scope
from nacre.graph.handlers import Outcome
from nacre.http.wire import CamelReply, camel


class QuotationReply(CamelReply):
    """Words that somebody rests on, and the source they stand in."""

    quote: str
    source: UUID | None


class ProposalReply(CamelReply):
    """An operation that waits or was decided on. `audit` and `batch` are what an undo takes."""

    id: UUID
    agent_id: str
    batch: UUID
    operation: str
    status: ProposalStatus
    payload: dict[str, Any]
    confidence: float | None
    rationale: str | None
    evidence: list[QuotationReply]
    risk: str | None
    source_kind: str | None
    source_id: str | None
    source_path: str | None
    source_root: str | None
    created_by: str
    applied_by: str | None
    rejected_by: str | None
    result: dict[str, Any] | None
    audit: UUID | None
    created_at: datetime
    updated_at: datetime
    applied_at: datetime | None
    rejected_at: datetime | None

    @classmethod
    def shown(cls, proposal: Proposal, scope: Scope) -> Self:
        """A proposal of a scope."""
        held: Any = camel(proposal)
        del held["origin"]
        return cls(**held, **_origin(proposal.origin), agent_id=scope.agent)

    @classmethod
    def done(cls, record: Record, outcome: Outcome, scope: Scope) -> Self:
        """An operation that was carried out without waiting, in the same form: its id is its place in the log."""
        grounds: Any = record.grounds or {}
        origin = Origin(**(grounds.get("origin") or {}))
        return cls(
            id=record.id,
            agent_id=scope.agent,
            batch=record.batch,
            operation=record.operation,
            status=ProposalStatus.APPLIED,
            payload=dict(record.payload),
            confidence=grounds.get("confidence"),
            rationale=record.reason,
            evidence=[QuotationReply(**each) for each in grounds.get("evidence", [])],
            risk=grounds.get("risk"),
            **_origin(origin),
            created_by=record.actor,
            applied_by=record.actor,
            rejected_by=None,
            result=result_of(outcome),
            audit=record.id,
            created_at=record.at,
            updated_at=record.at,
            applied_at=record.at,
            rejected_at=None,
        )


def _origin(origin: Origin | None) -> dict[str, Any]:
    known = origin or Origin()
    return {f"source_{name}": getattr(known, name) for name in ("kind", "id", "path", "root")}


def result_of(outcome: Outcome) -> dict[str, Any]:
    """What an operation came to, as proposals keep it."""
    shown: Any = plain(outcome)
    return dict(shown)


class ProposalPage(CamelReply):
    """Some of the proposals, the last first."""

    items: list[ProposalReply]
    count: int
    limit: int
    offset: int


class ProposalsReply(CamelReply):
    """Proposals that were kept together."""

    items: list[ProposalReply]
    count: int

    @classmethod
    def shown(cls, made: Sequence[Proposal], scope: Scope) -> Self:
        """Proposals of a scope."""
        return cls(items=[ProposalReply.shown(each, scope) for each in made], count=len(made))


class CitedReply(CamelReply):
    """Words that a proposal rests on, up to 300 characters on either side of them, and who said them when."""

    quote: str
    source: UUID | None
    place: tuple[int, int] | None
    kind: str | None
    at: datetime | None
    ref: str | None
    before: str
    after: str
    session: str | None
    speaker: str | None
    role: str | None


class ProposalEvidenceReply(CamelReply):
    """What a proposal rests on."""

    proposal_id: UUID
    items: list[CitedReply]
    count: int

    @classmethod
    def shown(cls, key: UUID, cited: Sequence[Cited]) -> Self:
        """The evidence of a proposal."""
        return cls(proposal_id=key, items=[CitedReply.of(each) for each in cited], count=len(cited))


class RivalReply(CamelReply):
    """One of several values that are proposed for a claim."""

    proposal_id: UUID
    value: str
    confidence: float | None
    rationale: str | None
    evidence_count: int


class ConflictReply(CamelReply):
    """A claim for which several values are proposed; one that is `multi` may take them all."""

    entity: str
    entity_id: UUID | None
    aspect: str
    group_key: str
    claim_key: str
    cardinality: Cardinality | None
    values: list[RivalReply]
    proposal_ids: list[UUID]

    @classmethod
    def shown(cls, conflict: ClaimConflict) -> Self:
        """A conflict in the words of the documents."""
        return cls(**conflict_fields(conflict))


def conflict_fields(conflict: ClaimConflict) -> dict[str, Any]:
    """A conflict in the words of the documents."""
    values = [
        RivalReply(
            proposal_id=each.proposal,
            value=each.value,
            confidence=each.confidence,
            rationale=each.rationale,
            evidence_count=each.evidence,
        )
        for each in conflict.values
    ]
    return {
        "entity": conflict.entity,
        "entity_id": conflict.entity_id,
        "aspect": conflict.aspect,
        "group_key": conflict.group,
        "claim_key": conflict.claim,
        "cardinality": conflict.cardinality,
        "values": values,
        "proposal_ids": list(conflict.proposals),
    }


class ConflictsReply(CamelReply):
    """Claims for which several values are proposed, the oldest proposal first."""

    items: list[ConflictReply]
    count: int


class TwinReply(CamelReply):
    """An entity of a merge."""

    id: UUID
    name: str
    slug: str
    type: str
    mentions: int
    pinned: bool


class ImpactReply(CamelReply):
    """What a merge moves."""

    source_mentions: int
    memory_mentions: int
    aspects: int
    attributes: int
    dependencies: int


class PlanReply(CamelReply):
    """How entities would be merged; `proposals` are those that wait for a decision on it."""

    target: TwinReply
    sources: list[TwinReply]
    confidence: float
    risk: str
    impact: ImpactReply
    proposals: list[UUID]

    @classmethod
    def shown(cls, plan: MergePlan) -> Self:
        """A plan in the words of the documents."""
        held: Any = camel(plan)
        held["impact"]["dependencies"] = held["impact"].pop("links")
        return cls.model_validate(held)


class PlansReply(CamelReply):
    """Groups of entities that have one name."""

    items: list[PlanReply]
    count: int
