"""What bears on a message although it shares no word with it, and what must not be told as current."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import numpy as np
import pytest

from nacre import Settings
from nacre.domain.beliefs import Belief
from nacre.domain.contexts import Context
from nacre.domain.hits import Evidence, Hit, Kind, Recall
from nacre.domain.ids import SourceId
from nacre.models.static_embedder import StaticEmbedder
from nacre.models.token_vectors import QuestionTokens
from nacre.recall import bearings, current_beliefs, relevance, situations
from nacre.recall.bearings import Appeal
from nacre.recall.beliefs import MessageSubjects
from nacre.recall.channels import EmbeddedQuery
from nacre.recall.relevance import HitTraits

NOW = datetime(2026, 11, 16, tzinfo=UTC)
EMBEDDER = StaticEmbedder()


@pytest.fixture
def brain_settings() -> Settings:
    """The graph holds what a test puts there, and nothing that it only says."""
    return Settings(worker="off", extraction="off")


def belief(topic: str, value: str, *, said_days_ago: int = 0, subject=None) -> Belief:
    return Belief(
        id=uuid4(),
        subject=subject or SOMEBODY,
        name="ana",
        topic=topic,
        statement=f"{topic.rpartition('/')[2]} {value}",
        value=value,
        confidence=0.9,
        said_at=NOW - timedelta(days=said_days_ago),
    )


SOMEBODY = uuid4()


def lines(context: Context) -> str:
    return "\n".join(line.text for line in context.lines)


@pytest.fixture
def told(scope):
    """A scope that knows its user, and a friend's likes."""
    for claim, value in {
        "health/general/allergy": "peanuts",
        "diet/general/diet": "vegetarian",
        "life/general/habits": "swimming twice a week",
        "possessions/pets/cat": "Miso",
    }.items():
        scope.ontology.set(scope.scope.user_name, claim, value)
    scope.graph.link(scope.scope.user_name, "works_at", "Acme")
    scope.graph.link(scope.scope.user_name, "lives_in", "Porto")
    scope.graph.link("Eva", "prefers", "pottery")
    return scope


@pytest.mark.parametrize(
    ("message", "shown", "hidden"),
    [
        ("suggest a dinner", ["peanuts", "vegetarian"], ["Acme", "swimming"]),
        ("what shuold we cook tonite", ["peanuts", "vegetarian"], ["Acme"]),
        ("sugiere una cena", ["peanuts", "vegetarian"], ["Acme"]),
        ("any allergies?", ["peanuts"], ["Acme", "Porto"]),
        ("what sport am I doing these days?", ["swimming"], ["peanuts", "Acme"]),
        ("plan my commute", ["Porto", "Acme"], ["peanuts", "pottery"]),
        ("birthday present for eva?", ["pottery"], ["peanuts", "Acme"]),
        ("do I have pets?", ["Miso"], ["peanuts", "Porto"]),
        ("explain the offside rule in football", [], ["swimming", "peanuts", "Porto"]),
        ("is 2027 prime", [], ["peanuts", "Porto"]),
        ("Reverse a singly linked list in C, iteratively.", [], ["peanuts", "Porto", "Miso", "Acme"]),
        ("what has keys but can't open locks", [], ["peanuts", "Porto", "Miso", "Acme"]),
        ("¡muchas gracias!", [], ["peanuts", "Porto"]),
    ],
)
def test_beliefs_come_by_what_a_message_is_about(told, message, shown, hidden):
    context = lines(told.context(message, profile=False))

    assert [word for word in shown if word not in context] == []
    assert [word for word in hidden if word in context] == []


@pytest.mark.parametrize(("message", "known"), [("where does Alma keep our keys?", True), ("is 2027 prime", False)])
def test_what_nothing_was_compared_with_yet_is_known_by_its_voice(message, known):
    tokens = QuestionTokens(np.zeros((1, 64), np.float32), bar=0.0, need=-3.0)
    asked = EmbeddedQuery(message, vectors=None, threshold=0.0, tokens=tokens)

    assert bearings.is_known(Recall(()), asked, None, None, own=False) is known


@pytest.mark.parametrize("own", [True, False])
def test_what_names_somebody_of_the_users_own_is_known_whatever_the_ranker_thinks(own):
    tokens = QuestionTokens(np.zeros((1, 64), np.float32), bar=0.0, need=-3.0)
    asked = EmbeddedQuery("fastest way to get duarte?", vectors=None, threshold=0.0, tokens=tokens)
    subjects = MessageSubjects((SOMEBODY,), None, speaks_of_user=False, names_own=own)
    source = Evidence(id=SourceId(uuid4()), quote="The tram was full.", start=0, end=18)
    stray = Hit(
        id=uuid4(), kind=Kind.TURN, text=source.quote, score=0.1, at=NOW, channels={"tokens": -9.0}, source=source
    )

    assert bearings.is_known(Recall((stray,)), asked, None, subjects, own=False) is own


