"""Contradictions: amounts and days that something said later names otherwise than a belief does."""

from collections.abc import Sequence

from nacre.domain.beliefs import Belief
from nacre.domain.hits import Hit
from nacre.text.measures import Measure, Quantity, differ
from nacre.text.quantities import find_quantities
from nacre.text.tokens import content_words

_AMOUNTS = frozenset({Measure.MONEY, Measure.NUMBER})
# Words that say of what kind a belief is, and not of what it is.
_OF_ANY = frozenset(
    (
        "cost",
        "costs",
        "price",
        "prices",
        "calendar",
        "schedule",
        "date",
        "habits",
        "status",
        "day",
        "week",
        "month",
        "year",
    )
)


def is_contradicted(belief: Belief, hits: Sequence[Hit]) -> bool:
    """Whether one of some hits is later, speaks of the same, and names another amount or day for it.

    Then the words themselves tell more than the belief, which was learned from the older ones alone.
    """
    said_at = belief.said_at
    named = find_quantities(belief.value, said_at)[:1] if said_at else []
    if said_at is None or not named:
        return False
    values = set(content_words(belief.value))
    topic = {word for word in content_words(belief.statement) if not word.isdecimal()} - values - _OF_ANY
    later = [hit for hit in hits if hit.at > said_at and hit.id not in belief.items]
    return any(
        not topic.isdisjoint(content_words(hit.text)) and _differs(named[0], find_quantities(hit.text, hit.at))
        for hit in later
    )


def _differs(quantity: Quantity, others: Sequence[Quantity]) -> bool:
    """Whether others are told of the same kind, and none of them is the same."""
    alike = [each for each in others if _is_alike(quantity, each)]
    return bool(alike) and all(differ(quantity, each) for each in alike)


def _is_alike(one: Quantity, other: Quantity) -> bool:
    if one.measure in _AMOUNTS and other.measure in _AMOUNTS:
        # Five chairs are no price; "480", "450/day" and "260 a month" may be.
        return one.unit == other.unit or other.measure is Measure.MONEY or not other.unit or "/" in other.unit
    return one.measure is other.measure
