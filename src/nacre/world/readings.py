"""Readings of subjects: looked back on, summed up as trends, and removed."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from nacre.domain.errors import Invalid, NotFound
from nacre.domain.world import FLAT, Direction, ObservedValue, ValueTrend, moved
from nacre.store.base.databases import Transaction
from nacre.store.work import alerts, observations
from nacre.store.work.observations import ObservationFilter
from nacre.world import subjects

_DAY = timedelta(days=1)
# A reading every minute for half a year.
MAX_READINGS = 250_000


def newest(
    tx: Transaction,
    graph: Transaction | None,
    subject: str,
    *,
    source: str | None,
    since: datetime | None,
    until: datetime | None,
    limit: int,
) -> list[ObservedValue]:
    """What was read of a subject, the last first."""
    keys = subjects.named(graph, subject)[1]
    return observations.newest(tx, ObservationFilter(keys=keys, source=source, since=since, until=until), limit)


def trend_of(
    tx: Transaction, graph: Transaction | None, subject: str, window: timedelta, source: str | None
) -> ValueTrend:
    """How a subject moved within a window that ends now; where several sources tell, by the one that told last."""
    since = _before(tx.now, window)
    last = next(iter(newest(tx, graph, subject, source=source, since=since, until=tx.now, limit=1)), None)
    if last is None:
        raise NotFound("reading in that window of", subject)
    keys = subjects.named(graph, subject)[1]
    told = ObservationFilter(keys=keys, source=last.source, unit=last.unit, since=since, until=tx.now)
    return trend(observations.newest(tx, told, MAX_READINGS)[::-1])


def remove(tx: Transaction, graph: Transaction | None, subject: str | None, before: datetime, *, dry_run: bool) -> int:
    """Remove readings and alerts from before a moment, of one subject or all; how many readings that were."""
    keys = None if subject is None else subjects.named(graph, subject)[1]
    if dry_run:
        return observations.count(tx, before, keys)
    alerts.remove(tx, before, keys)
    return observations.remove(tx, before, keys)


def _before(now: datetime, window: timedelta) -> datetime:
    try:
        return now - window
    except OverflowError as error:
        raise Invalid("window", "reaches further back than there is time") from error


def trend(readings: Sequence[ObservedValue]) -> ValueTrend:
    """What readings of one subject, source and unit come to; they are in order, and there is one at least."""
    first, last = readings[0], readings[-1]
    values = [each.value for each in readings]
    change = moved(last.value, first.value)
    return ValueTrend(
        subject=last.subject,
        source=last.source,
        unit=last.unit,
        count=len(readings),
        since=first.at,
        until=last.at,
        first=first.value,
        last=last.value,
        low=min(values),
        high=max(values),
        change=change,
        slope=round(_slope(readings) / first.value * 100, 6),
        direction=_direction(change),
    )


def _direction(change: float) -> Direction:
    if abs(change) < FLAT:
        return Direction.FLAT
    return Direction.UP if change > 0 else Direction.DOWN


def _slope(readings: Sequence[ObservedValue]) -> float:
    """How much the value rises in a day, along the line that fits all readings best."""
    days = [(each.at - readings[0].at) / _DAY for each in readings]
    middle, mean = sum(days) / len(days), sum(each.value for each in readings) / len(readings)
    spread = sum((day - middle) ** 2 for day in days)
    together = sum((day - middle) * (each.value - mean) for day, each in zip(days, readings, strict=True))
    return together / spread if spread else 0.0
