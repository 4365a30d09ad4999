"""Memories that a newer one may replace: until somebody decides, they come after it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from nacre.domain.hits import Hit

# What an older memory's score is of the newer one's.
BEHIND = 0.97
# The newer one speaks of the same, so it is among so many, however few are wanted.
AMONG = 10


def settle_scores(scores: Mapping[UUID, float], pairs: Iterable[tuple[UUID, UUID]]) -> dict[UUID, float]:
    """The scores of items; of a newer one and an older one that it may replace, the newer has the better of both."""
    found = dict(scores)
    for newer, older in pairs:
        if newer in found and older in found:
            found[newer] = max(found[newer], found[older])
            found[older] = min(found[older], BEHIND * found[newer])
    return found


def reorder_hits(hits: Sequence[Hit], pairs: Sequence[tuple[UUID, UUID]]) -> list[Hit]:
    """Hits, best first, by their settled scores."""
    if not pairs:
        return list(hits)
    scores = settle_scores({hit.id: hit.score for hit in hits}, pairs)
    return sorted((replace(hit, score=scores[hit.id]) for hit in hits), key=lambda hit: -hit.score)
