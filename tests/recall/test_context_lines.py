"""Lines of a context: what is told once, and what is shown with it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from nacre import Nacre, ScopedNacre, Settings, Turn
from nacre.domain.hits import Evidence, Hit, HitStanding, Kind
from nacre.domain.ids import SourceId
from nacre.domain.outdated_marks import OutdatedMark
from nacre.recall.successions import with_worth
from nacre.store.evidence.outdated import LikelySuccessor

MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
SAID = Evidence(id=SourceId(UUID(int=9)), quote="said", start=0, end=4)


def say(scope: ScopedNacre, text: str, day: int = 0) -> None:
    scope.observe_many([Turn(role="user", text=text, at=MAY + timedelta(days=day))])
    scope.learned()


def said(key: int, text: str, score: float) -> Hit:
    return Hit(id=UUID(int=key), kind=Kind.TURN, text=text, score=score, at=MAY, source=SAID)


@pytest.mark.parametrize(
    ("message", "repeated"),
    [
        ("what can I eat where we had that lovely evening?", False),
        ("what can I eat, being allergic, where we had that lovely evening?", True),
    ],
)
def test_a_turn_that_has_its_place_says_what_it_taught_unless_a_message_asks_for_that(sqlite_url, message, repeated):
    with Nacre(sqlite_url, settings=Settings(worker="off")) as nacre:
        scope = nacre.scope("a", user="ana")
        say(scope, "My dentist is on Stafford Street. I am allergic to peanuts and we had a lovely evening")
        shown = [line.label for line in scope.context(message).lines if line.sure]

    assert shown == (["belief"] if repeated else []) + ["episode"]


def test_what_is_sure_gives_no_way_to_a_turn_that_only_may_matter(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(worker="off", extraction="reader")) as nacre:
        scope = nacre.scope("a", user="ana")
        say(scope, "found a house in sheffield, 2 bed terrace in Walkley, 875 a month, moving in 26 sept")
        say(scope, "we're in!! house is a mess but its lovely. new address is 14 Fulton Rd", 23)
        context = scope.context("where do i live now?")

    assert [line.label for line in context.lines if line.sure and "14 Fulton Rd" in line.text][:1] == ["belief"]


@pytest.mark.parametrize(("rest", "kept"), [(" at 7:10 from Brussels", True), ("", False)])
def test_a_turn_that_says_more_than_the_value_that_ended_keeps_its_place(sqlite_url, clock, rest, kept):
    first = f"my flight is on dec 3{rest}"
    clock.now = datetime(2026, 11, 19, 9, tzinfo=UTC)
    with Nacre(sqlite_url, settings=Settings(worker="off", extraction="reader"), clock=clock) as nacre:
        scope = nacre.scope("a", user="ana")
        scope.observe("user", first, session="one", at=datetime(2026, 9, 7, tzinfo=UTC))
        scope.observe(
            "user", "the airline pushed my flight to dec 4", session="two", at=datetime(2026, 10, 19, tzinfo=UTC)
        )
        scope.learned()
        text = scope.context("when is my flight, and from where?").text

    assert "before: 2026-12-03" in text
    assert (f"{first} (outdated since 2026-10-19: on dec 3 → dec 4)" in text) is kept
    assert (first in text) is kept


def test_what_is_brought_in_for_another_says_what_of_it_is_outdated_itself(scope):
    say(scope, "My collection has 12 postcards. I keep them in a tin.")
    say(scope, "I've got 17 postcards now, my rent is 900 euros", 9)
    say(scope, "my rent is 950 euros now", 12)

    newer = next(hit for hit in scope.recall("collection tin") if "17 postcards" in hit.text)

    assert [(mark.value, mark.new_value) for mark in newer.outdated] == [("900 euros", "950 euros")]


@pytest.mark.parametrize(("score", "worth"), [(0.5, 0.4), (0.3, 0.0)])
def test_what_perhaps_followed_something_sure_is_worth_as_much_as_that_is_likely(score, worth):
    old, new = said(1, "My rent is 900 euros", score), said(2, "It is 950", 0.0)

    weighed = with_worth([old, new], {old.id: LikelySuccessor(new.id, 0.8)}, 0.45)

    assert [hit.score for hit in weighed] == [score, worth]


@pytest.mark.parametrize(
    ("standing", "worth"), [(HitStanding.SUPERSEDED, 0.45), (HitStanding.MIXED, pytest.approx(0.45 * 0.25))]
)
def test_what_made_words_outdated_is_worth_the_share_that_they_are_of_what_was_said(standing, worth):
    text = "My rent is 900 euros and the cat is called Miso, who sleeps all day, and so on."
    mark = OutdatedMark(value="900 euros.", quote=(11, 20), new_value="950", by=UUID(int=2), at=MAY, doubtful=False)
    old = replace(said(1, text.ljust(80, "."), 0.5), standing=standing, outdated=(mark,))

    assert with_worth([old, said(2, "It is 950", 0.0)], {}, 0.45)[1].score == worth


def test_a_turn_keeps_its_place_beside_a_belief_that_quotes_it_and_tells_less(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(worker="off", extraction="reader")) as nacre:
        scope = nacre.scope("a", user="ana")
        say(scope, "my sister Juli is in Barcelona working at a hostel by the sea")
        text = scope.context("I am visiting my sister, where do I have to fly?").text

    assert "Barcelona" in text
