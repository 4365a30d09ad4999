"""Replies of `/api/ontology/proposals`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from nacre.domain.audits import AuditRecord
from nacre.domain.commands import Origin, Quotation
from nacre.domain.duplicates import MergePlan
from nacre.domain.operation_results import Effect
from nacre.domain.plain import Json, plain
from nacre.domain.proposals import ClaimConflict, Proposal, ProposalCitation, ProposalStatus
from nacre.domain.scopes import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalReply:
    """An operation that waits or was decided on. `audit` and `batch` are what an undo takes."""

    id: UUID
    agent_id: str
    batch: UUID
    operation: str
    status: ProposalStatus
    payload: Mapping[str, Json]
    confidence: float | None
    rationale: str | None
    evidence: Sequence[Quotation]
    risk: str | None
    source_kind: str | None
    source_id: str | None
    source_path: str | None
    source_root: str | None
    created_by: str
    applied_by: str | None
    rejected_by: str | None
    result: Mapping[str, Json] | None
    audit: UUID | None
    created_at: datetime
    updated_at: datetime
    applied_at: datetime | None
    rejected_at: datetime | None

    @classmethod
    def shown(cls, proposal: Proposal, scope: Scope) -> Self:
        """A proposal of a scope."""
        held = {each.name: getattr(proposal, each.name) for each in fields(Proposal) if each.name != "origin"}
        return cls(**held, **_origin(proposal.origin), agent_id=scope.agent)

    @classmethod
    def done(cls, record: AuditRecord, outcome: Effect, scope: Scope) -> Self:
        """An operation that was carried out without waiting, in the same form: its id is its place in the log."""
        grounds: Any = record.grounds or {}
        origin = Origin(**(grounds.get("origin") or {}))
        return cls(
            id=record.id,
            agent_id=scope.agent,
            batch=record.batch,
            operation=record.operation,
            status=ProposalStatus.APPLIED,
            payload=record.payload,
            confidence=grounds.get("confidence"),
            rationale=record.reason,
            evidence=[Quotation(**each) for each in grounds.get("evidence", [])],
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


def result_of(outcome: Effect) -> dict[str, Json]:
    """What an operation came to, as proposals keep it."""
    shown: Any = plain(outcome)
    return dict(shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalPage:
    """Some of the proposals, the last first."""

    items: Sequence[ProposalReply]
    count: int
    limit: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalsReply:
    """Proposals that were kept together."""

    items: Sequence[ProposalReply]
    count: int

    @classmethod
    def shown(cls, made: Sequence[Proposal], scope: Scope) -> Self:
        """Proposals of a scope."""
        return cls(items=[ProposalReply.shown(each, scope) for each in made], count=len(made))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalEvidenceReply:
    """What a proposal rests on."""

    proposal_id: UUID
    items: Sequence[ProposalCitation]
    count: int

    @classmethod
    def shown(cls, key: UUID, cited: Sequence[ProposalCitation]) -> Self:
        """The evidence of a proposal."""
        return cls(proposal_id=key, items=cited, count=len(cited))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictsReply:
    """Claims for which several values are proposed, the oldest proposal first."""

    items: Sequence[ClaimConflict]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlansReply:
    """Groups of entities that have one name."""

    items: Sequence[MergePlan]
    count: int
