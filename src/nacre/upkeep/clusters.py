"""Entries that say the same, or nearly: found by words, and by vectors where there are any."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from uuid import UUID

import numpy as np

from nacre.domain.memories import Memory, Note, Outcome
from nacre.memory import duplicates
from nacre.memory.duplicates import SIMILAR_COSINE, SIMILAR_WORDS, SIMILAR_WORDS_AND_COSINE, Neighbour
from nacre.models.embedders import Matrix
from nacre.text import specifics, tokens
from nacre.upkeep.guards import MAX_SOURCES

Group = tuple[Memory, ...]

_SPACE = re.compile(r"\s+")


def twins(entries: Sequence[Memory]) -> list[Group]:
    """Entries with the very same words, the oldest of each group first."""
    same: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for each in _oldest_first(entries):
        if not duplicates.stands_apart(each.category):
            same[duplicates.top_level(each.category), _SPACE.sub(" ", each.content).strip().casefold()].append(each)
    return [tuple(group) for group in same.values() if len(group) > 1]


def near(entries: Sequence[Memory], directions: Mapping[UUID, Matrix]) -> tuple[list[Group], list[Group]]:
    """Groups of at most three entries of which each is near every other; and groups that rules may join.

    Those say the same, or one adds to the other, and they do not contradict each other.
    """
    cosines = _cosines(entries, directions)
    alike = set(cosines) | _by_words(entries)
    known = {each.id: each for each in entries}
    agreeing = {pair for pair in alike if _agree(*(known[key] for key in sorted(pair)), cosines.get(pair))}
    return _grouped(entries, alike), _grouped(entries, agreeing)


def union(group: Iterable[Memory]) -> str:
    """One text that says what all of a group say, in their own words."""
    first, *rest = _oldest_first(group)
    content = first.content
    for each in rest:
        content = content if _within(each.content, content) else duplicates.extended(content, each.content)
    return content


def _agree(one: Memory, other: Memory, cosine: float | None) -> bool:
    if specifics.lost(one.content, [other.content]) and specifics.lost(other.content, [one.content]):
        return False
    note = Note(text=other.content, category=other.category)
    return duplicates.outcome(note, Neighbour(one, cosine)) is not Outcome.CREATED


def _grouped(entries: Sequence[Memory], alike: Iterable[frozenset[UUID]]) -> list[Group]:
    """Each entry with those that are near all the others of its group: chains of likeness are no group."""
    neighbours: dict[UUID, set[UUID]] = defaultdict(set)
    for one, other in map(tuple, alike):
        neighbours[one].add(other)
        neighbours[other].add(one)
    groups: list[Group] = []
    taken: set[UUID] = set()
    lonely_aside = [each for each in _oldest_first(entries) if each.id in neighbours]
    for each in lonely_aside:
        if each.id in taken:
            continue
        group = [each]
        for other in lonely_aside:
            fits = other.id not in taken and all(other.id in neighbours[member.id] for member in group)
            if fits and len(group) < MAX_SOURCES:
                group.append(other)
        if len(group) > 1:
            taken |= {member.id for member in group}
            groups.append(tuple(group))
    return groups


def _cosines(entries: Sequence[Memory], directions: Mapping[UUID, Matrix]) -> dict[frozenset[UUID], float]:
    placed = [each for each in entries if each.id in directions]
    if len(placed) < 2:
        return {}
    matrix = np.stack([directions[each.id] for each in placed])
    likeness = matrix @ matrix.T
    rows, columns = np.nonzero(np.triu(likeness >= SIMILAR_COSINE, k=1))
    return {
        frozenset((placed[row].id, placed[column].id)): float(likeness[row, column])
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if _same_kind(placed[row], placed[column])
    }


def _by_words(entries: Sequence[Memory]) -> set[frozenset[UUID]]:
    held = {each.id: frozenset(tokens.terms(each.content)) for each in entries}
    return {
        frozenset((one.id, other.id))
        for one, other in combinations(entries, 2)
        if _overlap(held[one.id], held[other.id]) and _same_kind(one, other)
    }


def _overlap(one: frozenset[str], other: frozenset[str]) -> bool:
    alike = len(one & other) / max(len(one | other), 1)
    contained = one <= other or other <= one
    return alike >= (SIMILAR_WORDS_AND_COSINE if contained else SIMILAR_WORDS)


def _same_kind(one: Memory, other: Memory) -> bool:
    same = duplicates.top_level(one.category) == duplicates.top_level(other.category)
    return same and not duplicates.stands_apart(one.category)


def _within(part: str, whole: str) -> bool:
    rest = iter(tokens.words(whole))
    return all(word in rest for word in tokens.words(part))


def _oldest_first(entries: Iterable[Memory]) -> list[Memory]:
    return sorted(entries, key=lambda each: (each.created_at, each.id))
