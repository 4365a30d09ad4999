"""A score is a probability that means the same for every question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid
from nacre.recall.judgements import NOTHING_RELEVANT
from nacre.recall.relevance import QuestionVoice, Strength, placement, relatedness, voice_of

nearness = st.floats(-0.3, 1)


def strength(near: float | None = 0.2, **given) -> Strength:
    return Strength(**{"nearness": near, "coverage": 0.3, "words": 4, "passages": 300, **given})


@pytest.mark.spec("N9")
@given(nearness, nearness)
def test_the_nearer_the_likelier_related(one, other):
    low, high = sorted((one, other))
    assert 0 <= relatedness(strength(low)) <= relatedness(strength(high)) <= 1


@pytest.mark.spec("N9")
def test_what_is_near_among_many_may_be_so_by_chance():
    assert relatedness(strength(0.3, passages=100_000)) < relatedness(strength(0.3, passages=300))


@pytest.mark.spec("N9")
def test_a_known_name_and_a_voice_of_ones_own_speak_for_a_question():
    plain = relatedness(strength())
    assert (
        plain < relatedness(strength(voice=QuestionVoice.FIRST_PERSON)) < relatedness(strength(voice=QuestionVoice.OWN))
    )
    assert plain < relatedness(strength(names=True))


@pytest.mark.spec("N9")
def test_without_vectors_the_words_decide():
    assert relatedness(strength(None, coverage=0.05)) < 0.4 < relatedness(strength(None, coverage=1.0))


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 500))
def test_a_better_place_is_worth_more(one, other, place):
    low, high = sorted((one, other))
    assert placement(low, place) <= placement(high, place)
    assert placement(low, place + 1) < placement(low, place) < 1


@pytest.mark.parametrize(
    ("message", "voice"),
    [
        ("plan my commute", QuestionVoice.OWN),
        ("where do we eat?", QuestionVoice.OWN),
        ("what should I know about it?", QuestionVoice.FIRST_PERSON),
        ("¿dónde están mis llaves?", QuestionVoice.OWN),
        ("explain the peace of Westphalia", QuestionVoice.NOBODY),
    ],
)
def test_the_voice_of_a_message(message, voice):
    assert voice_of(message) is voice


@pytest.fixture
def told(scope):
    scope.observe("user", "The sensor firmware needs a new build before the launch", session="s1")
    scope.observe("user", "We sail to the island of Vis in August", session="s2")
    scope.remember("The launch moved to May 3", category="project-context/launch")
    scope.remember("No meetings before ten", category="user-preferences/meetings")
    return scope


@pytest.mark.spec("N9")
def test_scores_fall_from_hit_to_hit_and_are_low_where_nothing_is_known(told):
    known = told.recall("When is the launch?")
    unknown = told.recall("Who wrote the Magna Carta in Latin hexameters?")

    assert [hit.score for hit in known] == sorted((hit.score for hit in known), reverse=True)
    assert known[0].score > 0.3
    assert known.related > 0.9
    assert all(hit.score < 0.05 for hit in unknown)
    assert unknown.related < 0.1


@pytest.mark.spec("N9")
def test_min_score_may_leave_nothing_and_then_a_note_says_so(told):
    assert told.recall("When is the launch?", min_score=0.1)
    nothing = told.recall("Who wrote the Magna Carta in Latin hexameters?", min_score=0.1)

    assert nothing.hits == ()
    assert nothing.notes == (NOTHING_RELEVANT.format(least=0.1),)


@pytest.mark.spec("N9")
def test_categories_narrow_recall_to_the_memories_in_them_and_below(told):
    assert {hit.text for hit in told.recall("launch meetings", categories=["user-preferences"])} == {
        "No meetings before ten"
    }
    assert {
        hit.text for hit in told.recall("launch meetings", categories=["project-context", "user-preferences/meetings"])
    } == {
        "The launch moved to May 3",
        "No meetings before ten",
    }
    assert told.recall("launch", categories=["nothing-here"]).hits == ()


@pytest.mark.spec("N9")
@pytest.mark.parametrize(
    "given",
    [
        {"min_score": -0.1},
        {"min_score": 1.5},
        {"min_score": "high"},
        {"categories": "general"},
        {"categories": ["no spaces allowed"]},
        {"categories": []},
    ],
)
def test_what_cannot_be_meant_is_refused(told, given):
    with pytest.raises(Invalid):
        told.recall("launch", **given)


@pytest.mark.spec("N9")
@pytest.mark.parametrize("given", [{"seen": "twice"}, {"blocks": "memory"}, {"blocks": ["poem"]}, {"min_score": 2}])
def test_what_cannot_be_meant_of_a_context_is_refused(told, given):
    with pytest.raises(Invalid):
        told.context("launch", **given)


@pytest.mark.spec("N9")
@pytest.mark.parametrize(
    "message",
    [
        "What is the capital of France?",
        "Translate 'good morning' into Norwegian",
        "explain the second law of thermodynamics",
        "ok",
        "¿Quién escribió el Quijote?",
    ],
)
def test_an_unrelated_message_injects_nothing_not_even_on_a_first_turn(told, message):
    assert told.context(message, session="new").text == ""
