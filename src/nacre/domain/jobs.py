"""Work to be done later: at least once, and again after a failure until it is given up."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType
from uuid import UUID

from nacre.domain.plain import Json

JobId = NewType("JobId", UUID)

# The kind of job that reads the rest of a long text.
READ_REST = "read_rest"
# The kind of job that looks for what a memory makes outdated.
COMPARE_MEMORY = "compare_memory"
# The kind of job that has a language model read the next turns of a scope.
READ_TURNS = "read_turns"
MAX_ATTEMPTS = 5
# When it has passed and was not renewed, the job's worker is taken for dead.
LEASE = timedelta(minutes=2)
# The clock of a worker may be so far ahead of another's.
AHEAD = timedelta(minutes=10)
# A job that computes for longer hangs, and is given up.
LONGEST_RUN = timedelta(hours=1)
FIRST_RETRY = timedelta(seconds=15)
LONGEST_RETRY = timedelta(hours=1)


class JobStatus(StrEnum):
    """How far a job has come."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work of one scope; `attempts` counts the times it was begun."""

    id: JobId
    kind: str
    payload: Mapping[str, Json]
    status: JobStatus
    attempts: int
    run_at: datetime
    created_at: datetime
    leased_until: datetime | None = None
    error: str | None = None
    finished_at: datetime | None = None


def retry_delay(attempts: int, chance: float) -> timedelta | None:
    """How long to rest after the failure of the last of `attempts`; None when it was one too many.

    Each rest is four times the one before. `chance`, from 0 to 1, spreads it between a half and one and a half of
    that, so that jobs which failed together do not come back together.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    rest: timedelta = min(FIRST_RETRY * 4 ** (attempts - 1), LONGEST_RETRY)
    return rest * (0.5 + chance)
