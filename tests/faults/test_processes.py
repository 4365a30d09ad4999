"""Many processes on one database, and processes that die."""

import multiprocessing
import os
import random
import sqlite3
import time
from collections import Counter
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any

import pytest
from sqlalchemy import select

from nacre import Nacre, Scope
from nacre.domain.clocks import system_clock
from nacre.domain.jobs import LEASE, JobStatus
from nacre.store.base.databases import Database
from nacre.store.tables.schema import sources, turns
from nacre.store.work import jobs
from nacre.work.queues import run_next
from tests.faults import writers
from tests.recall.test_indexes import assert_equals_fresh
from tests.work import effects

# A hundred on request: NACRE_TEST_KILLS=100. Thousands, of writers of all kinds, are those of `bench chaos`.
KILLS = int(os.environ.get("NACRE_TEST_KILLS", "25"))
# The promise is a minute; the suite keeps it to seconds. NACRE_TEST_MINUTES=1 gives the whole minute.
LIVE_SECONDS = 60 * float(os.environ.get("NACRE_TEST_MINUTES", "0.03"))
# How much longer than that a process may take to say what came of it.
PATIENCE_SECONDS = 120
SCOPE = Scope(agent="faults")


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Cheap processes: each is a copy of one that has imported Nacre and recalled already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.faults.rehearsals", "tests.faults.writers", "tests.work.effects"])
    return context


def told(ours: Connection, theirs: Connection) -> Any:
    """What a process reports; an error where it ended, or hangs, without a word."""
    theirs.close()
    assert ours.poll(LIVE_SECONDS + PATIENCE_SECONDS), "A process said nothing."
    return ours.recv()


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
    """Kills at random moments: every acknowledged turn is there once, and no batch is half there."""
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
    results = [told(*pipe) for pipe in pipes]
    for process in started:
        process.join(PATIENCE_SECONDS)

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
    results = [told(*pipe) for pipe in pipes]
    for process in started:
        process.join(PATIENCE_SECONDS)

    assert [error for _, error in results if error] == []
    with Nacre(postgres_url) as nacre:
        assert sorted(stored_refs(nacre)) == sorted(ref for acknowledged, _ in results for ref in acknowledged)
        assert_equals_fresh(nacre, SCOPE)


def test_two_talk_while_a_third_dreams_and_a_fourth_exports_one_file(processes, sqlite_url, tmp_path):
    """Nobody meets a lock, and every export is the file at one moment: of what each said, all up to something."""
    seconds, last = min(LIVE_SECONDS, 600), tmp_path / "last.jsonl"
    pipes = [processes.Pipe(duplex=False) for _ in range(4)]
    theirs = [each for _, each in pipes]
    started = [
        processes.Process(target=writers.live, args=(sqlite_url, "p0", seconds, theirs[0])),
        processes.Process(target=writers.live, args=(sqlite_url, "p1", seconds, theirs[1])),
        processes.Process(target=writers.dream, args=(sqlite_url, seconds, theirs[2])),
        processes.Process(target=writers.export, args=(sqlite_url, seconds, last, theirs[3])),
    ]
    for process in started:
        process.start()
    (first, *_), (second, *_), (dreamt, *_), (exports, *_) = results = [told(*pipe) for pipe in pipes]
    for process in started:
        process.join(PATIENCE_SECONDS)

    assert [error for _, error in results if error] == []
    assert dreamt
    assert "failed" not in dreamt
    for seen in [*exports, writers.exported_refs(last.read_text())]:
        counts = Counter(ref.partition("-")[0] for ref in seen)
        assert sorted(seen) == sorted(f"{name}-{number}" for name, count in counts.items() for number in range(count))
    assert [len(seen) for seen in exports] == sorted(len(seen) for seen in exports)
    with Nacre(sqlite_url) as nacre, Nacre(tmp_path / "copy.db") as copy:
        assert sorted(stored_refs(nacre)) == sorted(first + second)
        assert_equals_fresh(nacre, SCOPE)
        assert [finding for finding in nacre.check().findings if finding.count] == []
        copy.scope(SCOPE.agent).transfer.load(last)
        assert sorted(stored_refs(copy)) == sorted(writers.exported_refs(last.read_text()))


@pytest.mark.parametrize("kills", [10])
def test_killed_workers_neither_lose_nor_double_an_effect(processes, database_url, kills):
    """They are killed while they compute, write and look for work; two others go on meanwhile."""
    random.seed(11)
    database, refs = Database(database_url), [f"job {number:03}" for number in range(40)]
    effects.enqueue(database, *refs)
    working = [processes.Process(target=effects.work_slowly, args=(database_url,)) for _ in range(3)]
    for each in working:
        each.start()
    for _ in range(kills):
        time.sleep(random.uniform(0.05, 0.25))
        victim = working.pop(0)
        victim.kill()
        victim.join()
        working.append(processes.Process(target=effects.work_slowly, args=(database_url,)))
        working[-1].start()
    for each in working:
        each.kill()
        each.join()

    # When the leases of the dead have passed, another worker takes up what they left.
    database.clock = lambda: system_clock() + LEASE
    while run_next(database, {"note": effects.note}):
        pass
    assert effects.kept(database) == refs
    with database.read(effects.SCOPE) as tx:
        assert {job.status for job in jobs.newest(tx, None, 100)} == {JobStatus.DONE}
    database.close()
