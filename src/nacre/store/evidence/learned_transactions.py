"""Transactions that see what their scope was told: the graph learns first what it has not learned yet."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from nacre.domain.scopes import Scope
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Transaction, Transactions
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import learning_cursors

# Brings a scope up to date, or gives up after a while.
Settle = Callable[[Scope], object]
# What else is surely read.
Ahead = Callable[[Transaction], Sequence[Call]]


class SettledTransactions:
    """A database's transactions, begun when the graph of their scope is up to date, or the wait was long enough.

    Without a way to `settle` nobody waits: those that read say whether the graph is behind.
    """

    def __init__(self, database: Transactions, settle: Settle | None) -> None:
        self._database = database
        self._settle = settle

    @contextmanager
    def read(self, scope: Scope, ahead: Ahead = lambda _tx: ()) -> Iterator[Transaction]:
        """One that only reads, and sees one moment from beginning to end; what is read `ahead` goes out first."""
        with self._read(scope, ahead) as tx:
            if self._settle is None or not tx.behind:
                yield tx
                return
        self._settle(scope)
        with self._read(scope, ahead) as tx:
            yield tx

    @contextmanager
    def _read(self, scope: Scope, ahead: Ahead) -> Iterator[Transaction]:
        with self._database.read(scope) as tx:
            tx.read_ahead([scopes.state_call(tx), sharing.settings_call(tx), *ahead(tx)])
            yield replace(tx, behind=learning_cursors.position(tx) is not None)

    @contextmanager
    def write(self, scope: Scope) -> Iterator[Transaction]:
        """One that commits when the block ends, and leaves nothing behind when it raises."""
        with self._database.write(scope) as tx:
            if self._settle is None or learning_cursors.position(tx) is None:
                yield tx
                return
        self._settle(scope)
        with self._database.write(scope) as tx:
            yield tx
