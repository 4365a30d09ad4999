"""Clocks that jump back and forth: what was said, done and promised stays right."""

from datetime import timedelta
from itertools import pairwise

import pytest
from fastapi.testclient import TestClient

from nacre.domain.jobs import AHEAD, JobStatus
from nacre.http.app import create_app
from nacre.store.base import scopes
from nacre.store.base.databases import Database
from nacre.store.work import jobs
from nacre.work.queues import run_next
from tests.recall.test_indexes import assert_equals_fresh
from tests.work.effects import SCOPE, enqueue, kept, note

HANDLERS = {"note": note}
JUMPS = [timedelta(), timedelta(days=400), -timedelta(days=500), timedelta(microseconds=-1), timedelta(hours=3)]


@pytest.fixture
def database(database_url, clock):
    opened = Database(database_url, clock)
    yield opened
    opened.close()


def test_what_is_said_and_done_keeps_its_order_whatever_the_clock_says(nacre, scope, clock):
    seen, revisions = [], []
    for number, jump in enumerate(JUMPS * 2):
        clock.now += jump
        seen.append(scope.observe("user", f"storm {number} near the harbour", ref=str(number)))
        scope.graph.add(f"Boat {number}", type="thing")
        with nacre.parts.database.read(scope.scope) as tx:
            revisions.append(scopes.state(tx).revision)

    assert len({each.id for each in seen}) == len(seen)
    assert all(later > sooner for sooner, later in pairwise(revisions))
    names = [str(record.payload.get("name")) for record in scope.history(limit=100)]
    assert [each for each in names if "Boat" in each] == [f"Boat {number}" for number in reversed(range(len(seen)))]
    found = {hit.source.ref for hit in scope.recall("storm near the harbour", limit=50)}
    assert found >= {str(number) for number in range(len(seen))}
    assert_equals_fresh(nacre, scope.scope)


@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(days=400)], ids=["back", "forth"])
def test_what_is_remembered_twice_is_one_memory_whatever_the_clock_says(scope, clock, jump):
    first = scope.remember("The launch of Pebble moved to May 31.")
    clock.now += jump
    again = scope.remember("The launch of Pebble moved to May 31.")

    assert (again.memory.id, again.outcome) == (first.memory.id, "reinforced")


@pytest.mark.parametrize("jump", [timedelta(days=-2), timedelta(hours=1)], ids=["back", "forth"])
def test_a_call_sent_again_under_its_key_is_carried_out_once_whatever_the_clock_says(nacre, clock, jump):
    client = TestClient(create_app(nacre), base_url="http://127.0.0.1", client=("127.0.0.1", 1))

    def send():
        said = {"role": "user", "text": "storm"}
        return client.post("/v1/agents/a/observe", json=said, headers={"Idempotency-Key": "k"})

    first = send()
    clock.now += jump
    again = send()

    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert len(nacre.scope("a").recall("storm").hits) == 1


def test_a_job_of_a_clock_that_was_ahead_is_done_when_it_is_set_right(database, clock):
    clock.advance(days=30)
    enqueue(database, "a")
    clock.advance(days=-30)

    assert run_next(database, HANDLERS)
    assert kept(database) == ["a"]


def test_a_dead_workers_lease_from_a_clock_that_was_ahead_holds_nobody_up(database, clock):
    enqueue(database, "a")
    clock.advance(days=30)
    with database.write_all() as tx:
        assert jobs.claim(tx, HANDLERS)
    clock.advance(days=-30)

    assert run_next(database, HANDLERS)
    assert kept(database) == ["a"]


@pytest.mark.parametrize("ahead", [timedelta(seconds=5), AHEAD])
def test_a_worker_whose_clock_is_a_little_ahead_keeps_its_jobs(database, clock, ahead):
    enqueue(database, "a")

    def slow(scope, payload):
        # Meanwhile another worker, by its own clock, looks for something to do.
        clock.now -= ahead
        assert not run_next(database, HANDLERS)
        clock.now += ahead
        return note(scope, payload)

    assert run_next(database, {"note": slow})

    with database.read(SCOPE) as tx:
        (job,) = jobs.newest(tx, None, 10)
    assert (job.status, job.attempts, kept(database)) == (JobStatus.DONE, 1, ["a"])
