"""Operations that wait for somebody to decide, and what that somebody needs to know."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from nacre.domain.claims import Cardinality
from nacre.domain.commands import Origin, Quotation
from nacre.domain.ids import AuditId, EntityId, ProposalId
from nacre.domain.plain import Json

MAX_LISTED = 200


class ProposalStatus(StrEnum):
    """What became of a proposal. One that failed can never be carried out; what may still succeed stays pending."""

    PENDING = "pending"
    APPLIED = "applied"
    REJECTED = "rejected"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An operation that somebody proposes, with its grounds; those proposed together share a `batch`.

    `result` is what it came to, why it failed, or why it was rejected. One that was applied and then taken back stays
    applied, and its result says which operation took it back, under `undone_by`.
    """

    id: ProposalId
    batch: UUID
    operation: str
    payload: Mapping[str, Json]
    status: ProposalStatus
    confidence: float | None
    rationale: str | None
    evidence: tuple[Quotation, ...]
    risk: str | None
    origin: Origin | None
    created_by: str
    created_at: datetime
    updated_at: datetime
    applied_by: str | None = None
    applied_at: datetime | None = None
    rejected_by: str | None = None
    rejected_at: datetime | None = None
    result: Mapping[str, Json] | None = None
    audit: AuditId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalCitation:
    """Words that a proposal rests on, where they stand, between what, and who said them when.

    Without a source somebody only says so.
    """

    quote: str
    source: UUID | None = None
    place: tuple[int, int] | None = None
    kind: str | None = None
    at: datetime | None = None
    ref: str | None = None
    before: str = ""
    after: str = ""
    session: str | None = None
    speaker: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedValue:
    """One of several values that are proposed for a claim."""

    proposal: ProposalId
    value: str
    confidence: float | None
    rationale: str | None
    evidence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimConflict:
    """A claim for which several values are proposed; one that holds several at once may take them all."""

    entity: str
    entity_id: EntityId | None
    aspect: str
    group: str
    claim: str
    cardinality: Cardinality | None
    values: tuple[ProposedValue, ...]

    @property
    def proposals(self) -> tuple[ProposalId, ...]:
        """The proposals that compete."""
        return tuple(each.proposal for each in self.values)
