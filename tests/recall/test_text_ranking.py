"""Ranking a handful of texts with the engine of recall."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Unavailable
from nacre.models.embedders import Vectors
from nacre.models.remote_embedder import RemoteEmbedder
from nacre.models.static_embedder import StaticEmbedder
from nacre.recall.text_ranking import rank
from tests.models import embedding_service

EMBEDDER = StaticEmbedder()
words = st.sampled_from(["river", "bank", "boat", "storm", "the", "río", "船", "会议记录", "Łódź", "!!!", "c++", "👍"])
texts = st.lists(words, max_size=6).map(" ".join)


class Silent:
    """An embedder in this process that never answers."""

    local = True
    threshold = 0.5

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise Unavailable("on purpose")

    def embed_question(self, text: str) -> Vectors:
        raise Unavailable("on purpose")

    def close(self) -> None:
        """Nothing to give back."""


@given(st.lists(texts, max_size=8), texts, st.booleans())
def test_scores_fall_from_at_most_one_and_name_each_text_at_most_once(several, query, with_meaning):
    ranked = rank(several, query, EMBEDDER if with_meaning else None)

    scores, places = [score for _, score in ranked], [place for place, _ in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    assert len(set(places)) == len(places)
    assert set(places) <= set(range(len(several)))


def test_by_words_alone_the_best_scores_one_and_strangers_are_left_out():
    ranked = rank(
        ["the cat sat", "a storm at sea, a storm on land", "one storm among many other quiet things"], "storm", None
    )

    assert [place for place, _ in ranked] == [1, 2]
    assert ranked[0][1] == pytest.approx(1)


def test_equal_texts_keep_their_order():
    assert [place for place, _ in rank(["storm"] * 4, "storm", EMBEDDER)] == [0, 1, 2, 3]


def test_meaning_finds_what_shares_no_word_and_words_alone_do_not():
    several = ["The physician saw the sick child", "Invoice 2231 is overdue"]

    assert rank(several, "doctor", None) == []
    place, score = rank(several, "doctor", EMBEDDER)[0]
    assert place == 0
    assert score == pytest.approx(1)


def test_a_text_with_both_scores_gets_their_mean():
    several = ["doctor", "doctor appointment about an invoice for the physician and the nurse"]
    by_words = dict(rank(several, "doctor", None))
    cosine = EMBEDDER.embed(several).matrix @ EMBEDDER.embed_question("doctor").matrix[0]
    assert (cosine >= EMBEDDER.threshold).all()

    for place, score in rank(several, "doctor", EMBEDDER):
        # Vectors are held at eight bits a dimension.
        assert score == pytest.approx((by_words[place] + cosine[place] / cosine.max()) / 2, abs=0.02)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("会议记录：下周发布", "发布"),
        ("встреча в Москве", "встречи"),
        ("Zażółć gęślą jaźń", "jaźń"),
        ("ご飯を食べた", "食べた"),
    ],
)
def test_text_in_any_script_is_found(text, query):
    assert [place for place, _ in rank(["nothing here", text], query, None)] == [1]


def test_an_embedder_that_does_not_answer_leaves_the_words():
    several = ["a storm at sea", "calm"]
    assert rank(several, "storm", Silent()) == rank(several, "storm", None) != []


def test_a_remote_embedder_is_not_asked():
    with embedding_service.running() as service:
        remote = RemoteEmbedder(service.url, "some-model", None, threshold=0.5, max_chars=30_000)
        assert rank(["a storm at sea", "calm"], "storm", remote) == rank(["a storm at sea", "calm"], "storm", None)
        assert service.asked == []
        remote.close()


@pytest.mark.parametrize("embedder", [None, EMBEDDER], ids=["words", "hybrid"])
def test_nothing_to_rank_or_nothing_to_ask_gives_nothing(embedder):
    assert rank([], "storm", embedder) == []
    assert rank(["!!!", "…"], "storm", embedder) == []
    assert rank(["storm"], "%%% ???", embedder) == []
