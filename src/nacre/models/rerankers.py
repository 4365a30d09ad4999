"""Rerankers: they read a question together with each passage, and say how well they fit."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class RerankPassage(NamedTuple):
    """A text, and what was said before it, which it may be the reply to."""

    text: str
    previous: str = ""


class Reranker(Protocol):
    """Scores passages for a question."""

    def score(self, question: str, passages: Sequence[RerankPassage], seconds: float) -> Floats:
        """One score a passage, higher is better: of the first of them, as many as were read within `seconds`."""
