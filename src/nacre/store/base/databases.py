"""A database and its transactions."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import Any, Protocol, TypeVar
from weakref import WeakSet

from sqlalchemy import Connection, CursorResult, Engine, Executable, Table
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import QueuePool

from nacre.domain.clocks import Clock, system_clock
from nacre.domain.errors import Closed
from nacre.domain.forgetting import ScrubReport
from nacre.domain.ids import ScopeId
from nacre.domain.scopes import Scope
from nacre.store.base import compaction, dialects, migrating, prepared_statements, row_inserts
from nacre.store.base.failures import committing, translate, translated
from nacre.store.base.files import OpenFile
from nacre.store.base.forks import GATE
from nacre.store.base.prepared_statements import Call, PreparedRows, Values
from nacre.store.base.reads_ahead import Following, ReadsAhead
from nacre.store.base.row_inserts import NewRows
from nacre.store.base.thread_connections import ThreadConnection, ThreadConnections

Result = CursorResult[Any] | PreparedRows
T = TypeVar("T")

FORKED = "This brain was opened before the process was forked. Open one in each process, after the fork."
# Those of this process, and engines of the process that it was forked from, which are never closed here.
_opened: "WeakSet[Database]" = WeakSet()
_inherited: list[tuple[Engine, list[Connection]]] = []


@dataclass(frozen=True, slots=True)
class Transaction:
    """What a store function works with: one connection, one scope, one instant.

    `behind` says that the graph has not learned yet all that the scope was told: see
    `store.evidence.learned_transactions`.
    """

    connection: Connection
    scope: Scope
    now: datetime
    behind: bool = False
    _ahead: ReadsAhead = field(default_factory=ReadsAhead, repr=False, compare=False)
    _kept: dict[tuple[ScopeId, type], Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def scope_id(self) -> ScopeId:
        return self.scope.id

    def execute(self, statement: Executable, values: Values | None = None) -> Result:
        """Run a statement with its parameters, or once for each of several sets of them."""
        if self._ahead and (found := self._ahead.answer(self.connection, [(statement, values)])):
            return found[0]
        return _execute(self.connection, statement, values)

    def read_ahead(self, calls: Sequence[Call], following: Following | None = None) -> None:
        """Send what will be run anyway with the next statement, and what follows from it with the one after.

        A transaction sees one moment of what it does not write itself, so that is read once.
        """
        self._ahead.add(calls, following)

    def finish(self) -> None:
        """Send what is to be read ahead together with the end of the transaction, where a database lies far away.

        What is asked afterwards is answered as of then.
        """
        self._ahead.finish(self.connection)

    def moved(self, scope: Scope) -> "Transaction":
        """The same transaction, in another scope."""
        return Transaction(self.connection, scope, self.now, self.behind, self._ahead, self._kept)

    def kept(self, kind: type[T]) -> T:
        """The only one of its kind in this transaction and scope, for what is read more than once and never written."""
        found = self._kept.get((self.scope_id, kind))
        if found is None:
            found = self._kept[self.scope_id, kind] = kind()
        return found

    def execute_all(self, calls: Sequence[Call], *, last: bool = False) -> Sequence[Result]:
        """Run statements with their parameters, none of which waits for what another returns.

        The end of the transaction is sent together with its `last` statements, where a database lies far away.
        """
        if self._ahead and (found := self._ahead.answer(self.connection, calls)) is not None:
            return found
        with committing() if last else nullcontext():
            several = len(calls) > 1 or last
            results = prepared_statements.run_all(self.connection, calls, last=last) if several else None
        return [self.execute(*call) for call in calls] if results is None else results

    def insert_missing(self, table: Table, rows: Sequence[dict[str, Any]]) -> None:
        """Insert each of `rows` unless its key is there already."""
        self.execute(*self.missing_call(table, rows))

    def missing_call(self, table: Table, rows: Sequence[dict[str, Any]]) -> Call:
        """What inserts each of `rows` unless its key is there already."""
        return dialects.insert_missing(self.connection.dialect.name, table), rows

    def insert_all(self, parts: Sequence[NewRows], *, last: bool = False) -> None:
        """Store rows of several tables, in order, none of which waits for those before it.

        The end of the transaction is sent together with its `last` statements, where a database lies far away.
        """
        with committing() if last else nullcontext():
            row_inserts.add(self.connection, parts, last=last)

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part of the transaction that leaves nothing behind when it raises; what came before it stays."""
        with self.connection.begin_nested():
            yield

    @contextmanager
    def tried(self) -> Iterator[None]:
        """A part of the transaction that is taken back when the block ends, however it ends."""
        savepoint = self.connection.begin_nested()
        try:
            yield
        finally:
            savepoint.rollback()


