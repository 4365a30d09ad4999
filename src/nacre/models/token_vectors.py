"""Token vectors: what a text says, token by token, four bits a number; a question is compared with each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

# Which network they are of: vectors of two networks never meet.
SPACE = "tokens-4"
WIDTH = 64
# A row: its largest number as a share of 255, then two numbers a byte.
_ROW = 1 + WIDTH // 2
_LEVELS = 7
# The two numbers of each byte, as one item: taking whole items is several times as fast.
_BYTES = np.arange(256)
_PAIRS = (np.stack([_BYTES >> 4, _BYTES & 15], axis=1) - 8).astype(np.float32).view(np.complex64)[:, 0]
# BLAS keeps to this thread for a product with so few rows.
_BLOCK = 32


@dataclass(frozen=True, slots=True, eq=False)
class QuestionTokens:
    """Vectors of a question's tokens, as long as each counts, and the score at which a text may well answer.

    `need` tells whether an answer needs what was told before: the logarithm of the odds.
    """

    vectors: Floats
    bar: float
    need: float = 0.0


def pack(vectors: Floats) -> bytes:
    """Vectors of length 1 as bytes."""
    largest = np.ceil(np.abs(vectors).max(axis=1, keepdims=True) * 255).clip(1, 255).astype(np.uint8)
    levels = np.rint(vectors / (largest / np.float32(255)) * _LEVELS).astype(np.int8) + 8
    pairs = levels[:, ::2].astype(np.uint8) << 4 | levels[:, 1::2].astype(np.uint8)
    return np.concatenate([largest, pairs], axis=1).tobytes()


def unpack(data: bytes) -> Floats:
    """The vectors that `pack` was given, nearly."""
    rows = np.frombuffer(data, np.uint8).reshape(-1, _ROW)
    scales = rows[:, :1].astype(np.float32) * np.float32(1 / (255 * _LEVELS))
    vectors: Floats = _PAIRS.take(rows[:, 1:]).view(np.float32)
    vectors *= scales
    return vectors


def scores(question: QuestionTokens, texts: Sequence[bytes]) -> Floats:
    """How well each text fits, above or below the bar: every token of the question looks for the one most like it."""
    if not texts:
        return np.zeros(0, np.float32)
    starts = np.cumsum([0, *(len(data) // _ROW for data in texts[:-1])])
    alike = _products(unpack(b"".join(texts)), question.vectors)
    fits: Floats = np.maximum.reduceat(alike, starts, axis=0).sum(axis=1) - np.float32(question.bar)
    return fits


def _products(vectors: Floats, others: Floats) -> Floats:
    """The product of each vector with each of the others."""
    whole = len(vectors) - len(vectors) % _BLOCK
    blocks = vectors[:whole].reshape(-1, _BLOCK, WIDTH) @ others.T
    return np.concatenate([blocks.reshape(whole, len(others)), vectors[whole:] @ others.T])
