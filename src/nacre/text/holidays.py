"""Feasts and the days around them, by their English and Spanish names, written without accents."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from nacre.text.times import Period, any_of

_DAY = timedelta(days=1)


def _instant(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def easter(year: int) -> datetime:
    """Easter Sunday of a year, by the Gregorian rule."""
    century, place = divmod(year, 100)
    golden = year % 19
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (place // 4) - moon - place % 4) % 7
    month, day = divmod(moon + week - 7 * ((golden + 11 * moon + 22 * week) // 451) + 114, 31)
    return _instant(year, month, day + 1)


def _weekday(year: int, month: int, weekday: int, number: int) -> datetime:
    """Such as the fourth Thursday of a month; counted from its end where `number` is negative."""
    if number < 0:
        last = _instant(year + month // 12, month % 12 + 1, 1) - _DAY
        return last - _DAY * ((last.weekday() - weekday) % 7)
    first = _instant(year, month, 1)
    return first + _DAY * ((weekday - first.weekday()) % 7 + 7 * (number - 1))


# The first day of each, and how many there are.
_FEASTS: dict[str, tuple[Callable[[int], datetime], int]] = {
    "christmas": (lambda year: _instant(year, 12, 24), 3),
    "christmas eve": (lambda year: _instant(year, 12, 24), 1),
    "new year": (lambda year: _instant(year, 1, 1), 1),
    "new year's eve": (lambda year: _instant(year, 12, 31), 1),
    "epiphany": (lambda year: _instant(year, 1, 5), 2),
    "valentine": (lambda year: _instant(year, 2, 14), 1),
    "easter": (lambda year: easter(year) - 2 * _DAY, 4),
    "holy week": (lambda year: easter(year) - 7 * _DAY, 8),
    "mother's day": (lambda year: _weekday(year, 5, 6, 2), 1),
    "father's day": (lambda year: _weekday(year, 6, 6, 3), 1),
    "memorial day": (lambda year: _weekday(year, 5, 0, -1), 1),
    "independence day": (lambda year: _instant(year, 7, 4), 1),
    "labor day": (lambda year: _weekday(year, 9, 0, 1), 1),
    "halloween": (lambda year: _instant(year, 10, 31), 1),
    "all souls": (lambda year: _instant(year, 11, 1), 2),
    "thanksgiving": (lambda year: _weekday(year, 11, 3, 4), 1),
    "black friday": (lambda year: _weekday(year, 11, 3, 4) + _DAY, 1),
}
NAMES = {
    name: feast
    for feast, names in {
        "christmas": "christmas,christmas day,xmas,navidad,navidades,dia de navidad",
        "christmas eve": "christmas eve,nochebuena",
        "new year": "new year's day,new years day,ano nuevo",
        "new year's eve": "new year's eve,new years eve,nochevieja,fin de ano",
        "epiphany": "epiphany,dia de reyes,noche de reyes",
        "valentine": "valentine's day,valentines day,valentine's,san valentin",
        "easter": "easter,easter sunday,pascua,domingo de pascua",
        "holy week": "holy week,semana santa",
        "mother's day": "mother's day,mothers day,dia de la madre",
        "father's day": "father's day,fathers day",
        "memorial day": "memorial day",
        "independence day": "independence day,fourth of july,4th of july",
        "labor day": "labor day",
        "halloween": "halloween",
        "all souls": "all saints' day,todos los santos,dia de muertos,dia de los muertos",
        "thanksgiving": "thanksgiving,thanksgiving day,accion de gracias",
        "black friday": "black friday",
    }.items()
    for name in names.split(",")
}
PATTERN = any_of(NAMES)


def of_year(feast: str, year: int) -> Period:
    """The days of a feast in a year."""
    first, days = _FEASTS[feast]
    start = first(year)
    return Period(start, start + days * _DAY)
