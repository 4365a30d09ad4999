"""Succession: of two hits that say nearly the same thing, the later one comes first.

What people say of a thing later is mostly what holds now. Only the first few hits change places among themselves, so
what is found among them stays found; further down the order is by relevance alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from nacre.domain.hits import Hit
from nacre.domain.turns import Role
from nacre.recall.bm25 import Floats

# So many of the first hits may change places.
DEPTH = 5
# A later hit must have this share of the earlier one's score.
SHARE = 0.8
# How near two passages must be to speak of the same: this far from the embedder's threshold to the same text.
ALIKE = 0.39


def newest_first(hits: Sequence[Hit], vectors: Mapping[UUID, Floats], threshold: float) -> tuple[Hit, ...]:
    """Hits with each of the first few behind the latest that speaks of the same and scores nearly as much.

    Scores stay with places. What an agent said itself succeeds nothing, and neither does a turn of the same session:
    there the order of talk is the order of thought.
    """
    order = list(hits[:DEPTH])
    near = threshold + ALIKE * (1 - threshold)
    for place in range(len(order)):
        followers = [later for later in order[place + 1 :] if _succeeds(later, order[place], vectors, near)]
        if followers:
            newest = max(followers, key=lambda hit: (hit.at, hit.id))
            order.remove(newest)
            order.insert(place, newest)
    scored = (replace(hit, score=held.score) for hit, held in zip(order, hits, strict=False))
    return (*scored, *hits[DEPTH:])


def _succeeds(later: Hit, earlier: Hit, vectors: Mapping[UUID, Floats], near: float) -> bool:
    if later.at <= earlier.at or later.score < SHARE * earlier.score:
        return False
    if Role.ASSISTANT in (later.source.role, earlier.source.role):
        return False
    if later.source.session is not None and later.source.session == earlier.source.session:
        return False
    one, other = vectors.get(later.id), vectors.get(earlier.id)
    return one is not None and other is not None and float(one @ other) >= near
