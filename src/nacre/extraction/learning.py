"""Learning: what was observed is read behind the write and becomes part of the graph, in order and exactly once.

Turns are read outside any write transaction. What was found is applied in a short one, which also moves the scope's
cursor: a process that dies in between leaves no effect, and of two that read the same turns one comes first.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING
from uuid import UUID
from weakref import WeakValueDictionary

from nacre.domain.ids import ScopeId
from nacre.domain.progress import LearningStatus
from nacre.domain.scopes import Scope
from nacre.extraction import reading_requests
from nacre.extraction.reading_requests import READER
from nacre.models.local_reader import LocalReader
from nacre.store.base.databases import Database
from nacre.store.evidence import learning_cursors, turns

if TYPE_CHECKING:
    from nacre.extraction.lessons import Lessons

# How long a caller waits for the graph, and how many unread turns are too many to wait for where the background is at
# them: what takes longer goes on behind the caller's back.
CALLER_SECONDS, CALLER_TURNS = 1.0, 500
# So many scopes are looked up at a time.
MAX_SCOPES = 100
# How long one waits for another thread that reads the same scope.
PATIENCE_SECONDS = 1.0


class Learner:
    """Brings the graphs of scopes up to date with what was observed in them."""

    def __init__(
        self,
        database: Database,
        *,
        writes: bool,
        reader: LocalReader | None = None,
        asks: bool = False,
        background: bool = False,
        after: Callable[[Scope], object] = lambda _scope: None,
    ) -> None:
        self._database = database
        self._writes = writes
        self._reader = reader
        # Whether a language model reads what was learned once more.
        self._asks = asks
        # Whether a thread of this process learns as well.
        self._background = background
        # Called for a scope of which `settle_all` learned everything.
        self._after = after
        # One thread at a time reads a scope: a second would only repeat its work.
        self._reading: WeakValueDictionary[ScopeId, Lock] = WeakValueDictionary()
        self._change = Lock()

    def settle(self, scope: Scope, seconds: float | None = None) -> bool:
        """Learn all that is unread in a scope, for at most so many seconds; whether nothing is left.

        A portion that was begun is finished. Where extraction may not write, nothing is learned.
        """
        if not self._writes or self._is_settled(scope):
            return self._writes
        until = None if seconds is None else monotonic() + seconds
        with self._alone(scope, seconds) as entered:
            while entered and self._lessons.learn(scope):
                if until is not None and monotonic() >= until:
                    break
        return self._is_settled(scope)

    def settle_for_caller(self, scope: Scope) -> bool:
        """As `settle`, for as long as a caller who reads the graph is kept waiting."""
        return not self._is_far_behind(scope) and self.settle(scope, CALLER_SECONDS)

    def settle_all(self, seconds: float | None = None, agent: str | None = None) -> bool:
        """Learn all that is unread anywhere, or of one agent, scopes in turn; whether nothing is left after a while."""
        until = None if seconds is None else monotonic() + seconds
        if not self._writes:
            return False
        while scopes := self.behind(agent):
            for scope in scopes:
                if until is not None and monotonic() >= until:
                    return False
                self.learn_some(scope, PATIENCE_SECONDS)
                if self._is_settled(scope):
                    self._after(scope)
        return True

    def learn_some(self, scope: Scope, patience: float = 0) -> bool:
        """Learn the next portion of a scope, unless another thread stays at it; whether there may be more."""
        with self._alone(scope, patience) as entered:
            return self._lessons.learn(scope) if entered else True

    def behind(self, agent: str | None = None) -> list[Scope]:
        """Some of the scopes that have unread turns."""
        with self._database.read_all() as tx:
            return learning_cursors.behind(tx, MAX_SCOPES, agent)

    def unread(self, scope: Scope, observation: UUID | None = None) -> LearningStatus:
        """How far the graph of a scope has come: with everything, or with all up to one observation."""
        with self._database.read(scope) as tx:
            unread = learning_cursors.unread(tx, observation)
            if not self._asks:
                return LearningStatus(unread=unread)
            asked = learning_cursors.unread_since(tx, turns.cursor_position(tx, READER) + 1, observation)
            return LearningStatus(
                unread=unread, unread_by_model=asked, notes=reading_requests.notes(tx) if asked else ()
            )

    def _is_far_behind(self, scope: Scope) -> bool:
        if not self._background:
            return False
        with self._database.read(scope) as tx:
            return learning_cursors.backlog(tx) > CALLER_TURNS

    def _is_settled(self, scope: Scope) -> bool:
        with self._database.read(scope) as tx:
            return learning_cursors.position(tx) is None

    @contextmanager
    def _alone(self, scope: Scope, seconds: float | None) -> Iterator[bool]:
        with self._change:
            lock = self._reading.setdefault(scope.id, Lock())
        entered = lock.acquire(timeout=-1 if seconds is None else seconds)
        try:
            yield entered
        finally:
            if entered:
                lock.release()

    @cached_property
    def _lessons(self) -> "Lessons":
        from nacre.extraction.lessons import Lessons  # noqa: PLC0415 - all rules, which a question seldom needs

        return Lessons(self._database, self._reader, asks=self._asks)
