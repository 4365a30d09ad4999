"""Reading from a copy of the database that may be behind, without ever showing a caller less than the database has.

Every change to what recall and reports show takes a revision of its scope. So the database is asked for the revisions
of the scopes that a caller may see, which is cheap, and the copy for the same: only one that has them all is read. One
that does not answer is left alone for a while. What takes no revision, such as working memory, is never read here.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from time import monotonic

from nacre.domain.errors import NacreError, in_full
from nacre.domain.scopes import Scope
from nacre.domain.sharing import own_scope
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.base.failures import translated

log = logging.getLogger(__name__)

REST_SECONDS = 10.0


class ReplicaReader:
    """A database's transactions: those that only read come from its replica where that is not behind."""

    def __init__(self, database: Database, replica: Database | None) -> None:
        self._database = database
        self._replica = replica
        self._rests_until = 0.0

    @contextmanager
    def read(self, scope: Scope) -> Iterator[Transaction]:
        """A transaction that only reads what revisions tell of, and sees one moment from beginning to end."""
        with ExitStack() as held:
            yield self._caught_up(scope, held) or held.enter_context(self._database.read(scope))

    def write(self, scope: Scope) -> AbstractContextManager[Transaction]:
        """A transaction of the database itself."""
        return self._database.write(scope)

    @property
    def in_use(self) -> int:
        """How many connections to the replica are in use."""
        return self._replica.in_use if self._replica else 0

    def close(self) -> None:
        """Give back the connections to the replica."""
        if self._replica:
            self._replica.close()

    def _caught_up(self, scope: Scope, exit_stack: ExitStack) -> Transaction | None:
        """A transaction of the replica, to be ended by `exit_stack`; None where it is behind or does not answer."""
        if self._replica is None or monotonic() < self._rests_until:
            return None
        with self._database.read(scope) as tx:
            wanted = _revisions(tx, {*sharing.places(tx), own_scope(scope.agent)})
        try:
            with ExitStack() as tried, translated():
                copy = tried.enter_context(self._replica.read(scope))
                seen = _revisions(copy, wanted)
                if any(seen[place] < revision for place, revision in wanted.items()):
                    return None
                exit_stack.push(tried.pop_all())
                return copy
        except NacreError as error:
            self._rests_until = monotonic() + REST_SECONDS
            log.warning("The replica is not read for %.0f s: %s", REST_SECONDS, in_full(error))
            return None


def _revisions(tx: Transaction, places: Iterable[Scope]) -> dict[Scope, int]:
    return {place: scopes.state(sharing.moved(tx, place)).revision for place in places}
