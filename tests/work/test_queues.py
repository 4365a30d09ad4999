"""Jobs are begun at least once, take effect once, and are never lost."""

import multiprocessing
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise
from threading import Barrier, Event

import pytest

from nacre import Conflict, Invalid, Scope, Unavailable
from nacre.domain.jobs import LEASE, MAX_ATTEMPTS, Job, JobStatus, retry_delay
from nacre.store.base.databases import Database
from nacre.store.work import jobs
from nacre.work import queues
from nacre.work.queues import run_next
from tests.waits import HANGS, eventually
from tests.work import effects
from tests.work.effects import SCOPE, enqueue, kept, note

HANDLERS = {"note": note}


@pytest.fixture
def database(database_url, clock):
    opened = Database(database_url, clock)
    yield opened
    opened.close()


def listed(database: Database, status: JobStatus | None = None, scope: Scope = SCOPE) -> list[Job]:
    with database.read(scope) as tx:
        return jobs.newest(tx, status, 1_000)


def only(database: Database) -> Job:
    (job,) = listed(database)
    return job


def failing(error: Exception):
    def handler(_scope, _payload):
        raise error

    return {"note": handler}


def test_a_job_is_done_with_its_effect(database, clock):
    enqueue(database, "a")
    assert (only(database).status, only(database).attempts) == (JobStatus.WAITING, 0)

    assert run_next(database, HANDLERS)
    assert not run_next(database, HANDLERS)

    done = only(database)
    assert (done.status, done.attempts, done.finished_at, done.error) == (JobStatus.DONE, 1, clock.now, None)
    assert kept(database) == ["a"]


def test_a_rolled_back_write_leaves_no_job(database):
    def write_and_fail() -> None:
        with database.write(SCOPE) as tx:
            jobs.enqueue(tx, "note", {"ref": "a"})
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError):
        write_and_fail()

    assert listed(database) == []
    assert not run_next(database, HANDLERS)


def test_a_handler_gets_the_scope_that_enqueued(database):
    scopes = [Scope(agent="a"), Scope(agent="a", user="ana"), Scope(agent="a", user="ana", chat="c")]
    for scope in scopes:
        enqueue(database, str(scope), scope=scope)

    while run_next(database, HANDLERS):
        pass

    assert [kept(database, scope) for scope in scopes] == [[str(scope)] for scope in scopes]


def test_a_job_for_later_waits_for_its_time(database, clock):
    with database.write(SCOPE) as tx:
        jobs.enqueue(tx, "note", {"ref": "later"}, run_at=clock.now + timedelta(hours=1))

    assert not run_next(database, HANDLERS)
    clock.advance(hours=1)
    assert run_next(database, HANDLERS)


def test_the_job_that_waited_longest_goes_first(database, clock):
    done: list[str] = []
    for ref in ("first", "second", "third"):
        enqueue(database, ref)
        clock.advance(seconds=1)

    while run_next(database, {"note": lambda _scope, payload: done.append(str(payload["ref"]))}):
        pass

    assert done == ["first", "second", "third"]


def test_a_worker_leaves_kinds_it_does_not_know_to_others(database):
    enqueue(database, "a", kind="from a newer version")

    assert not run_next(database, HANDLERS)
    assert only(database).status is JobStatus.WAITING


def test_a_failing_job_rests_longer_each_time_and_then_is_dead_with_its_reason(database, clock):
    enqueue(database, "a")
    rests = []
    for _ in range(MAX_ATTEMPTS - 1):
        assert run_next(database, failing(Unavailable("The service is away.")))
        assert not run_next(database, HANDLERS)
        rests.append(only(database).run_at - clock.now)
        clock.now = only(database).run_at
    assert run_next(database, failing(Unavailable("The service is away.")))

    clock.advance(days=30)
    assert not run_next(database, HANDLERS)
    dead = only(database)
    assert (dead.status, dead.attempts, dead.error) == (JobStatus.DEAD, MAX_ATTEMPTS, "The service is away.")
    assert all(later > sooner for sooner, later in pairwise(rests))
    assert kept(database) == []


def test_a_failure_that_lasts_is_not_tried_again(database):
    enqueue(database, "a")

    run_next(database, failing(Invalid("entries", "lose `Ana`")))

    assert (only(database).status, only(database).attempts) == (JobStatus.DEAD, 1)


