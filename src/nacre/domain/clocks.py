"""Time is handed in, so that tests can move it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)
