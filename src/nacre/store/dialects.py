"""What SQLite and PostgreSQL do differently: how an engine is made and how a transaction begins."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, BigInteger, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.pool import QueuePool
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from nacre.domain.errors import Misconfigured

MEMORY = ":memory:"
BUSY_SECONDS = 60
# One key for every Nacre process, so that only one of them migrates a database at a time.
_MIGRATION_LOCK = 0x6E61637265


def make_engine(address: str | Path) -> Engine:
    """An engine for a file, `:memory:` or a `postgresql://` address."""
    text = str(address)
    if text.startswith(("postgresql://", "postgres://", "postgresql+psycopg://")):
        return _postgresql(text)
    if "://" in text:
        kind = text.partition("://")[0]
        raise Misconfigured(f"A database is a file, `{MEMORY}` or `postgresql://…`, not `{kind}://…`.")
    return _sqlite(text)


def begin_read(connection: Connection) -> None:
    """Start a transaction whose statements all see the same moment."""
    if connection.dialect.name == "postgresql":
        connection.execution_options(isolation_level="REPEATABLE READ")
    connection.begin()


def begin_write(connection: Connection) -> None:
    """Start a transaction that will write; on SQLite it takes the write lock at once and never has to upgrade."""
    connection.execution_options(nacre_write=True)
    connection.begin()


def lock_for_migration(connection: Connection) -> None:
    """Hold off other processes until this transaction ends. SQLite's write lock already does."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")


def scrub(engine: Engine) -> None:
    """Leave no bytes of deleted rows behind in SQLite's full-text index and write-ahead log.

    PostgreSQL's vacuum sees to its own.
    """
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            raw = connection.connection.driver_connection
            if isinstance(raw, sqlite3.Connection):
                # Words of deleted rows stay in the index until its parts are merged.
                raw.execute("INSERT INTO entities_fts (entities_fts) VALUES ('optimize')")
                raw.commit()
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that can say what to do on a conflict."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


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


def _postgresql(text: str) -> Engine:
    try:
        url = make_url(text).set(drivername="postgresql+psycopg")
    except ArgumentError as error:
        raise Misconfigured(
            "The database address cannot be read; it looks like `postgresql://user@host/name`."
        ) from error
    try:
        return create_engine(url, pool_size=8, max_overflow=24, pool_pre_ping=True, pool_timeout=BUSY_SECONDS)
    except ModuleNotFoundError as error:
        raise Misconfigured("PostgreSQL needs the driver: pip install 'nacre[postgres]'.") from error


def _sqlite(text: str) -> Engine:
    in_memory = text == MEMORY
    if not in_memory and not Path(text).resolve().parent.is_dir():
        raise Misconfigured(f"The folder of the database file `{text}` does not exist.")
    # A database in memory is one connection: transactions take turns on it.
    size, overflow = (1, 0) if in_memory else (8, 24)
    engine = create_engine(
        URL.create("sqlite", database=None if in_memory else text),
        poolclass=QueuePool,
        pool_size=size,
        max_overflow=overflow,
        pool_timeout=BUSY_SECONDS,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # Nacre begins transactions itself; the driver's own habit would begin them too late.
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    write = connection.get_execution_options().get("nacre_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
