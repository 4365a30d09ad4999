"""Hits are read once more: what that changes, what it must not change, and when it is left out."""

from datetime import UTC, datetime

import numpy as np
import pytest

from nacre import Misconfigured, Nacre, Settings
from nacre.domain.errors import Invalid
from nacre.models import local_reranker
from nacre.models.rerankers import RerankPassage
from nacre.recall.reranking import DEPTH, comparable, understood

pytest.importorskip("onnxruntime")

QUESTION = "How did Tom do in the marathon?"


@pytest.fixture
def brain_settings() -> Settings:
    return Settings(worker="off", rerank="auto", rerank_deadline=600)


@pytest.fixture
def talk(scope):
    """The answer shares a speaker with the question, and hardly a word."""
    scope.observe("user", "How was the marathon in Boston?", speaker="Ana", session="spring")
    scope.observe("user", "Exhausting, I finished last", speaker="Tom", session="spring")
    scope.observe("user", "There is a marathon of films on television tonight", speaker="Tom", session="autumn")
    return scope


class Counting:
    """A reranker that prefers long texts, and remembers what it was given."""

    def __init__(self) -> None:
        self.read: list[RerankPassage] = []

    def score(self, _question, passages, _seconds):
        self.read = list(passages)
        return np.array([len(passage.text) for passage in passages], np.float32)


@pytest.fixture
def counting(nacre, monkeypatch):
    reranker = Counting()
    monkeypatch.setattr(nacre.parts.reranking, "_load", lambda _name: reranker)
    return reranker


@pytest.mark.parametrize("rerank", ["fast", "best"])
def test_the_answer_rises_above_what_shares_more_words(talk, rerank):
    assert talk.recall(QUESTION, rerank="off")[0].text != "Exhausting, I finished last"
    assert talk.recall(QUESTION, rerank=rerank)[0].text == "Exhausting, I finished last"


@pytest.mark.spec("S14")
@pytest.mark.parametrize("rerank", ["fast", "best"])
def test_what_was_replaced_stays_behind_what_replaced_it(scope, rerank):
    scope.observe("user", "Nora lives in Berlin.", session="one", at=datetime(2025, 1, 5, tzinfo=UTC))
    scope.observe("user", "Nora moved to Lisbon.", session="two", at=datetime(2025, 6, 5, tzinfo=UTC))

    found = scope.recall("Where does Nora live?", rerank=rerank)

    assert [hit.text for hit in found] == ["Nora moved to Lisbon.", "Nora lives in Berlin."]


def test_where_it_is_installed_recall_reranks_fast_unless_told_otherwise(talk):
    assert talk.recall(QUESTION, explain=True) == talk.recall(QUESTION, explain=True, rerank="fast")


def test_explain_shows_what_the_reranker_said(talk):
    assert all("rerank" in hit.channels for hit in talk.recall(QUESTION, explain=True))
    assert not any("rerank" in hit.channels for hit in talk.recall(QUESTION, explain=True, rerank="off"))
    assert not any(hit.channels for hit in talk.recall(QUESTION))


def test_hits_are_the_same_ones_within_the_same_scores(talk):
    plain, reranked = talk.recall(QUESTION, rerank="off"), talk.recall(QUESTION)

    assert {hit.id for hit in plain} == {hit.id for hit in reranked}
    assert [hit.score for hit in reranked] == sorted((hit.score for hit in reranked), reverse=True)
    assert max(hit.score for hit in reranked) <= plain[0].score
    assert min(hit.score for hit in reranked) >= plain[-1].score


def test_a_turn_is_read_with_its_speaker_and_the_turn_before_it(talk, counting):
    talk.recall(QUESTION)

    assert RerankPassage("Tom: Exhausting, I finished last", "Ana: How was the marathon in Boston?") in counting.read
    assert RerankPassage("Tom: There is a marathon of films on television tonight") in counting.read


def test_a_forgotten_turn_is_not_read_along(talk, counting):
    talk.forget(everything=True)
    talk.observe("user", "I ran the marathon", speaker="Tom", session="spring")
    talk.observe("user", "The marathon was long", speaker="Tom", session="spring")

    talk.recall(QUESTION)

    assert {passage.previous for passage in counting.read} == {"", "Tom: I ran the marathon"}


def test_only_the_best_are_read_and_the_others_stay_behind_them(scope, counting):
    for number in range(DEPTH + 10):
        scope.observe("user", f"marathon {'and more of it ' * number}", session=f"s{number}")
    plain = [hit.id for hit in scope.recall("marathon", limit=DEPTH + 10, rerank="off")]

    reranked = scope.recall("marathon", limit=DEPTH + 10)

    assert len(counting.read) == DEPTH
    assert {hit.id for hit in reranked[:DEPTH]} == set(plain[:DEPTH])
    assert [hit.id for hit in reranked[DEPTH:]] == plain[DEPTH:]
    scores = [hit.score for hit in reranked]
    assert scores == sorted(scores, reverse=True)


