"""Embedders: the protocol of whatever makes vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]


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
