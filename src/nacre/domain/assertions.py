"""Assertions: who said what of an entity. That somebody said it does not make it believed; claims do that."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from nacre.domain.commands import Quotation
from nacre.domain.ids import AssertionId, ClaimId, EntityId, SourceId

MAX_CONTENT = 10_000


class Stance(StrEnum):
    """How the speaker stands to what is said."""

    CLAIMS = "claims"
    BELIEVES = "believes"
    OBSERVED = "observed"
    DECIDED = "decided"
    PREFERS = "prefers"
    DENIES = "denies"
    QUESTIONS = "questions"


class AssertionStatus(StrEnum):
    """Whether an assertion still counts."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """Something that was said of an entity, by whom, when, and on what evidence.

    `claim` is the version of a claim that it speaks of; `source` and `quote` are where its first evidence stands.
    """

    id: AssertionId
    entity: EntityId
    predicate: Stance
    content: str
    asserted_at: datetime
    created_by: str
    created_at: datetime
    updated_at: datetime
    speaker: str | None = None
    confidence: float = 1.0
    evidence: tuple[Quotation, ...] = ()
    source: SourceId | None = None
    quote: tuple[int, int] | None = None
    claim: ClaimId | None = None
    status: AssertionStatus = AssertionStatus.ACTIVE
    supersedes: AssertionId | None = None
    archived_at: datetime | None = None
    archived_by: str | None = None
    archive_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionFilter:
    """Which assertions are wanted. With `as_of`, `active` means: in force at that moment."""

    entity: UUID | None = None
    predicate: Stance | None = None
    speaker: str | None = None
    status: AssertionStatus | None = AssertionStatus.ACTIVE
    claim: UUID | None = None
    as_of: datetime | None = None
