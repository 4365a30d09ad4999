"""Quantities as values: what they measure, where they stand in a text, and whether two of them are at odds."""

from dataclasses import dataclass
from enum import StrEnum

from nacre.text.times import Period

# Between the two ends of a span in its key.
SPAN = "–"


class Measure(StrEnum):
    """What a quantity measures."""

    DATE = "date"
    # A day of every week: on Fridays.
    WEEKDAY = "weekday"
    TIME = "time"
    MONEY = "money"
    NUMBER = "number"
    # A number that names something: Room 4, Python 3.12.
    LABEL = "label"
    # Digits that nobody counts with: a phone number.
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity and its place in a text. `key` is what is compared, and only within one measure and `unit`.

    `lead` is the word before it, such as `from`. A date has the `period` that it means, unless it is a bare `the 14th`.
    """

    measure: Measure
    start: int
    end: int
    key: str
    unit: str = ""
    lead: str = ""
    period: Period | None = None


def differ(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities of one measure and unit cannot both be meant: `in June` and `June 16` can."""
    if one.period and other.period:
        return not _meet(one.period, other.period)
    if one.period or other.period:
        day, bare = (one.period, other.key) if one.period else (other.period, one.key)
        return day is not None and (day.end - day.start).days == 1 and str(day.start.day) != bare
    if one.measure is Measure.TIME:
        return _clock(one.key) != _clock(other.key, like=one.key) and _clock(other.key) != _clock(
            one.key, like=other.key
        )
    return one.key != other.key


def _clock(key: str, like: str = "") -> str:
    """A time of day; by twelve hours beside one that does not say which half of the day it is in."""
    hour, _, rest = key.rstrip("?").partition(":")
    return f"{int(hour) % 12}:{rest}" if key.endswith("?") or like.endswith("?") else f"{int(hour)}:{rest}"


def _meet(one: Period, other: Period) -> bool:
    """Whether two periods have a day in common, in some year where one of them names none."""
    if other.yearless:
        one, other = other, one
    moved = [one.of_year(other.start.year + step) for step in (-1, 0, 1)] if one.yearless else [one]
    return any(each.start < other.end and other.start < each.end for each in moved if each)
