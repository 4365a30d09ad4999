"""Scores of one ranking against the ids that answer the question; each is between 0 and 1.

`R@k` is the fraction of the evidence among the first k, `hit@k` and `any@k` say whether one piece is there,
`all@k` whether every piece is, `MRR` is one over the place of the first, `NDCG@k` discounts by place.
"""

import math
import random
from collections.abc import Callable, Collection, Iterable, Sequence

Ranking = Sequence[str | None]
# Draws behind an interval.
DRAWS = 2_000


def recall_at(ranking: Ranking, evidence: Collection[str], k: int) -> float:
    return len(set(ranking[:k]) & set(evidence)) / len(evidence)


def hit_at(ranking: Ranking, evidence: Collection[str], k: int) -> float:
    return float(any(item in evidence for item in ranking[:k]))


def all_at(ranking: Ranking, evidence: Collection[str], k: int) -> float:
    return float(set(evidence) <= set(ranking[:k]))


def reciprocal_rank(ranking: Ranking, evidence: Collection[str]) -> float:
    return next((1 / place for place, item in enumerate(ranking, start=1) if item in evidence), 0.0)


def ndcg_at(ranking: Ranking, evidence: Collection[str], k: int) -> float:
    """A second appearance of the same piece of evidence gains nothing."""
    found = first_appearances(ranking[:k])
    gain = sum(_discount(place) for item, place in found.items() if item in evidence)
    return gain / sum(_discount(place) for place in range(1, min(len(evidence), k) + 1))


def first_appearances(ranking: Ranking) -> dict[str, int]:
    """Every item with the place (from 1) where it first stands, best first."""
    places: dict[str, int] = {}
    for place, item in enumerate(ranking, start=1):
        if item is not None:
            places.setdefault(item, place)
    return places


def score(name: str, ranking: Ranking, evidence: Collection[str]) -> float:
    """The metric with this name, such as `R@10` or `MRR`."""
    if name == "MRR":
        return reciprocal_rank(ranking, evidence)
    family, _, k = name.partition("@")
    return _AT[family](ranking, evidence, int(k))


def mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def percentile(values: Iterable[float], percent: float) -> float:
    """The smallest value that at least `percent` of all values do not exceed."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def interval(values: Sequence[float], seed: str) -> tuple[float, float]:
    """What 95 % of the means of draws with replacement lie between."""
    draw = random.Random(seed)
    means = sorted(mean(draw.choices(values, k=len(values))) for _ in range(DRAWS))
    return means[DRAWS // 40], means[-DRAWS // 40 - 1]


def _discount(place: int) -> float:
    return 1 / math.log2(place + 1)


_AT: dict[str, Callable[[Ranking, Collection[str], int], float]] = {
    "R": recall_at,
    "hit": hit_at,
    "any": hit_at,
    "all": all_at,
    "NDCG": ndcg_at,
}
