"""Dreaming by the clock: once a day, where something has changed and nobody is there."""

from collections.abc import Callable
from datetime import timedelta
from threading import Lock
from time import monotonic

from nacre.domain.ids import ScopeId
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Database
from nacre.store.base.forks import GATE
from nacre.store.evidence import turns
from nacre.store.work import dreams, jobs
from nacre.upkeep.cycles import SCHEDULED, Dreamer
from nacre.work.queues import Apply, Handler, Payload
from nacre.work.schedules import Periodic

KIND = "dream"
HOURLY = timedelta(hours=1)
# Somebody is there if they did something within this time.
QUIET = timedelta(minutes=15)
QUIET_SECONDS = 60.0


class Traffic:
    """Who was here lately, in this process. Safe for threads."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last: dict[ScopeId, float] = {}
        self._lock = Lock()

    def note(self, scope: Scope) -> None:
        """Somebody observes, recalls or builds a context."""
        with self._lock:
            now = self._clock()
            # In the order of their last visit, so that those who left are found first and forgotten.
            self._last.pop(scope.id, None)
            self._last[scope.id] = now
            while now - self._last[first := next(iter(self._last))] >= QUIET_SECONDS:
                del self._last[first]

    def is_live(self, scope: Scope) -> bool:
        """Whether somebody was here within the last minute."""
        with self._lock:
            last = self._last.get(scope.id)
        return last is not None and self._clock() - last < QUIET_SECONDS


def handler(database: Database, dreamer: Dreamer, traffic: Traffic) -> Handler:
    """Dreams for a scope; live traffic, here or in another process, comes first."""

    def dream(scope: Scope, _payload: Payload) -> Apply | None:
        with database.read(scope) as tx:
            begun = turns.last_place(tx)

        def disturbed() -> bool:
            # Asked between the steps of a night, which may be a long one.
            GATE.step_aside()
            if traffic.is_live(scope):
                return True
            with database.read(scope) as tx:
                return bool(turns.since(tx, begun, 1))

        dreamer.dream(scope, trigger=SCHEDULED, disturbed=disturbed)
        return None

    return dream


def nightly(every: timedelta) -> Periodic:
    """The round that asks for dreams where one is due."""

    def request(database: Database) -> int:
        with database.read_all() as everywhere:
            due = dreams.due(everywhere, every=every, quiet=QUIET)
        for scope in due:
            with database.write(scope) as tx:
                jobs.request(tx, KIND)
        return len(due)

    return Periodic("dream", HOURLY, request)
