"""Beliefs that later words speak against, and beliefs that are found by the words they rest on."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from nacre import Nacre, Settings
from nacre.domain.beliefs import Belief
from nacre.domain.hits import Evidence, Hit, HitStanding, Kind
from nacre.domain.ids import SourceId
from nacre.recall.contradictions import is_contradicted

pytestmark = pytest.mark.spec("N8")

LEARNING = Settings(extraction="reader", rerank="fast", worker="off")
SAID = datetime(2026, 1, 13, 9, tzinfo=UTC)


def belief(statement: str, value: str) -> Belief:
    return Belief(
        id=uuid4(),
        subject=uuid4(),
        name="Sam",
        topic="prices/general/price",
        statement=f"{statement} {value}",
        value=value,
        confidence=0.9,
        said_at=SAID,
    )


def hit(text: str, days: int) -> Hit:
    source = Evidence(id=SourceId(uuid4()), quote=text, start=0, end=len(text))
    return Hit(id=uuid4(), kind=Kind.TURN, text=text, score=0.5, at=SAID + timedelta(days=days), source=source)


@pytest.mark.parametrize(
    ("statement", "value", "said", "days", "contradicted"),
    [
        ("'s studio costs", "310 a month", "found a studio with two animators, 260 a month", 90, True),
        ("'s day rate costs", "380 eur", "so the rate goes to 480 from january", 90, True),
        ("'s calendar: standup on", "9:30", "standup moves to 9:15 from monday", 2, True),
        ("'s calendar: concert on", "2026-12-19", "the concert is 21 december now", 2, True),
        ("'s studio costs", "310 a month", "the studio is still 310 a month", 90, False),
        ("'s studio costs", "310 a month", "we put five chairs into the studio", 90, False),
        ("'s studio costs", "310 a month", "found a studio for 260 a month", -90, False),
        ("'s studio costs", "310 a month", "the van costs 900 a month", 90, False),
        ("lives in", "Leith", "Leith has 3 bridges", 90, False),
    ],
)
def test_later_words_speak_against_an_amount_or_a_day(statement, value, said, days, contradicted):
    assert is_contradicted(belief(statement, value), [hit(said, days)]) is contradicted


def test_a_message_that_names_nobody_finds_what_was_told_of_it():
    """In a talk of several, what one of them tells is kept as theirs; who asks for it does not know that."""
    with Nacre(":memory:", settings=LEARNING) as nacre:
        scope = nacre.scope("assistant", chat="harbour")
        at = datetime(2026, 11, 10, 9, tzinfo=UTC)
        for number, (who, text) in enumerate(
            [
                ("Anya", "standup moves to 9:15 from next week cause mats joins from his car."),
                ("Kenji", "the invoices are done, Leila has the rest"),
                ("Leila", "somebody left the lights on in the lab again"),
            ]
        ):
            scope.observe("user", text, speaker=who, session="s", at=at + timedelta(minutes=number))

        scope.learned()
        context = scope.context("what time is standup", asked_at=at + timedelta(days=1))

    assert any("standup at 9:15" in line.text for line in context.lines if line.label == "belief"), context.text


def test_what_is_asked_in_one_language_is_known_from_another():
    with Nacre(":memory:", settings=LEARNING) as nacre:
        scope = nacre.scope("assistant", user="lucía")
        for text in ("vivo en Leith desde febrero, con Aoife y Mei", "ayer fui a la reunión del grupo, éramos cinco"):
            scope.observe("user", text, session="s")

        scope.learned()
        asked = {message: scope.context(message, profile=False).text for message in ("where do i live", "dónde vivo")}

    assert all("lives in Leith" in text for text in asked.values()), asked


def test_what_took_the_place_of_a_hit_comes_first_though_it_shares_no_word():
    with Nacre(":memory:", settings=LEARNING) as nacre:
        scope = nacre.scope("assistant", user="ana")
        for day, text in enumerate(["I live in Lyon and my boss is Claire", "I moved to Nice last week"]):
            scope.observe("user", text, session=f"s{day}", at=SAID + timedelta(days=day))
        scope.learned()

        assert [hit.text for hit in scope.recall("where do I live", limit=2)] == [
            "I moved to Nice last week",
            "I live in Lyon and my boss is Claire",
        ]


def test_the_old_is_not_shown_without_the_new():
    with Nacre(":memory:", settings=LEARNING) as nacre:
        scope = nacre.scope("assistant", user="tomas")
        told = "I quit the hospital. I started at a private clinic called Medicus on Monday."
        for day, text in enumerate(["I work as a nurse at Saint Anne Hospital, mostly nights.", told]):
            scope.observe("user", text, session=f"s{day}", at=SAID + timedelta(days=30 * day))
        scope.learned()

        assert "Medicus" in scope.context("where do I work?", profile=False).text


def test_a_plan_whose_day_is_over_is_not_outdated(clock):
    """Nothing took its place: whoever asks later is told of it."""
    with Nacre(":memory:", settings=LEARNING, clock=clock) as nacre:
        scope = nacre.scope("assistant", user="maeve")
        scope.observe("user", "Instead it's Madeira, flying out 24 October, and Mam comes too.", session="s")
        clock.advance(days=300)
        scope.learned()

        [hit] = scope.recall("Where do we fly, is it Madeira?", limit=1)
        assert hit.standing is not HitStanding.SUPERSEDED
