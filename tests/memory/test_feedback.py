"""Feedback: recorded when it is given, offered for seven days, learned from once."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from nacre import Invalid, Nacre
from nacre.brain.feedback import Feedback
from nacre.domain.feedback import FeedbackKind
from nacre.memory import feedback as services
from nacre.store.evidence import feedback as store
from tests.cases import in_turn


@pytest.fixture
def feedback(nacre, scope) -> Feedback:
    return Feedback(nacre.parts, scope.scope)


def record(feedback, clock, count: int, kind: str = "praise") -> list[str]:
    """Record signals a minute apart; their subjects, oldest first."""
    subjects = [f"{kind} {number}" for number in range(count)]
    for subject in subjects:
        clock.advance(minutes=1)
        feedback.record(kind, subject)
    return subjects


def subjects(signals) -> list[str]:
    return [signal.subject for signal in signals]


@pytest.mark.spec("M17")
@pytest.mark.parametrize("kind", list(FeedbackKind))
def test_a_signal_keeps_its_kind_session_subject_detail_and_time(feedback, clock, kind):
    given = feedback.record(kind.value, "回复 — the weekly report", detail="Too long.\nTwo pages!", session="s1")

    assert feedback.recent() == feedback.take() == [given]
    assert (given.kind, given.subject, given.session) == (kind, "回复 — the weekly report", "s1")
    assert (given.detail, given.at, given.consumed_at) == ("Too long.\nTwo pages!", clock.now, None)


@pytest.mark.spec("M17")
def test_a_cycle_is_given_at_most_fifty_oldest_first_until_it_consumes_them(feedback, clock):
    said = record(feedback, clock, 60)

    first = feedback.take()
    assert subjects(first) == said[:50]
    assert feedback.take() == first
    assert feedback.consume(signal.id for signal in first) == 50
    assert subjects(feedback.take()) == said[50:]
    assert subjects(feedback.take(3)) == said[50:53]


@pytest.mark.spec("M17")
def test_signals_are_offered_for_seven_days_and_then_pruned(nacre, scope, feedback, clock):
    record(feedback, clock, 1, "praise")
    clock.advance(days=3)
    record(feedback, clock, 1, "complaint")

    clock.advance(days=4, minutes=-2)
    assert subjects(feedback.recent()) == ["complaint 0", "praise 0"]
    assert services.prune(nacre.parts.database, scope.scope) == 0
    clock.advance(minutes=1)
    assert subjects(feedback.recent()) == subjects(feedback.take()) == ["complaint 0"]
    assert services.prune(nacre.parts.database, scope.scope) == 1
    assert services.prune(nacre.parts.database, scope.scope) == 0
    clock.advance(days=-2)
    assert subjects(feedback.recent()) == ["complaint 0"]


def test_recent_is_newest_first_and_includes_what_was_learned_from(feedback, clock):
    said = record(feedback, clock, 60)
    feedback.consume([feedback.recent(limit=1)[0].id])

    recent = feedback.recent()
    assert subjects(recent) == said[:9:-1]
    assert recent[0].consumed_at == clock.now
    assert subjects(feedback.recent(limit=2)) == said[:57:-1]


def test_a_cycle_that_fails_loses_no_signal(nacre, scope, feedback, clock):
    record(feedback, clock, 3)
    before = feedback.take()

    def cycle() -> None:
        with nacre.parts.database.write(scope.scope) as tx:
            assert store.consume(tx, [signal.id for signal in store.unconsumed(tx)])
            raise RuntimeError("the model did not answer")

    with pytest.raises(RuntimeError, match="model"):
        cycle()
    assert feedback.take() == before


def test_consuming_twice_is_harmless(feedback, clock):
    record(feedback, clock, 2)
    ids = [signal.id for signal in feedback.take()]

    assert feedback.consume([ids[0], ids[0], str(ids[0])]) == 1
    first = feedback.recent()[1].consumed_at
    clock.advance(minutes=5)
    assert feedback.consume([*ids, uuid4()]) == 1
    assert feedback.recent()[1].consumed_at == first
    assert feedback.consume([]) == 0


def test_of_many_cycles_at_once_each_signal_is_given_to_one(nacre, scope, feedback, clock):
    record(feedback, clock, 20)
    ids = [signal.id for signal in feedback.take()]

    with ThreadPoolExecutor(8) as pool:
        consumed = list(pool.map(lambda _: feedback.consume(ids), range(8)))

    assert sum(consumed) == 20


def test_a_clock_that_was_set_back_hides_nothing(feedback, clock):
    record(feedback, clock, 1)
    clock.advance(days=-30)
    assert subjects(feedback.take()) == subjects(feedback.recent()) == ["praise 0"]


def test_another_scope_neither_sees_nor_consumes_a_signal(nacre, scope, feedback, clock):
    record(feedback, clock, 1)
    other = Feedback(nacre.parts, nacre.scope("assistant", user="bob").scope)

    assert other.recent() == other.take() == []
    assert other.consume([feedback.take()[0].id]) == 0
    clock.advance(days=8)
    assert services.prune(nacre.parts.database, nacre.scope("assistant", user="bob").scope) == 0
    assert services.prune(nacre.parts.database, scope.scope) == 1


def test_signals_survive_a_restart(database_url, clock):
    with Nacre(database_url, clock=clock) as nacre:
        given = Feedback(nacre.parts, nacre.scope("a").scope).record("correction", "dates", detail="ISO, please")
    with Nacre(database_url, clock=clock) as nacre:
        assert Feedback(nacre.parts, nacre.scope("a").scope).take() == [given]


@in_turn(
    ("field", "attempt"),
    [
        ("kind", lambda f: f.record("applause", "x")),
        ("kind", lambda f: f.record(None, "x")),
        ("kind", lambda f: f.record(["praise"], "x")),
        ("subject", lambda f: f.record("praise", "")),
        ("subject", lambda f: f.record("praise", "s" * 2_001)),
        ("subject", lambda f: f.record("praise", "nul\x00")),
        ("subject", lambda f: f.record("praise", 5)),
        ("detail", lambda f: f.record("praise", "x", detail=" ")),
        ("detail", lambda f: f.record("praise", "x", detail="d" * 10_001)),
        ("session", lambda f: f.record("praise", "x", session="a\nb")),
        ("limit", lambda f: f.recent(limit=51)),
        ("limit", lambda f: f.recent(limit=0)),
        ("limit", lambda f: f.take(51)),
        ("limit", lambda f: f.take(True)),
        ("ids", lambda f: f.consume(str(uuid4()))),
        ("ids", lambda f: f.consume(["not an id"])),
        ("ids", lambda f: f.consume([5])),
        ("ids", lambda f: f.consume(None)),
        ("ids", lambda f: f.consume([uuid4() for _ in range(1_001)])),
    ],
)
def test_bad_values_are_refused_by_name_and_nothing_is_kept(feedback, field, attempt):
    with pytest.raises(Invalid) as refused:
        attempt(feedback)
    assert refused.value.field == field
    assert feedback.recent() == []


def test_the_longest_signal_is_kept_whole(feedback):
    given = feedback.record("complaint", "s" * 2_000, detail="d" * 10_000)
    assert feedback.recent() == [given]
