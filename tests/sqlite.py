"""SQLite files for the tests: copies of one that has every table, or one that many tests have one after another."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import compress
from pathlib import Path

from nacre.store.tables.schema import metadata
from tests import engines

# Rows that were deleted leave their traces in the full-text index, and a file never becomes smaller.
MAX_LOANS, MAX_PAGES = 100, 1000
# Those of links write the history of links, and come before it.
_TABLES = sorted((table.name for table in reversed(metadata.sorted_tables)), key="links".__ne__)
_FILLED = "SELECT " + ", ".join(f"EXISTS (SELECT 1 FROM {name})" for name in (*_TABLES, "entities_fts_docsize"))
# Whatever a test does to tables, indexes, triggers or what the planner is told.
_STATE = (
    "PRAGMA schema_version",
    "PRAGMA user_version",
    "PRAGMA journal_mode",
    "SELECT * FROM alembic_version",
    "SELECT * FROM sqlite_stat1",
)


class Lender:
    """Lends one file to one test after another; each finds it as if it were new.

    A new connection reads all tables, indexes and triggers, and compiles each statement. Engines on this file are given
    those that others closed.
    """

    def __init__(self, folder: Path, like: Path) -> None:
        self._folder, self._like = folder, like
        self._files = 0
        self._path = ""

    @contextmanager
    def lent(self) -> Iterator[str]:
        """The path of the file, for one test."""
        if not self._path:
            self._make()
        self._loans += 1
        as_new = False
        try:
            yield self._path
            as_new = self._loans < MAX_LOANS and self._returned.all_back and self._emptied()
        finally:
            if not as_new:
                self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._path:
            engines.RETURNED.pop(self._path, None)
            self._returned.close()
            self._connection.close()
            self._path = ""

    def _make(self) -> None:
        self._files, self._loans = self._files + 1, 0
        self._path = str(shutil.copy(self._like, self._folder / f"{self._files}.db"))
        # Whoever still uses the file is not waited for.
        self._connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._returned = engines.RETURNED[self._path] = engines.Returned()
        self._state = self._read_state()

    def _emptied(self) -> bool:
        """Delete every row; false when that takes long, or the file is no longer what it was."""
        try:
            with closing(self._connection.execute("PRAGMA page_count")) as pages:
                if pages.fetchone()[0] > MAX_PAGES:
                    return False
            self._connection.execute("BEGIN IMMEDIATE")
            for name in compress(_TABLES, self._filled()):
                self._connection.execute(f"DELETE FROM {name}")
            as_new = not any(self._filled()) and self._read_state() == self._state
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            return False
        return as_new

    def _filled(self) -> tuple[int, ...]:
        with closing(self._connection.execute(_FILLED)) as found:
            return tuple(found.fetchone())

    def _read_state(self) -> list[object]:
        return [self._connection.execute(question).fetchall() for question in _STATE]
