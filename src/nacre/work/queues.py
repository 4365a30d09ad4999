"""Takes one job after another from the database and does it.

A job is begun at least once and takes effect once: its handler computes first and writes nothing, then what it
hands back is applied in the transaction that marks the job as done. A worker that dies in between leaves no effect,
and the job is taken up again when its lease has passed. One that lives renews it, for as long as a job may take.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import nullcontext
from contextvars import copy_context
from threading import Thread
from time import monotonic

from nacre.domain.errors import Closed, Conflict, Denied, Invalid, Misconfigured, NacreError, NotFound, in_full
from nacre.domain.ids import ScopeId
from nacre.domain.jobs import LEASE, LONGEST_RUN, Job, JobId, JobStatus, retry_delay
from nacre.domain.plain import Json
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Database, Transaction
from nacre.store.base.forks import GATE
from nacre.store.work import jobs
from nacre.store.work.jobs import Backlog, ClaimedJob
from nacre.telemetry.probes import OK, Probe, ProbeOutcome

log = logging.getLogger(__name__)

# A lease outlives three renewals that did not come through.
RENEWED = LEASE / 4
# A round of more scopes than this begins anew: they are named in every question for the next job.
MAX_ROUND = 200


class Overdue(NacreError):
    """A job did not come to an end."""

    code = "overdue"


# Failures that no further attempt can mend; a person may, and then replay the job.
_LASTING = (Denied, Invalid, Misconfigured, NotFound, Overdue)

Payload = Mapping[str, Json]
Apply = Callable[[Transaction], None]
# Computes what a job of the scope comes to; None when there is nothing to write.
Handler = Callable[[Scope, Payload], Apply | None]


def run_next(
    database: Database,
    handlers: Mapping[str, Handler],
    after: Callable[[Scope], None] | None = None,
    probe: Probe | None = None,
    served: set[ScopeId] | None = None,
) -> bool:
    """Do the job that is due first; say whether there was one. `after` is called when it has taken effect.

    With `served`, scopes take turns: it holds those that had theirs in this round.
    """
    claimed = _claim(database, handlers, set() if served is None else served)
    if claimed is None:
        return False
    with probe.job(claimed.job.kind) if probe else nullcontext(ProbeOutcome()) as outcome:
        outcome.value = _attempt(database, handlers, claimed, after)
    return True


def _attempt(
    database: Database, handlers: Mapping[str, Handler], claimed: ClaimedJob, after: Callable[[Scope], None] | None
) -> str:
    """Do a job that was claimed; how that ended."""
    try:
        apply = _computed(database, handlers[claimed.job.kind], claimed)
        _finish(database, claimed, apply)
        if after is not None and apply is not None:
            after(claimed.scope)
    except Closed:
        # The lease runs out, and then another worker takes the job.
        raise
    except NacreError as error:
        return _fail(database, claimed, str(error), again=not isinstance(error, _LASTING))
    except Exception as error:
        # A mistake in a handler must cost its job and not the worker.
        log.exception("Job %s (%s) failed.", claimed.job.id, claimed.job.kind)
        return _fail(database, claimed, f"{type(error).__name__}: {error}", again=True)
    return OK


def _computed(database: Database, handler: Handler, claimed: ClaimedJob) -> Apply | None:
    """What a job comes to, computed in a thread of its own, whose lease is renewed meanwhile.

    One that does not end within its time is left to itself: it has written nothing, and nobody takes what it says.
    """
    result: Future[Apply | None] = Future()

    def compute() -> None:
        try:
            with GATE:
                found = handler(claimed.scope, claimed.job.payload)
            result.set_result(found)
        except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
            result.set_exception(error)

    Thread(target=copy_context().run, args=(compute,), name="nacre-job", daemon=True).start()
    until = monotonic() + LONGEST_RUN.total_seconds()
    while not wait([result], timeout=min(RENEWED.total_seconds(), until - monotonic())).done:
        if monotonic() >= until:
            raise Overdue(f"It did not end within {LONGEST_RUN.total_seconds() / 60:g} minutes, and was given up.")
        _renew(database, claimed)
    return result.result()


def _renew(database: Database, claimed: ClaimedJob) -> None:
    try:
        with database.write_all() as tx:
            jobs.renew(tx, claimed)
    except Closed:
        raise
    except NacreError as error:
        log.warning("The lease of job %s was not renewed: %s", claimed.job.id, in_full(error))


def _claim(database: Database, handlers: Mapping[str, Handler], served: set[ScopeId]) -> ClaimedJob | None:
    with database.read_all() as tx:
        if not jobs.is_due(tx, handlers):
            return None
    with database.write_all() as tx:
        claimed = jobs.claim(tx, handlers, served)
    if claimed:
        if claimed.scope.id in served or len(served) >= MAX_ROUND:
            served.clear()
        served.add(claimed.scope.id)
    return claimed


def _finish(database: Database, claimed: ClaimedJob, apply: Apply | None) -> None:
    with database.write(claimed.scope) as tx:
        if apply is not None:
            apply(tx)
        jobs.finish(tx, claimed.job)


def _fail(database: Database, claimed: ClaimedJob, reason: str, *, again: bool) -> str:
    log.warning("Job %s (%s) failed: %s", claimed.job.id, claimed.job.kind, reason)
    try:
        with database.write(claimed.scope) as tx:
            jobs.fail(tx, claimed.job, reason, again=again)
    except Conflict as error:
        log.warning("%s", error)
        return "lost"
    return "failed" if again and retry_delay(claimed.job.attempts, 0) else "dead"


def listed(database: Database, scope: Scope, status: JobStatus | None, limit: int, offset: int) -> list[Job]:
    """The jobs of a scope, the last enqueued first."""
    with database.read(scope) as tx:
        return jobs.newest(tx, status, limit, offset)


def counts(database: Database, scope: Scope) -> dict[JobStatus, int]:
    """How many jobs of a scope there are of each status."""
    with database.read(scope) as tx:
        return jobs.counts(tx)


def get(database: Database, scope: Scope, key: JobId) -> Job:
    """One job of a scope."""
    with database.read(scope) as tx:
        found = jobs.by_id(tx, key)
    if found is None:
        raise NotFound("job", str(key))
    return found


def replay(database: Database, scope: Scope, key: JobId | None) -> int:
    """Try again what was given up, one job of a scope or all; how many will be."""
    with database.write(scope) as tx:
        return jobs.replay(tx, key)


def backlog(database: Database) -> Backlog:
    """How much work is left in the whole database."""
    with database.read_all() as tx:
        return jobs.backlog(tx)


def gauges(database: Database) -> dict[str, tuple[str, float]]:
    """How much work is left in the whole database, each figure with what it tells."""
    with database.read_all() as tx:
        left = jobs.backlog(tx)
        waited = (tx.now - left.oldest).total_seconds() if left.oldest else 0.0
    return {
        "jobs_waiting": ("Jobs that wait, those that are to wait included.", left.waiting),
        "jobs_running": ("Jobs that a worker has taken.", left.running),
        "jobs_dead": ("Jobs that were given up; `nacre jobs replay` tries them again.", left.dead),
        "jobs_oldest_seconds": ("How long the job that is due first has been due.", max(0.0, waited)),
    }
