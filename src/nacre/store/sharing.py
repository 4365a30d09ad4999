"""What agents share, and the way to where a scope's graph and memories are kept for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace

from sqlalchemy import bindparam, delete, insert, select

from nacre.domain.scopes import Scope
from nacre.domain.sharing import Sharing, own_scope
from nacre.store import scopes
from nacre.store.databases import AllScopes, Database, Transaction
from nacre.store.schema import scopes as scopes_table
from nacre.store.schema import settings

# The scope in which an agent keeps something of a scope.
Home = Callable[[Sharing, Scope], Scope]

_NAMES = [field.name for field in fields(Sharing)]
# Every recall begins with it, so it is built once.
_READ = select(settings.c.name, settings.c.value).where(
    settings.c.scope_id == bindparam("agent"), settings.c.name.in_(_NAMES)
)


def of(tx: Transaction) -> Sharing:
    """What the transaction's agent shares: nothing, unless it was told to."""
    rows = tx.execute(_READ, {"agent": own_scope(tx.scope.agent).id})
    return Sharing(**{row.name: row.value for row in rows})


def save(tx: Transaction, sharing: Sharing) -> None:
    """Have the transaction's agent share this."""
    mine = own_scope(tx.scope.agent)
    scopes.ensure(moved(tx, mine))
    tx.execute(delete(settings).where(settings.c.scope_id == mine.id, settings.c.name.in_(_NAMES)))
    tx.execute(
        insert(settings),
        [{"scope_id": mine.id, "name": name, "value": getattr(sharing, name)} for name in _NAMES],
    )


def agents(connection: AllScopes) -> list[str]:
    """Every agent that something was ever kept for, by name."""
    named = select(scopes_table.c.agent).distinct().order_by(scopes_table.c.agent)
    return list(connection.execute(named.execution_options(all_scopes=True)).scalars())


def moved(tx: Transaction, scope: Scope) -> Transaction:
    """The same transaction, in another scope."""
    return replace(tx, scope=scope)


class Homes:
    """A database's transactions, bound to the scope where the agent keeps something of a scope.

    Where that is can change at any time and in any process, so it is read in the transaction itself.
    """

    def __init__(self, database: Database, home: Home) -> None:
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
            yield moved(tx, self._home(of(tx), scope))

    @contextmanager
    def write(self, scope: Scope) -> Iterator[Transaction]:
        """A transaction that commits when the block ends, where it is kept."""
        with self._database.write(scope) as tx:
            yield moved(tx, self._home(of(tx), scope))