def test_a_meal_for_several_shows_what_each_of_them_eats(told):
    told.ontology.set("Lorcan", "diet/general/diet", "vegan")

    assert "Lorcan" in lines(told.context("booking a restaurant for all of us, what should I say?", profile=False))
    assert "Lorcan" not in lines(told.context("what should I cook, just me", profile=False))


@pytest.mark.parametrize(
    ("topic", "value", "days", "current"),
    [
        ("plans/general/plans", "visit the dentist", 10, True),
        ("plans/general/plans", "visit the dentist", 200, False),
        ("plans/general/plans", "concert on 2026-12-01", 200, True),
        ("calendar/general/exam", "2026-11-01", 20, False),
        ("calendar/general/exam", "2026-12-01", 200, True),
        ("health/general/conditions", "broke my wrist", 200, False),
        ("health/general/conditions", "tinnitus", 200, True),
        ("lives_in", "Porto", 2_000, True),
    ],
)
def test_what_passes_by_itself_is_not_told_as_current(topic, value, days, current):
    assert current_beliefs.still_so(belief(topic, value, said_days_ago=days), NOW) is current


def test_of_two_employers_the_one_told_last_counts_unless_the_past_is_asked_for():
    old, new = belief("works_at", "Acme", said_days_ago=300), belief("works_at", "Globex", said_days_ago=10)
    second = belief("works_at", "Initech", said_days_ago=20)

    assert current_beliefs.current([old, new, second], "where do I work?", NOW) == [new, second]
    assert current_beliefs.current([old, new], "where did I work before?", NOW) == [old, new]


def test_a_job_that_was_told_of_before_it_began_counts_from_its_first_day():
    old, told = belief("works_at", "Acme", said_days_ago=60), belief("works_at", "Globex", said_days_ago=40)
    begun = replace(told, since=NOW - timedelta(days=5))

    assert current_beliefs.current([old, told], "where do I work?", NOW) == [old, told]
    assert current_beliefs.current([old, begun], "where do I work?", NOW) == [begun]


def test_of_beliefs_that_rest_on_one_turn_the_one_whose_own_words_fit_comes_first():
    turn = uuid4()
    dentist, allergy = (
        replace(belief(topic, value), items=(turn,))
        for topic, value in (("life/general/dentist", "Stafford Street"), ("health/general/allergy", "peanuts"))
    )
    appeal = Appeal(
        message="plan a meal",
        asked=EmbeddedQuery("plan a meal", vectors=None, threshold=0.0),
        subjects=MessageSubjects((), SOMEBODY, speaks_of_user=True),
        recalled=Recall(()),
        fits={turn: 2.0},
        fit_texts=lambda texts: [2.0 if "peanuts" in each else -4.0 for each in texts],
    )

    (first, likely), (second, unlikely) = bearings.weigh_beliefs([dentist, allergy], appeal, {turn: 0.6}, None)

    assert (first, second) == (allergy, dentist)
    assert likely > 0.45
    assert unlikely < 0.25


@pytest.mark.parametrize(
    ("message", "example"),
    [
        ("quick dinner idea for tonight", "suggest a dinner for tonight"),
        ("which evenings of the week am I regularly out", "what is on my calendar next week?"),
        ("was soll ich heute kochen", "suggest a dinner for tonight"),
    ],
)
def test_a_situation_is_shown_by_likeness_or_by_words(message, example):
    shown = situations.find_situations(message, EMBEDDER, EMBEDDER.embed([message]))

    assert example in {each for situation in shown for each in situation.examples}


def test_a_hit_bears_more_where_it_tells_something_than_where_it_asks_or_the_agent_said_it():
    told = HitTraits(place=0, cosine=0.4, lexical=3.0, words=4, length=120, tells=True)
    asked = HitTraits(place=0, cosine=0.4, lexical=3.0, words=4, length=120, asks=True)
    agent = HitTraits(place=0, cosine=0.4, lexical=3.0, words=4, length=120, by_agent=True)

    assert relevance.bearing(told, 0.9) > 0.25 > max(relevance.bearing(asked, 0.9), relevance.bearing(agent, 0.9))


def test_a_profile_tells_of_a_home_and_of_children_before_remoter_relatives():
    def known(topic: str, statement: str) -> Belief:
        return Belief(
            id=uuid4(), subject=uuid4(), name="Ana", topic=topic, statement=statement, value="X", confidence=1
        )

    nephew, home, ill, son = (
        known("family_of", "'s nephew is Tom"),
        known("home/general/home", "lives in X"),
        known("health/general/conditions", "'s conditions: X"),
        known("family_of", "'s son is Leo"),
    )

    assert all(situations.worth(each) > situations.worth(nephew) for each in (home, ill, son))
