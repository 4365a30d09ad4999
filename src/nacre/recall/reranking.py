"""A second look: the best candidates are read together with the question, and ordered anew."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nacre.domain.hits import Hit, Recall
from nacre.domain.questions import Question, Rerank
from nacre.models.rerankers import Floats, Reranker, RerankPassage
from nacre.recall.fusion import CURRENTNESS
from nacre.text import languages

# How many candidates are read; the others keep their order behind them.
DEPTH = 30
# How much what the reranker says counts beside the order it was given.
SHARE = np.float32(0.35)
# Letters from here on are of alphabets that the models were not taught.
BEYOND_LATIN = "\u0250"


class RerankCandidate(NamedTuple):
    """A hit, the text that a reranker reads for it, what reads its vector, and how well its tokens fit."""

    hit: Hit
    passage: RerankPassage
    # None where it has no vector; few of many are read.
    vector: Callable[[], Floats] | None = None
    # None where its tokens were not compared.
    fit: float | None = None


class RerankingPolicy:
    """Whether and how hits are reranked: `default` where a question does not say, for at most `seconds`."""

    def __init__(self, default: Rerank, seconds: float, load: Callable[[str], Reranker]) -> None:
        self.default = default
        self._seconds = seconds
        self._load = load
        # How often it took too long.
        self.fallbacks = 0

    def depth(self, question: Question) -> int:
        """How many candidates will be read for a question; 0 for one that is not reranked."""
        return DEPTH if self._wanted(question) is not Rerank.OFF and understood(question.text) else 0

    def ranked(self, question: Question, candidates: Sequence[RerankCandidate]) -> Recall:
        """All the candidates' hits, the best of them reordered, as far as the time allows."""
        hits = [each.hit for each in candidates]
        head = candidates[: self.depth(question)]
        if len(head) < 2:
            return Recall(tuple(hits))
        reranker = self._load(self._wanted(question).value)
        scores = reranker.score(question.text, [each.passage for each in head], self._seconds)
        notes = self._late(len(scores), len(head))
        # What was read counts; the others keep their order behind it.
        head = head[: len(scores)]
        if len(head) < 2:
            return Recall(tuple(hits), notes)
        if question.explain:
            hits[: len(head)] = map(_explained, hits[: len(head)], scores)
        return Recall((*_reordered(hits[: len(head)], scores), *hits[len(head) :]), notes)

    def _late(self, read: int, wanted: int) -> tuple[str, ...]:
        """A note where not all that should be was read in time."""
        if read == wanted:
            return ()
        self.fallbacks += 1
        done = f"Only the first {read} hits were reranked" if read > 1 else "Not reranked"
        return (f"{done}, because all would have taken longer than {self._seconds:g} s.",)

    def _wanted(self, question: Question) -> Rerank:
        return question.rerank or self.default


def understood(text: str) -> bool:
    """Whether a text may be English, which is all that the rerankers were taught."""
    return comparable(text) and languages.detect(text) in ("en", languages.UNDETERMINED)


def comparable(text: str) -> bool:
    """Whether the ranker can compare the tokens of a text: it was taught a little of the languages in Latin letters."""
    return all(letter < BEYOND_LATIN for letter in text if letter.isalpha())


def _explained(hit: Hit, score: np.float32) -> Hit:
    return replace(hit, channels={**hit.channels, "rerank": float(score)})


def _reordered(hits: Sequence[Hit], scores: Floats) -> list[Hit]:
    """The hits by both scores; they share the range they had, so they stay ahead of whatever was behind them."""
    given = np.array([hit.score for hit in hits], np.float32)
    low, high = float(given.min()), float(given.max())
    # As a share of the best: among few hits, the last of them may be nearly as good as the first.
    mixed = SHARE * _scaled(scores) + (1 - SHARE) * given / np.float32(high)
    # A reranker reads what was true once as gladly as what is true now.
    mixed = _scaled(mixed * np.array([CURRENTNESS[hit.standing] if hit.standing else 1 for hit in hits], np.float32))
    # Ties keep the order they came in.
    order = np.argsort(-mixed, kind="stable")
    return [replace(hits[place], score=low + float(mixed[place]) * (high - low)) for place in order]


def _scaled(scores: Floats) -> Floats:
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)
