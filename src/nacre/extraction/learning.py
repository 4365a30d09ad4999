"""Learning: what was observed is read behind the write and becomes part of the graph, in order and exactly once.

Turns are read outside any write transaction. What was found is applied in a short one, which also moves the scope's
cursor: a process that dies in between leaves no effect, and of two that read the same turns one comes first.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Lock
from time import monotonic
from uuid import UUID
from weakref import WeakValueDictionary

from nacre.domain.errors import Closed, Conflict, Unavailable
from nacre.domain.facts import Extracted
from nacre.domain.ids import ScopeId
from nacre.domain.learning import Learning
from nacre.domain.scopes import Scope
from nacre.domain.turns import Role
from nacre.extraction import known_types, pipeline, portions, successions
from nacre.extraction.pipeline import Heard
from nacre.extraction.portions import Portion
from nacre.extraction.recognition import recognise
from nacre.extraction.successions import Succession
from nacre.models.local_reader import LocalReader
from nacre.store import learning, sharing
from nacre.store.databases import Database, Transaction
from nacre.store.turns import Said

log = logging.getLogger(__name__)

# How long a caller waits for the graph, and how many unread turns are too many to wait for where the background is at
# them: what takes longer goes on behind the caller's back.
CALLER_SECONDS, CALLER_TURNS = 1.0, 500
# So many scopes are looked up at a time.
MAX_SCOPES = 100
# How long one waits for another thread that reads the same scope.
PATIENCE_SECONDS = 1.0
# What passes by itself, or is no fault of the turns that are read.
_PASSING = (Closed, Conflict, Unavailable)


class Learner:
    """Brings the graphs of scopes up to date with what was observed in them."""

    def __init__(
        self, database: Database, *, writes: bool, reader: LocalReader | None = None, background: bool = False
    ) -> None:
        self._database = database
        self._writes = writes
        # Reads what rules do not; rules work alone where it is None.
        self._reader = reader
        # Whether a thread of this process learns as well.
        self._background = background
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
            while entered and self._learn(scope):
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
        return True

    def learn_some(self, scope: Scope, patience: float = 0) -> bool:
        """Learn the next portion of a scope, unless another thread stays at it; whether there may be more."""
        with self._alone(scope, patience) as entered:
            return self._learn(scope) if entered else True

    def behind(self, agent: str | None = None) -> list[Scope]:
        """Some of the scopes that have unread turns."""
        with self._database.read_all() as tx:
            return learning.behind(tx, MAX_SCOPES, agent)

    def unread(self, scope: Scope, observation: UUID | None = None) -> Learning:
        """How far the graph of a scope has come: with everything, or with all up to one observation."""
        with self._database.read(scope) as tx:
            return Learning(unread=learning.unread(tx, observation))

    def _is_far_behind(self, scope: Scope) -> bool:
        if not self._background:
            return False
        with self._database.read(scope) as tx:
            return learning.backlog(tx) > CALLER_TURNS

    def _is_settled(self, scope: Scope) -> bool:
        with self._database.read(scope) as tx:
            return learning.position(tx) is None

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

    def _learn(self, scope: Scope) -> bool:
        """Read the next portion and apply what was found; whether there was one."""
        with self._database.read(scope) as tx:
            cursor = learning.position(tx)
            portion = portions.next_portion(tx, cursor, in_context=self._reader is not None) if cursor else None
        if portion is None:
            return False
        if not self._is_taken(scope, portion):
            # One turn must not take the others with it.
            for single in portion.single():
                if not self._is_taken(scope, single):
                    self._pass_over(scope, single)
        return True

    def _is_taken(self, scope: Scope, portion: Portion) -> bool:
        try:
            found = _every_turn(portion, portions.read(portion, partial(self._types, scope), self._reader))
            succession = self._succession(scope, portion)
            with self._database.write(scope) as tx:
                if learning.move(tx, portion.begin, portion.end):
                    successions.apply_succession(tx, succession, _apply(tx, found))
        except _PASSING:
            raise
        except Exception:
            log.exception("Turns did not become part of the graph: %s.", [str(said.id) for said in portion.turns])
            return False
        return True

    def _pass_over(self, scope: Scope, portion: Portion) -> None:
        """Leave a turn that the rules stumble over unlearned: what was said in it is kept."""
        with self._database.write(scope) as tx:
            learning.move(tx, portion.begin, portion.end)

    def _succession(self, scope: Scope, portion: Portion) -> Succession:
        """What the turns of a portion make outdated; a long turn, which is read in slices, makes nothing so."""
        speeches = [] if portion.slice else [*map(successions.speech_of_turn, portion.turns)]
        fresh = [each for each in speeches if each]
        if not fresh:
            return Succession({}, ())
        with self._database.read(scope) as tx:
            return successions.find_succession(tx, fresh)

    def _types(self, scope: Scope, names: portions.Names) -> portions.Types:
        with self._database.read(scope) as tx:
            return known_types.find(sharing.in_graph_home(tx), names)


def _every_turn(portion: Portion, found: Sequence[Heard]) -> list[Heard]:
    """What people said, turn by turn: the graph may know names in turns where reading found none."""
    if portion.slice:
        return list(found)
    heard = {each.source: each for each in found}
    said = [each for each in portion.turns if each.turn.role == Role.USER]
    return [heard.get(each.id) or _unread(each) for each in said]


def _unread(said: Said) -> Heard:
    turn, nothing = said.turn, Extracted()
    return Heard(
        source=said.id, text=turn.text, at=said.at, stored_at=said.stored_at, found=nothing, speaker=turn.speaker
    )


def _apply(tx: Transaction, found: list[Heard]) -> dict[UUID, UUID]:
    """Bring what was found into the graph; returns the batch of the scope's own log that each turn became."""
    batches: dict[UUID, UUID] = {}
    if not found:
        return batches
    home = sharing.in_graph_home(tx)
    # One by one and as of when each was stored, so that it is the same graph whenever which turns are read together.
    for each in found:
        then = replace(home, now=each.stored_at or tx.now)
        heard = recognise(then, each, Role.USER)
        if not (heard.found.names or heard.found.facts):
            continue
        if home.scope != tx.scope:
            sharing.bring(home, [each.source], tx.scope)
        taken = pipeline.take_in(then, [heard], user=tx.scope.user, talk=tx)
        if taken.batch and home.scope == tx.scope:
            batches[each.source] = taken.batch
    return batches
