"""Decoding: facts and entities out of the scores that the reader gives to spans of a window."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nacre.models.reader_windows import LONGEST_SPAN, Window

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

# Spans less likely than this are not looked at.
FLOOR = 0.03
# Two spans that share so much are two guesses at one.
SAME = 0.5
LONGEST_MENTION = 10
_UNLIKELY = 1e-4


@dataclass(frozen=True, slots=True)
class SpanScores:
    """What the heads say of some spans: chances, one row a span. `subject` and `time` are over the tokens, for the
    first and the last of them; a time that starts at token 0 is none."""

    predicate: Floats
    mode: Floats
    kind: Floats
    subject: tuple[Floats, Floats]
    time: tuple[Floats, Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanFact:
    """A fact in token places, with what the confidence is made of."""

    first: int
    last: int
    predicate: int
    mode: int
    kind: int
    mention: tuple[int, int] | None
    time: tuple[int, int] | None
    features: tuple[float, ...]
    predicate_chance: float


@dataclass(frozen=True, slots=True)
class SpanEntity:
    """An entity in token places."""

    first: int
    last: int
    kind: int
    features: tuple[float, ...]


def candidates(window: Window) -> Bools:
    """Which spans can be an object: whole words of one sentence of a turn that is to be read."""
    size = len(window)
    places = np.arange(size)
    apart = places[None, :] - places[:, None]
    near = (apart >= 0) & (apart < LONGEST_SPAN)
    together = (window.turns[:, None] == window.turns) & (window.sentences[:, None] == window.sentences)
    allowed: Bools = near & together & (window.targets() & window.first)[:, None] & window.last
    return allowed


def facts(
    window: Window, chances: Floats, classify: Callable[[Sequence[tuple[int, int]]], SpanScores]
) -> list[SpanFact]:
    """The facts of a window. `chances` are those of every span to be an object; `classify` is asked for the best."""
    groups = _groups(chances)
    if not groups:
        return []
    spans = [span for span, _ in groups]
    scores = classify(spans)
    return [
        _fact(window, span, (mass, float(chances[span])), _row(scores, row)) for row, (span, mass) in enumerate(groups)
    ]


def entities(chances: Floats, classify: Callable[[Sequence[tuple[int, int]]], Floats]) -> list[SpanEntity]:
    """The entities of a window; `classify` gives the chances of each type."""
    groups = _groups(chances)
    if not groups:
        return []
    kinds = classify([span for span, _ in groups])
    found = []
    for (span, mass), row in zip(groups, kinds, strict=True):
        features = log_odds(min(1.0, mass)), float(np.log(row.max()))
        found.append(SpanEntity(*span, int(row.argmax()), features))
    return found


def _groups(chances: Floats) -> list[tuple[tuple[int, int], float]]:
    """The best spans with the chances of all guesses at the same thing added up.

    Where an object begins and ends is a matter of taste, so that the model's belief in one is often spread over
    several spans. Apart they all look unlikely.
    """
    starts, ends = np.nonzero(chances > FLOOR)
    if not len(starts):
        return []
    values = chances[starts, ends]
    order = np.argsort(-values, kind="stable")
    starts, ends, values = starts[order], ends[order], values[order]
    free = np.ones(len(starts), np.bool_)
    found = []
    for place in range(len(starts)):
        if not free[place]:
            continue
        start, end = starts[place], ends[place]
        common = np.clip(np.minimum(end, ends) - np.maximum(start, starts) + 1, 0, None)
        alike = 2 * common / (end - start + ends - starts + 2)
        crossing = (common > 0) & ~_nested(start, end, starts, ends)
        same = free & ((alike >= SAME) | crossing)
        found.append(((int(start), int(end)), float(values[same].sum())))
        free &= ~same
    return found


def _nested(start: int, end: int, starts: Ints, ends: Ints) -> Bools:
    inside: Bools = ((starts >= start) & (ends <= end)) | ((starts <= start) & (ends >= end))
    return inside


def _row(scores: SpanScores, row: int) -> SpanScores:
    return SpanScores(
        scores.predicate[row],
        scores.mode[row],
        scores.kind[row],
        (scores.subject[0][row], scores.subject[1][row]),
        (scores.time[0][row], scores.time[1][row]),
    )


def _fact(window: Window, span: tuple[int, int], chances: tuple[float, float], scores: SpanScores) -> SpanFact:
    """The fact of a span; `chances` are those of all guesses at it together, and of the best."""
    kind, predicate = int(scores.kind.argmax()), int(scores.predicate.argmax())
    turn = window.turns[span[0]]
    mention = None
    if kind == len(scores.kind) - 1:
        earlier = (window.turns >= 0) & (window.turns <= turn)
        mention, _ = _pointed(window, scores.subject[0] * earlier, scores.subject[1] * earlier)
    here = window.turns == turn
    time, sure = _pointed(window, scores.time[0] * here, scores.time[1] * here)
    if sure < float(scores.time[0][0] * scores.time[1][0]):
        time = None
    return SpanFact(
        first=span[0],
        last=span[1],
        predicate=predicate,
        mode=int(scores.mode.argmax()),
        kind=kind,
        mention=mention,
        time=time,
        features=(
            log_odds(min(chances[0], 1.0)),
            log_odds(chances[1]),
            float(np.log(scores.kind[kind])),
            float(np.log(scores.predicate[predicate])),
        ),
        predicate_chance=float(scores.predicate[predicate]),
    )


def _pointed(window: Window, first: Floats, last: Floats) -> tuple[tuple[int, int] | None, float]:
    """The likeliest words by the chances of their first and last tokens."""
    starts = np.flatnonzero((first > _UNLIKELY) & window.first)[:, None]
    ends = np.flatnonzero((last > _UNLIKELY) & window.last)
    if not len(starts) or not len(ends):
        return None, 0.0
    near = (ends >= starts) & (ends - starts <= LONGEST_MENTION) & (window.turns[starts] == window.turns[ends])
    chances = first[starts] * last[ends] * near
    place = np.unravel_index(int(chances.argmax()), chances.shape)
    best = float(chances[place])
    return ((int(starts[place[0], 0]), int(ends[place[1]])), best) if best > 0 else (None, 0.0)


def log_odds(chance: float) -> float:
    """Log odds of a chance that is neither nothing nor sure."""
    kept = min(max(chance, 1e-4), 1 - 1e-4)
    return float(np.log(kept / (1 - kept)))
