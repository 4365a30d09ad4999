"""Entries that say the same, or nearly: found by words, and by vectors where there are any."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from uuid import UUID

import numpy as np

from nacre.domain.memories import Memory, Note, Outcome
from nacre.memory import duplicates
from nacre.memory.duplicates import SIMILAR_COSINE, SIMILAR_WORDS, SIMILAR_WORDS_AND_COSINE, Neighbour
from nacre.models.embedders import unpack
from nacre.text import details, tokens
from nacre.upkeep.guards import MAX_SOURCES

Group = tuple[Memory, ...]
# The places of two entries, the older first.
Pair = tuple[int, int]

# How many entries each is compared with in full.
_PARTNERS = 10

_SPACE = re.compile(r"\s+")


def twins(entries: Sequence[Memory]) -> list[Group]:
    """Entries with the very same words, the oldest of each group first."""
    same: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for each in _oldest_first(entries):
        if not duplicates.stands_apart(each.category):
            same[duplicates.top_level(each.category), _SPACE.sub(" ", each.content).strip().casefold()].append(each)
    return [tuple(group) for group in same.values() if len(group) > 1]


def near(entries: Sequence[Memory], vectors: Mapping[UUID, bytes]) -> tuple[list[Group], list[Group]]:
    """Groups of at most three entries of which each is near every other; and groups that rules may join.

    Those say the same, or one adds to the other, and they do not contradict each other.
    """
    ordered = [each for each in _oldest_first(entries) if not duplicates.stands_apart(each.category)]
    cosines = _cosines(ordered, vectors)
    overlaps = _overlaps(ordered)
    alike = {pair for pair, (share, contained) in overlaps.items() if contained or share >= SIMILAR_WORDS}
    agreeing = {
        (one, other)
        for one, other in _nearest(overlaps)
        if _agree(ordered[one], ordered[other], cosines.get((one, other)))
    }
    return _grouped(ordered, alike | cosines.keys()), _grouped(ordered, agreeing)


def union(group: Iterable[Memory]) -> str:
    """One text that says what all of a group say, in their own words."""
    first, *rest = _oldest_first(group)
    content = first.content
    for each in rest:
        content = content if _within(each.content, content) else duplicates.extended(content, each.content)
    return content


def _agree(one: Memory, other: Memory, cosine: float | None) -> bool:
    if details.lost(one.content, [other.content]) and details.lost(other.content, [one.content]):
        return False
    note = Note(text=other.content, category=other.category)
    return duplicates.outcome(note, Neighbour(one, cosine)) is not Outcome.CREATED


def _grouped(ordered: Sequence[Memory], alike: Iterable[Pair]) -> list[Group]:
    """Each entry with those that are near all the others of its group: chains of likeness are no group."""
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, other in alike:
        neighbours[one].add(other)
        neighbours[other].add(one)
    groups: list[Group] = []
    taken: set[int] = set()
    for first in sorted(neighbours):
        group = [first]
        for other in sorted(neighbours[first] - taken) if first not in taken else ():
            if len(group) < MAX_SOURCES and all(other in neighbours[member] for member in group):
                group.append(other)
        if len(group) > 1:
            taken.update(group)
            groups.append(tuple(ordered[place] for place in group))
    return groups


def _cosines(ordered: Sequence[Memory], vectors: Mapping[UUID, bytes]) -> dict[Pair, float]:
    placed = [place for place, each in enumerate(ordered) if each.id in vectors]
    if len(placed) < 2:
        return {}
    matrix = unpack([vectors[ordered[place].id] for place in placed])
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix /= np.where(norms > 0, norms, 1)
    likeness = matrix @ matrix.T
    rows, columns = np.nonzero(np.triu(likeness >= SIMILAR_COSINE, k=1))
    return {
        (placed[row], placed[column]): float(likeness[row, column])
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if _same_kind(ordered[placed[row]], ordered[placed[column]])
    }


def _overlaps(ordered: Sequence[Memory]) -> dict[Pair, tuple[float, bool]]:
    """Pairs with enough words in common: how large a part of them, and whether one has all of the other's."""
    held = [frozenset(tokens.terms(each.content)) for each in ordered]
    overlaps: dict[Pair, tuple[float, bool]] = {}
    for one, other in combinations(range(len(ordered)), 2):
        shared = len(held[one] & held[other])
        share = shared / max(len(held[one]) + len(held[other]) - shared, 1)
        if share >= SIMILAR_WORDS_AND_COSINE and _same_kind(ordered[one], ordered[other]):
            overlaps[one, other] = share, shared == min(len(held[one]), len(held[other]))
    return overlaps


def _nearest(overlaps: Mapping[Pair, tuple[float, bool]]) -> list[Pair]:
    """Of each entry the pairs with the most words in common: a thousand notes from one form are all somewhat alike."""
    met: Counter[int] = Counter()
    kept = []
    for pair in sorted(overlaps, key=lambda pair: (-overlaps[pair][0], pair)):
        if all(met[place] < _PARTNERS for place in pair):
            met.update(pair)
            kept.append(pair)
    return kept


def _same_kind(one: Memory, other: Memory) -> bool:
    return duplicates.top_level(one.category) == duplicates.top_level(other.category)


def _within(part: str, whole: str) -> bool:
    rest = iter(tokens.words(whole))
    return all(word in rest for word in tokens.words(part))


def _oldest_first(entries: Iterable[Memory]) -> list[Memory]:
    return sorted(entries, key=lambda each: (each.created_at, each.id))