def test_a_mistake_in_a_handler_costs_its_job_and_not_the_worker(database, clock):
    enqueue(database, "a")

    assert run_next(database, failing(ZeroDivisionError("on purpose")))

    assert only(database).status is JobStatus.WAITING
    assert only(database).error == "ZeroDivisionError: on purpose"
    clock.advance(hours=2)
    assert run_next(database, HANDLERS)
    assert kept(database) == ["a"]


def test_a_reason_that_cannot_be_stored_as_it_is_is_stored_as_it_can_be(database):
    enqueue(database, "a")
    with database.write_all() as tx:
        claimed = jobs.claim(tx, HANDLERS)
    assert claimed
    with database.write(SCOPE) as tx:
        jobs.fail(tx, claimed.job, "nul \x00, half \ud800, " + "long " * 10_000)

    assert (only(database).error or "").startswith("nul \ufffd, half ?, long ")
    assert len(only(database).error or "") == jobs.MAX_REASON


def test_an_effect_that_fails_halfway_leaves_nothing(database, clock):
    def half(scope, payload):
        whole = note(scope, payload)

        def apply(tx):
            whole(tx)
            raise Unavailable("halfway")

        return apply

    enqueue(database, "a")
    run_next(database, {"note": half})

    assert kept(database) == []
    clock.advance(hours=2)
    run_next(database, HANDLERS)
    assert kept(database) == ["a"]


def test_two_workers_never_run_one_job_at_once(database_url):
    """Eight workers over two openings of the database: every job is begun once, and no two hold the same."""
    brains = [Database(database_url), Database(database_url)]
    refs = [f"job {number}" for number in range(60)]
    enqueue(brains[0], *refs)
    begun: list[str] = []
    start = Barrier(8, timeout=HANGS)

    def handler(scope, payload):
        begun.append(str(payload["ref"]))
        return note(scope, payload)

    def work(number: int) -> None:
        start.wait()
        while run_next(brains[number % 2], {"note": handler}):
            pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))

    assert max(Counter(begun).values()) == 1
    assert kept(brains[0]) == sorted(refs)
    for brain in brains:
        brain.close()


def test_a_worker_that_lost_its_lease_has_no_effect(database, clock):
    """It was slow, not dead: another took the job over, and only one of them may write."""
    enqueue(database, "a")

    def slow(scope, payload):
        clock.advance(seconds=LEASE.total_seconds())
        assert run_next(database, HANDLERS)
        return note(scope, payload)

    assert run_next(database, {"note": slow})

    assert kept(database) == ["a"]
    assert (only(database).status, only(database).attempts) == (JobStatus.DONE, 2)


def test_a_job_that_takes_longer_than_a_lease_is_not_begun_again(database, clock, monkeypatch):
    monkeypatch.setattr(queues, "RENEWED", timedelta(milliseconds=5))
    enqueue(database, "a")

    def slow(scope, payload):
        for _ in range(4):
            clock.advance(seconds=LEASE.total_seconds() - 1)
            assert eventually(lambda: only(database).leased_until == clock.now + LEASE)
            assert not run_next(database, HANDLERS)
        return note(scope, payload)

    assert run_next(database, {"note": slow})

    assert kept(database) == ["a"]
    assert (only(database).status, only(database).attempts, only(database).leased_until) == (JobStatus.DONE, 1, None)


def test_a_lease_that_was_lost_is_not_taken_back(database, clock):
    enqueue(database, "a")
    with database.write_all() as tx:
        first = jobs.claim(tx, HANDLERS)
    clock.advance(seconds=LEASE.total_seconds())
    with database.write_all() as tx:
        second = jobs.claim(tx, HANDLERS)
    assert first
    assert second

    with database.write_all() as tx:
        assert (jobs.renew(tx, first), jobs.renew(tx, second)) == (False, True)


def test_a_renewal_that_fails_is_tried_again(database, clock, monkeypatch, caplog):
    monkeypatch.setattr(queues, "RENEWED", timedelta(milliseconds=5))
    renew, failures = jobs.renew, iter([Unavailable("The database does not answer.")])

    def flaky(tx, claimed):
        if failure := next(failures, None):
            raise failure
        return renew(tx, claimed)

    monkeypatch.setattr(jobs, "renew", flaky)
    enqueue(database, "a")

    def slow(scope, payload):
        clock.advance(seconds=1)
        assert eventually(lambda: only(database).leased_until == clock.now + LEASE)
        return note(scope, payload)

    assert run_next(database, {"note": slow})
    assert kept(database) == ["a"]
    assert "was not renewed: The database does not answer." in caplog.text


