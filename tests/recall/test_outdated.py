"""Statements that a later one made outdated: they come after it, say so, and the mark can be taken back."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre import Nacre, ScopedNacre, Settings, Turn
from nacre.domain.commands import Command
from nacre.domain.errors import Conflict
from nacre.domain.hits import HitStanding
from nacre.domain.outdated_marks import MarkOutdated
from nacre.graph.operations import path
from nacre.store.evidence import outdated
from tests.conftest import MovableClock

pytestmark = pytest.mark.spec("N11")
MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
OLD = "My collection has 12 postcards. I keep them in a tin."
NEW = "I've got 17 postcards now"


def say(scope: ScopedNacre, text: str, day: int, **given: str) -> None:
    scope.observe_many([Turn(role="user", text=text, at=MAY + timedelta(days=day), **given)])
    scope.learned()


def test_a_mark_comes_with_those_of_what_follows_and_is_asked_for_once(nacre, scope):
    for day, text in enumerate([OLD, NEW, "I've got 21 postcards now"]):
        say(scope, text, 9 * day)
    newest, newer, oldest = sorted(scope.recall("How many postcards?"), key=lambda hit: hit.at, reverse=True)

    with nacre.parts.settled.read(scope.scope) as tx:
        marks = outdated.find_marks(tx, [oldest.id])

        assert [mark.outdated.by for mark in marks[oldest.id]] == [newest.id]
        assert outdated.mark_calls(tx, [oldest.id, newer.id, newest.id]) == []
        assert outdated.find_marks(tx, [oldest.id]) == marks


def test_what_was_said_later_comes_first_and_the_older_says_so(scope):
    say(scope, OLD, 0)
    say(scope, NEW, 9)

    newer, older = scope.recall("How many postcards does my collection have?")

    assert (newer.text, newer.outdated) == (NEW, ())
    (mark,) = older.outdated
    assert (older.standing, mark.value, mark.new_value) == (
        HitStanding.MIXED,
        "12 postcards",
        "17 postcards",
    )
    assert mark.by == newer.id


def test_a_turn_that_says_two_things_is_outdated_twice(scope):
    both = "I have 12 postcards, my rent is 900 euros"
    say(scope, both, 0)
    say(scope, NEW, 9)
    say(scope, "my rent is 950 euros now", 12)

    (older,) = [hit for hit in scope.recall("postcards and rent") if hit.text == both]

    assert [(mark.value, mark.new_value) for mark in older.outdated] == [
        ("12 postcards", "17 postcards"),
        ("900 euros", "950 euros"),
    ]
    assert older.standing is HitStanding.SUPERSEDED
    printed = scope.context("what is my rent and how many postcards do I have?").text
    assert "(outdated since 2026-05-13: 12 postcards → 17 postcards; since 2026-05-16: 900 euros → 950 euros)" in (
        printed
    )


def test_the_later_one_is_brought_in_where_only_the_older_is_found(scope):
    say(scope, OLD, 0)
    say(scope, NEW, 9)

    assert [hit.text for hit in scope.recall("collection tin", limit=2)] == [NEW, OLD]


def test_a_chain_leads_to_the_last_and_history_that_is_told_late_is_put_in_its_place(scope):
    say(scope, NEW, 9)
    say(scope, "I've got 21 postcards now", 20)
    say(scope, "I have 12 postcards", 0)

    values = {hit.text: [mark.new_value for mark in hit.outdated] for hit in scope.recall("postcards")}

    assert values == {
        "I've got 21 postcards now": [],
        NEW: ["21 postcards"],
        "I have 12 postcards": ["21 postcards"],
    }


@pytest.mark.spec("N8")
def test_a_context_prints_the_older_as_outdated(scope):
    say(scope, OLD, 0)
    say(scope, NEW, 9)

    text = scope.context("How many postcards does my collection have?").text

    assert NEW in text
    assert "(outdated since 2026-05-13: 12 postcards → 17 postcards)" in text


def test_the_mark_is_in_the_log_with_its_reason_and_undo_takes_it_back(scope):
    say(scope, OLD, 0)
    say(scope, NEW, 9)
    (mark,) = [each for each in scope.history() if each.operation == "mark_outdated"]

    scope.undo(mark.id)

    assert NEW in mark.reason
    assert not any(hit.outdated for hit in scope.recall("postcards collection"))


def test_nothing_is_outdated_as_of_a_moment_before_the_later_one_was_said(scope):
    say(scope, OLD, 0)
    say(scope, NEW, 9)

    (older,) = scope.recall("postcards collection", as_of=MAY + timedelta(days=5))

    assert (older.text, older.outdated) == (OLD, ())


@pytest.mark.parametrize("first", ["turn", "memory"])
def test_turns_and_memories_make_each_other_outdated(tmp_path, first):
    clock = MovableClock()
    clock.now = MAY
    with Nacre(str(tmp_path / "brain.db"), settings=Settings(worker="off"), clock=clock) as nacre:
        scope = nacre.scope(agent="a", user="u")
        if first == "memory":
            scope.remember("My collection has 12 postcards")
            clock.now += timedelta(days=9)
            say(scope, NEW, 9)
        else:
            say(scope, OLD, 0)
            clock.now += timedelta(days=9)
            scope.remember(NEW)

        newer, older = scope.recall("How many postcards does my collection have?")

        assert newer.text == NEW
        assert [mark.by for mark in older.outdated] == [newer.id]


def test_what_a_split_memory_made_outdated_stays_so(tmp_path):
    clock = MovableClock()
    with Nacre(tmp_path / "n.db", settings=Settings(worker="off"), clock=clock) as nacre:
        scope = nacre.scope("agent", user="ana")
        scope.remember("The launch of our sleep app is on April 3.")
        nacre.parts.worker.drain()
        clock.advance(days=1)
        scope.remember("Apple rejected the build twice, so the launch slides to May 8. The team is called Dozers.")
        nacre.parts.worker.drain()

        hits = scope.recall("When is the launch of the app?")

        (newer,) = [hit for hit in hits if "May 8" in hit.text]
        (older,) = [hit for hit in hits if "April 3" in hit.text]
        assert "Dozers" not in newer.text
        assert [(mark.new_value, mark.by) for mark in older.outdated] == [("May 8", newer.id)]


def test_what_another_speaker_or_the_agent_says_makes_nothing_outdated(scope):
    say(scope, "I have 12 postcards", 0, speaker="Ana")
    say(scope, "I have 17 postcards now", 9, speaker="Ben")
    scope.observe_many([Turn(role="assistant", text="I have 30 postcards now", at=MAY + timedelta(days=10))])
    scope.learned()

    assert not any(hit.outdated for hit in scope.recall("postcards"))


def test_a_turn_that_tells_of_an_ending_is_news_and_is_shown(scope):
    scope.observe("user", "My brother Dan is a chef.", session="s")
    scope.observe("user", "Dan quit Globex last week.", session="s")

    assert "Dan quit Globex" in scope.context("where does Dan work?").text
    assert not [hit for hit in scope.recall("where does Dan work?") if hit.standing is HitStanding.SUPERSEDED]


JOB, LATER = "I work at Brightwater Logistics.", "The lift at the Tamworth payroll office is slow."


def mark(
    nacre: Nacre, scope: ScopedNacre, *, doubtful: bool, told: str = JOB, value: str = "Brightwater Logistics"
) -> None:
    """Mark what was told first, the job, as outdated by what was said later."""
    older, newer = (next(hit for hit in scope.recall(text) if hit.text == text) for text in (told, LATER))
    operation = MarkOutdated(
        older=older.id,
        newer=newer.id,
        quote=(0, len(told)),
        newer_quote=(0, len(LATER)),
        value=value,
        new_value="the Tamworth payroll office",
        at=newer.at,
        doubtful=doubtful,
    )
    with nacre.parts.database.write(scope.scope) as tx:
        path.apply(tx, [Command(operation=operation)], actor="a test")


def test_what_is_in_doubt_stands_and_its_reader_is_told(nacre, scope):
    say(scope, JOB, -30)
    say(scope, LATER, -5)

    mark(nacre, scope, doubtful=True)

    (older,) = [hit for hit in scope.recall("Where do I work?") if hit.text == JOB]
    assert [each.doubtful for each in older.outdated] == [True]
    assert older.standing is HitStanding.CURRENT
    printed = scope.context("Where do I work?").text
    assert "works at Brightwater Logistics (said 2026-04-04; perhaps outdated since 2026-04-29: the Tamworth" in printed
    assert [link.predicate for link in scope.graph.links("Brightwater Logistics")] == ["works_at"]


@pytest.mark.parametrize("doubtful", [True, False])
@pytest.mark.parametrize(
    ("told", "value"),
    [("My name is Rosalind Achterberg.", "Rosalind Achterberg"), ("My birthday is on March 3.", "March 3")],
)
def test_a_name_and_a_birthday_are_neither_doubted_nor_ended_by_other_words(nacre, scope, told, value, doubtful):
    say(scope, told, -30)
    say(scope, LATER, -5)
    question = "What is my name, and when is my birthday?"
    belief = next(line for line in scope.context(question, session="s").text.splitlines() if value in line)
    assert belief.endswith(f"{value} (said 2026-04-04)")

    mark(nacre, scope, doubtful=doubtful, told=told, value=value)

    assert belief in scope.context(question, session="s").text.splitlines()


def test_a_sure_mark_takes_the_place_of_a_doubtful_one_and_undo_brings_that_back(nacre, scope):
    say(scope, JOB, -30)
    say(scope, LATER, -5)
    mark(nacre, scope, doubtful=True)

    mark(nacre, scope, doubtful=False)

    (older,) = [hit for hit in scope.recall("Where do I work?") if hit.text == JOB]
    assert [each.doubtful for each in older.outdated] == [False]
    assert older.standing is HitStanding.SUPERSEDED
    for again in (True, False):
        with pytest.raises(Conflict, match="outdated already"):
            mark(nacre, scope, doubtful=again)

    last = next(each for each in scope.history() if each.operation == "mark_outdated")
    scope.undo(last.id)

    (older,) = [hit for hit in scope.recall("Where do I work?") if hit.text == JOB]
    assert [each.doubtful for each in older.outdated] == [True]
