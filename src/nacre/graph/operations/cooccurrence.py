"""Entities that sessions speak of together are related, if they are so more often than by chance."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log
from uuid import UUID

from nacre.domain.links import RELATED_TO
from nacre.domain.operations import UpsertLink
from nacre.store.base.databases import Transaction
from nacre.store.graph import cooccurrences

MIN_NPMI = 0.15
MIN_SHARED = 3
MAX_LINKS = 20
# A pattern is half a reason to believe something.
CONFIDENCE = 0.5
MIN_STRENGTH = 0.3
MAX_SESSIONS = 500
MAX_ENTITIES_A_SESSION = 50
_MAX_ROWS = 20_000
_CANDIDATES = 200

Pair = tuple[UUID, UUID]


def links(tx: Transaction) -> list[UpsertLink]:
    """Links for the pairs that belong together most, unless they are linked or somebody once took such a link away."""
    sessions = cooccurrences.last_sessions(tx, MAX_SESSIONS)
    spoken = _by_session(cooccurrences.session_entities(tx, sessions, _MAX_ROWS))
    alone = Counter(entity for entities in spoken.values() for entity in entities)
    shared = Counter(pair for entities in spoken.values() for pair in combinations(sorted(entities), 2))
    scored = {
        pair: npmi(count, alone[pair[0]], alone[pair[1]], len(sessions))
        for pair, count in shared.items()
        if count >= MIN_SHARED
    }
    passing = sorted((pair for pair in scored if scored[pair] >= MIN_NPMI), key=lambda pair: (-scored[pair], pair))
    known = cooccurrences.ever_linked(tx, {end for pair in passing[:_CANDIDATES] for end in pair})
    new = [pair for pair in passing[:_CANDIDATES] if frozenset(pair) not in known][:MAX_LINKS]
    return [_link(pair, scored[pair], shared[pair], len(sessions)) for pair in new]


def npmi(together: int, one: int, other: int, sessions: int) -> float:
    """How much more often two things come together than by chance, from -1 to 1; 0 where they are always there."""
    both = together / sessions
    if both >= 1:
        return 0.0
    return log(both * sessions * sessions / (one * other)) / -log(both)


def _by_session(rows: Iterable[tuple[str, UUID]]) -> Mapping[str, Sequence[UUID]]:
    spoken: dict[str, list[UUID]] = defaultdict(list)
    for session, entity in rows:
        if len(spoken[session]) < MAX_ENTITIES_A_SESSION:
            spoken[session].append(entity)
    return spoken


def _link(pair: Pair, score: float, shared: int, sessions: int) -> UpsertLink:
    return UpsertLink(
        source=pair[0],
        predicate=RELATED_TO,
        target=pair[1],
        confidence=CONFIDENCE,
        strength=round(min(max(score, MIN_STRENGTH), 1.0), 3),
        reason=f"Spoken of together in {shared} of {sessions} sessions (NPMI {score:.2f}).",
    )
