"""Token ranking: the best passages compared with a question once more, token by token, before any of them is loaded."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from nacre.models import token_vectors
from nacre.models.token_vectors import SPACE
from nacre.recall.bm25 import Floats
from nacre.store import token_vectors as stored
from nacre.store.databases import Transaction

# How many passages are compared; the others keep their order behind them.
DEPTH = 100
# How much the comparison counts beside the order that it was given.
SHARE = np.float32(0.4)


class QuestionReader(Protocol):
    """Makes vectors of a question's tokens."""

    def question_vectors(self, text: str) -> Floats:
        """Vectors of the tokens of a question; their length is how much a token counts."""


def fits(question: Floats, tx: Transaction, seqs: Sequence[int]) -> dict[int, float]:
    """How well passages of a scope fit, by sequence number; those without vectors are left out."""
    held = stored.by_seq(tx, SPACE, seqs)
    told = {seq: data for seq, data in held.items() if data}
    return dict(zip(told, map(float, token_vectors.scores(question, list(told.values()))), strict=True))


def rescored(scores: Floats, fits: Mapping[int, float]) -> Floats:
    """The scores, those of what was compared ordered anew within the range they had."""
    known = sorted(fits)
    if len(known) < 2:
        return scores
    given, fit = scores[known], np.array([fits[doc] for doc in known], np.float32)
    low, high = float(given.min()), float(given.max())
    mixed = _scaled((1 - SHARE) * _scaled(given) + SHARE * _scaled(fit))
    changed = scores.copy()
    changed[known] = low + mixed * (high - low)
    return changed


def _scaled(values: Floats) -> Floats:
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)
