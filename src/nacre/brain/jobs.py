"""Jobs: what the background still has to do for a scope, and what it gave up."""

from uuid import UUID

from nacre.brain.probing import probed
from nacre.domain import checks, ids
from nacre.domain.jobs import Job, JobId, JobStatus
from nacre.domain.navigation import check_offset
from nacre.domain.scopes import Scope
from nacre.wiring import Parts
from nacre.work import queues

# The method `list` hides the type of that name.
JobList = list[Job]


@probed("jobs", redacts=False)
class Jobs:
    """The jobs of one scope."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def list(self, status: str | None = None, *, limit: int = 100, offset: int = 0) -> JobList:
        """The jobs, the last enqueued first; `status` is waiting, running, done or dead."""
        wanted = None if status is None else JobStatus(checks.choice("status", status, JobStatus))
        checks.count("limit", limit)
        start = check_offset(offset)
        return queues.listed(self._parts.database, self._scope, wanted, limit, start)

    def counts(self) -> dict[JobStatus, int]:
        """How many jobs wait, run, are done or were given up. Those that are done are only kept for a while."""
        return queues.counts(self._parts.database, self._scope)

    def show(self, job: str | UUID) -> Job:
        """One job, and why it failed where it did."""
        return queues.get(self._parts.database, self._scope, JobId(ids.parse("job", job)))

    def replay(self, job: str | UUID | None = None) -> int:
        """Try again what was given up, one job or all; return how many will be."""
        key = None if job is None else self.show(job).id
        replayed = queues.replay(self._parts.database, self._scope, key)
        self._parts.follow_ups.work_later()
        return replayed
