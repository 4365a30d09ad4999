"""Days that a statement names, as quantities: dates, days of the week, quarters, `the 14th`, `6月16日`."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from nacre.domain.clocks import month_end, shifted
from nacre.text import times
from nacre.text.measures import Measure, Quantity
from nacre.text.times import Period

_DAY = timedelta(days=1)
_NAMES = (
    "monday lunes",
    "tuesday martes",
    "wednesday miércoles miercoles",
    "thursday jueves",
    "friday viernes",
    "saturday sábado sabado",
    "sunday domingo",
)
_WEEKDAYS = {name: day for day, names in enumerate(_NAMES) for name in names.split()}
_WEEKDAY = re.compile(
    r"(?:\b(?P<lead>on|from|to|by|until|el|al)\s+)?(?P<every>\b(?:every|each|cada|todos los|los)\s+)?"
    rf"\b(?P<day>{'|'.join(_WEEKDAYS)})(?P<plural>s)?\b",
    re.IGNORECASE,
)
# `last Friday` and `next Friday` are told by `times`.
_STEPPED = re.compile(r"\b(?:last|next|this|past|próximo|pasado)\s+\Z", re.IGNORECASE)
_HAN_WEEKDAY = re.compile(
    r"(?:星期|礼拜|週|周)(?P<zh>[一二三四五六日天])|(?P<ja>[月火水木金土日])曜日?|(?P<ko>[월화수목금토일])요일"
)
_HAN_NAMES = ("一月월", "二火화", "三水수", "四木목", "五金금", "六土토", "日天일")
_HAN_DATE = re.compile(
    r"(?:(?P<year>(?:19|20)\d\d)\s?[年년]\s?)?(?P<month>\d{1,2})\s?[月월](?:\s?(?P<day>\d{1,2})\s?[日号號일])?"
)
# Whatever else follows the day is what is counted: the 14th floor.
_BARE = re.compile(
    r"\bthe (?P<en>[12]?\d|3[01])(?:st|nd|rd|th)\b(?=\s*(?:\Z|[,;.!?])|\s+(?:at|now|instead|because|so)\b)"
    r"|\b(?:al|el) (?:día )?(?P<es>[12]?\d|3[01])\b(?=\s*(?:\Z|[,;.!?])|\s+(?:a las?|ahora|porque)\b)",
    re.IGNORECASE,
)
_QUARTER = re.compile(r"\b(?:in |for |by |to |from )?Q(?P<quarter>[1-4])(?:\s+(?P<year>20\d\d))?\b")


def find_days(text: str, at: datetime) -> Iterator[Quantity]:
    """The days of a text, those that count from a moment from `at`."""
    yield from _quarters(text, at)
    yield from _weekdays(text, at)
    for dated in times.periods(text, at):
        yield _dated(dated.start, dated.end, dated.period, dated.lead)
    yield from _han(text, at)
    for found in _BARE.finditer(text):
        yield Quantity(Measure.DATE, found.start(), found.end(), found["en"] or found["es"])


def _dated(start: int, end: int, period: Period, lead: str | None = None) -> Quantity:
    key = f"{period.start:%m-%d}" if period.yearless else f"{period.start:%Y-%m-%d}"
    return Quantity(Measure.DATE, start, end, key, lead=(lead or "").casefold(), period=period)


def _quarters(text: str, at: datetime) -> Iterator[Quantity]:
    for found in _QUARTER.finditer(text):
        first = datetime(int(found["year"] or at.year), 3 * int(found["quarter"]) - 2, 1, tzinfo=UTC)
        period = Period(first, month_end(first.replace(month=first.month + 2)), yearless=found["year"] is None)
        yield _dated(found.start(), found.end(), period)


def _weekdays(text: str, at: datetime) -> Iterator[Quantity]:
    today = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for found in _WEEKDAY.finditer(text):
        weekday = _WEEKDAYS[found["day"].casefold()]
        if found["every"] or found["plural"]:
            yield Quantity(Measure.WEEKDAY, found.start(), found.end(), str(weekday))
        elif not _STEPPED.search(text[: found.start("day")]):
            coming = shifted(today, _DAY * ((weekday - today.weekday()) % 7))
            yield _dated(found.start(), found.end(), Period(coming, shifted(coming, _DAY)), found["lead"])


def _han(text: str, at: datetime) -> Iterator[Quantity]:
    for found in _HAN_DATE.finditer(text):
        try:
            first = datetime(int(found["year"] or at.year), int(found["month"]), int(found["day"] or 1), tzinfo=UTC)
        except ValueError:
            continue
        end = shifted(first, _DAY) if found["day"] else month_end(first)
        yield _dated(found.start(), found.end(), Period(first, end, yearless=found["year"] is None))
    for found in _HAN_WEEKDAY.finditer(text):
        name = found["zh"] or found["ja"] or found["ko"]
        # A Japanese month is written as Monday is.
        weekday = next(day for day, names in enumerate(_HAN_NAMES) if name in names)
        yield Quantity(Measure.WEEKDAY, found.start(), found.end(), str(weekday))
