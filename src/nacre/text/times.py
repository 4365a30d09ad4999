"""Times that a text gives, in UTC: the instant at which the day, month or year begins, or all of it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


def _numbered(block: str, first: int) -> dict[str, int]:
    """Names to their number: those of one number share a line."""
    return {name: number for number, line in enumerate(block.strip().splitlines(), first) for name in line.split()}


MONTHS = _numbered(
    """
    january jan enero
    february feb febrero
    march mar marzo
    april apr abril
    may mayo
    june jun junio
    july jul julio
    august aug agosto
    september sept sep septiembre setiembre
    october oct octubre
    november nov noviembre
    december dec diciembre
    """,
    1,
)
_DAYS = _numbered(
    """
    monday lunes
    tuesday martes
    wednesday miércoles
    thursday jueves
    friday viernes
    saturday sábado
    sunday domingo
    """,
    0,
)
NUMBERS = _numbered(
    """
    a an one un una uno
    two dos couple
    three tres
    four cuatro
    five cinco
    six seis
    seven siete
    eight ocho
    nine nueve
    ten diez
    """,
    1,
)
UNITS = {
    name: line.split()[0]
    for line in (
        "day days día días",
        "week weeks semana semanas",
        "month months mes meses",
        "year years año años",
    )
    for name in line.split()
}


def any_of(names: Iterable[str]) -> str:
    """A pattern of any of some names, the longest first."""
    return "|".join(sorted(names, key=len, reverse=True))


_LEAD = r"(?:(?P<lead>since|until|till|desde|hasta|by|from|in|on|en|el|as of|starting|a partir de)(?: el| la)? +)?"
_COUNT = rf"(?P<count>\d{{1,3}}|{any_of(NUMBERS)})(?: of)?"
_DAY_B = r"(?P<day_b>\d{1,2})(?:st|nd|rd|th)?"
_SHAPES = (
    r"(?P<iso>\d{4}-\d\d-\d\d)",
    rf"(?P<month_a>{any_of(MONTHS)})\.? +(?P<day_a>\d{{1,2}})(?:st|nd|rd|th)?(?:,? +(?P<year_a>\d{{4}}))?",
    rf"(?:the +)?{_DAY_B}(?: +of| +de)? +(?P<month_b>{any_of(MONTHS)})(?:,? +(?:del? +)?(?P<year_b>\d{{4}}))?",
    rf"(?P<month_c>{any_of(MONTHS)})\.?,? +(?:del? +)?(?P<year_c>\d{{4}})",
    rf"{_COUNT} +(?P<unit_ago>{any_of(UNITS)}) +ago",
    rf"hace +(?P<count_es>\d{{1,3}}|{any_of(NUMBERS)}) +(?P<unit_es>{any_of(UNITS)})",
    # The last day of something is no day before today.
    rf"(?P<which>last(?! +day\b)|this|next|past|est[ea]|próxim[oa]) +(?P<unit>{any_of({**UNITS, **_DAYS, **MONTHS})})",
    rf"(?:el|la) +(?P<unit_past>{any_of({**UNITS, **_DAYS})}) +(?P<which_es>pasado|pasada|que viene|próximo|próxima)",
    r"(?P<near>yesterday|today|tomorrow|last night|anteayer|ayer|hoy|(?<!la )(?<!esta )mañana)",
    rf"(?P<weekday>{any_of(_DAYS)})(?:,? +(?:the +)?(?P<of_month>\d{{1,2}})(?:st|nd|rd|th))?",
    r"(?P<year>(?:19|20)\d\d)",
    rf"(?P<month_d>{any_of({name: number for name, number in MONTHS.items() if len(name) > 3 or name == 'may'})})",
)
_TIME = re.compile(rf"(?<![\w-]){_LEAD}(?:{'|'.join(_SHAPES)})(?![\w-])")
# A bare year, weekday or month needs a word before it that says it is a time.
_BARE = ("year", "weekday", "month_d")
_NEAR = {
    "yesterday": -1,
    "ayer": -1,
    "last night": -1,
    "anteayer": -2,
    "today": 0,
    "hoy": 0,
    "tomorrow": 1,
    "mañana": 1,
}
_HINT = re.compile(
    r"\d|ago|hace|last|this|next|past|est[ea]|pr[oó]xim|pasad|viene|yesterday|today|tomorrow|ayer|hoy|mañana|since"
    r"|until|on |el |in |en |desde|from |as of|starting|partir|due"
)

# A day has one of these: a name or a number.
_DAY_HINT = re.compile(rf"\d|{any_of({**_DAYS, **_NEAR, 'day': 0, 'día': 0})}")


# Words before a time that say what it bounds.
SINCE = ("since", "desde", "from", "as of", "starting", "a partir de")
UNTIL = ("until", "till", "hasta")
# What begins within so many days, without a year, is yet to come; where words tell news of it, within so many.
_BEGINNING, _SOON, _NEWS_AHEAD = ("from", "as of", "starting", "a partir de"), timedelta(days=92), timedelta(days=330)
# Right before a time that is yet to come: "closing june 30", "the contract starts on august 1".
_DUE = re.compile(
    r"(?<!\w)(?<!since )(?<!after )(?<!before )(?<!was )(?<!were )"
    r"(?:due|expected|arriving|closing|completion|completing|start(?:s|ing)?|begin(?:s|ning)?|moving(?: in)?|joining"
    r"|opening|opens|first day|empiezo|empieza|comienzo|comienza|me mudo|entro)(?: is|'s| will be| es)?[ :]{0,5}\Z"
)
# News of what somebody is to have: a job, a post, a home.
NEWS = re.compile(
    r"\b(?:got|found|landed|rented|accepted|signed|offered|hired|new (?:job|post|position|role|flat|house|place|home)"
    r"|start(?:ing)?|begin(?:ning)?|join(?:ing)?|mov(?:e|ing)|conseguido|conseguí|encontrado|encontré|han dado"
    r"|empiezo|me mudo)\b"
)

# After the words for a new job or home, and right before the day: "got a job at Indra, I start on 6 July".
_STARTS_ON = re.compile(
    r"[^.!?]{0,40}?(?:[,.;!]|\band\b|\by\b)\s+(?:i |we )?(?:start(?:ing)?|begin(?:ning)?|mov(?:e|ing)(?: in)?"
    r"|empiezo|empezamos|entro|me incorporo|nos mudamos|me mudo)(?: there| allí)?\s+(?=(?P<day>.+))",
    re.IGNORECASE | re.DOTALL,
)
# What is further ahead is not meant by a day without a year.
_FAR_AHEAD = timedelta(days=240)


@dataclass(frozen=True, slots=True)
class Time:
    """A time in a sentence. `lead` is the word before it (since, until, in); months and years are no `whole_day`."""

    start: int
    end: int
    at: datetime
    lead: str
    whole_day: bool = True


def find(shadow: str, at: datetime | None, *, future: bool = False) -> list[Time]:
    """The times in a shadow. Those that count from now need `at`; a day without a year is the nearest one that fits."""
    return list(_find(shadow, at, future)) if _HINT.search(shadow) else []


def _find(shadow: str, at: datetime | None, future: bool) -> Iterator[Time]:
    for found in _TIME.finditer(shadow):
        lead = found["lead"] or ""
        if not lead and any(found[name] for name in _BARE):
            continue
        try:
            instant, whole_day = _instant(found, at, future or _is_ahead(found, at))
        except (ValueError, OverflowError):
            continue
        if instant:
            yield Time(found.start(), found.end(), instant, lead, whole_day)


def _is_ahead(match: re.Match[str], at: datetime | None) -> bool:
    """Whether a day or month without a year is one to come: "due in August", or "from April" in March."""
    before = match.string[: match.start()]
    if _DUE.search(before):
        return True
    if at is None or match["lead"] not in _BEGINNING or match["weekday"]:
        return False
    instant, _ = _instant(match, at, future=True)
    return instant is not None and timedelta() < instant - at < (_NEWS_AHEAD if NEWS.search(before) else _SOON)


def _instant(match: re.Match[str], at: datetime | None, future: bool) -> tuple[datetime | None, bool]:
    if match["iso"]:
        return datetime.fromisoformat(match["iso"]).replace(tzinfo=UTC), True
    for key in "ab":
        if match[f"day_{key}"]:
            return _day(int(match[f"day_{key}"]), MONTHS[match[f"month_{key}"]], match[f"year_{key}"], at, future), True
    if match["year_c"]:
        return datetime(int(match["year_c"]), MONTHS[match["month_c"]], 1, tzinfo=UTC), False
    if match["year"]:
        return datetime(int(match["year"]), 1, 1, tzinfo=UTC), False
    return _relative(match, at, future)


def _relative(match: re.Match[str], at: datetime | None, future: bool) -> tuple[datetime | None, bool]:
    if at is None:
        return None, False
    today = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if match["near"]:
        return today + timedelta(days=_NEAR[match["near"]]), True
    if unit := match["unit_ago"] or match["unit_es"]:
        count = match["count"] or match["count_es"]
        return _moved(today, -(int(count) if count.isdecimal() else NUMBERS[count]), UNITS[unit])
    if match["month_d"]:
        return _day(1, MONTHS[match["month_d"]], None, at, future), False
    if match["weekday"]:
        return _named_day(today, _DAYS[match["weekday"]], match["of_month"], 1 if future else -1), True
    which = (match["which"] or match["which_es"])[:3]
    step = {"las": -1, "pas": -1, "nex": 1, "pró": 1, "que": 1}.get(which, 0)
    return _stepped(today, match["unit"] or match["unit_past"], step)


def _stepped(today: datetime, unit: str, step: int) -> tuple[datetime | None, bool]:
    if unit in UNITS:
        return _moved(today, step, UNITS[unit])
    if unit in _DAYS:
        return _weekday(today, _DAYS[unit], step or 1), True
    year = today.year + (step if (step < 0) == (MONTHS[unit] >= today.month) or step == 0 else 0)
    return datetime(year, MONTHS[unit], 1, tzinfo=UTC), False


def _moved(today: datetime, count: int, unit: str) -> tuple[datetime, bool]:
    if unit in ("day", "week"):
        return today + timedelta(days=count * (7 if unit == "week" else 1)), unit == "day"
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
    month = 1 if unit == "year" and abs(count) == 1 else months % 12 + 1
    return datetime(months // 12, month, 1, tzinfo=UTC), False


def _weekday(today: datetime, day: int, step: int) -> datetime:
    distance = (day - today.weekday()) % 7 if step > 0 else -((today.weekday() - day) % 7)
    return today + timedelta(days=distance or 7 * step)


def _named_day(today: datetime, weekday: int, day: str | None, step: int) -> datetime | None:
    """The nearest Friday, or Friday the 27th, on one side of today; None where no year to come has one."""
    if day is None:
        return _weekday(today, weekday, step)
    dates = (today + timedelta(days=step * distance) for distance in range(400))
    return next((date for date in dates if (date.day, date.weekday()) == (int(day), weekday)), None)


def _day(day: int, month: int, year: str | None, at: datetime | None, future: bool) -> datetime | None:
    if year:
        return datetime(int(year), month, day, tzinfo=UTC)
    if at is None:
        return None
    this = datetime(at.year, month, day, tzinfo=UTC)
    if future and this < at - timedelta(days=1):
        return this.replace(year=at.year + 1)
    return this.replace(year=at.year - 1) if not future and this > at else this


def may_name_day(shadow: str) -> bool:
    """Whether a shadow may name a day; where it does not, no part of it does."""
    return _DAY_HINT.search(shadow) is not None


def coming(shadow: str, at: datetime | None) -> list[Time]:
    """The days in a shadow that are to come, as far as they are near enough to be meant."""
    return [day for day in find(shadow, at, future=True) if at and day.whole_day and at < day.at < at + _FAR_AHEAD]


def start_after(text: str, place: int, at: datetime | None) -> Time | None:
    """The day to come on which what was named before a place in a text begins: "a job at Indra, I start on 6 July"."""
    led = _STARTS_ON.match(text, place)
    days = coming(led["day"].lower(), at) if led else []
    return days[0] if days and days[0].start == 0 else None


@dataclass(frozen=True, slots=True)
class Period:
    """A day, week, month or year that a question asks about; one without its year may be that of any year."""

    start: datetime
    end: datetime
    yearless: bool = False

    def of_year(self, year: int) -> "Period | None":
        """The same days of another year; None where that year lacks them."""
        try:
            moved = self.start.replace(year=year)
            return Period(moved, moved + (self.end - self.start))
        except (ValueError, OverflowError):
            return None


def asked(text: str, now: datetime) -> list[Period]:
    """The periods that a question speaks of: `in May`, `on 3 June 2025`, `last week`."""
    return [each.period for each in periods(text, now)]


@dataclass(frozen=True, slots=True)
class DatedPeriod:
    """A period, where a text speaks of it, and the word that leads to it: since, in."""

    period: Period
    start: int
    end: int
    lead: str


def periods(text: str, now: datetime) -> list[DatedPeriod]:
    """The periods that a text speaks of, as `asked`, with where it does."""
    lowered = text.lower()
    if len(lowered) != len(text):
        return []
    return [
        DatedPeriod(period, found.start(), found.end(), found["lead"] or "")
        for found in _TIME.finditer(lowered)
        if (period := _period(text, found, now))
    ]


def _period(text: str, match: re.Match[str], now: datetime) -> Period | None:
    bare = next((name for name in _BARE if match[name]), None)
    # May and March are months where they are written with a capital.
    if bare and not match["lead"] and not (bare == "month_d" and text[match.start(bare)].isupper()):
        return None
    try:
        start, whole_day = _instant(match, now, future=False)
        if start is None:
            return None
        start, end = (start, start + timedelta(days=1)) if whole_day else _whole(match, start)
    except (ValueError, OverflowError):
        return None
    dated = (match["day_a"] or match["day_b"]) and not (match["year_a"] or match["year_b"])
    return Period(start, end, yearless=bool(match["month_d"] or dated))


def _whole(match: re.Match[str], start: datetime) -> tuple[datetime, datetime]:
    """The week, month or year that an instant lies in, or the week that begins there."""
    named = match["unit"] or match["unit_past"] or match["unit_ago"] or match["unit_es"] or ""
    unit = "year" if match["year"] else UNITS.get(named, "month")
    if unit == "year":
        return datetime(start.year, 1, 1, tzinfo=UTC), datetime(start.year + 1, 1, 1, tzinfo=UTC)
    if unit == "month":
        return start, _moved(start, 1, unit)[0]
    begun = start - timedelta(days=start.weekday()) if match["which"] in ("this", "este", "esta") else start
    return begun, begun + timedelta(days=7)
