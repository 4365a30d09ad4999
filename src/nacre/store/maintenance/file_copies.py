"""A database of SQLite as another file, page by page, while others write to it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from nacre.domain.errors import Damaged, Invalid, Misconfigured
from nacre.store.base import migrating
from nacre.store.base.databases import Database
from nacre.store.tables import schema

# Pages between two reports of progress.
TOGETHER = 10_000
# How many pages are done, and how many there are.
Tell = Callable[[int, int], object]
MAGIC = b"SQLite format 3\0"


def write(database: Database, target: Path, tell: Tell) -> dict[str, int]:
    """Copy a database as it is at one moment into an empty file; how many rows of each table that were."""
    if database.kind != "sqlite":
        raise Invalid("copy", "is for SQLite; a backup of PostgreSQL is an archive")
    with database.read_all() as tx:
        source: Any = tx.connection.connection.driver_connection
        # The transaction that this begins to read in is what keeps the copy at one moment, whoever writes meanwhile.
        counts = _counts(source)
        if not counts:
            raise Misconfigured("There is no database of Nacre there.")
        _copy(source, target, tell)
    return counts


def check(path: Path) -> tuple[str, dict[str, int]]:
    """Have SQLite look over a file; the schema it is of, and how many rows of each table it holds."""
    try:
        with _reading(path) as held:
            wrong = [row[0] for row in held.execute("PRAGMA integrity_check(1)") if row[0] != "ok"]
            wrong += [f"a row of {row[0]} hangs from nothing" for row in held.execute("PRAGMA foreign_key_check")][:1]
            counts = _counts(held)
            revision = held.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise Damaged(f"The file is no database of Nacre, or is damaged: {error}.") from error
    if wrong or not counts or revision is None:
        raise Damaged(f"The file is damaged: {wrong[0] if wrong else 'tables are missing'}.")
    return str(revision[0]), counts


def restore(path: Path, target: Path, tell: Tell) -> None:
    """Make an empty file the database that another is."""
    with _reading(path) as held:
        _copy(held, target, tell)
    migrating.migrate_at(target)


def _copy(source: sqlite3.Connection, target: Path, tell: Tell) -> None:
    with closing(sqlite3.connect(target)) as out:
        source.backup(out, pages=TOGETHER, progress=lambda _status, left, every: tell(every - left, every))
        # One file and nothing beside it; whoever opens it has a write-ahead log again.
        out.execute("PRAGMA journal_mode = DELETE")


def _reading(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True))


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    names = [table.name for table in schema.metadata.sorted_tables if table.name in there]
    return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}  # noqa: S608
