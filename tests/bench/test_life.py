"""A simulated life is the same each time, is judged by what was true, and survives a model that means harm."""

import json

import pytest
from typer.testing import CliRunner

from bench import life as measuring
from bench import results
from bench.app import app
from bench.lives import SINGLE, START, Fact, Life, live
from bench.progress import Silent
from bench.sayings import VALUES

DAYS, TURNS = 5, 40


@pytest.fixture(scope="module")
def figures():
    return measuring.measure(DAYS, TURNS, Silent())


def test_the_same_seed_gives_the_same_life():
    one, other = live(DAYS, TURNS), live(DAYS, TURNS)

    assert one == other
    assert live(DAYS, TURNS, seed=1) != one
    assert one.turns == DAYS * TURNS


def test_a_month_has_everything_that_happens_to_people():
    month = live()
    said = [turn.text for day in month.days for session in day.sessions for turn in session]

    assert 4_900 <= len(said) <= 5_100
    assert {fact.kind for fact in month.facts} == set(VALUES)
    assert sum(fact.until is not None for fact in month.facts) >= 20
    assert any(text.startswith(("Vivo", "Trabajo", "Mi ")) for text in said)
    assert not any("{" in text or "None" in text for text in said)
    times = [turn.at for day in month.days for session in day.sessions for turn in session if turn.at]
    assert times[0].date() == START.date()
    assert len({time.date() for time in times}) == 30


def test_of_a_kind_with_one_value_one_holds_at_a_time():
    month = live()
    for day in range(30):
        held = [(fact.subject, fact.kind) for fact in month.facts if fact.holds(day) and fact.kind in SINGLE]
        assert len(held) == len(set(held))


def test_a_fact_is_due_once_it_was_told_and_as_long_as_it_holds():
    fact = Fact("Ana", "home", "Porto", since=0, told=2, until=4)

    assert [bool(Life([], [fact]).due(day)) for day in range(6)] == [False, False, True, True, False, False]


def test_every_night_is_measured(figures):
    for name in ("rules", "harmed"):
        nights = figures[name]["nights"]
        assert [night["day"] for night in nights] == [1, 2, 3, 4, 5]
        assert 0 < nights[-1]["right"] <= nights[-1]["due"]
        assert nights[-1]["bytes"] > 0
        assert figures[name]["failed"] == {}
    kinds = figures["kinds"].values()
    assert sum(each["right"] for each in kinds) == figures["rules"]["nights"][-1]["right"]


def test_a_harmful_model_loses_no_note(figures):
    harmed = figures["harmed"]

    assert min(harmed["asked"][name] for name in ("memories", "graph", "entities", "preferences", "summaries")) >= 1
    assert harmed["notes_lost"] == []
    assert figures["rules"]["notes_lost"] == []
    assert sum(harmed["refused"].values()) > 0


def test_the_breaker_trips_and_the_report_says_so(figures):
    harmed = figures["harmed"]

    assert harmed["paused"]["consolidation"] >= 1
    assert "consolidation: The breaker opened" in harmed["first_pause"]
    assert figures["rules"]["paused"] == {}
    note = measuring.tables(figures)[-1].note
    assert "Paused by the breaker: consolidation" in note


def test_a_harmful_model_mixes_nobody_up_and_loses_no_true_fact(figures):
    last = {name: figures[name]["nights"][-1]["entities_per_person"] for name in ("rules", "harmed")}

    assert last["harmed"] <= last["rules"]
    assert figures["harmed"]["lost_on"] == [[]] * DAYS


def test_the_command_shows_the_nights(monkeypatch):
    monkeypatch.setattr(results, "write", lambda document: results.FOLDER / "unwritten.json")

    said = CliRunner().invoke(app, ["life", "--days", "1", "--turns", "20", "--json"])

    document = json.loads(said.stdout)
    assert document["section"] == "life"
    assert len(document["rules"]["nights"]) == 1
