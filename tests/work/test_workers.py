"""A worker does what is due in the background, and stops when it is told to."""

import time
from threading import Event, Thread

import pytest

from nacre import Nacre, Scope, Unavailable
from nacre.domain.jobs import JobStatus
from nacre.store.base.databases import Database
from nacre.work import schedules, workers
from nacre.work.schedules import DAILY, HOURLY, Periodic, Schedule
from nacre.work.workers import Worker
from tests.waits import HANGS, eventually
from tests.work.effects import SCOPE, enqueue, kept, note
from tests.work.test_queues import listed


@pytest.fixture
def database(database_url, clock):
    opened = Database(database_url, clock)
    yield opened
    opened.close()


def a_worker(database: Database, **handlers) -> Worker:
    return Worker(database, handlers or {"note": note}, Schedule(database, ()))


def test_a_woken_worker_does_what_is_there_and_what_comes(database):
    worker = a_worker(database)
    enqueue(database, "before")
    worker.wake()
    assert eventually(lambda: kept(database) == ["before"])
    enqueue(database, "after")
    worker.wake()
    assert eventually(lambda: kept(database) == ["after", "before"])
    worker.stop()


def test_a_worker_survives_what_nobody_foresaw(database, monkeypatch):
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.05)
    raised = [MemoryError("once"), RecursionError("twice")]

    class Failing(Schedule):
        def run_due(self) -> list[str]:
            if raised:
                raise raised.pop()
            return []

    worker = Worker(database, {"note": note}, Failing(database, ()))
    enqueue(database, "later")
    worker.wake()

    assert eventually(lambda: kept(database) == ["later"])
    worker.stop()


def test_a_worker_finds_what_another_process_enqueued(database, monkeypatch):
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.05)
    worker = a_worker(database)
    worker.wake()
    enqueue(database, "elsewhere")

    assert eventually(lambda: kept(database) == ["elsewhere"])
    worker.stop()


def test_a_visit_starts_a_worker_only_where_something_was_left(database):
    idle = a_worker(database)
    idle.visit()
    assert idle._thread is None
    enqueue(database, "left behind")
    worker = a_worker(database)
    worker.visit()

    assert eventually(lambda: kept(database) == ["left behind"])
    worker.stop()


def test_after_an_effect_its_scope_is_looked_after(database):
    looked_after: list[Scope] = []
    handlers = {"note": note, "nothing": lambda _scope, _payload: None}
    worker = Worker(database, handlers, Schedule(database, ()), after=looked_after.append)
    enqueue(database, "a")
    enqueue(database, "b", kind="nothing")

    assert worker.drain() == 2
    assert looked_after == [SCOPE]


def test_stopping_finishes_the_job_at_hand_and_begins_no_other(database):
    begun, release = Event(), Event()

    def slow(scope, payload):
        begun.set()
        release.wait(HANGS)
        return note(scope, payload)

    worker = a_worker(database, note=slow)
    enqueue(database, "first", "second")
    worker.wake()
    assert begun.wait(HANGS)
    stopping = Thread(target=worker.stop)
    stopping.start()
    assert eventually(lambda: worker._stopping)
    release.set()
    stopping.join()

    assert len(kept(database)) == 1
    assert sorted(job.status for job in listed(database)) == [JobStatus.DONE, JobStatus.WAITING]


def test_a_stopped_worker_does_not_start_again(database):
    worker = a_worker(database)
    worker.stop()
    enqueue(database, "a")
    worker.wake()
    time.sleep(0.1)

    assert kept(database) == []


def test_a_worker_whose_database_was_closed_ends(sqlite_url):
    database = Database(sqlite_url)
    worker = a_worker(database)
    worker.wake()
    database.close()
    worker.wake()

    assert worker._thread
    worker._thread.join(HANGS)
    assert not worker._thread.is_alive()


def test_draining_does_all_that_is_due(database, clock):
    worker = a_worker(database)
    enqueue(database, "a", "b", "c")

    assert worker.drain() == 3
    assert worker.drain() == 0


def test_scopes_take_turns_however_many_jobs_one_has(database, clock):
    """Two that are busy had all of theirs enqueued before the third came."""
    done: list[str] = []
    for user, count in (("busy", 4), ("busier", 6), ("quiet", 1)):
        for _ in range(count):
            enqueue(database, user, scope=Scope(agent="assistant", user=user))
            clock.advance(seconds=1)

    a_worker(database, note=lambda _scope, payload: done.append(payload["ref"])).drain()

    assert done == ["busy", "busier", "quiet", *(["busy", "busier"] * 3), "busier", "busier"]


def test_rounds_are_made_at_once_and_then_every_period(database, clock):
    made: list[str] = []
    schedule = Schedule(
        database,
        [Periodic("hour", HOURLY, lambda _: made.append("hour")), Periodic("day", DAILY, lambda _: made.append("day"))],
    )

    assert schedule.run_due() == ["hour", "day"]
    assert schedule.run_due() == []
    clock.advance(minutes=59)
    assert schedule.run_due() == []
    clock.advance(minutes=1)
    assert schedule.run_due() == ["hour"]
    clock.advance(days=1)
    assert schedule.run_due() == ["hour", "day"]
    # A clock that is set back does not stop the rounds.
    clock.advance(days=-3)
    assert schedule.run_due() == ["hour", "day"]
    assert made.count("day") == 3


def test_a_round_that_fails_waits_for_its_next_turn(database, clock):
    def fails(_database):
        raise Unavailable("away")

    schedule = Schedule(database, [Periodic("a", HOURLY, fails), Periodic("b", HOURLY, lambda _: None)])

    assert schedule.run_due() == ["a", "b"]
    assert schedule.run_due() == []
    clock.advance(hours=1)
    assert schedule.run_due() == ["a", "b"]


def test_working_memory_is_swept_and_old_jobs_are_pruned_by_the_clock(nacre: Nacre, clock):
    database = nacre.parts.database
    worker = Worker(database, {"note": note}, Schedule(database))
    enqueue(database, "a")
    worker.drain()
    assert len(listed(database)) == 1

    clock.advance(days=1)
    worker.drain()
    assert len(listed(database)) == 1
    clock.advance(days=schedules.KEPT.days)
    worker.drain()
    assert listed(database) == []
    assert kept(database, SCOPE) == ["a"]
