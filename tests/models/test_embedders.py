"""What an embedder gives stays the same, however it is kept."""

from collections.abc import Sequence

import numpy as np
import pytest

from nacre.models import static_embedder
from nacre.models.embedders import EmbedderCache, Vectors

TEXTS = ["the harbour is open", "a storm came", "the harbour is open", "", "¿dónde está el puerto?"]


class CountedEmbedder(static_embedder.StaticEmbedder):
    """The embedder, and the texts that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The texts' vectors."""
        self.given += texts
        return super().embed(texts)


@pytest.mark.parametrize("most", [0, 2, 100])
def test_a_cache_gives_the_very_vectors_of_its_embedder(most):
    cache = EmbedderCache(static_embedder.load(), most)
    for some in (TEXTS, TEXTS[::-1], TEXTS[1:3], []):
        found = cache.embed(some)
        assert found.space == static_embedder.load().identity
        assert np.array_equal(found.matrix, static_embedder.load().matrix(some).reshape(found.matrix.shape))
    assert np.array_equal(cache.embed_question(TEXTS[0]).matrix, static_embedder.load().matrix(TEXTS[:1]))


def test_a_cache_asks_for_each_text_once_until_it_is_full():
    embedder = CountedEmbedder()
    cache = EmbedderCache(embedder, most=3)
    for some in (["one", "two"], ["two", "one", "three"], ["four", "two"], ["two"], ["one"]):
        cache.embed(some)
    assert embedder.given == ["one", "two", "three", "four", "one"]
