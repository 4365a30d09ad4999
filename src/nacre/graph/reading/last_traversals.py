"""Last traversals: what that of each scope came to, for those who look after a brain."""

from collections import OrderedDict
from datetime import datetime
from threading import Lock
from uuid import UUID
from weakref import WeakKeyDictionary

from nacre.domain.traversals import Traversal, TraversalTelemetry
from nacre.store.base.databases import Database

MAX_SCOPES = 1_000


class LastTraversals:
    """The last traversal of each scope; of very many scopes, those that were traversed last."""

    def __init__(self, room: int = MAX_SCOPES) -> None:
        self._room = room
        self._last: OrderedDict[UUID, TraversalTelemetry] = OrderedDict()
        self._lock = Lock()

    def note(self, scope_id: UUID, traversal: Traversal, at: datetime) -> None:
        """Note what a traversal came to."""
        seen = TraversalTelemetry(
            at=at,
            source=traversal.source,
            focal_entity_ids=traversal.focal_entity_ids,
            entity_count=traversal.entity_count,
            memory_count=len(traversal.memory_ids),
            turn_count=len(traversal.turn_ids),
            constraint_count=len(traversal.constraints),
            timed_out=traversal.timed_out,
            took_ms=traversal.took_ms,
        )
        with self._lock:
            self._last[scope_id] = seen
            self._last.move_to_end(scope_id)
            while len(self._last) > self._room:
                self._last.popitem(last=False)

    def of(self, scope_id: UUID) -> TraversalTelemetry | None:
        """The last traversal of a scope, if there was one since the brain was opened."""
        with self._lock:
            return self._last.get(scope_id)


_LAST: WeakKeyDictionary[Database, LastTraversals] = WeakKeyDictionary()
_LOCK = Lock()


def last_traversals(database: Database) -> LastTraversals:
    """What is known of the traversals of a database; forgotten with it."""
    with _LOCK:
        return _LAST.setdefault(database, LastTraversals())
