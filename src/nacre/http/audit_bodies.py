"""Requests and replies about the log of changes and about upkeep."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, StrictBool

from nacre.domain.audits import AuditRecord, Inspection, RowChange
from nacre.domain.dreams import DreamRecord, PassName
from nacre.domain.jobs import Job
from nacre.domain.operation_results import OperationResult
from nacre.domain.progress import Progress
from nacre.http.bodies import Body, example, limits
from nacre.http.queries import AN_ID
from nacre.http.wire import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReply:
    """Operations, the last first; ask for those `before` the last of them to go on."""

    records: Sequence[AuditRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectionReply:
    """What an operation or a batch changed, and what later rests on it; the counts say how much there is in all."""

    records: Sequence[AuditRecord]
    changes: Sequence[RowChange]
    later: Sequence[AuditRecord]
    operations: int
    rows: int

    @classmethod
    def cut(cls, inspection: Inspection, limit: int) -> Self:
        """The reply that holds the first of each."""
        return cls(
            records=inspection.records[:limit],
            changes=inspection.changes[:limit],
            later=inspection.later[:limit],
            operations=len(inspection.records),
            rows=len(inspection.changes),
        )


class UndoBody(Body):
    """What to take back."""

    model_config = example(user="ana", operation=AN_ID)

    operation: UUID = Field(description="The id of an operation or of a batch.")


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoReply:
    """What was taken back, in words and in rows, and the operation that did it."""

    summary: str
    rows: int
    record: AuditRecord | None

    @classmethod
    def told(cls, applied: OperationResult) -> Self:
        """The reply that holds what an undo came to."""
        return cls(summary=applied.outcome.summary, rows=len(applied.changes), record=applied.record)


class DreamBody(Body):
    """Which passes to run."""

    model_config = example(user="ana", passes=["decay"], dry_run=True)

    passes: Annotated[list[PassName], limits(maxItems=len(PassName))] | None = Field(
        default=None, description="Only these passes; all whose input has changed if left out."
    )
    dry_run: StrictBool = Field(default=False, description="Change nothing, and say what would change.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamsReply:
    """Cycles, the last first."""

    dreams: Sequence[DreamRecord]


class ResetBody(Body):
    """The pass that is to work again."""

    model_config = example(user="ana", name="consolidation")

    name: PassName


class ResetReply(Reply):
    """Whether its circuit breaker had paused it."""

    reset: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsReply:
    """Jobs, the last enqueued first."""

    jobs: Sequence[Job]


class ReplayBody(Body):
    """What to try again."""

    model_config = example(user="ana")

    job: UUID | None = Field(default=None, description="One job; all that were given up if left out.")


class ReplayReply(Reply):
    """How many jobs are tried again."""

    replayed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkReply:
    """How much the background has to do: jobs by status, and vectors of passages."""

    waiting: int
    running: int
    done: int
    dead: int
    embeddings: Progress


class EndReply(Reply):
    """Why a stream ends: nothing is under way, its time is up, or the server stops."""

    reason: Literal["idle", "time", "stopping"]
