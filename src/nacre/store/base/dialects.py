"""Dialects: how an engine is made and how a transaction begins on SQLite and on PostgreSQL."""

import os
import select
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any, cast

from sqlalchemy import (
    URL,
    BigInteger,
    Connection,
    Dialect,
    Engine,
    Integer,
    LargeBinary,
    Table,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, InvalidatePoolError, OperationalError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.pool import QueuePool
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from nacre.domain.errors import Misconfigured

MEMORY = ":memory:"
BUSY_SECONDS = 60
_ASKS_AGAIN_SECONDS = 0.001
# How long a purge waits for readers before it is reported as pending.
_SCRUB_SECONDS = 2
# How many statements SQLite's driver keeps ready on a connection; lists of values have one for each length.
_STATEMENTS = 512
# One key for every Nacre process, so that only one of them migrates a database at a time.
_MIGRATION_LOCK = 0x6E61637265
# What libpq calls a connection without a transaction.
_IDLE = 0
_NOTHING = nullcontext()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """How many connections a process holds, and how long anything on them may take. 0 seconds is no limit."""

    size: int = 8
    overflow: int = 24
    # For a connection to come free.
    wait_seconds: int = 30
    statement_seconds: int = 60
    lock_seconds: int = 30
    # For a transaction that says nothing.
    idle_seconds: int = 600
    # Whether another pool stands between, which gives each transaction any connection: PgBouncer in transaction mode.
    # Nothing may then outlast a transaction: no prepared statement and no setting of a session.
    behind_pooler: bool = False


def make_engine(address: str | Path, pool: Pool = Pool()) -> Engine:  # noqa: B008 - a value that never changes
    """An engine for a file, `:memory:` or a `postgresql://` address."""
    text = str(address)
    if is_postgresql(text):
        return _postgresql(text, pool)
    if "://" in text:
        kind = text.partition("://")[0]
        raise Misconfigured(f"A database is a file, `{MEMORY}` or `postgresql://…`, not `{kind}://…`.")
    return _sqlite(text, pool)


def is_postgresql(address: str | Path) -> bool:
    """Whether an address is that of a PostgreSQL."""
    return str(address).startswith(("postgresql://", "postgres://", "postgresql+psycopg://"))


def begin_read(connection: Connection) -> None:
    """Start a transaction whose statements all see the same moment."""
    if connection.dialect.name == "postgresql":
        connection.execution_options(isolation_level="REPEATABLE READ")
    _begin(connection, writes=False)


def begin_write(connection: Connection) -> None:
    """Start a transaction that will write; on SQLite it takes the write lock at once and never has to upgrade."""
    _begin(connection, writes=True)


def _begin(connection: Connection, *, writes: bool) -> None:
    connection.begin()
    driver = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection):
        # Said here and not by an event of the engine: with one, every statement would look for what listens to it.
        # And to the driver: what SQLAlchemy does around a statement takes three times as long as this one.
        try:
            if writes:
                _begin_in_turn(driver)
            else:
                driver.execute("BEGIN")
        except sqlite3.Error as error:
            raise OperationalError("BEGIN", None, error) from error


def _begin_in_turn(driver: sqlite3.Connection) -> None:
    """Begin to write as soon as other processes let us.

    SQLite itself would ask again after 1, 2, 5 … and at last 100 ms, and come late whenever others write often.
    """
    until = monotonic() + BUSY_SECONDS
    driver.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                driver.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() >= until:
                    raise
                sleep(_ASKS_AGAIN_SECONDS)
            else:
                return
    finally:
        driver.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")


def together(driver: Any, *, several: bool = False) -> AbstractContextManager[object]:
    """Around the first statement of a transaction: PostgreSQL is told of its beginning in the same message.

    Around `several` statements, whether or not they are the first: it is told of them all before it has to answer.
    """
    if isinstance(driver, sqlite3.Connection):
        return _NOTHING
    if driver.info.transaction_status != _IDLE or driver.autocommit or not _has_pipelines():
        return pipeline(driver) if several else _NOTHING
    return _beginning(driver)


@contextmanager
def _beginning(driver: Any) -> Iterator[None]:
    # The driver would wait for an answer to a beginning of its own. Whether it begins transactions cannot be changed
    # while there is one: see `_end_autocommit`.
    level = driver.isolation_level
    driver.autocommit = True
    with driver.pipeline():
        driver.execute(f"BEGIN ISOLATION LEVEL {level.name.replace('_', ' ')}" if level else "BEGIN")
        yield


