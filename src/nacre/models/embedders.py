"""Embedders: the protocol of whatever makes vectors, and vectors as bytes.

Eight bits a dimension and one scale a row cost no recall worth measuring.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]
_SCALE = np.dtype("<f4")


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of norm 1 (or zero, for text that means nothing), and the space they live in.

    Only vectors of one space may be compared: the name changes with the model and with the dimensions.
    """

    space: str
    matrix: Matrix


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def threshold(self) -> float:
        """The cosine under which two texts have nothing to do with each other."""

    @property
    def local(self) -> bool:
        """Whether it is fast and certain enough to run inside a write; others run in the background."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text. Raises `Unavailable` when the model cannot answer."""

    def embed_question(self, text: str) -> Vectors:
        """One row, for someone who is waiting: rather raises `Unavailable` than take long."""

    def close(self) -> None:
        """Give back what it holds."""


class EmbedderCache:
    """A local embedder that has the vectors of the texts that it was given lately at hand, and none of the texts."""

    def __init__(self, embedder: Embedder, most: int = 2_048) -> None:
        self._embedder = embedder
        self._most = most
        self._space: str | None = None
        self._rows: dict[int, Matrix] = {}
        self.local, self.threshold = embedder.local, embedder.threshold

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, with the same bits as the embedder's."""
        rows, keys = self._rows, [*map(hash, texts)]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing or self._space is None:
            made = self._embedder.embed([*missing.values()])
            self._space = made.space
            # Not emptied when full, but replaced: another thread may be reading it.
            if len(rows) + len(missing) > self._most:
                rows = self._rows = {key: rows[key] for key in keys if key in rows}
            rows.update(zip(missing, made.matrix, strict=True))
        return Vectors(self._space, np.array([rows[key] for key in keys], np.float32))

    def embed_question(self, text: str) -> Vectors:
        """The vector of a question, which seldom comes again."""
        return self._embedder.embed_question(text)

    def close(self) -> None:
        """Nothing to give back: the embedder belongs to somebody else."""


def pack(matrix: Matrix) -> list[bytes]:
    """Each row as its scale and its int8 values."""
    scales = (np.abs(matrix).max(axis=1, initial=0.0) / 127).astype(_SCALE)
    safe = scales if scales.all() else np.where(scales > 0, scales, 1)
    values = np.rint(matrix / safe[:, None]).astype(np.int8).tobytes()
    heads, size, width = scales.tobytes(), _SCALE.itemsize, matrix.shape[1]
    return [
        heads[size * row : size * (row + 1)] + values[width * row : width * (row + 1)] for row in range(len(matrix))
    ]


def unpack(rows: Sequence[bytes]) -> Matrix:
    """The matrix whose rows `pack` made."""
    if not rows:
        return np.zeros((0, 0), dtype=np.float32)
    values, scales = split(b"".join(rows), len(rows))
    return np.multiply(values, scales[:, None], dtype=np.float32)


def split(packed: bytes, count: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """The values and the scales of so many rows, one after the other as `pack` made them."""
    raw = np.frombuffer(packed, dtype=np.uint8).reshape(count, -1)
    scales = np.ascontiguousarray(raw[:, : _SCALE.itemsize]).view(_SCALE).astype(np.float32)
    return raw[:, _SCALE.itemsize :].view(np.int8), scales[:, 0]
