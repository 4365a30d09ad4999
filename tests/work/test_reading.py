"""A language model reads turns in the background: in batches, scopes in turn, once, within a budget, come what may."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from subprocess import Popen
from threading import Thread

import pytest

from nacre import Nacre, Settings
from nacre.domain.jobs import LEASE
from nacre.extraction import reading_requests
from nacre.extraction.reading_requests import MAX_TURNS, PAUSE
from nacre.models import local_reader
from nacre.store.work import usage
from nacre.work import workers
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService
from tests.models.turn_replies import CHESS, HOME, asking, jobs, predicates, replying, say
from tests.waits import eventually

pytestmark = pytest.mark.spec("G1")


@pytest.fixture
def service() -> Iterator[LanguageModelService]:
    with llm_service.running() as running:
        running.answer = replying
        yield running


@pytest.fixture
def rules_alone(monkeypatch) -> None:
    """Rules and model without the reader, so that no test depends on what that makes of a sentence."""
    monkeypatch.setattr(local_reader, "installed", lambda: False)


@pytest.fixture
def brain_settings(rules_alone, service) -> Settings:
    return asking(service)


def test_turns_are_asked_for_when_people_pause_or_a_batch_is_full(nacre, scope, clock, service):
    worker = nacre.parts.model_worker
    say(scope, HOME)
    scope.learned()
    assert worker.drain() == 0
    clock.advance(seconds=PAUSE.total_seconds() - 1)
    say(scope, CHESS)
    scope.learned()
    clock.advance(seconds=2)
    assert worker.drain() == 0
    clock.advance(seconds=PAUSE.total_seconds())
    assert worker.drain() == 1
    assert len(service.asked) == 1

    say(scope, *[f"Nothing much to tell on day {day}." for day in range(MAX_TURNS)])
    scope.learned()
    assert worker.drain() == 1
    assert jobs(scope) == [("done", 1), ("done", 1)]


def test_scopes_take_turns(nacre, clock, service):
    busy, other = (nacre.scope("assistant", user=name) for name in ("busy", "other"))
    say(busy, *[f"Busy talks about day {day}." for day in range(3 * MAX_TURNS)])
    busy.learned()
    clock.advance(seconds=1)
    say(other, *[f"Other talks about day {day}." for day in range(MAX_TURNS)])
    other.learned()
    clock.advance(seconds=1)
    nacre.settle(model=True)

    asked = ["Busy" if "Busy talks" in str(each["messages"]) else "Other" for each in service.asked]
    assert asked == ["Busy", "Other", "Busy", "Busy"]


def test_a_process_killed_while_the_model_thinks_leaves_the_turns_to_the_next(
    rules_alone, new_sqlite, clock, service, quick_nacre
):
    database = new_sqlite()
    service.mood = "hanging"
    given = {"NACRE_EXTRACTION": "model", "NACRE_LLM_MODEL": "tiny", "NACRE_LLM_ENDPOINT": service.url}
    given["NACRE_EMBEDDER"] = "off"
    with Popen([*quick_nacre, "-c", KILLED, database, HOME], env={**os.environ, **given}) as process:
        try:
            assert eventually(lambda: bool(service.asked))
        finally:
            process.kill()
    service.mood = "well"
    clock.now = datetime.now(UTC) + 2 * LEASE
    with Nacre(database, settings=asking(service), clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        assert scope.learned(timeout=0).unread_by_model == 1
        assert scope.learned(model=True).unread_by_model == 0
        assert scope.learned(model=True).unread_by_model == 0

        assert (len(service.asked), predicates(scope, "Bergen")) == (2, ["lives_in"])
        assert [each.operation for each in scope.history(limit=50)].count("record_link") == 1


KILLED = """
import sys
from nacre import Nacre
from nacre.models import local_reader
local_reader.installed = lambda: False
with Nacre(sys.argv[1]) as nacre:
    scope = nacre.scope("assistant", user="ana")
    scope.observe("user", sys.argv[2])
    scope.learned(model=True)
