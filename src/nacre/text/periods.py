"""Periods as people say them, in English and Spanish: parts of months and seasons, weekends, feasts, the past weeks.

What `times` knows as well is left to it: days, months, years and what counts from a day. Seasons are the north's.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from nacre.text import holidays, times
from nacre.text.letters import fold
from nacre.text.times import MONTHS, NUMBERS, UNITS, Period

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_FOLDED_UNITS = {fold(name): unit for name, unit in UNITS.items()}
_UNIT = times.any_of(_FOLDED_UNITS)
_MONTH = times.any_of(MONTHS)
_COUNTS = {**NUMBERS, "few": 3, "several": 3, "couple of": 2, "pocos": 3, "pocas": 3, "par de": 2}
_COUNT = rf"(?:a )?(?P<count>\d{{1,3}}|{times.any_of(_COUNTS)})"
_YEAR = r"(?:,? (?:(?:of|in|de|del) )?(?P<year>(?:19|20)\d\d))?"
# The month in which each begins. Spoken of, a season lasts as long as its weather does.
_SEASONS = {"spring": 3, "primavera": 3, "summer": 6, "verano": 6, "fall": 9, "autumn": 9, "otono": 9}
_SEASONS |= {"winter": 12, "invierno": 12}
_SEASON = times.any_of(_SEASONS)
_PAST, _THIS = r"(?:this past|last|past|previous)", r"(?:this|current|este|esta)"
_PASSED = r"(?: pasad[oa])"
_ORDINALS = {"first": 0, "1st": 0, "primera": 0, "primer": 0, "second": 1, "2nd": 1, "segunda": 1, "segundo": 1}
_ORDINALS |= {"third": 2, "3rd": 2, "tercera": 2, "tercer": 2, "fourth": 3, "4th": 3, "cuarta": 3, "cuarto": 3}
_ORDINALS |= {"last": -1, "final": -1, "ultima": -1, "ultimo": -1}
# Which third of it a part is.
_PARTS = {
    **dict.fromkeys(("early", "beginning", "start", "principios", "comienzos", "inicios", "principio", "comienzo"), 0),
    **dict.fromkeys(("mid", "middle", "mediados"), 1),
    **dict.fromkeys(("late", "end", "finales", "final", "fines", "fin"), 2),
}
_PART = rf"(?P<part>{times.any_of(_PARTS)})"
_WHOLE = rf"(?P<whole>{_MONTH}|{_SEASON}|{_PAST} (?:{_UNIT}|{_SEASON})|{_THIS} (?:{_UNIT}|{_SEASON})|(?:19|20)\d\d)"
_OF = r"(?:-| (?:of|in|de|del)(?: the| el| la)?| the| )\s?"


def asked(text: str, now: datetime) -> list[Period]:
    """The periods that a text speaks of, from the moment `now` on which it is said."""
    folded = fold(text.lower())
    if len(folded) != len(text):
        return times.asked(text, now)
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    periods: list[Period] = []
    left = text
    for shape, read in _SHAPES:
        for match in shape.finditer(folded):
            period = _read(read, match, today)
            # What one shape has read is not read again.
            if period and left[match.start() : match.end()].strip():
                periods.append(period)
                left = f"{left[: match.start()]}{' ' * (match.end() - match.start())}{left[match.end() :]}"
        if left is not text:
            folded = "".join(letter if kept != " " else " " for letter, kept in zip(folded, left, strict=True))
    return periods + times.asked(left, now)


def _read(
    read: Callable[[re.Match[str], datetime], Period | None], match: re.Match[str], today: datetime
) -> Period | None:
    try:
        return read(match, today)
    except (ValueError, OverflowError):
        return None


def _instant(year: int, month: int, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def _month(month: int, year: str | None, today: datetime) -> Period:
    """A month of a year, or the last one that has begun: that of any year."""
    which = int(year) if year else today.year - (month > today.month)
    return Period(_instant(which, month), _instant(which + month // 12, month % 12 + 1), yearless=year is None)


def _season(month: int, year: str | None, today: datetime, back: int = 0) -> Period:
    """A season of a year, or the last one that has begun, or those before it."""
    which = int(year) if year else today.year - (month > today.month) - back
    # Winter is named for the year in which it ends, or in which it begins: both are kept in view.
    end = _instant(which + (month + 3) // 13, (month + 2) % 12 + 1, 21)
    return Period(_instant(which, month), end)


def _of_season(match: re.Match[str], today: datetime) -> Period:
    name = match["season"] or match["season_es"]
    month = _SEASONS[name]
    current = _season(month, None, today)
    past = bool(match["past"] or match["passed"])
    # The summer that is not over yet is this one, and last summer the one before.
    return _season(month, match["year"], today, back=int(past and current.end > today))


def _part(match: re.Match[str], today: datetime) -> Period | None:
    whole = _whole(match["whole"], match["year"], today)
    if whole is None:
        return None
    third = (whole.end - whole.start) / 3
    number = _PARTS[match["part"]]
    start = whole.start + third * number
    return Period(start.replace(hour=0), (start + third).replace(hour=0) + _DAY, yearless=whole.yearless)


def _whole(name: str, year: str | None, today: datetime) -> Period | None:
    """What a part is of: a month, a season, a year, or one that counts from today."""
    word = name.rsplit(maxsplit=1)[-1]
    if word in MONTHS:
        return _month(MONTHS[word], year, today)
    if word in _SEASONS:
        past = name != word and not re.match(_THIS, name)
        return _season(_SEASONS[word], year, today, back=int(past and _season(_SEASONS[word], None, today).end > today))
    if word.isdecimal():
        return Period(_instant(int(word), 1), _instant(int(word) + 1, 1))
    return next(iter(times.asked(name.replace("previous", "last").replace("this past", "last"), today)), None)


def _week_of_month(match: re.Match[str], today: datetime) -> Period | None:
    whole = _whole(match["whole"], match["year"], today)
    if whole is None:
        return None
    number = _ORDINALS[match["ordinal"]]
    if match["kind"].startswith(("weekend", "fin")):
        saturdays = [day for day in _days(whole) if day.weekday() == 5]
        return Period(saturdays[number], saturdays[number] + 2 * _DAY, yearless=whole.yearless)
    start = whole.end - _WEEK if number < 0 else whole.start + number * _WEEK
    return Period(start, start + _WEEK, yearless=whole.yearless)


def _days(period: Period) -> Iterator[datetime]:
    return (period.start + _DAY * number for number in range((period.end - period.start).days))


def _weekend(match: re.Match[str], today: datetime) -> Period:
    # The weekend that is on, or else the one that was last.
    saturday = today - _DAY * ((today.weekday() - 5) % 7)
    on = today.weekday() >= 5
    if match["this"] and not on:
        saturday += _WEEK
    if match["count"]:
        saturday -= _WEEK * (_count(match["count"]) - (not on))
    elif on and (match["past"] or match["passed"]):
        saturday -= _WEEK
    return Period(saturday, saturday + 2 * _DAY)


def _span(match: re.Match[str], today: datetime) -> Period:
    """The past two weeks: up to today."""
    days = {"day": 1, "week": 7, "month": 31, "year": 366}[_FOLDED_UNITS[match["unit"]]]
    return Period(today - _DAY * days * _count(match["count"] or "1"), today + _DAY)


def _ago(match: re.Match[str], today: datetime) -> Period:
    """Two weeks ago: about that day, the less exactly the longer ago."""
    count, unit = _count(match["count"]), _FOLDED_UNITS[match["unit"]]
    day = today - _DAY * count * (7 if unit == "week" else 1)
    slack = _DAY * (3 if unit == "week" else min(count // 3, 3))
    return Period(day - slack, day + slack + _DAY)


def _count(written: str) -> int:
    return int(written) if written.isdecimal() else _COUNTS[written]


def _moved(match: re.Match[str], today: datetime) -> Period | None:
    """Two weeks before a day or a feast."""
    found = asked(match["anchor"], today)
    if not found:
        return None
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[_FOLDED_UNITS[match["unit"]]] * _count(match["count"])
    step = _DAY * (-days if match["side"] in ("before", "antes") else days)
    # About two weeks: the more is counted, the less exactly.
    slack = _DAY * (0 if days < 7 else 3 if days < 28 else 10)
    return Period(found[0].start + step - slack, found[0].end + step + slack, yearless=found[0].yearless)


def _between(match: re.Match[str], today: datetime) -> Period | None:
    last = next(iter(asked(f"in {match['last']}", today)), None)
    if last is None:
        return None
    # What has no year of its own is of the year of the other.
    own, given = (_A_YEAR.search(match[side]) for side in ("first", "last"))
    first = f"{match['first']} {given[0]}" if given and not own else match["first"]
    begun = next(iter(asked(f"in {first}", today)), None)
    return Period(begun.start, last.end, last.yearless) if begun and begun.start < last.end else None


def _feast(match: re.Match[str], today: datetime) -> Period:
    feast = holidays.NAMES[match["feast"]]
    if match["year"]:
        return holidays.of_year(feast, int(match["year"]))
    period = holidays.of_year(feast, today.year)
    year = today.year - (period.start > today)
    last = bool(match["past"] or match["passed"])
    if last and holidays.of_year(feast, year).end > today:
        year -= 1
    return replace(holidays.of_year(feast, year), yearless=not last)


def _shape(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])")


_A_YEAR = re.compile(r"(?:19|20)\d\d")
_DATED = rf"\d{{1,2}}[^.?!,;]{{0,24}}|(?:{_MONTH}) \d[^.?!,;]{{0,12}}"
_ANCHOR = rf"(?P<anchor>(?:my |the |el |la )?(?:(?:{holidays.PATTERN})(?: (?:19|20)\d\d)?|{_DATED}))"
_POINT = rf"(?:{_MONTH})(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? (?:del? )?(?:19|20)\d\d)?|(?:19|20)\d\d"
_SHAPES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Period | None]], ...] = (
    (_shape(rf"{_COUNT} (?P<unit>{_UNIT}) (?P<side>before|after|antes|despues)(?: del?)? {_ANCHOR}"), _moved),
    (
        _shape(rf"(?:between|from|entre|desde) (?P<first>{_POINT}) (?:and|to|until|y|a|hasta) (?P<last>{_POINT})"),
        _between,
    ),
    (
        _shape(
            rf"(?P<ordinal>{times.any_of(_ORDINALS)}) (?P<kind>week(?:end)?|semana|fin de semana)"
            rf" (?:of|in|de|del) (?:the |el |la )?{_WHOLE}{_YEAR}"
        ),
        _week_of_month,
    ),
    (_shape(rf"{_PART}{_OF}{_WHOLE}{_YEAR}"), _part),
    (
        _shape(
            rf"(?P<past>{_PAST}) weekend|(?P<this>{_THIS}) (?:weekend|fin de semana)|{_COUNT} weekends? ago"
            rf"|(?:over|on|at|during) the weekend|(?:el )?fin de semana(?P<passed>{_PASSED}|)"
        ),
        _weekend,
    ),
    (
        _shape(rf"(?:in|over|during|within|for) the (?:past|last)(?: {_COUNT})? (?P<unit>{_UNIT})"),
        _span,
    ),
    (_shape(rf"{_COUNT} (?P<unit>days?|weeks?) ago"), _ago),
    (_shape(rf"hace {_COUNT} (?P<unit>dias?|semanas?)"), _ago),
    (_shape(rf"(?:the )?(?:past|last) {_COUNT} (?P<unit>{_UNIT})"), _span),
    (_shape(rf"(?:l[oa]s )?ultim[oa]s(?: {_COUNT})? (?P<unit>{_UNIT})"), _span),
    (
        _shape(
            rf"(?:(?:(?P<past>{_PAST})|{_THIS}|in|during|over|en|durante)(?: the| el| la)? |(?:the|el|la) )"
            rf"(?:(?P<season>{_SEASON})|(?P<season_es>verano|primavera|otono|invierno)(?P<passed>{_PASSED}))"
            rf"{_YEAR}"
        ),
        _of_season,
    ),
    (_shape(rf"(?:(?P<past>{_PAST}) )?(?P<feast>{holidays.PATTERN})(?P<passed>{_PASSED})?{_YEAR}"), _feast),
)
