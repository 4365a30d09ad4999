"""Scores: how many labelled facts are found, at what precision, and how far a confidence can be trusted."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

# Objects with so much in common are the same.
ALIKE = 0.5
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class PlacedFact:
    """A fact as it is compared: the turn it is from, whom it is about, and its object with its first character."""

    turn: tuple[str, int]
    subject: str
    object: str
    start: int
    predicate: str
    mode: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fact that was found, with the labelled one that it matches."""

    fact: PlacedFact
    match: PlacedFact | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Shares of 1, with the counts they come from."""

    found: int
    matched: int
    labelled: int
    predicate: int
    mode: int

    @property
    def precision(self) -> float:
        return self.matched / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.matched / self.labelled if self.labelled else 0.0

    @property
    def predicate_right(self) -> float:
        return self.predicate / self.matched if self.matched else 0.0

    @property
    def mode_right(self) -> float:
        return self.mode / self.matched if self.matched else 0.0


def alike(first: PlacedFact, second: PlacedFact) -> float:
    """Token F1 of two objects; 0 where they do not overlap or are said of another."""
    apart = first.start >= second.start + len(second.object) or second.start >= first.start + len(first.object)
    if apart or first.subject != second.subject:
        return 0.0
    mine, theirs = (Counter(_WORD.findall(fact.object.lower())) for fact in (first, second))
    return 2 * (mine & theirs).total() / max(1, mine.total() + theirs.total())


def verdicts(found: Iterable[PlacedFact], labelled: Iterable[PlacedFact]) -> list[Verdict]:
    """Each found fact, the surest first, with the labelled fact it is most like; none is matched twice."""
    open_labels: dict[tuple[str, int], list[PlacedFact]] = defaultdict(list)
    for label in labelled:
        open_labels[label.turn].append(label)
    judged = []
    for fact in sorted(found, key=lambda each: -each.confidence):
        there = open_labels[fact.turn]
        best = max(there, key=lambda label: (alike(fact, label), label.predicate == fact.predicate), default=None)
        match = best if best and alike(fact, best) >= ALIKE else None
        if match:
            there.remove(match)
        judged.append(Verdict(fact, match))
    return judged


def figures(judged: Sequence[Verdict], labelled: int) -> Figures:
    """Counts over verdicts, of all or of the surest."""
    matched = [(each.fact, each.match) for each in judged if each.match]
    return Figures(
        found=len(judged),
        matched=len(matched),
        labelled=labelled,
        predicate=sum(fact.predicate == match.predicate for fact, match in matched),
        mode=sum(fact.mode == match.mode for fact, match in matched),
    )


def at_threshold(judged: Sequence[Verdict], labelled: int, threshold: float) -> Figures:
    """Figures of the facts at least this sure. One that goes frees no label for another, which is a little strict."""
    return figures([each for each in judged if each.fact.confidence >= threshold], labelled)


def recall_at(judged: Sequence[Verdict], labelled: int, precision: float) -> float:
    """The most that is found at this precision or better, over all thresholds."""
    best = right = 0
    for place, each in enumerate(judged, 1):
        right += each.match is not None
        if right / place >= precision:
            best = right
    return best / labelled if labelled else 0.0


def reliability(judged: Sequence[Verdict], edges: Sequence[float]) -> list[tuple[float, float, int, float, float]]:
    """For each band of confidence its bounds, how many facts, their mean confidence and the share that is right."""
    rows = []
    for low, high in pairwise(edges):
        some = [each for each in judged if low <= each.fact.confidence < high]
        if some:
            sure = sum(each.fact.confidence for each in some) / len(some)
            rows.append((low, high, len(some), sure, sum(each.match is not None for each in some) / len(some)))
    return rows
