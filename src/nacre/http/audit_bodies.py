"""What the requests and replies about the log of changes and about upkeep hold."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, StrictBool

from nacre.domain.audits import Inspection
from nacre.domain.dreams import Method, PassName, PassStatus
from nacre.domain.jobs import JobStatus
from nacre.domain.learning import Learning
from nacre.domain.progress import Progress
from nacre.http.bodies import Body, Reply, example, told
from nacre.http.queries import AN_ID
from nacre.ontology.operations import Applied


class RecordReply(Reply):
    """An operation that was carried out. Operations done together share a `batch`."""

    id: UUID
    seq: int
    batch: UUID
    operation: str
    payload: dict[str, Any]
    actor: str
    at: datetime
    reason: str | None
    grounds: dict[str, Any] | None
    proposal: UUID | None
    undoes: UUID | None
    undone_by: UUID | None


class AuditReply(Reply):
    """Operations, the last first; ask for those `before` the last of them to go on."""

    records: list[RecordReply]


class RowReply(Reply):
    """One row before and after; null where it was not, or is no longer, there."""

    table: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class InspectionReply(Reply):
    """What an operation or a batch changed, and what later rests on it; the counts say how much there is in all."""

    records: list[RecordReply]
    changes: list[RowReply]
    later: list[RecordReply]
    operations: int
    rows: int

    @classmethod
    def cut(cls, found: Inspection, limit: int) -> Self:
        """The reply that holds the first of each."""
        return cls(
            records=[RecordReply.of(record) for record in found.records[:limit]],
            changes=[RowReply.of(change) for change in found.changes[:limit]],
            later=[RecordReply.of(record) for record in found.later[:limit]],
            operations=len(found.records),
            rows=len(found.changes),
        )


class UndoBody(Body):
    """What to take back."""

    model_config = example(user="ana", operation=AN_ID)

    operation: UUID = Field(description="The id of an operation or of a batch.")


class UndoReply(Reply):
    """What was taken back, in words and in rows, and the operation that did it."""

    summary: str
    rows: int
    record: RecordReply | None

    @classmethod
    def told(cls, applied: Applied) -> Self:
        """The reply that holds what an undo came to."""
        record = RecordReply.of(applied.record) if applied.record else None
        return cls(summary=applied.outcome.summary, rows=len(applied.changes), record=record)


class DreamBody(Body):
    """Which passes to run."""

    model_config = example(user="ana", passes=["decay"], dry_run=True)

    passes: Annotated[list[PassName], told(maxItems=len(PassName))] | None = Field(
        default=None, description="Only these passes; all whose input has changed if left out."
    )
    dry_run: StrictBool = Field(default=False, description="Change nothing, and say what would change.")


class ChangeReply(Reply):
    """One thing that a pass did, or would do."""

    what: str
    why: str
    items: list[str]


class PassReply(Reply):
    """What a pass did, what was proposed and refused, and how much it left for the next cycle."""

    name: PassName
    status: PassStatus
    method: Method
    changes: list[ChangeReply]
    refused: list[ChangeReply]
    counts: dict[str, int]
    notes: list[str]
    input_tokens: int
    output_tokens: int
    waiting: int


class DreamReply(Reply):
    """One cycle of upkeep."""

    id: UUID
    trigger: str
    started_at: datetime
    finished_at: datetime
    passes: list[PassReply]
    dry_run: bool


class KeptDreamReply(Reply):
    """A cycle as it was written down."""

    id: UUID
    trigger: str
    status: str
    report: dict[str, Any]
    started_at: datetime
    finished_at: datetime | None


class DreamsReply(Reply):
    """Cycles, the last first."""

    dreams: list[KeptDreamReply]


class ResetBody(Body):
    """The pass that is to work again."""

    model_config = example(user="ana", name="consolidation")

    name: PassName


class ResetReply(Reply):
    """Whether its circuit breaker had paused it."""

    reset: bool


class JobReply(Reply):
    """One piece of background work; `error` is why it failed last."""

    id: UUID
    kind: str
    payload: dict[str, Any]
    status: JobStatus
    attempts: int
    run_at: datetime
    created_at: datetime
    leased_until: datetime | None
    error: str | None
    finished_at: datetime | None


class JobsReply(Reply):
    """Jobs, the last enqueued first."""

    jobs: list[JobReply]


class ReplayBody(Body):
    """What to try again."""

    model_config = example(user="ana")

    job: UUID | None = Field(default=None, description="One job; all that were given up if left out.")


class ReplayReply(Reply):
    """How many jobs are tried again."""

    replayed: int


class LearningReply(Reply):
    """How many turns the graph has not learned from yet, and how many a language model has still to read.

    `notes` say why these wait longer than usual.
    """

    unread: int
    done: bool
    unread_by_model: int
    notes: list[str]

    @classmethod
    def measured(cls, learning: Learning) -> Self:
        """The reply that holds a measure."""
        return cls(
            unread=learning.unread,
            done=learning.done,
            unread_by_model=learning.unread_by_model,
            notes=list(learning.notes),
        )


class ProgressReply(Reply):
    """So much of the total is done."""

    done: int
    total: int
    complete: bool

    @classmethod
    def measured(cls, progress: Progress) -> Self:
        """The reply that holds a measure."""
        return cls(done=progress.done, total=progress.total, complete=progress.complete)


class WorkReply(Reply):
    """How much the background has to do: jobs by status, and vectors of passages."""

    waiting: int
    running: int
    done: int
    dead: int
    embeddings: ProgressReply


class EndReply(Reply):
    """Why a stream ends: nothing is under way, its time is up, or the server stops."""

    reason: Literal["idle", "time", "stopping"]
