"""Times of the reader's facts: since when and until when each holds, and which plans are sure to come true."""

import re
from datetime import datetime, timedelta

from nacre.domain.clocks import shifted
from nacre.extraction.reader_forms import FORMS
from nacre.models.readings import FactReading, TextSpan
from nacre.text import clauses, sentences, times
from nacre.text.letters import small_letters
from nacre.text.times import SINCE, UNTIL, Time

PLAN = "plan"
_JUST_OVER, _FAR_AHEAD = timedelta(days=75), timedelta(days=240)
# What somebody has from a day on, where words say that it begins then and not only that it is wanted.
_BEGUN = frozenset({"works_at", "lives_in", "role"})
_BEGINS = re.compile(
    r"\b(?:start(?:s|ing)?|begin(?:s|ning)?|join(?:s|ing)?|mov(?:es?|ing)|empiezo|empezamos|me mudo|nos mudamos)\b",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"\b(?:want\w*|hop(?:e|es|ing)|might|may|maybe|could|would|wish\w*|if|looking|think\w*|plan\w*|quier\w*|ojalá)\b",
    re.IGNORECASE,
)


# A sentence that goes on with the one before it: "It's on 12 April", "She leaves on Sunday".
_GOES_ON = re.compile(
    r"\s*(?:and |y )?(?:(?:it|that|she|he|they|we)(?:['’]\w+)?|es"
    r"|the (?:race|exam|wedding|trip|flight|concert|match|event|show|party|game|course)"
    r"|(?:la|el) (?:carrera|boda|examen|viaje|vuelo|partido|concierto|fiesta))\b",
    re.IGNORECASE,
)


def is_over(time: TextSpan, at: datetime | None) -> bool:
    """Whether a day without a year is much nearer in the past than in the future: then nobody plans for it."""
    said = f"on {time.text.casefold()}"
    ahead, behind = (next(iter(times.find(said, at, future=future)), None) for future in (True, False))
    if at is None or ahead is None or behind is None or behind.at >= at:
        return False
    return at - behind.at < _JUST_OVER and ahead.at - at > _FAR_AHEAD


def begins(text: str, reading: FactReading, at: datetime | None) -> bool:
    """Whether a plan holds from its day on: "starting at Lidl on Monday"."""
    if reading.mode != PLAN or reading.predicate not in _BEGUN or at is None:
        return False
    day = _day(text, reading, at)
    return bool(day and day.at > at and _BEGINS.search(text) and not _WANTED.search(text))


def period(
    text: str, reading: FactReading, at: datetime | None, *, gone: bool
) -> tuple[datetime | None, datetime | None]:
    """Since when and until when a fact holds, as far as its time words say; `gone` is what no longer does."""
    time = None if reading.predicate in ("date", "birthday") else _day(text, reading, at)
    if time is None:
        told = _over_beside(text, reading, at)
        return None, shifted(told.at, timedelta(days=1)) if told else None
    if begins(text, reading, at) or reading.time is None:
        return time.at, None
    if reading.mode == PLAN:
        # A plan is current until its day is over.
        over = shifted(time.at, timedelta(days=1) if time.whole_day else timedelta(days=31))
        return None, over if at is None or over > at else None
    if time.lead in UNTIL or gone:
        return None, time.at
    if at and time.at > at and reading.predicate not in _BEGUN:
        # What was bought is had before the day on which one moves in.
        return None, None
    return (time.at, None) if time.lead in SINCE or FORMS[reading.predicate].happens else (None, None)


def _day(text: str, reading: FactReading, at: datetime | None) -> Time | None:
    """The time that a reading names."""
    if reading.time is None:
        return _start_beside(text, reading, at)
    until_there = small_letters(text[: reading.time.end])
    ahead = (each for each in times.find(until_there, at) if at and each.at > at and each.end > reading.time.start)
    planned = reading.mode == PLAN or any(ahead)
    said = times.find(reading.time.text.casefold(), at, future=planned)
    said = said or times.find(f"on {reading.time.text.casefold()}", at, future=planned)
    return said[0] if said else None


def _start_beside(text: str, reading: FactReading, at: datetime | None) -> Time | None:
    """The day to come on which a new job or home begins, as the words after it tell."""
    return times.start_after(text, reading.object.end, at) if reading.predicate in _BEGUN else None


def _over_beside(text: str, reading: FactReading, at: datetime | None) -> Time | None:
    """The one day that is told of a plan or a goal in what goes on with it: "It's on 12 April"."""
    if reading.mode != PLAN and reading.predicate != "goal":
        return None
    rest = text[reading.object.end :]
    parts = [rest[start:end] for start, end in sentences.split(rest)][:2]
    told = [
        day
        for part in parts
        for each in clauses.parts(part)
        if _GOES_ON.match(each)
        for day in times.coming(small_letters(each), at)
    ]
    return told[0] if len(told) == 1 else None
