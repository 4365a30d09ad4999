"""Quiet hours and days, as the clock on a wall shows them: in a time zone, across its changes."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nacre.domain.errors import Misconfigured

_QUIET = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Hours:
    """A time zone, and from when to when nobody there wants to be disturbed."""

    zone: tzinfo = UTC
    start: time | None = None
    end: time | None = None

    @classmethod
    def of(cls, quiet: str, zone: str) -> "Hours":
        """The hours that settings say, such as `23:00-08:00` in `Europe/Madrid`; no text is no quiet hours."""
        read = _QUIET.fullmatch(quiet)
        if quiet and (read is None or quiet[:5] == quiet[6:]):
            raise Misconfigured(f"NACRE_WORLD_QUIET must be such as 23:00-08:00 or empty, not {quiet!r}.")
        place = _zone(zone)
        if read is None:
            return cls(place)
        return cls(place, time(int(read[1]), int(read[2])), time(int(read[3]), int(read[4])))

    def are_quiet(self, now: datetime) -> bool:
        """Whether it is a time at which nobody is disturbed."""
        if self.start is None or self.end is None:
            return False
        wall = now.astimezone(self.zone).time()
        if self.start < self.end:
            return self.start <= wall < self.end
        return wall >= self.start or wall < self.end

    def ends(self, now: datetime) -> datetime:
        """When quiet hours next end: where a clock is put back, its second hour may be quiet again."""
        if self.end is None:
            return now
        today = now.astimezone(self.zone).date()
        days = (today, today + _DAY)
        walls = [datetime.combine(day, self.end, self.zone).replace(fold=fold) for day in days for fold in (0, 1)]
        return min(moment for moment in (wall.astimezone(UTC) for wall in walls) if moment > now)

    def day(self, now: datetime) -> tuple[datetime, datetime]:
        """When the day began and when it ends, for whoever lives in the zone."""
        today = now.astimezone(self.zone).date()
        first, last = (datetime.combine(day, time(), self.zone).astimezone(UTC) for day in (today, today + _DAY))
        return first, last


def _zone(name: str) -> tzinfo:
    # This one needs no database of time zones, which small machines lack.
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Misconfigured(
            f"NACRE_WORLD_TIMEZONE {name!r} is not known. It is a name such as Europe/Madrid."
        ) from error
