"""Fusion: many scores become one order."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from nacre.domain.hits import HitStanding
from nacre.recall.bm25 import Floats, Places
from nacre.recall.index import View

# How much each channel's 0-1 scaled score counts. Chosen on development splits; see docs/recall.md.
WEIGHTS = {"lexical": 1.0, "window": 1.0, "talk": 1.0, "session": 0.8, "vector": 0.7}
# What is added to the mean of a passage that has something of the question's words or meaning.
BONUSES = {"speaker": 0.3, "time": 0.5, "entity": 0.1, "hop": 0.15, "about": 0.35, "graph": 0.2}
# The graph knows answers that share no word with their question.
ALONE = frozenset({"graph"})
# What the agent said itself is evidence of less: the user's words outrank it.
AGENT = 0.7
# What a passage's score is times, by whether what the graph learned from it still holds.
CURRENTNESS = {HitStanding.CURRENT: 1.03, HitStanding.MIXED: 0.95, HitStanding.SUPERSEDED: 0.65}


def fuse(
    view: View,
    channels: Mapping[str, Floats],
    eligible: npt.NDArray[np.bool_],
    mean: Floats | None = None,
    docs: Places | None = None,
) -> Floats:
    """One score per passage: the mean of its words and meaning, and what speaks for it beside.

    Passages that are not eligible, or that no channel knows, score 0, and so do all but `docs`, where they are given.
    `mean` is that of these channels, where it was worked out before.
    """
    fused = average(view, channels, eligible) if mean is None else mean.copy()
    if docs is None:
        _finish(fused, channels, eligible, view.by_agent)
        return fused
    chosen = fused[docs]
    _finish(chosen, channels, eligible[docs], view.by_agent[docs], docs)
    fused[:] = 0
    fused[docs] = chosen
    return fused


def average(view: View, channels: Mapping[str, Floats], eligible: npt.NDArray[np.bool_]) -> Floats:
    """The weighted mean of the 0-1 scaled scores for words and meaning.

    Scaled means beat reciprocal ranks here whenever one channel is much weaker than another, which is the usual
    case: see the benchmark page. A channel that found nothing at all takes no part in the mean; one that missed a
    passage adds nothing to it.
    """
    nearest = top(channels["vector"], eligible)
    fused, share = average_words(view, channels, eligible, beside_meaning=nearest > 0)
    if nearest > 0:
        fused += np.float32(share / nearest) * channels["vector"]
    return fused


def average_words(
    view: View, channels: Mapping[str, Floats], eligible: npt.NDArray[np.bool_], *, beside_meaning: bool
) -> tuple[Floats, float]:
    """What words add to the mean, and the share that meaning has in it where it takes part."""
    tops = {name: top(channels[name], eligible) for name in WEIGHTS if name in channels and name != "vector"}
    taking_part = {name: weight for name, weight in WEIGHTS.items() if tops.get(name, 0) > 0}
    total = sum(taking_part.values()) + (WEIGHTS["vector"] if beside_meaning else 0)
    fused = np.zeros(len(view), np.float32)
    for name, weight in taking_part.items():
        factor = np.float32(weight / total / tops[name])
        fused += factor * channels[name]
        if name == "session":
            # A passage without a session is a session of its own.
            lexical = factor * tops[name] / max(tops["lexical"], 1e-9)
            fused[view.sessionless] += lexical * channels["lexical"][view.sessionless]
    return fused, WEIGHTS["vector"] / (total or 1)


def _finish(
    fused: Floats,
    channels: Mapping[str, Floats],
    eligible: npt.NDArray[np.bool_],
    by_agent: Floats,
    docs: Places | None = None,
) -> None:
    """Make scores of the means of passages, of all or of `docs`."""
    possible = _add_bonuses(fused, channels, docs)
    fused *= np.float32(1 / possible) - np.float32((1 - AGENT) / possible) * by_agent
    if not eligible.all():
        fused[~eligible] = 0


def _add_bonuses(fused: Floats, channels: Mapping[str, Floats], docs: Places | None) -> float:
    """Add what speaks for a passage beside its words and meaning; the most that a passage can have now."""
    possible = 1.0
    anchored = fused > 0
    for name, bonus in BONUSES.items():
        if name in channels and channels[name].any():
            scores = channels[name] if docs is None else channels[name][docs]
            # The rest is zeros mostly, so this is cheap.
            given = scores if name in ALONE else scores * anchored
            fused += np.float32(bonus) * given
            possible += bonus
    return possible


def hybrid(lexical: Floats, vector: Floats) -> Floats:
    """Words and meaning for long-term memory: the mean of both 0-1 scaled scores.

    Where one of them found nothing at all, the other stands alone.
    """
    found = [scores / scores.max() for scores in (lexical, vector) if scores.any()]
    return np.asarray(sum(found) / np.float32(len(found)), np.float32) if found else lexical


def top(scores: Floats, eligible: npt.NDArray[np.bool_]) -> float:
    """The highest score of those that are eligible, and at least 0."""
    # Looking at the eligible ones alone takes several times as long.
    return float((scores if eligible.all() else scores * eligible).max(initial=0))


def best(scores: Floats, limit: int) -> npt.NDArray[np.int64]:
    """The places of the highest scores above 0, best first; ties go to the earlier passage."""
    highest = scores.max(initial=0)
    places = np.zeros(0, np.int64)
    # Few passages score near the top, so this mostly ends early.
    for share in (0.75, 0.5, 0.25, 0.0):
        places = np.flatnonzero(scores > share * highest)
        if len(places) >= limit:
            break
    if 0 < limit < len(places):
        # Only the best are left to sort, and those that are as good as the last of them.
        least = np.partition(scores[places], -limit)[-limit]
        places = places[scores[places] >= least]
    return places[np.lexsort((places, -scores[places]))][:limit]