def test_what_lies_deeper_than_the_limit_can_still_come_first(scope, counting):
    for number in range(10):
        scope.observe("user", f"marathon {'and more of it ' * number}", session=f"s{number}")
    longest = max(scope.recall("marathon", rerank="off"), key=lambda hit: len(hit.text))

    assert scope.recall("marathon", rerank="off", limit=1)[0].id != longest.id
    assert longest.id in [hit.id for hit in scope.recall("marathon", limit=3)]


def test_context_shows_episodes_as_recall_orders_them(talk):
    shown = talk.context(QUESTION, session="today").text

    assert shown.index("Exhausting") < shown.index("television")


def test_when_time_is_up_hits_come_as_they_were_with_a_note(database_url, clock):
    with Nacre(database_url, settings=Settings(worker="off", rerank_deadline=0), clock=clock) as nacre:
        scope = nacre.scope("assistant")
        scope.observe("user", "The marathon is in May")
        scope.observe("user", "I like the marathon")
        found = scope.recall("When is the marathon?", rerank="fast")

        assert found.hits == scope.recall("When is the marathon?", rerank="off").hits
        assert found.notes == ("Not reranked, because all would have taken longer than 0 s.",)


def test_what_was_read_in_time_counts(scope, counting, monkeypatch):
    for number in range(DEPTH):
        scope.observe("user", f"marathon {'and more of it ' * number}", session=f"s{number}")
    plain = [hit.id for hit in scope.recall("marathon", limit=DEPTH, rerank="off")]
    whole = counting.score
    monkeypatch.setattr(counting, "score", lambda *given: whole(*given)[:10])

    found = scope.recall("marathon", limit=DEPTH)

    assert {hit.id for hit in found[:10]} == set(plain[:10])
    assert [hit.id for hit in found[:10]] != plain[:10]
    assert [hit.id for hit in found[10:]] == plain[10:]
    assert found.notes == ("Only the first 10 hits were reranked, because all would have taken longer than 600 s.",)


def test_the_setting_decides_where_the_call_does_not(sqlite_url, counting_load):
    with Nacre(sqlite_url, settings=Settings(worker="off", rerank="best")) as nacre:
        scope = nacre.scope("assistant")
        scope.observe("user", "The marathon is in May")
        scope.observe("user", "I like the marathon")
        scope.recall("marathon")
        scope.recall("marathon", rerank="fast")
        scope.recall("marathon", rerank="off")

    assert counting_load == ["best", "fast"]


@pytest.fixture
def counting_load(monkeypatch):
    asked: list[str] = []

    def load(name: str) -> Counting:
        asked.append(name)
        return Counting()

    monkeypatch.setattr(local_reranker, "load", load)
    return asked


def test_without_onnxruntime_recall_goes_without_and_says_so(sqlite_url, monkeypatch):
    monkeypatch.setattr(local_reranker, "installed", lambda: False)
    local_reranker.load.cache_clear()
    with Nacre(sqlite_url, settings=Settings(worker="off", rerank="auto")) as nacre:
        scope = nacre.scope("assistant")
        scope.observe("user", "The marathon is in May")
        scope.observe("user", "I like the marathon")

        assert nacre.diagnostics()["rerank"] == "off"
        assert scope.recall("marathon").notes == ()
        with pytest.raises(Misconfigured, match="onnxruntime"):
            scope.recall("marathon", rerank="fast")
    with pytest.raises(Misconfigured, match="onnxruntime"):
        Nacre(sqlite_url, settings=Settings(worker="off", rerank="fast"))


def test_a_word_that_is_no_mode_is_refused(scope):
    with pytest.raises(Invalid, match="rerank"):
        scope.recall("anything", rerank="slow")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Where did Ana go?", True),
        ("marathon Boston", True),
        ("Café Zürich", True),
        ("“When?” — 5 pm 🎉", True),
        ("¿Dónde vive la hermana de Ana?", False),
        ("Wo wohnt die Schwester von Ana?", False),
        ("東京で何を食べましたか", False),
        ("Где живёт Анна?", False),
    ],
)
def test_only_questions_that_may_be_english_are_reranked(text, read):
    assert understood(text) is read


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("¿Dónde vive la hermana de Ana?", True),
        ("Wo wohnt sie?", True),
        ("東京で何を食べましたか", False),
        ("Где?", False),
    ],
)
def test_tokens_are_compared_in_languages_of_latin_letters(text, compared):
    assert comparable(text) is compared
