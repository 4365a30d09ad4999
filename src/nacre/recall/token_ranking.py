"""Token ranking: the best passages compared with a question once more, token by token, before any of them is loaded."""

import math
from collections.abc import Mapping, Sequence, Set
from typing import Protocol
from uuid import UUID

import numpy as np
import numpy.typing as npt

from nacre.domain.hits import Hit
from nacre.models import token_vectors
from nacre.models.token_vectors import SPACE, QuestionTokens
from nacre.recall import channels
from nacre.recall.bm25 import Floats
from nacre.store.base.databases import Transaction
from nacre.store.evidence import token_vectors as stored
from nacre.store.tables.columns import to_microseconds
from nacre.text.times import Period

# How many passages are compared; the others keep their order behind them.
DEPTH = 100
# All passages are compared where a scope has no more than these; what nothing else finds must fit so well.
WHOLE, LEAST = 300, -4.0
# What the best of them scores where no channel found anything, and any that was compared at the least.
UNFOUND, COMPARED = np.float32(0.1), np.float32(0.001)
# How much the comparison counts beside the order that it was given: for talk, and for what stands alone, of which the
# ranker has learned less.
SHARE, SHARE_ALONE = np.float32(0.4), np.float32(0.15)
# However few hits are wanted, so many are put in order by how well they fit; a point of that counts for so much of an
# e-fold of places, and having been said at the time that is asked for counts for so many.
AMONG, POINT, TIMELY = 20, 0.35, 1.0


class QuestionReader(Protocol):
    """Makes a question ready to be compared with texts, and texts with questions."""

    def question_tokens(self, text: str) -> QuestionTokens:
        """The tokens of a question."""

    def text_vectors(self, text: str) -> bytes:
        """The vectors of a short text that stands alone."""


def fits(question: QuestionTokens, tx: Transaction, seqs: Sequence[int]) -> dict[int, float]:
    """How well passages of a scope fit, by sequence number; those without vectors are left out."""
    held = stored.by_seq(tx, SPACE, seqs)
    told = {seq: data for seq, data in held.items() if data}
    return dict(zip(told, map(float, token_vectors.scores(question, list(told.values()))), strict=True))


def item_fits(
    question: QuestionTokens, tx: Transaction, items: Set[UUID], known: Mapping[UUID, float]
) -> dict[UUID, float]:
    """How well turns and memories of a scope fit; those without vectors are left out. Of some it is `known` already."""
    told = {item: data for item, data in stored.by_item(tx, SPACE, items - known.keys()).items() if data}
    compared = dict(zip(told, map(float, token_vectors.scores(question, list(told.values()))), strict=True))
    return compared | {item: known[item] for item in items if item in known}


def text_fits(reader: QuestionReader, question: QuestionTokens, texts: Sequence[str]) -> list[float]:
    """How well short texts that stand alone fit."""
    return [float(fit) for fit in token_vectors.scores(question, [reader.text_vectors(each) for each in texts])]


def rescored(scores: Floats, fits: Mapping[int, float], alone: npt.NDArray[np.bool_]) -> Floats:
    """The scores, those of what was compared ordered anew within the range they had; `alone` says what is no talk."""
    known = sorted(fits)
    if not known:
        return scores
    given, fit = scores[known], np.array([fits[doc] for doc in known], np.float32)
    low, high = float(given.min()), float(given.max() or UNFOUND)
    share = np.where(alone[known], SHARE_ALONE, SHARE).astype(np.float32)
    mixed = _scaled((1 - share) * _scaled(given) + share * _scaled(fit))
    changed = scores.copy()
    changed[known] = np.maximum(low + mixed * (high - low), COMPARED)
    return changed


def by_fit(hits: Sequence[Hit], fits: Mapping[UUID, float], periods: Sequence[Period] = ()) -> list[Hit]:
    """Hits in the order of their places and of how well they fit, whatever else moved them; scores stay with places.

    What was not compared fits as well as the hit that it stands behind. `periods` are those that the question names.
    """
    timely = channels.timeliness(np.array([to_microseconds(hit.at) for hit in hits], np.int64), periods)
    worth: list[tuple[float, Hit]] = []
    fit = max(fits.values(), default=0.0)
    for place, hit in enumerate(hits):
        fit = fits.get(hit.id, fit)
        worth.append((POINT * fit - math.log1p(place) + TIMELY * float(timely[place]), hit))
    ordered = sorted(worth, key=lambda pair: -pair[0])
    return [hit.scored(held.score) for (_, hit), held in zip(ordered, hits, strict=True)]


def _scaled(values: Floats) -> Floats:
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.ones_like(values)
