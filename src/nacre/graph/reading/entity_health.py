"""Health of entities: how well what is offered about each serves."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from statistics import fmean
from uuid import UUID

from nacre.domain.ids import EntityId
from nacre.domain.offers import EntityHealth, Trend
from nacre.store.base.databases import Transaction
from nacre.store.evidence import offers
from nacre.store.evidence.offers import Comparison

MIN_COMPARISONS = 3
TREND = 0.1


def health(tx: Transaction, since: datetime | None, min_comparisons: int, limit: int) -> list[EntityHealth]:
    """Entities that were offered in enough sessions, those in the most first."""
    by_entity: dict[UUID, list[Comparison]] = defaultdict(list)
    for each in offers.comparisons(tx, since):
        by_entity[each.entity].append(each)
    enough = [_judged(each) for each in by_entity.values() if len(each) >= min_comparisons]
    return sorted(enough, key=lambda each: (-each.comparison_count, each.entity_name, each.entity_id))[:limit]


def _judged(sessions: Sequence[Comparison]) -> EntityHealth:
    margins = [
        each.score_used - each.score_unused
        for each in sessions
        if each.score_used is not None and each.score_unused is not None
    ]
    return EntityHealth(
        entity_id=EntityId(sessions[0].entity),
        entity_name=sessions[0].name,
        comparison_count=len(sessions),
        win_rate=_win_rate(sessions),
        avg_margin=fmean(margins) if margins else 0.0,
        trend=_trend(sessions),
    )


def _win_rate(sessions: Sequence[Comparison]) -> float:
    return fmean(each.used > 0 for each in sessions)


def _trend(sessions: Sequence[Comparison]) -> Trend:
    """Whether the later half of the sessions won more often than the earlier half."""
    middle = len(sessions) // 2
    if not middle:
        return Trend.STABLE
    change = _win_rate(sessions[middle:]) - _win_rate(sessions[:middle])
    if abs(change) <= TREND:
        return Trend.STABLE
    return Trend.IMPROVING if change > 0 else Trend.DECLINING
