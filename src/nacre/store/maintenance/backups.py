"""Every row of a database, read at one moment, and written into a database that holds nothing yet."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    cast,
    func,
    inspect,
    select,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

from nacre.domain.errors import Conflict, Damaged, Misconfigured, SchemaTooNew
from nacre.domain.plain import plain
from nacre.store.base import bulk_inserts, dialects, migrating
from nacre.store.base.databases import AllScopes
from nacre.store.base.failures import translate
from nacre.store.maintenance.transfers import READERS
from nacre.store.tables import schema
from nacre.store.tables.columns import Id, Instant

TOGETHER = 1_000

# What an archive calls the types of columns. The first that fits, as in `transfers.READERS`.
KINDS: Mapping[str, TypeEngine[Any]] = {
    "id": Id(),
    "instant": Instant(),
    "json": JSON(),
    "bytes": LargeBinary(),
    "truth": Boolean(),
    "long": BigInteger(),
    "integer": Integer(),
    "number": Float(),
    "text": Text(),
}
_WRITERS: Mapping[str, Callable[[Any], Any]] = {
    "id": str,
    "instant": plain,
    "bytes": lambda value: base64.b64encode(value).decode(),
}
# Those of tables that note what happens to links and claims, and what makes each.
_TRIGGERS = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('links', 'attributes')",
    "postgresql": (
        "SELECT t.tgname || ' ON ' || c.relname, pg_get_triggerdef(t.oid)"
        " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " WHERE NOT t.tgisinternal AND c.oid IN (to_regclass('links'), to_regclass('attributes'))"
    ),
}
# Made once: for each row, it would take as long as the row.
_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(slots=True)
class RowDigest:
    """How many rows there were, and the sum of their digests: the same in whatever order they come."""

    rows: int = 0
    total: int = 0

    def add(self, line: bytes) -> None:
        """Count a row."""
        self.rows += 1
        self.total = (self.total + int.from_bytes(blake2b(line, digest_size=16).digest(), "big")) % 2**128

    @property
    def checksum(self) -> str:
        """The sum as text."""
        return f"{self.total:032x}"


def begin(tx: AllScopes) -> dict[str, int]:
    """How many rows each table holds; what is read after that is of the same moment."""
    dialects.without_limits(tx.connection)
    revision = migrating.current(tx.connection)
    if revision is None:
        # The address may hold a password, so it is not repeated.
        raise Misconfigured("There is no database of Nacre there.")
    if not migrating.is_known(revision):
        raise SchemaTooNew(revision)
    if revision != migrating.HEAD:
        told = f"The schema is at {revision}, and this version writes backups of {migrating.HEAD}."
        raise Misconfigured(f"{told} Back up with the version that wrote it, or with --copy, or migrate first.")
    return {table.name: _count(tx.connection, table) for table in schema.metadata.sorted_tables}


def _count(connection: Connection, table: Table) -> int:
    # A backup is of all scopes.
    query = select(func.count()).select_from(table).execution_options(all_scopes=True)
    return int(connection.execute(query).scalar_one())


def kinds(table: Table) -> dict[str, str]:
    """What kind of value each column holds."""
    return {
        column.name: next(name for name, kind in KINDS.items() if isinstance(column.type, type(kind)))
        for column in table.c
    }


def rows(tx: AllScopes, table: Table, given: Mapping[str, str]) -> Iterator[bytes]:
    """Every row of a table, with columns of given kinds, as a list in JSON, in no order."""
    # What is JSON stays the text it is: read and written anew, a null that was stored would become nothing.
    columns = [cast(table.c[name], Text) if kind == "json" else table.c[name] for name, kind in given.items()]
    writers = [_WRITERS.get(kind) for kind in given.values()]
    for row in tx.execute(select(*columns).execution_options(all_scopes=True, yield_per=TOGETHER)):
        values = [
            write(value) if write and value is not None else value for write, value in zip(writers, row, strict=True)
        ]
        yield _written(values).encode() + b"\n"


def prepare(tx: AllScopes, revision: str) -> None:
    """Make the tables of a revision where there are none, and refuse a database that holds something."""
    connection = tx.connection
    dialects.lock_for_migration(connection)
    held, ours = migrating.current(connection), _tables(connection)
    if held is None and not ours:
        migrating.make(connection, revision)
    elif held != revision:
        told = f"has the tables of schema {held}, and the backup is of {revision}" if held else "has tables of its own"
        raise Conflict(f"The database {told}. Restore into one without any tables.")
    else:
        _check_empty(connection, ours)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")


def _tables(connection: Connection) -> list[str]:
    there = set(inspect(connection).get_table_names())
    return [table.name for table in schema.metadata.sorted_tables if table.name in there]


def _check_empty(connection: Connection, names: Sequence[str]) -> None:
    if connection.dialect.name == "postgresql":
        # Every writer begins with its scope.
        connection.exec_driver_sql("LOCK TABLE scopes IN EXCLUSIVE MODE")
    held = {name: count for name in names if (count := _count(connection, schema.metadata.tables[name]))}
    if held:
        most = ", ".join(f"{count:,} {name}" for name, count in list(held.items())[:5])
        raise Conflict(f"The database is not empty: it holds {most}. A backup is restored only into an empty one.")


@contextmanager
def unnoted(tx: AllScopes) -> Iterator[None]:
    """Without the triggers that note what happens to links and claims: what they noted comes along.

    A failure ends all of it.
    """
    connection = tx.connection
    # Made anew and not switched off: a cluster switches none off.
    if connection.dialect.name == "postgresql":
        # A cluster wants to be told that they are safe; elsewhere this means nothing.
        connection.exec_driver_sql("SET LOCAL citus.enable_unsafe_triggers TO on")
    triggers = connection.exec_driver_sql(_TRIGGERS[connection.dialect.name]).all()
    for name, _ in triggers:
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    yield
    for _, made in triggers:
        connection.exec_driver_sql(made)


def shaped(tx: AllScopes, name: str, given: Mapping[str, str]) -> Table:
    """A table as a backup describes it, which must be as the database has it."""
    found = inspect(tx.connection)
    columns = found.get_columns(name) if found.has_table(name) else []
    names = {each["name"] for each in columns if "computed" not in each}
    if not names or names != set(given) or not set(given.values()) <= set(KINDS):
        raise Damaged(f"The backup has a table `{name[:100]}` that its schema does not have so.")
    kinds = {**KINDS, "json": Text()}
    return Table(name, MetaData(), *(Column(column, kinds[kind]) for column, kind in given.items()))


def load(tx: AllScopes, table: Table, lines: Sequence[bytes]) -> None:
    """Write rows of a table."""
    names = table.c.keys()
    readers = [next(read for kind, read in READERS.items() if isinstance(each.type, kind)) for each in table.c]
    found = [
        [None if value is None else read(value) for read, value in zip(readers, json.loads(line), strict=True)]
        for line in lines
    ]
    driver = tx.connection.dialect.loaded_dbapi
    try:
        bulk_inserts.write(tx, table, [dict(zip(names, values, strict=True)) for values in found])
    except driver.Error as error:
        raise translate(DBAPIError.instance("COPY", None, error, driver.Error)) from error


def tally(tx: AllScopes, table: Table, given: Mapping[str, str]) -> RowDigest:
    """What a table holds now."""
    found = RowDigest()
    for line in rows(tx, table, given):
        found.add(line)
    return found


def finish(tx: AllScopes) -> None:
    """Bring a restored database to the schema of this version."""
    if migrating.current(tx.connection) != migrating.HEAD:
        migrating.upgrade(tx.connection)
