"""Of two hits that say nearly the same thing, the later one comes first."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from nacre import Nacre, Settings
from nacre.domain.hits import Kind
from nacre.domain.outdated_marks import OutdatedMark
from nacre.recall import facts
from nacre.recall.successions import BROUGHT, BROUGHT_BY, DEPTH, missing_followers, newest_first
from nacre.store.evidence.outdated import Mark
from nacre.store.reads.associations import FactRow

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def say(scope, text: str, day: int, role: str = "user") -> None:
    scope.observe(role, text, session=f"day {day}", at=NOON + timedelta(days=day))


def test_the_later_of_two_that_say_the_same_comes_first(scope):
    say(scope, "The launch of Pebble is planned for June 16", 0)
    say(scope, "The launch of Pebble is planned for September 1", 30)
    say(scope, "The cat slept on the keyboard", 40)

    texts = [hit.text for hit in scope.recall("When is the launch of Pebble planned?")]

    assert texts[:2] == [
        "The launch of Pebble is planned for September 1",
        "The launch of Pebble is planned for June 16",
    ]


def test_what_likely_takes_over_from_a_hit_comes_before_it_unless_a_question_asks_back(sqlite_url, clock):
    settings = Settings(worker="off", extraction="reader")
    told = (
        "The cat gets half a tablet crushed into her food every evening",
        "Ozbič changed the cat over to a gel, one rub inside the ear at night",
    )
    with Nacre(sqlite_url, settings=settings, clock=clock) as nacre:
        scope = nacre.scope("a", user="u")
        for day, text in enumerate(told):
            say(scope, text, day)
        scope.learned()
        now, then = (scope.recall(f"When {what} the cat get a tablet?") for what in ("does", "did"))

    assert [hit.text for hit in now] == [told[1], told[0]]
    assert not any(hit.outdated for hit in now)
    assert [hit.text for hit in then] == [*told]


def test_another_subject_keeps_its_place_however_late_it_is(scope):
    say(scope, "Maya plays the cello every Thursday", 0)
    say(scope, "Thursday is the deadline for the tax form", 30)

    assert scope.recall("When does Maya play the cello?")[0].text == "Maya plays the cello every Thursday"


def test_what_the_agent_said_itself_succeeds_nothing(scope):
    say(scope, "The launch of Pebble is planned for June 16", 0)
    say(scope, "So the launch of Pebble is planned for June 16", 1, role="assistant")

    assert scope.recall("When is the launch of Pebble planned?")[0].source.role == "user"


def test_a_question_that_says_when_keeps_the_order_of_its_time(scope):
    say(scope, "We went camping by the lake", 0)
    say(scope, "We went camping by the lake again", 60)

    assert scope.recall("Where did we go camping in May 2026?")[0].at.month == 5


def test_scores_stay_with_places_and_the_rest_is_left_alone(scope):
    for day in range(DEPTH + 3):
        say(scope, f"The stand-up is at {day + 8} o'clock", day)
    hits = scope.recall("When is the stand-up?").hits

    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert newest_first(hits, {}, 0.2) == hits
    assert newest_first((), {}, 0.2) == ()


def test_only_the_first_hits_bring_what_made_them_outdated():
    """Where marks are many and wrong, what they bring must not crowd out what answers."""
    worth = {UUID(int=place): 1 - place / 100 for place in range(20)}
    later = {
        item: OutdatedMark(by=UUID(int=100 + item.int), value="a", new_value="b", quote=(0, 1), at=NOON)
        for item in worth
    }
    marks = {item: [Mark(item=item, outdated=mark, seq=item.int, kind=Kind.TURN)] for item, mark in later.items()}

    assert missing_followers(marks, worth, lambda _: True) == {
        Kind.TURN: {place: BROUGHT * worth[UUID(int=place)] for place in range(BROUGHT_BY)}
    }


def fact(number: int, *, holds: bool) -> FactRow:
    key = UUID(int=number)
    return FactRow(key, Kind.LINK, UUID(int=99), None, "owns", "owns it", key, None, None, NOON, holds, False)


def test_one_thing_that_is_gone_lifts_none_of_many():
    scores = {UUID(int=1): 0.9, UUID(int=2): 0.1, UUID(int=3): 0.2}
    gone, kept, other = fact(1, holds=False), fact(2, holds=True), fact(3, holds=True)

    assert facts.inherited(scores, [gone, kept, other]) == scores
    assert facts.inherited(scores, [gone, kept]) == {**scores, UUID(int=2): 0.9}
