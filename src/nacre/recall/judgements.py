"""Judgements of ranked hits: the probability that each bears on the question, and doubt about what may be replaced."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from nacre.domain.hits import Hit, Recall
from nacre.recall import relevance

NOTHING_RELEVANT = "Nothing that is known bears on this with a score of {least:g} or more."


def with_relevance(hits: Sequence[Hit], related: float) -> tuple[Hit, ...]:
    """Hits in their order, each with the probability that it bears on a question that is so likely related."""
    best = hits[0].score if hits and hits[0].score > 0 else 1.0
    return tuple(
        hit.scored(round(related * relevance.placement(hit.score / best, place), 4)) for place, hit in enumerate(hits)
    )


def relevant(recalled: Recall, least: float) -> Recall:
    """The hits that are relevant enough; where none is, a note says so."""
    hits = tuple(hit for hit in recalled if hit.score >= least)
    notes = recalled.notes if hits else (*recalled.notes, NOTHING_RELEVANT.format(least=least))
    return replace(recalled, hits=hits, notes=notes)


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
