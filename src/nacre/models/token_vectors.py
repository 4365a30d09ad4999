"""Token vectors: what a text says, token by token, four bits a number; a question is compared with each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

# Which network they are of: vectors of two networks never meet.
SPACE = "tokens-3"
WIDTH = 64
# A row: its largest number as a share of 255, then two numbers a byte.
_ROW = 1 + WIDTH // 2
_LEVELS = 7


@dataclass(frozen=True, slots=True, eq=False)
class QuestionTokens:
    """Vectors of a question's tokens, as long as each counts, and the score at which a text may well answer."""

    vectors: Floats
    bar: float


def pack(vectors: Floats) -> bytes:
    """Vectors of length 1 as bytes."""
    largest = np.ceil(np.abs(vectors).max(axis=1, keepdims=True) * 255).clip(1, 255).astype(np.uint8)
    levels = np.rint(vectors / (largest / np.float32(255)) * _LEVELS).astype(np.int8) + 8
    pairs = levels[:, ::2].astype(np.uint8) << 4 | levels[:, 1::2].astype(np.uint8)
    return np.concatenate([largest, pairs], axis=1).tobytes()


def unpack(data: bytes) -> Floats:
    """The vectors that `pack` was given, nearly."""
    rows = np.frombuffer(data, np.uint8).reshape(-1, _ROW)
    levels = np.empty((len(rows), WIDTH), np.float32)
    levels[:, ::2], levels[:, 1::2] = rows[:, 1:] >> 4, rows[:, 1:] & 15
    scales = rows[:, :1].astype(np.float32) * np.float32(1 / (255 * _LEVELS))
    vectors: Floats = (levels - np.float32(8)) * scales
    return vectors


def scores(question: QuestionTokens, texts: Sequence[bytes]) -> Floats:
    """How well each text fits, above or below the bar: every token of the question looks for the one most like it."""
    if not texts:
        return np.zeros(0, np.float32)
    starts = np.cumsum([0, *(len(data) // _ROW for data in texts[:-1])])
    # In blocks, so that BLAS keeps to this thread.
    alike = np.concatenate([unpack(data) @ question.vectors.T for data in texts])
    fits: Floats = np.maximum.reduceat(alike, starts, axis=0).sum(axis=1) - np.float32(question.bar)
    return fits