@dataclass(frozen=True, slots=True)
class AllScopes:
    """What queues and sweeps work with: one connection, one instant, and no scope of its own.

    Each statement says that it means every scope, with `.execution_options(all_scopes=True)`.
    """

    connection: Connection
    now: datetime

    def execute(self, statement: Executable, values: Values | None = None) -> Result:
        """Run a statement with its parameters, or once for each of several sets of them."""
        return _execute(self.connection, statement, values)


def _execute(connection: Connection, statement: Executable, values: Values | None) -> Result:
    found = prepared_statements.find(connection, statement, values)
    return connection.execute(statement, values) if found is None else found.run(connection, statement, values)


class Transactions(Protocol):
    """Hands out transactions bound to a scope."""

    def read(self, scope: Scope) -> AbstractContextManager[Transaction]:
        """One that only reads, and sees one moment from beginning to end."""
        ...

    def write(self, scope: Scope) -> AbstractContextManager[Transaction]:
        """One that commits when the block ends, and leaves nothing behind when it raises."""
        ...


class Database:
    """The door: opens (and migrates) a database, and hands out transactions bound to a scope."""

    def __init__(
        self,
        address: str | Path,
        clock: Clock = system_clock,
        pool: dialects.Pool = dialects.Pool(),  # noqa: B008 - a value that never changes
        *,
        migrates: bool = True,
    ) -> None:
        self.clock = clock
        # What goes on around each transaction, by whether it reads or writes.
        self.around: Callable[[str], AbstractContextManager[object]] = nullcontext
        self._closed = False
        self._inherited = False
        # SQLite lets one write at a time and has others ask again and again; those of this process stand in line.
        self.line = RLock()
        self._holdings = ThreadConnections()
        # Connections that nobody uses: a pool takes several times as long to lend one as SQLite takes to begin.
        self._idle: list[Connection] = []
        with translated():
            self._engine = dialects.make_engine(address, pool)
            # Of PostgreSQL each goes back to the pool, which looks whether it is still there.
            self._keeps = self.kind == "sqlite"
            _opened.add(self)
            try:
                if migrates:
                    migrating.migrate(self._engine)
                self._file = OpenFile.of(self._engine)
            except BaseException:
                self.close()
                raise

    @contextmanager
    def read(self, scope: Scope) -> Iterator[Transaction]:
        """A transaction that only reads, and sees one moment from beginning to end."""
        with self._reading() as connection:
            yield Transaction(connection, scope, self.clock())
            # Not a rollback: after one, the driver of PostgreSQL forgets every statement that it has prepared.
            connection.commit()

    @contextmanager
    def write(self, scope: Scope) -> Iterator[Transaction]:
        """A transaction that commits when the block ends, and leaves nothing behind when it raises."""
        with self._writing() as connection:
            yield Transaction(connection, scope, self.clock())
            self._commit(connection)

    @contextmanager
    def read_all(self) -> Iterator[AllScopes]:
        """As `read`, over every scope: for queues and sweeps, never for what a caller sees."""
        with self._reading() as connection:
            yield AllScopes(connection, self.clock())
            connection.commit()

    @contextmanager
    def write_all(self) -> Iterator[AllScopes]:
        """As `write`, over every scope: for queues and sweeps, never for what a caller sees."""
        with self._writing() as connection:
            yield AllScopes(connection, self.clock())
            self._commit(connection)

    @property
    def kind(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._engine.dialect.name

    @property
    def in_use(self) -> int:
        """How many connections of the pool are in use."""
        pool = self._engine.pool
        return pool.checkedout() - len(self._idle) if isinstance(pool, QueuePool) else 0

    def ping(self) -> None:
        """Raise `Unavailable` unless the database answers."""
        with self._reading() as connection:
            connection.exec_driver_sql("SELECT 1")

    # The revision of the schema that this version of Nacre works with.
    head = migrating.HEAD

    def revision(self) -> str | None:
        """The revision that the schema of the database is at now."""
        with self._reading() as connection:
            return migrating.current(connection)

    def scrub(self) -> bool:
        """Leave no bytes of deleted rows behind, as far as that is in our hands; False where somebody reads them."""
        with self._open(), translated():
            return dialects.scrub(self._engine)

    def rewrite(self) -> ScrubReport:
        """Write all tables anew, so that no bytes of deleted rows are left in any file but logs and backups."""
        with self._open(), translated():
            return compaction.rewrite(self._engine)

    def close(self) -> None:
        """Give back every connection; one that is in use is closed as soon as its user is done with it."""
        self._closed = True
        self._drain()

    def inherit(self) -> None:
        """Be of no use in a process that was forked: connections belong to the one that opened them.

        What SQLite notes of locks would be wrong here, and two processes on one connection of PostgreSQL mix their
        answers up. Nothing is closed: that would end the other's connections.
        """
        self._closed = self._inherited = True
        self.line, self._holdings = RLock(), ThreadConnections()
        _inherited.append((self._engine, self._idle))
        self._idle = []

    def check_open(self) -> None:
        """Raise `Closed` unless the database can be used."""
        if self._closed:
            raise self._refuse()

    def _refuse(self) -> Closed:
        return Closed(FORKED) if self._inherited else Closed()

    def _drain(self) -> None:
        """Close what has come back to the pool of a closed database: nobody will ask for it again."""
        if self._closed and not self._inherited:
            self._let_go()
            self._engine.pool.dispose()

    @contextmanager
    def _open(self) -> Iterator[None]:
        """For as long as a connection is used; the database may be closed meanwhile."""
        self.check_open()
        try:
            with GATE:
                yield
        finally:
            self._drain()

    def give_up(self) -> None:
        """Give back what the calling thread holds, after an interrupt that may have come at any instant."""
        self._holdings.give_up()
        GATE.forget()
        # The pool may have been interrupted while it counted; a new one counts anew. In memory there is no second.
        if self._engine.url.database or self.kind != "sqlite":
            self._let_go()
            self._engine.dispose()

    def _lend(self) -> Connection:
        """A connection that nobody uses."""
        try:
            return self._idle.pop()
        except IndexError:
            return self._engine.connect()

    def _take_back(self, connection: Connection) -> None:
        """Keep a connection for the next transaction, unless others may wait for it at the pool."""
        if self._keeps and not connection.in_transaction() and self._has_room():
            self._idle.append(connection)
        else:
            connection.close()

    def _has_room(self) -> bool:
        pool = self._engine.pool
        # Nobody waits where the pool may still make connections.
        return isinstance(pool, QueuePool) and pool.overflow() < pool._max_overflow and len(self._idle) < pool.size()  # noqa: SLF001

    def _let_go(self) -> None:
        """Give what nobody uses back to the pool."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _commit(self, connection: Connection) -> None:
        self._file.check()
        with committing():
            connection.commit()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        holding = self._holdings.add(self.line if self.kind == "sqlite" else None)
        # Before the line: whoever is in it can then come to an end while a fork waits.
        GATE.enter()
        try:
            holding.wait(dialects.BUSY_SECONDS)
            with self._connected(dialects.begin_write, holding) as connection:
                self._file.check()
                yield connection
        finally:
            holding.end()
            self._holdings.remove(holding)
            GATE.leave()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        holding = self._holdings.add(None)
        GATE.enter()
        try:
            with self._connected(dialects.begin_read, holding) as connection:
                yield connection
        finally:
            self._holdings.remove(holding)
            GATE.leave()

    @contextmanager
    def _connected(self, begin: Callable[[Connection], object], holding: ThreadConnection) -> Iterator[Connection]:
        # As `_open` and `translated`, written out: every transaction comes through here.
        self.check_open()
        try:
            with self.around(begin.__name__.removeprefix("begin_")):
                connection = self._lend()
                try:
                    holding.connection = connection
                    begin(connection)
                    yield connection
                except BaseException:
                    # It goes through the pool, which ends what was left open.
                    connection.close()
                    raise
                self._take_back(connection)
        except SQLAlchemyError as error:
            told = translate(error)
            self._file.note(told)
            raise told from error
        finally:
            self._drain()


def _inherit_all() -> None:
    for database in list(_opened):
        database.inherit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_inherit_all)
