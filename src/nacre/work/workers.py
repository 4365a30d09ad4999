"""A worker: one thread, or one process, that does what is due until it is told to stop."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from threading import Condition, Thread

from nacre.domain.errors import Closed, NacreError, in_full
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Database
from nacre.store.base.forks import GATE
from nacre.store.work import jobs
from nacre.telemetry.probes import Probe
from nacre.work.fault_logs import FaultLog
from nacre.work.finalizers import STOP_SECONDS
from nacre.work.queues import Handler, run_next
from nacre.work.schedules import Schedule

# How soon jobs are seen that another process enqueued, or that were to wait.
POLL_SECONDS = 2.0

log = logging.getLogger(__name__)


class Worker:
    """Does jobs one at a time, scope by scope, and the rounds of a schedule between. Many may share a database."""

    def __init__(
        self,
        database: Database,
        handlers: Mapping[str, Handler],
        schedule: Schedule,
        *,
        after: Callable[[Scope], None] | None = None,
        probe: Probe | None = None,
        learn: Callable[[], object] = lambda: None,
    ) -> None:
        self._learn = learn
        self._database = database
        self._handlers = handlers
        self._schedule = schedule
        self._run_next = partial(run_next, database, handlers, after, probe, set())
        self._change = Condition()
        self._faults = FaultLog(log, "Work")
        self._visited = False
        self._woken = False
        self._stopping = False
        self._thread: Thread | None = None

    def visit(self) -> None:
        """Look once whether an earlier process left something to do, and start if so. Nobody waits for it."""
        if not self._visited:
            self._visited = True
            Thread(target=self._look, name="nacre-visit", daemon=True).start()

    def _look(self) -> None:
        try:
            with self._database.read_all() as tx:
                left = jobs.is_pending(tx, self._handlers)
        except NacreError as error:
            log.warning("Whether there is work is not known: %s", in_full(error))
            return
        if left:
            self.wake()

    def wake(self) -> None:
        """Say that there may be work; the first call starts the thread."""
        with self._change:
            self._woken = True
            self._change.notify_all()
            if self._thread is None and not self._stopping:
                self._thread = Thread(target=self.run, name="nacre-worker", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Finish the job at hand and end. A job that takes too long for that is taken up again later."""
        with self._change:
            self._stopping = True
            self._change.notify_all()
        if self._thread:
            self._thread.join(timeout=STOP_SECONDS)

    def run(self) -> None:
        """Work in this thread until `stop` is called or the database is closed."""
        while not self._stopping:
            try:
                if not self._step():
                    self._rest()
            except Closed:
                return
            except NacreError as error:
                self._faults.tell(error)
                self._rest()
            except Exception:
                # What nobody foresaw ends a job, never the thread that the others wait for.
                log.exception("Work failed in a way that nobody foresaw; it goes on.")
                self._rest()

    def drain(self) -> int:
        """Learn and do all that is due now, in this thread; return how many jobs were begun."""
        self._learn()
        self._schedule.run_due()
        begun = 0
        while not self._stopping and self._run_next():
            begun += 1
        return begun

    def _step(self) -> bool:
        with GATE:
            self._schedule.run_due()
        # Not inside: it waits for the thread of the job, which is.
        return self._run_next()

    def _rest(self) -> None:
        with self._change:
            self._change.wait_for(lambda: self._stopping or self._woken, timeout=POLL_SECONDS)
            self._woken = False
