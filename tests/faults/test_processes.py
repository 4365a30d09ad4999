"""Many processes on one database, and processes that die."""

import multiprocessing
import os
import random
import sqlite3
import time
from multiprocessing.context import ForkServerContext

import pytest
from sqlalchemy import select

from nacre import Nacre, Scope
from nacre.store.schema import sources, turns
from tests.faults import writers
from tests.recall.test_indexes import assert_equals_fresh

KILLS = 100
# The promise is a minute; the suite keeps it to seconds. NACRE_TEST_MINUTES=1 gives the whole minute.
LIVE_SECONDS = 60 * float(os.environ.get("NACRE_TEST_MINUTES", "0.1"))
SCOPE = Scope(agent="faults")


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Cheap processes: each is a copy of one that has imported Nacre already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["nacre", "tests.faults.writers"])
    return context


def stored_refs(nacre: Nacre) -> list[str]:
    """The references of every stored turn, repeats included."""
    with nacre.parts.database.read(SCOPE) as tx:
        joined = sources.join(turns, (sources.c.scope_id == turns.c.scope_id) & (sources.c.id == turns.c.id))
        return list(
            tx.execute(select(sources.c.ref).select_from(joined).where(turns.c.scope_id == tx.scope_id)).scalars()
        )


def kill_a_writer(processes: ForkServerContext, address: str, name: str, lifetime: float) -> list[str]:
    """Let a writer live for a while after its first write, kill it, and return what it had acknowledged."""
    ours, theirs = processes.Pipe(duplex=False)
    writer = processes.Process(target=writers.write_until_killed, args=(address, name, theirs))
    writer.start()
    theirs.close()
    acknowledged = list(ours.recv())
    time.sleep(lifetime)
    writer.kill()
    writer.join()
    while True:
        try:
            acknowledged += ours.recv()
        except EOFError:
            return acknowledged


def test_a_killed_writer_loses_nothing_it_acknowledged(processes, sqlite_url):
    """A hundred kills at random moments: every acknowledged turn is there once, and no batch is half there."""
    random.seed(7)
    Nacre(sqlite_url).close()
    acknowledged: list[str] = []
    for number in range(KILLS):
        acknowledged += kill_a_writer(processes, sqlite_url, f"w{number}", random.uniform(0, 0.03))

    with sqlite3.connect(sqlite_url) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    with Nacre(sqlite_url) as nacre:
        stored = stored_refs(nacre)
        assert len(acknowledged) >= KILLS
        assert set(acknowledged) <= set(stored)
        assert len(stored) == len(set(stored))
        # At most the one batch in flight at each kill was stored without being acknowledged.
        assert len(stored) - len(acknowledged) <= 3 * KILLS
        assert_equals_fresh(nacre, SCOPE)


@pytest.mark.parametrize("count", [20])
def test_many_processes_share_one_file_without_an_error(processes, sqlite_url, count):
    """They open a file that does not exist yet, all at once: making the schema is part of the race."""
    pipes = [processes.Pipe(duplex=False) for _ in range(count)]
    started = [
        processes.Process(target=writers.live, args=(sqlite_url, f"p{number}", LIVE_SECONDS, theirs))
        for number, (_, theirs) in enumerate(pipes)
    ]
    for process in started:
        process.start()
    results = [ours.recv() for ours, _ in pipes]
    for process in started:
        process.join()

    assert [error for _, error in results if error] == []
    assert all(acknowledged for acknowledged, _ in results)
    with Nacre(sqlite_url) as nacre:
        assert sorted(stored_refs(nacre)) == sorted(ref for acknowledged, _ in results for ref in acknowledged)
        assert_equals_fresh(nacre, SCOPE)


def test_many_processes_share_one_postgresql_without_an_error(processes, postgres_url):
    pipes = [processes.Pipe(duplex=False) for _ in range(4)]
    started = [
        processes.Process(target=writers.live, args=(postgres_url, f"p{number}", min(LIVE_SECONDS, 3), theirs))
        for number, (_, theirs) in enumerate(pipes)
    ]
    for process in started:
        process.start()
    results = [ours.recv() for ours, _ in pipes]
    for process in started:
        process.join()

    assert [error for _, error in results if error] == []
    with Nacre(postgres_url) as nacre:
        assert sorted(stored_refs(nacre)) == sorted(ref for acknowledged, _ in results for ref in acknowledged)
        assert_equals_fresh(nacre, SCOPE)
