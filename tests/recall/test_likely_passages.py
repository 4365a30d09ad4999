"""Of many passages, those that are likely by estimates have the hits and scores that exact cosines of all give."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from nacre.domain.hits import Kind
from nacre.domain.questions import Question
from nacre.models.embedders import Vectors, pack
from nacre.recall import channels, fusion
from nacre.recall.filters import eligible
from nacre.recall.index import Index
from nacre.recall.likely_passages import LikelyPassages
from nacre.store.tables.columns import to_microseconds
from nacre.text import tokens
from nacre.text.times import Period

START = datetime(2026, 1, 1, tzinfo=UTC)
PASSAGES, SESSION = channels.MANY + 1_000, 20
WORDS = [f"word{number}" for number in range(300)]


@pytest.fixture(scope="module")
def passages():
    """A view of many passages, the nearest few of which are as near as passages are that speak of the same."""
    rng = np.random.default_rng(7)
    topics = rng.standard_normal((40, 256))
    vectors = topics[rng.integers(0, 40, PASSAGES)] + 1.5 * rng.standard_normal((PASSAGES, 256))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = map(" ".join, rng.choice(WORDS, (PASSAGES, 6)))
    rows = [
        (seq, Kind.TURN.value, f"s{seq // SESSION}", None, "user", at, None, *(each.language, each.length), *terms)
        for seq, each in enumerate(map(tokens.pack, texts), 1)
        for at, terms in [(to_microseconds(START + timedelta(hours=seq)), (each.keys, each.counts))]
    ]
    index = Index()
    index.apply(rows, revision=1)
    index.apply_vectors("space", list(enumerate(pack(vectors.astype(np.float32)), 1)), revision=1)
    question = topics[0] / np.linalg.norm(topics[0])
    return index.view, Vectors("space", question[np.newaxis].astype(np.float32))


DAY = Period(START, START + timedelta(days=1))


@pytest.mark.parametrize(
    ("text", "given", "periods"),
    [
        ("word1 word2 word3", {}, ()),
        ("nothing of it", {}, ()),
        ("word1 word2 word3", {"session": "s3"}, ()),
        ("nothing of it", {}, (DAY,)),
        ("word1", {"since": START + timedelta(hours=200), "limit": 50}, (DAY,)),
    ],
)
def test_the_first_hits_are_those_of_exact_cosines(passages, text, given, periods):
    view, vectors = passages
    asked = channels.EmbeddedQuery(text, vectors, threshold=0.2)
    question = Question(text=text, **given)
    mask = eligible(view, question)
    scores = channels.score(view, asked) | {"time": channels.timeliness(view.at, periods)}
    exact = fusion.fuse(view, scores | {"vector": channels.similarity(view, asked)}, mask)

    likely = LikelyPassages(view, asked, scores, [mask], question.limit)

    fused = fusion.fuse(view, scores, mask, likely.mean(), likely.docs)
    first = fusion.best(exact, 100)
    assert channels.are_estimates(view, asked)
    assert fusion.best(fused, 100).tolist() == first.tolist()
    assert fused[first] == pytest.approx(exact[first], abs=1e-6)
