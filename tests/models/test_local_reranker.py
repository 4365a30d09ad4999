"""The models that ship: what they put first, and that they do so every time."""

import json
import subprocess
import sys

import numpy as np
import pytest

from nacre.domain.errors import Misconfigured
from nacre.models import local_reranker
from nacre.models.local_reranker import DATA, MAX_TOKENS, PAIRS_AT_ONCE, LocalReranker, load
from nacre.models.rerankers import RerankPassage

AMPLE = 600.0

pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module", params=["fast", "best"])
def reranker(request: pytest.FixtureRequest) -> LocalReranker:
    return load(request.param)


def best_of(reranker: LocalReranker, question: str, *passages: RerankPassage) -> RerankPassage:
    scores = reranker.score(question, passages, AMPLE)
    assert scores is not None
    return passages[int(np.argmax(scores))]


@pytest.mark.parametrize(
    ("question", "answer", "others"),
    [
        (
            "What instrument does Tom play?",
            "Tom: I've been practising the cello every evening.",
            ["Tom: Do you play anything?", "Ana: Tom is a good friend of mine."],
        ),
        (
            "Where did Ana go on holiday?",
            "Ana: We spent two weeks by the sea in Portugal this summer.",
            ["Ana: Holidays are always too short.", "Tom: Ana works too much."],
        ),
        (
            "When is the launch of the product?",
            "Tom: We go live on May 3.",
            ["Tom: The product looks great.", "Ana: I was at the launch of another product."],
        ),
        (
            "What is the dog called?",
            "Ana: Our puppy Biscuit chewed my shoes again.",
            ["Tom: The dog barks a lot.", "Ana: Dogs shed fur in spring."],
        ),
        (
            "How many siblings does Tom have?",
            "Tom: I grew up with two brothers and a sister.",
            ["Tom: Family is important to me.", "Ana: How many people came?"],
        ),
        (
            "Which city does the user live in?",
            "I moved to Lisbon last month.",
            ["The city was crowded.", "Which user lives there?"],
        ),
    ],
)
def test_an_answer_comes_before_what_merely_shares_words(reranker, question, answer, others):
    assert best_of(reranker, question, *map(RerankPassage, [*others, answer])) == RerankPassage(answer)


def test_a_reply_is_understood_through_what_was_said_before_it(reranker):
    reply = "Tom: Exhausting, I finished last."
    after_the_race = RerankPassage(reply, "Ana: How was the marathon in Boston?")
    after_the_exam = RerankPassage(reply, "Ana: How was the chemistry exam?")

    assert best_of(reranker, "How did Tom do in the marathon?", after_the_exam, after_the_race) == after_the_race


def test_what_was_said_before_does_not_make_an_answer_of_what_follows(reranker):
    fact, more = "The bridge was built in 1932.", "It is painted every decade."

    assert best_of(
        reranker, "Which year was the bridge built?", RerankPassage(more, fact), RerankPassage(fact)
    ) == RerankPassage(fact)


def test_the_same_pairs_score_the_same_in_another_process():
    question, texts = "What does Ana drink?", ["Ana: I only drink tea.", "Tom: Coffee for me.", "Nobody knows."]
    code = (
        "import json, sys; from nacre.models.local_reranker import load;"
        "from nacre.models.rerankers import RerankPassage;"
        "question, texts = json.loads(sys.argv[1]);"
        "print(json.dumps(load('fast').score(question, [RerankPassage(text) for text in texts], 600.0).tolist()))"
    )

    run = subprocess.run(
        [sys.executable, "-c", code, json.dumps([question, texts])], capture_output=True, text=True, check=True
    )

    here = load("fast").score(question, list(map(RerankPassage, texts)), AMPLE)
    assert here is not None
    assert json.loads(run.stdout) == here.tolist()


def test_the_order_of_passages_that_are_read_together_does_not_change_their_scores(reranker):
    passages = [
        RerankPassage(f"Ana: I saw film number {number} " + "again " * number) for number in range(PAIRS_AT_ONCE)
    ]

    forwards = reranker.score("Which films did Ana see?", passages, AMPLE)
    backwards = reranker.score("Which films did Ana see?", passages[::-1], AMPLE)

    np.testing.assert_allclose(forwards, backwards[::-1], atol=1e-5)


@pytest.mark.parametrize("text", ["", " ", "\ud800", "a" * 100_000, "word " * 10_000, "東京で寿司を食べました", "\x00"])
def test_any_text_gets_a_score(reranker, text):
    scores = reranker.score(text or "?", [RerankPassage(text, text), RerankPassage("Ana: hello", text)], AMPLE)

    assert np.isfinite(scores).all()


def test_a_long_passage_is_cut_and_takes_its_previous_one_with_it(reranker):
    long = "word " * MAX_TOKENS

    with_it = reranker.score("Which word?", [RerankPassage(long, "Ana: Which one?")], AMPLE)
    without = reranker.score("Which word?", [RerankPassage(long)], AMPLE)

    assert with_it == without


def test_no_time_gives_no_scores(reranker):
    assert not len(reranker.score("Where?", [RerankPassage("Here.")], 0.0))


def test_without_onnxruntime_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(local_reranker, "installed", lambda: False)

    with pytest.raises(Misconfigured, match="needs onnxruntime"):
        LocalReranker(DATA / "fast.onnx")


def test_a_process_holds_one_model_of_a_name():
    assert load("fast") is load("fast")
