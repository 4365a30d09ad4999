"""The tests on a Citus cluster, where NACRE_TEST_CITUS names its coordinator: see `python -m bench citus`."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

from sqlalchemy import Connection, create_engine, make_url, text

from bench import citus
from nacre.store.base.databases import Database
from nacre.store.maintenance import distribution

# Making a shard takes as long as making a table. With four, each of two workers has several.
_SETTINGS = {"citus.shard_count": "4"}
_SHARDS = text("SELECT shard_name, nodeport FROM citus_shards WHERE table_name::text = ANY(:tables)")


def coordinator() -> str | None:
    """The address that tests of PostgreSQL use instead of a server of their own."""
    return os.environ.get("NACRE_TEST_CITUS")


@contextmanager
def database(server_url: str, name: str) -> Iterator[str]:
    """The address of a database with every table spread over the nodes."""
    with empty_database(server_url, name) as url:
        with closing(Database(url)) as made, made.write_all() as tx:
            distribution.distribute(tx)
        yield url


@contextmanager
def empty_database(server_url: str, name: str) -> Iterator[str]:
    """The address of a database without tables, which every node has."""
    plain = make_url(server_url).set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        yield citus.make_database(plain, name, _SETTINGS)
    finally:
        citus.drop_database(plain, name)


@contextmanager
def places(url: str, tables: list[str]) -> Iterator[list[tuple[Connection, list[str]]]]:
    """Each worker of a database, and its shards: rows are deleted there, where no cluster has to agree on it."""
    with ExitStack() as held:
        found = []
        shards = _rows(url, tables)
        for address in citus.worker_addresses(url):
            port = make_url(address).port
            engine = create_engine(make_url(address).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
            held.callback(engine.dispose)
            connection = held.enter_context(engine.connect())
            connection.execute(text("SET citus.enable_manual_changes_to_shards TO on"))
            found.append((connection, [name for name, place in shards if place == port]))
        yield found


def _rows(url: str, tables: list[str]) -> list[tuple[str, int]]:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    with engine.connect() as connection:
        rows = [(row.shard_name, row.nodeport) for row in connection.execute(_SHARDS, {"tables": tables})]
    engine.dispose()
    return rows
