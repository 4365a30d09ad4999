"""Homes: the way to where a scope's graph and memories are kept for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nacre.domain.scopes import Scope
from nacre.domain.sharing import SharingSettings
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction, Transactions

# The scope in which an agent keeps something of a scope.
Home = Callable[[SharingSettings, Scope], Scope]


class Homes:
    """A database's transactions, bound to the scope where the agent keeps something of a scope.

    Where that is can change at any time and in any process, so it is read in the transaction itself.
    """

    def __init__(self, database: Transactions, home: Home) -> None:
        self._database = database
        self._home = home

    def of(self, scope: Scope) -> Scope:
        """Where it is kept just now."""
        with self.read(scope) as tx:
            return tx.scope

    @contextmanager
    def read(self, scope: Scope) -> Iterator[Transaction]:
        """A transaction that only reads, where it is kept."""
        with self._database.read(scope) as tx:
            yield sharing.moved(tx, self._home(sharing.of(tx), scope))

    @contextmanager
    def write(self, scope: Scope) -> Iterator[Transaction]:
        """A transaction that commits when the block ends, where it is kept."""
        with self._database.write(scope) as tx:
            yield sharing.moved(tx, self._home(sharing.of(tx), scope))
