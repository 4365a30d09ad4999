"""Learning in the background: scopes take turns, a portion each."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from threading import Condition, Thread
from time import monotonic

from nacre.domain.errors import Closed, NacreError
from nacre.domain.scopes import Scope
from nacre.extraction.learning import Learner
from nacre.store.base.forks import GATE
from nacre.work.fault_logs import FaultLog
from nacre.work.finalizers import STOP_SECONDS

# Turns that come one upon the other are read together; nobody's wait longer than that.
PAUSE_SECONDS, LONGEST_SECONDS = 0.1, 1.0
# How soon it is seen what another process observed, or left behind.
POLL_SECONDS = 2.0
RETRY_SECONDS = 5.0

log = logging.getLogger(__name__)


class LearningThread:
    """Learns what is observed in this process, and what others left unread, until it is told to stop."""

    def __init__(self, learner: Learner, after: Callable[[Scope], None] = lambda _scope: None) -> None:
        self._learner = learner
        # Called for a scope of which everything was learned.
        self._after = after
        self._change = Condition()
        self._faults = FaultLog(log, "Learning")
        # The scopes to be read, and since when each waits.
        self._waiting: dict[Scope, float] = {}
        self._noted = 0.0
        self._polls = False
        self._stopping = False
        self._thread: Thread | None = None

    def start(self, *, polls: bool = False) -> None:
        """Look for what other processes left unread: once, or again and again with `polls`."""
        with self._change:
            self._polls = self._polls or polls
            if self._thread is None and not self._stopping:
                self._thread = Thread(target=self._run, name="nacre-learning", daemon=True)
                self._thread.start()

    def wake(self, scope: Scope) -> None:
        """Say that a scope was told something."""
        self.start()
        with self._change:
            self._noted = monotonic()
            self._waiting.setdefault(scope, self._noted)
            # A thread that counts the pause looks by itself.
            if len(self._waiting) == 1:
                self._change.notify_all()

    def stop(self) -> None:
        """Finish the portion at hand and end; what is left is read by whoever opens the database next."""
        with self._change:
            self._stopping = True
            self._change.notify_all()
        if self._thread:
            self._thread.join(timeout=STOP_SECONDS)

    def _run(self) -> None:
        self._work(self._find)
        while not self._stopping:
            scope = self._next()
            if scope:
                self._work(partial(self._learn, scope))
            elif self._waiting:
                self._rest(PAUSE_SECONDS / 2)
            elif not self._is_told() and self._polls:
                self._work(self._find)

    def _work(self, step: Callable[[], None]) -> None:
        try:
            with GATE:
                step()
        except Closed:
            self._stopping = True
        except NacreError as error:
            self._faults.tell(error)
            self._rest(RETRY_SECONDS)
        except Exception:
            # What nobody foresaw never ends the thread that the others wait for.
            log.exception("Learning failed in a way that nobody foresaw; it goes on.")
            self._rest(RETRY_SECONDS)

    def _next(self) -> Scope | None:
        """The scope that waits longest, once it has paused or waited long enough."""
        with self._change:
            now = monotonic()
            scope, since = next(iter(self._waiting.items()), (None, now))
            if now - self._noted < PAUSE_SECONDS and now - since < LONGEST_SECONDS:
                return None
            if scope:
                del self._waiting[scope]
            return scope

    def _learn(self, scope: Scope) -> None:
        # Waiting for another thread that reads the scope, and not asking again and again: that would slow it down.
        if self._learner.learn_some(scope, PAUSE_SECONDS):
            # Behind those that wait already.
            self._wait_with([scope])
        else:
            self._after(scope)

    def _find(self) -> None:
        self._wait_with(self._learner.behind())

    def _wait_with(self, scopes: Sequence[Scope]) -> None:
        with self._change:
            for scope in scopes:
                self._waiting.setdefault(scope, monotonic() - LONGEST_SECONDS)

    def _is_told(self) -> bool:
        with self._change:
            return self._change.wait_for(lambda: self._stopping or bool(self._waiting), timeout=POLL_SECONDS)

    def _rest(self, seconds: float) -> None:
        with self._change:
            self._change.wait_for(lambda: self._stopping, timeout=seconds)