def _end_autocommit(connection: Any, _record: Any) -> None:
    """Have the driver begin transactions again, on a connection that comes back to the pool."""
    if connection is not None and not connection.closed and connection.autocommit:
        connection.autocommit = False


def pipeline(driver: Any) -> AbstractContextManager[object]:
    """Around statements that return nothing: PostgreSQL is sent them all before it has to answer."""
    if isinstance(driver, sqlite3.Connection) or not _has_pipelines():
        return _NOTHING
    return cast("AbstractContextManager[object]", driver.pipeline())


def send_commit(driver: Any) -> None:
    """Have PostgreSQL commit when it has done what was sent before; whoever commits then finds it done.

    Only a transaction that was begun by hand: see `together`. An error before it keeps it from happening.
    """
    if not isinstance(driver, sqlite3.Connection) and _has_pipelines() and driver.autocommit:
        driver.execute("COMMIT")


@cache
def _has_pipelines() -> bool:
    # The driver is installed only where there is a PostgreSQL.
    from psycopg import capabilities  # noqa: PLC0415

    return capabilities.has_pipeline()


def lock_for_migration(connection: Connection) -> None:
    """Hold off other processes until this transaction ends, however long it takes. SQLite's write lock already does."""
    without_limits(connection)
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")


def without_limits(connection: Connection) -> None:
    """Let this transaction take as long as it takes. SQLite has no limit but that of waiting for a lock."""
    if connection.dialect.name == "postgresql":
        for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            connection.exec_driver_sql(f"SET LOCAL {limit} = 0")


def scrub(engine: Engine) -> bool:
    """Leave no bytes of deleted rows behind in SQLite's full-text index and log; False where somebody reads it still.

    On PostgreSQL they go when the server rewrites the tables: see docs/memory.md.
    """
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            raw = connection.connection.driver_connection
            if isinstance(raw, sqlite3.Connection):
                # Words of deleted rows stay in the index until its parts are merged.
                raw.execute("INSERT INTO entities_fts (entities_fts) VALUES ('optimize')")
                raw.commit()
                return _empty_log(raw)
    return True


def _empty_log(connection: sqlite3.Connection) -> bool:
    """Move the write-ahead log into the file and cut it off; False where a reader or another process is in the way."""
    connection.execute(f"PRAGMA busy_timeout = {_SCRUB_SECONDS * 1000}")
    try:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    return not busy


def bind_processor(dialect: Dialect, kind: TypeEngine[Any]) -> Callable[[Any], Any] | None:
    """What a value goes through on its way to the driver. That of SQLite takes bytes as they are."""
    own = kind.dialect_impl(dialect)
    plain = dialect.name == "sqlite" and isinstance(own, LargeBinary)
    return None if plain else own.bind_processor(dialect)


def insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that can say what to do on a conflict."""
    return insert_into(connection.dialect.name, table)


@cache
def insert_missing(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that leaves a row alone whose key is there already."""
    return insert_into(dialect, table).on_conflict_do_nothing()


