"""Trends: how a subject moved within a window."""

from collections.abc import Sequence
from datetime import timedelta

from nacre.domain.world import FLAT, Direction, ObservedValue, ValueTrend, moved

_DAY = timedelta(days=1)


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
