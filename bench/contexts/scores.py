"""Scores: whether they tell what is known from what is not, and whether they are the probabilities they say."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from bench.metrics import mean
from bench.questions import Question
from nacre import Hit

BINS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4)

Json = dict[str, Any]


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """The probability that a positive scores above a negative, ties counting half; None where one side is empty."""
    if not positives or not negatives:
        return None
    ordered = sorted(negatives)
    below = (bisect_left(ordered, score) + bisect_right(ordered, score) for score in positives)
    return mean(below) / (2 * len(ordered))


def separation(positives: Sequence[float], negatives: Sequence[float]) -> Json:
    """How well scores tell two kinds of questions apart."""
    area = auroc(positives, negatives)
    return {"questions": len(negatives), "auroc": None if area is None else round(area, 4)}


@dataclass(frozen=True, slots=True)
class Reliability:
    """Hits by their score: how many of those that claim a probability are evidence."""

    scores: list[list[float]] = field(default_factory=lambda: [[] for _ in BINS])
    evidence: list[int] = field(default_factory=lambda: [0 for _ in BINS])

    def add(self, hits: Iterable[Hit], question: Question) -> None:
        """Count the hits of a question, without those that are neither right nor wrong."""
        for hit in hits:
            if hit.source.session not in question.ignored:
                self.add_score(hit.score, is_evidence=hit.source.ref in question.evidence)

    def add_score(self, score: float, *, is_evidence: bool) -> None:
        """Count one hit."""
        place = bisect_right(BINS, score) - 1
        self.scores[place].append(score)
        self.evidence[place] += is_evidence

    def figures(self) -> Json:
        """How many hits each range of scores has, their mean score, and the share of them that is evidence."""
        return {
            name: {
                "hits": len(scores),
                "score": round(mean(scores), 4) if scores else None,
                "evidence": round(count / len(scores), 4) if scores else None,
            }
            for name, scores, count in zip(bin_names(), self.scores, self.evidence, strict=True)
        }


def bin_names() -> list[str]:
    """The ranges of scores as they are written."""
    return [*(f"{low:g}–{high:g}" for low, high in pairwise(BINS)), f"{BINS[-1]:g} and more"]
