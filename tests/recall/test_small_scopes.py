"""A scope of few passages is looked through for whatever its user wants, and for nothing else."""

import pytest

from nacre import Nacre, Settings, Turn
from nacre.recall.context_lines import SMALL, UNSURE_SMALL

TOLD = (
    "I make candles, the shop is called Wick and Whimsy",
    "we moved the shop to 14 Tollgate Lane in the spring",
    "the shop phone is 401-555-0168 now",
)
TASK = "design me a business card"


@pytest.fixture
def scope(sqlite_url, clock):
    """What a plain install does, but that nothing is read behind the test."""
    settings = Settings(worker="off", rerank="off", extraction="rules")
    with Nacre(sqlite_url, settings=settings, clock=clock) as nacre:
        yield nacre.scope("a", user="ana")


def lines(scope, message):
    scope.learned()
    return [line for line in scope.context(message, session="new").lines if line.label != "profile"]


@pytest.mark.spec("N8")
def test_a_task_gets_what_is_there_as_less_sure(scope):
    for text in TOLD:
        scope.observe("user", text)

    shown = lines(scope, TASK)

    assert all(any(text[:30] in line.text for line in shown) for text in TOLD)
    assert not any(line.sure for line in shown if "401-555-0168" in line.text)


@pytest.mark.parametrize(
    "message",
    ["write a haiku about the sea", "how do I boil an egg", "who wrote Hamlet?", "is 91 prime"],
)
def test_what_is_nobodys_gets_nothing(scope, message):
    for text in TOLD:
        scope.observe("user", text)

    assert lines(scope, message) == []


def test_a_larger_scope_is_not(scope):
    for text in TOLD:
        scope.observe("user", text)
    scope.observe_many(
        [Turn(role="user", text=f"the weather report number {number} was dull") for number in range(SMALL)]
    )

    assert lines(scope, TASK) == []


def test_so_many_lines_and_no_more(scope):
    for number in range(20):
        scope.observe("user", f"customer {number} wants candle scent {number}")

    assert len(lines(scope, TASK)) <= UNSURE_SMALL


@pytest.mark.spec("N8")
def test_what_is_less_likely_than_not_stands_apart(sqlite_url, clock):
    told = ("I work at Hostinger as a data engineer", "my boat is called Ines", "our key is under the pot")
    with Nacre(sqlite_url, settings=Settings(worker="off"), clock=clock) as nacre:
        scope = nacre.scope("a", user="ana")
        scope.observe_many(Turn(role="user", text=text) for text in told)
        scope.learned()
        context = scope.context("where do I work?", session="new")
        barred = scope.context("where do I work?", session="new", min_score=0.3)

    likely, _, rest = context.text.partition("May matter:")
    assert "Hostinger" in likely
    assert "Ines" not in likely
    assert "Ines" in rest
    assert [line.sure for line in context.lines if "Ines" in line.text] == [False]
    assert all(line.sure for line in barred.lines)
