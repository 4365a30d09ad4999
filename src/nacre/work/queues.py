"""Takes one job after another from the database and does it.

A job is begun at least once and takes effect once: its handler computes first and writes nothing, then what it
hands back is applied in the transaction that marks the job as done. A worker that dies in between leaves no effect,
and the job is taken up again when its lease has passed. One that lives renews it, however long the job takes.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from threading import Event, Thread

from nacre.domain.errors import Closed, Conflict, Denied, Invalid, Misconfigured, NacreError, NotFound, in_full
from nacre.domain.jobs import LEASE, retry_delay
from nacre.domain.plain import Json
from nacre.domain.scopes import Scope
from nacre.store import jobs
from nacre.store.databases import Database, Transaction
from nacre.store.jobs import Claimed
from nacre.telemetry.probes import OK, Outcome, Probe

log = logging.getLogger(__name__)

# A lease outlives three renewals that did not come through.
RENEWED = LEASE / 4

# Failures that no further attempt can mend; a person may, and then replay the job.
_LASTING = (Denied, Invalid, Misconfigured, NotFound)

Payload = Mapping[str, Json]
Apply = Callable[[Transaction], None]
# Computes what a job of the scope comes to; None when there is nothing to write.
Handler = Callable[[Scope, Payload], Apply | None]


def run_next(
    database: Database,
    handlers: Mapping[str, Handler],
    after: Callable[[Scope], None] | None = None,
    probe: Probe | None = None,
) -> bool:
    """Do the job that is due first; say whether there was one. `after` is called when it has taken effect."""
    claimed = _claim(database, handlers)
    if claimed is None:
        return False
    with probe.job(claimed.job.kind) if probe else nullcontext(Outcome()) as outcome:
        outcome.value = _attempt(database, handlers, claimed, after)
    return True


def _attempt(
    database: Database, handlers: Mapping[str, Handler], claimed: Claimed, after: Callable[[Scope], None] | None
) -> str:
    """Do a job that was claimed; how that ended."""
    try:
        with _leased(database, claimed):
            apply = handlers[claimed.job.kind](claimed.scope, claimed.job.payload)
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


@contextmanager
def _leased(database: Database, claimed: Claimed) -> Iterator[None]:
    """Keep the lease of a job while it is worked on, so that no other worker begins it meanwhile."""
    done = Event()

    def renew() -> None:
        while not done.wait(RENEWED.total_seconds()):
            try:
                with database.write_all() as tx:
                    if not jobs.renew(tx, claimed):
                        return
            except Closed:
                return
            except NacreError as error:
                log.warning("The lease of job %s was not renewed: %s", claimed.job.id, in_full(error))

    thread = Thread(target=renew, name="nacre-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _claim(database: Database, handlers: Mapping[str, Handler]) -> Claimed | None:
    with database.read_all() as tx:
        if not jobs.is_due(tx, handlers):
            return None
    with database.write_all() as tx:
        return jobs.claim(tx, handlers)


def _finish(database: Database, claimed: Claimed, apply: Apply | None) -> None:
    with database.write(claimed.scope) as tx:
        if apply is not None:
            apply(tx)
        jobs.finish(tx, claimed.job)


def _fail(database: Database, claimed: Claimed, reason: str, *, again: bool) -> str:
    log.warning("Job %s (%s) failed: %s", claimed.job.id, claimed.job.kind, reason)
    try:
        with database.write(claimed.scope) as tx:
            jobs.fail(tx, claimed.job, reason, again=again)
    except Conflict as error:
        log.warning("%s", error)
        return "lost"
    return "failed" if again and retry_delay(claimed.job.attempts, 0) else "dead"