def insert_into(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    """As `insert`, for whoever has the name of a dialect."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


class microseconds(FunctionElement[int]):  # noqa: N801 - reads as an SQL function
    """An instant as whole microseconds since 1970, without a datetime object per row."""

    type = BigInteger()
    inherit_cache = True


@compiles(microseconds, "sqlite")
def _microseconds_sqlite(element: microseconds, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)


@compiles(microseconds, "postgresql")
def _microseconds_postgresql(element: microseconds, compiler: SQLCompiler, **options: Any) -> str:
    return f"CAST(EXTRACT(EPOCH FROM {compiler.process(element.clauses, **options)}) * 1000000 AS BIGINT)"


class occurrences(FunctionElement[int]):  # noqa: N801 - reads as an SQL function
    """How often a passage holds a term, of its `term_keys`, its `term_counts` and the term's key.

    A key is eight bytes of a digest, so bytes that look like it across two others are not worth a thought.
    """

    type = Integer()
    inherit_cache = True


# A byte is as large as its place in these, on a database that cannot read one.
_BYTES = bytes(range(1, 256)).hex()


@compiles(occurrences, "sqlite")
def _occurrences_sqlite(element: occurrences, compiler: SQLCompiler, **options: Any) -> str:
    keys, counts, key = (compiler.process(each, **options) for each in element.clauses)
    byte = f"instr(x'{_BYTES}', substr({counts}, (instr({keys}, {key}) - 1) / 8 + 1, 1))"
    return f"CASE WHEN instr({keys}, {key}) > 0 THEN {byte} ELSE 0 END"


@compiles(occurrences, "postgresql")
def _occurrences_postgresql(element: occurrences, compiler: SQLCompiler, **options: Any) -> str:
    keys, counts, key = (compiler.process(each, **options) for each in element.clauses)
    found = f"position({key} IN {keys})"
    return f"CASE WHEN {found} > 0 THEN get_byte({counts}, ({found} - 1) / 8) ELSE 0 END"


def _postgresql(text: str, pool: Pool) -> Engine:
    try:
        url = make_url(text).set(drivername="postgresql+psycopg")
    except ArgumentError as error:
        raise Misconfigured(
            "The database address cannot be read; it looks like `postgresql://user@host/name`."
        ) from error
    try:
        engine = create_engine(
            url,
            pool_size=pool.size,
            max_overflow=pool.overflow,
            pool_timeout=pool.wait_seconds,
            connect_args=_connecting(url, pool),
        )
    except ModuleNotFoundError as error:
        raise Misconfigured("PostgreSQL needs the driver: pip install 'nacre[postgres]'.") from error
    event.listen(engine, "checkout", partial(_check_postgresql, engine.dialect))
    event.listen(engine, "checkin", _end_autocommit)
    return engine


def _check_postgresql(dialect: Dialect, connection: Any, _record: Any, _proxy: Any) -> None:
    """Ask a server whether it still answers, but only where it has said something to a connection that nobody used.

    Then it has ended it, as a rule. Asking each time, as SQLAlchemy would, takes a round trip for every transaction.
    """
    # Not `select.select`, which knows no number above 1023.
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if waiting.poll(0):
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error


def _connecting(url: URL, pool: Pool) -> dict[str, Any]:
    """What is said to PostgreSQL when a connection is made; an address may say otherwise."""
    limits = {
        "statement_timeout": pool.statement_seconds,
        "lock_timeout": pool.lock_seconds,
        "idle_in_transaction_session_timeout": pool.idle_seconds,
    }
    options = " ".join(f"-c {name}={seconds * 1000}" for name, seconds in limits.items())
    connect_options: dict[str, Any] = {
        "application_name": "nacre",
        "connect_timeout": 10,
        # A server that is gone is noticed in about a minute, and not after two hours.
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
    }
    given = {name: value for name, value in connect_options.items() if name not in url.query}
    if pool.behind_pooler:
        return {**given, "prepare_threshold": None}
    return {**given, "options": f"{options} {url.query.get('options', '')}".strip()}


def _sqlite(text: str, pool: Pool) -> Engine:
    in_memory = text == MEMORY
    if not in_memory and not Path(text).resolve().parent.is_dir():
        raise Misconfigured(f"The folder of the database file `{text}` does not exist.")
    # A database in memory is one connection: transactions take turns on it.
    size, overflow = (1, 0) if in_memory else (pool.size, pool.overflow)
    engine = create_engine(
        URL.create("sqlite", database=None if in_memory else text),
        poolclass=QueuePool,
        pool_size=size,
        max_overflow=overflow,
        pool_timeout=BUSY_SECONDS if in_memory else pool.wait_seconds,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False, "cached_statements": _STATEMENTS},
    )
    if not in_memory:
        event.listen(engine, "do_connect", partial(_create_private, text))
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _create_private(path: str, *_: object) -> None:
    """Make the file of a new database its owner's alone: SQLite would let everybody on the machine read it."""
    # One that is there stays as it is, and SQLite tells why one cannot be made. It follows a link, and so does this.
    with suppress(OSError, RuntimeError):
        os.close(os.open(Path(path).resolve(), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # Nacre begins transactions itself; the driver's own habit would begin them too late.
    connection.isolation_level = None
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "secure_delete = ON",
        # A page that makes no sense is told of when it is read.
        "cell_size_check = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")
