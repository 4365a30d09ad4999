"""Ranking of a handful of texts that have no passages of their own, with the engine that ranks passages."""

from collections.abc import Sequence

from nacre.domain.errors import Unavailable
from nacre.domain.hits import Kind
from nacre.models.embedders import Embedder, Vectors, pack
from nacre.recall import channels, fusion
from nacre.recall.index import Index, View
from nacre.text import tokens

# A handful of huge texts must not hold up a search; what they are about stands at their beginning.
MAX_READ = 30_000


def rank(texts: Sequence[str], query: str, embedder: Embedder | None) -> list[tuple[int, float]]:
    """The places of the texts that have to do with `query` and their scores from 0 to 1, best first.

    Words and meaning count the same. Only a local embedder is asked: any other would make whoever searches wait, and
    pay, for texts that will soon be gone. Without one, words alone rank.
    """
    if not texts:
        return []
    beginnings = [text[:MAX_READ] for text in texts]
    vectors, threshold = _embedded([query, *beginnings], embedder)
    view = _view(beginnings, vectors and Vectors(vectors.space, vectors.matrix[1:]))
    asked = vectors and Vectors(vectors.space, vectors.matrix[:1])
    question = channels.EmbeddedQuery(query, asked, threshold)
    scores = fusion.hybrid(channels.words_alone(view, question), channels.similarity(view, question))
    return [(int(place), float(scores[place])) for place in fusion.best(scores, len(texts))]


def _embedded(texts: Sequence[str], embedder: Embedder | None) -> tuple[Vectors | None, float]:
    if embedder is None or not embedder.local:
        return None, 0.0
    try:
        return embedder.embed(texts), embedder.threshold
    except Unavailable:
        return None, 0.0


def _view(texts: Sequence[str], vectors: Vectors | None) -> View:
    """An index of texts that stand in no session and were said by nobody."""
    index = Index()
    packed = map(tokens.pack, texts)
    rows = [
        (seq, Kind.DOCUMENT.value, None, None, None, 0, None, each.language, each.length, each.keys, each.counts)
        for seq, each in enumerate(packed, 1)
    ]
    index.apply(rows, revision=1)
    if vectors:
        index.apply_vectors(vectors.space, list(enumerate(pack(vectors.matrix), 1)), revision=1)
    return index.view
