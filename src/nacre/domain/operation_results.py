"""Results of operations: the effect of one, the rows it changed, and the report of a stream of them."""

from dataclasses import dataclass, field
from uuid import UUID

from nacre.domain.audits import AuditRecord, JournalEntry
from nacre.domain.proposals import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What an operation came to: in words, by id, in numbers, and what a caller should know."""

    summary: str
    entity: UUID | None = None
    link: UUID | None = None
    claim: UUID | None = None
    assertion: UUID | None = None
    entities: int = 0
    links: int = 0
    claims: int = 0
    warnings: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationResult:
    """What an operation came to; `record` is None for a dry run."""

    outcome: Effect
    changes: tuple[JournalEntry, ...]
    record: AuditRecord | None

    @property
    def audit(self) -> UUID | None:
        """What an undo takes."""
        return self.record.id if self.record else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateReport:
    """The merges that were made, each undoable, and how many pairs wait for a decision."""

    merged: tuple[OperationResult, ...]
    flagged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamProblem:
    """Why an operation of a batch cannot be: its place, its line where it came in one, and the error with its code."""

    index: int
    line: int | None
    operation: str | None
    error: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamReport:
    """What became of a batch. Only a dry run has errors: otherwise the first of them ends it all."""

    count: int
    dry_run: bool
    proposed: bool
    applied: tuple[OperationResult, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    errors: tuple[StreamProblem, ...] = ()