"""


def test_two_processes_at_once_learn_a_turn_once(nacre, scope, service, clock):
    say(scope, HOME)
    scope.learned()
    with Nacre(nacre.parts.settings.database, settings=asking(service), clock=clock) as second:
        other = second.scope("assistant", user="ana")
        thinking = [Thread(target=each.learned, kwargs={"model": True}) for each in (scope, other)]
        for each in thinking:
            each.start()
        for each in thinking:
            each.join()

    assert (len(service.asked), predicates(scope, "Bergen")) == (1, ["lives_in"])


def test_an_embedded_brain_reads_in_the_background(rules_alone, new_sqlite, service, monkeypatch):
    monkeypatch.setattr(reading_requests, "PAUSE", timedelta())
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.05)
    with Nacre(new_sqlite(), settings=asking(service, worker="thread")) as nacre:
        scope = nacre.scope("assistant", user="ana")
        say(scope, HOME)

        assert eventually(lambda: scope.learned(timeout=0).unread_by_model == 0)
        assert predicates(scope, "Bergen") == ["lives_in"]


@pytest.mark.parametrize("mood", ["failing", "garbage", "empty", "odd", "list", "chatty"])
def test_a_model_that_fails_is_tried_again_later_and_breaks_nothing(nacre, scope, clock, service, mood):
    service.mood = mood
    say(scope, HOME, "I live in Rome.")
    left = scope.learned(model=True)

    assert (left.done, left.unread_by_model) == (True, 2)
    assert jobs(scope) == [("waiting", 1)]
    assert "language model" in left.notes[0]
    assert any(each.name == "language model" and each.count == 1 for each in nacre.doctor().findings)
    service.mood = "well"
    clock.advance(minutes=1)
    assert scope.learned(model=True).unread_by_model == 0
    assert predicates(scope, "Bergen") == ["lives_in"]


def test_a_model_that_goes_on_failing_is_left_alone_for_longer_and_longer(nacre, scope, clock, service):
    service.mood = "failing"
    say(scope, HOME)
    for _ in range(4 * 24):
        clock.advance(minutes=15)
        scope.learned(model=True)
    assert len(service.asked) < 40
    assert len(jobs(scope)) < 80

    service.mood = "well"
    for _ in range(12):
        clock.advance(minutes=15)
        nacre.parts.model_worker.drain()
    assert scope.learned(timeout=0).unread_by_model == 0


def test_a_refused_key_is_told_and_found_out_again_after_an_hour(nacre, scope, clock, service):
    service.mood = "refusing"
    say(scope, HOME)
    assert "refused" in scope.learned(model=True).notes[0]
    assert jobs(scope) == [("dead", 1)]

    say(scope, CHESS)
    scope.learned()
    assert jobs(scope) == [("dead", 1)]
    service.mood = "well"
    clock.advance(minutes=90)
    nacre.parts.model_worker.drain()
    assert predicates(scope, "Bergen") == ["lives_in"]


def test_a_turn_that_the_model_cannot_answer_holds_up_no_other(nacre, scope, clock, service):
    real = service.reply

    def reply(body):
        if "poison" in str(body["messages"]):
            service.moods = ["chatty"]
        return real(body)

    service.reply = reply
    say(scope, HOME, "This is poison.", CHESS, session=None)
    for _ in range(120):
        clock.advance(minutes=2)
        scope.learned(model=True)

    assert scope.learned().unread_by_model == 0
    assert (predicates(scope, "Bergen"), predicates(scope, "chess club")) == (["lives_in"], ["member_of"])


def test_the_budget_of_a_day_ends_reading_until_the_next(rules_alone, new_sqlite, clock, service):
    with Nacre(new_sqlite(), settings=asking(service, llm_daily_tokens=200), clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        _spend(nacre, scope, clock, service)


def _spend(nacre, scope, clock, service):
    say(scope, *[f"Nothing much to tell on day {day}." for day in range(3 * MAX_TURNS)], HOME)
    left = scope.learned(model=True)

    assert len(service.asked) == 2
    assert left.unread_by_model == MAX_TURNS + 1
    assert "budget of 200 tokens" in left.notes[0]
    assert scope.learned(model=True) == left
    assert "language model" in [each.name for each in nacre.doctor().findings if each.count]
    clock.advance(hours=24 - clock.now.hour)
    assert scope.learned(model=True).unread_by_model == 0
    assert predicates(scope, "Bergen") == ["lives_in"]
    with nacre.parts.database.read(scope.scope) as tx:
        (spent,) = usage.totals(tx)
    assert (spent.purpose, spent.calls, spent.input_tokens) == ("turns", 4, 400)
