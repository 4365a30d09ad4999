"""Token vectors: packing loses little, and a question finds the text whose tokens are like its own."""

import numpy as np

from nacre.models import token_vectors
from nacre.models.token_vectors import QuestionTokens


def test_packing_keeps_the_direction() -> None:
    vectors = np.random.default_rng(3).normal(size=(40, token_vectors.WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    packed = token_vectors.pack(vectors)
    assert len(packed) == 40 * (1 + token_vectors.WIDTH // 2)
    again = token_vectors.unpack(packed)
    again /= np.linalg.norm(again, axis=1, keepdims=True)
    assert float((again * vectors).sum(axis=1).min()) > 0.97


def test_every_token_of_a_question_counts_once_by_its_best_match() -> None:
    axes = np.eye(token_vectors.WIDTH, dtype=np.float32)
    question = QuestionTokens(np.stack([axes[0] * 2, axes[1]]), bar=0.5)
    texts = [token_vectors.pack(axes[[5, 6]]), token_vectors.pack(axes[[0]]), token_vectors.pack(axes[[1, 0, 0, 7]])]
    assert np.allclose(token_vectors.scores(question, texts), [-0.5, 1.5, 2.5], atol=0.02)
    assert token_vectors.scores(question, []).shape == (0,)
