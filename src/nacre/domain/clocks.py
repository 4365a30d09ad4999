"""Clocks and sums of time: time is handed in, so that tests can move it, and no sum leaves the calendar."""

from calendar import monthrange
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]

FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def system_clock() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)


def shifted(at: datetime, by: timedelta) -> datetime:
    """An instant moved by a length of time; the first or last there is where that leaves the calendar."""
    try:
        return at + by
    except OverflowError:
        return LAST if by > timedelta() else FIRST


def month_end(at: datetime) -> datetime:
    """The instant at which the month of another is over."""
    begun = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return shifted(begun, timedelta(days=monthrange(at.year, at.month)[1]))
