"""The world outside: what is watched there, what was read of it, and which moves are worth an alert."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from nacre.domain import checks
from nacre.domain.errors import Invalid

# At least so many per cent are worth an alert, where nobody says otherwise.
THRESHOLD = 4.0
# A move is told of within this time, and a price is worth comparing with.
WINDOW = timedelta(days=1)
# No price is higher, no day's change larger; and none is so many times another of the same day.
MOST = 1e15
MOST_CHANGE = 1e6
LEAP = 100.0
# How far ahead of ours the clock of a source may be.
SKEW = timedelta(minutes=5)
# A trend within so many per cent is none.
FLAT = 5.0
MAX_SYMBOL = 64
MAX_UNIT = 16
MAX_WATCHES = 200

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_UNIT = re.compile(r"[^\s\x00-\x1f\x7f]+")


class AlertStatus(StrEnum):
    """What became of an alert: told, kept until the quiet hours are over, or one too many for its day."""

    DELIVERED = "delivered"
    HELD = "held"
    CAPPED = "capped"


class Direction(StrEnum):
    """Where a trend leads."""

    UP = "up"
    DOWN = "down"
    FLAT = "flat"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceQuery:
    """One thing that a source is asked about: what the graph calls it, and what the source does."""

    subject: str
    symbol: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """What a source says of a symbol: a value, the day's change in per cent, and when; now where it does not say."""

    symbol: str
    value: float
    unit: str
    change: float | None = None
    at: datetime | None = None

    def __post_init__(self) -> None:
        checks.name("symbol", self.symbol)
        object.__setattr__(self, "value", _number("value", self.value))
        if not 0 < self.value <= MOST:
            raise Invalid("value", f"must be more than 0 and at most {MOST:.0e}, not {self.value}")
        check_unit(self.unit)
        if self.change is not None:
            object.__setattr__(self, "change", _number("change", self.change))
            if not -100 <= self.change <= MOST_CHANGE:
                raise Invalid("change", f"must be from -100 to {MOST_CHANGE:.0e} per cent, not {self.change}")
        object.__setattr__(self, "at", checks.optional_instant("at", self.at))


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedReading:
    """Why a source's word on a symbol was not taken, or did not come."""

    symbol: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedValue:
    """One entry of a subject's history."""

    subject: str
    symbol: str
    source: str
    value: float
    unit: str
    change: float | None
    at: datetime

    @property
    def text(self) -> str:
        """The entry in a few words: `BTC $67,663, -0.99% today`."""
        today = "" if self.change is None else f", {percent(self.change)} today"
        return f"{self.subject} {price(self.value, self.unit)}{today}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedReading:
    """A subject that could not be read, and why."""

    subject: str
    symbol: str
    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A subject that is watched: `asked` by somebody, or because the graph holds it. `error` is how it last failed."""

    subject: str
    symbol: str
    source: str | None
    threshold: float
    asked: bool
    read_at: datetime | None = None
    failed_at: datetime | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A move that was worth telling: from `reference` to `value` is `change` per cent."""

    id: UUID
    subject: str
    source: str
    value: float
    unit: str
    reference: float
    change: float
    at: datetime
    status: AlertStatus
    delivery: UUID | None = None
    delivered_at: datetime | None = None
    posted_at: datetime | None = None

    @property
    def text(self) -> str:
        """The alert in one line: `BTC is down 4.20% to $64,821 (from $67,663).`."""
        way = "up" if self.change > 0 else "down"
        now, then = price(self.value, self.unit), price(self.reference, self.unit)
        return f"{self.subject} is {way} {abs(self.change):.2f}% to {now} (from {then})."


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueTrend:
    """How a subject moved within a window; `slope` is per cent of the first value a day, by all readings."""

    subject: str
    source: str
    unit: str
    count: int
    since: datetime
    until: datetime
    first: float
    last: float
    low: float
    high: float
    change: float
    slope: float
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class PerceptionReport:
    """What one look at the world came to.

    `known` counts readings that were there already. `released` were held and are told now. `batch` takes back what
    the graph learned; `notes` say what did not go as usual.
    """

    at: datetime
    read: tuple[ObservedValue, ...] = ()
    known: int = 0
    failed: tuple[FailedReading, ...] = ()
    alerted: tuple[Alert, ...] = ()
    held: tuple[Alert, ...] = ()
    capped: tuple[Alert, ...] = ()
    released: tuple[Alert, ...] = ()
    batch: UUID | None = None
    notes: tuple[str, ...] = ()


def check_symbol(value: object) -> str:
    """`value`, if a source may be asked for it."""
    symbol = checks.name("symbol", value)
    if len(symbol) > MAX_SYMBOL:
        raise Invalid("symbol", f"has {len(symbol)} characters; at most {MAX_SYMBOL} are allowed")
    return symbol


def check_unit(value: object) -> str:
    """`value`, if it is a currency or another unit: one short word."""
    if not isinstance(value, str) or len(value) > MAX_UNIT or not _UNIT.fullmatch(value):
        raise Invalid("unit", f"must be one word of at most {MAX_UNIT} characters, not {value!r}")
    return value


def check_threshold(value: object) -> float:
    """`value`, if it is a share of a price in per cent."""
    number = _number("threshold", value)
    if not 0 < number <= MOST_CHANGE:
        raise Invalid("threshold", f"must be more than 0 per cent, not {value!r}")
    return number


def price(value: float, unit: str) -> str:
    """A value as people write it: `$67,663`, `$1.95`, `€0.4213`, `67,663 CHF`."""
    number = _written(value)
    return f"{_SIGNS[unit]}{number}" if unit in _SIGNS else f"{number} {unit}"


def percent(change: float) -> str:
    """A change as people write it: `-0.99%`, `+1.20%`."""
    return f"{change:+.2f}%"


def moved(value: float, reference: float) -> float:
    """By how many per cent a value is above or below another."""
    # Rounded, so that 4 % is 4 % whatever the last bits say.
    return round((value - reference) / reference * 100, 6)


def _written(value: float) -> str:
    if round(value, 2) >= 1_000:
        return f"{value:,.0f}"
    if round(value, 4) >= 1:
        return f"{value:,.2f}"
    # Four figures that count, without a power of ten.
    return f"{value:.{min(20, 3 - math.floor(math.log10(value)))}f}".rstrip("0")


def _number(field: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Invalid(field, f"must be a finite number, not {str(value)[:50]!r}")
    return float(value)


class WorldSource(Protocol):
    """Something that can be asked what things are worth. It may be asked from several threads at once."""

    @property
    def name(self) -> str:
        """What histories call it; it must not change."""
        ...

    def read(self, asked: Sequence[SourceQuery]) -> Sequence[SourceReading | RefusedReading]:
        """A reading, or why there is none, for each symbol; one that is left out counts as refused.

        An error that is raised counts for all of them.
        """
        ...