@pytest.mark.parametrize("place", ["computing", "writing"])
def test_a_killed_worker_neither_loses_nor_doubles_the_effect(database_url, place):
    database = Database(database_url)
    enqueue(database, "a")
    processes = multiprocessing.get_context("forkserver")
    ours, theirs = processes.Pipe(duplex=False)
    victim = processes.Process(target=effects.die_at, args=(place, database_url, theirs))
    victim.start()
    theirs.close()
    assert ours.recv() == place
    victim.join()

    assert victim.exitcode == -9
    assert (only(database).status, kept(database)) == (JobStatus.RUNNING, [])
    assert not run_next(database, HANDLERS)
    later = only(database).leased_until
    assert later
    database.clock = lambda: later
    assert run_next(database, HANDLERS)
    assert (only(database).status, only(database).attempts, kept(database)) == (JobStatus.DONE, 2, ["a"])
    database.close()


def test_a_job_that_kills_its_workers_is_given_up(database, clock):
    enqueue(database, "a")
    for _ in range(MAX_ATTEMPTS):
        with database.write_all() as tx:
            assert jobs.claim(tx, HANDLERS)
        clock.advance(seconds=LEASE.total_seconds())

    assert not run_next(database, HANDLERS)
    dead = only(database)
    assert dead.status is JobStatus.DEAD
    assert "worker died" in (dead.error or "")


def test_dead_jobs_are_listed_and_replayed_in_their_own_scope(database):
    other = Scope(agent="other")
    enqueue(database, "a", "b")
    enqueue(database, "c", scope=other)
    while run_next(database, failing(Invalid("ref", "is wrong"))):
        pass

    dead = listed(database, JobStatus.DEAD)
    assert {job.payload["ref"] for job in dead} == {"a", "b"}
    with database.write(other) as tx:
        assert jobs.by_id(tx, dead[0].id) is None
        assert jobs.replay(tx, dead[0].id) == 0
    with database.write(SCOPE) as tx:
        assert jobs.replay(tx, dead[0].id) == 1
    assert run_next(database, HANDLERS)
    assert kept(database) == [dead[0].payload["ref"]]
    with database.write(SCOPE) as tx:
        assert jobs.replay(tx) == 1
        assert jobs.replay(tx) == 0
    assert run_next(database, HANDLERS)
    assert kept(database) == ["a", "b"]
    assert len(listed(database, JobStatus.DEAD, other)) == 1


def test_settling_a_job_that_is_not_held_is_refused(database):
    enqueue(database, "a")
    for settle in (jobs.finish, lambda tx, job: jobs.fail(tx, job, "why")):
        with database.write(SCOPE) as tx, pytest.raises(Conflict):
            settle(tx, only(database))


def test_old_done_jobs_are_pruned_and_the_dead_stay(database, clock):
    enqueue(database, "done")
    run_next(database, HANDLERS)
    enqueue(database, "dead")
    run_next(database, failing(Invalid("ref", "is wrong")))
    clock.advance(days=1)

    with database.write_all() as tx:
        assert jobs.prune(tx, clock.now - timedelta(days=2)) == 0
        assert jobs.prune(tx, clock.now) == 1
    assert [job.status for job in listed(database)] == [JobStatus.DEAD]


def test_retries_spread_and_end():
    for attempts in range(1, MAX_ATTEMPTS):
        soonest, latest = retry_delay(attempts, 0.0), retry_delay(attempts, 1.0)
        assert soonest is not None
        assert latest is not None
        assert timedelta() < soonest < latest
    assert retry_delay(MAX_ATTEMPTS, 0.5) is None


def test_a_job_that_hangs_is_given_up_and_holds_up_nobody(database, monkeypatch):
    monkeypatch.setattr(queues, "LONGEST_RUN", timedelta(seconds=0.2))
    hanging = Event()

    def handler(scope, payload):
        if payload["ref"] == "a":
            hanging.wait(30)
        return note(scope, payload)

    enqueue(database, "a")
    enqueue(database, "b")
    while run_next(database, {"note": handler}):
        pass
    hanging.set()

    given_up, done = sorted(listed(database), key=lambda job: str(job.payload["ref"]))
    assert (given_up.status, done.status, kept(database)) == (JobStatus.DEAD, JobStatus.DONE, ["b"])
    assert "did not end" in str(given_up.error)
