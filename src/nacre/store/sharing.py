"""What agents share, and the way to where a scope's graph and memories are kept for it."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from uuid import UUID

from sqlalchemy import bindparam, delete, insert, or_, select

from nacre.domain.errors import NotFound
from nacre.domain.scopes import Scope
from nacre.domain.sharing import Sharing, own_scope
from nacre.store import scopes, sources
from nacre.store.databases import AllScopes, Database, Transaction
from nacre.store.schema import scopes as scopes_table
from nacre.store.schema import settings

# The scope in which an agent keeps something of a scope.
Home = Callable[[Sharing, Scope], Scope]

_NOTHING = Sharing()
_NAMES = [field.name for field in fields(Sharing)]
# Not `IN`, which takes several times as long to prepare: every recall begins with this.
_NAMED = or_(*(settings.c.name == name for name in _NAMES))
_READ = select(settings.c.name, settings.c.value).where(settings.c.scope_id == bindparam("agent"), _NAMED)


def of(tx: Transaction) -> Sharing:
    """What the transaction's agent shares: nothing, unless it was told to."""
    rows = tx.execute(_READ, {"agent": own_scope(tx.scope.agent).id}).all()
    return Sharing(**{row.name: row.value for row in rows}) if rows else _NOTHING


def save(tx: Transaction, sharing: Sharing) -> None:
    """Have the transaction's agent share this."""
    mine = own_scope(tx.scope.agent)
    scopes.ensure(moved(tx, mine))
    tx.execute(delete(settings).where(settings.c.scope_id == mine.id, _NAMED))
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


def text_of(tx: Transaction, source_id: UUID) -> str:
    """The words of a piece of evidence that the scope may point at: its own, or among what its agent shares."""
    for place in of(tx).places(tx.scope):
        with suppress(NotFound):
            return sources.text_of(moved(tx, place), source_id)
    raise NotFound("source", str(source_id))


def bring(tx: Transaction, source_ids: Collection[UUID], scope: Scope) -> None:
    """Have evidence that `scope` may point at in the transaction's scope, too, so that what it says rests on it."""
    if source_ids:
        for place in of(tx).places(scope):
            if place != tx.scope:
                sources.copy(tx, source_ids, place)


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
