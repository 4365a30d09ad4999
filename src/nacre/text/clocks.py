"""Times of day that a statement names, as quantities: `9:30`, `3 pm`, `at 10`, `noon`, `下午三点`."""

import re
from collections.abc import Iterator

from nacre.text.measures import Measure, Quantity

_LEAD = r"\b(?P<lead{0}>at|by|until|till|from|to|around|about|a las?|las?|hasta las?|desde las?)\s+"
_HALF = r"\s?(?P<half{0}>[ap]\.?\s?m\b\.?)"
_HOUR = r"(?P<hour{0}>[01]?\d|2[0-3])"
_MINUTE = r"(?P<minute{0}>[0-5]\d)"
# Whatever else follows a bare hour is what is counted: at 10 euros.
_ENDS = (
    r"(?=\s*(?:\Z|[;!?)]|[,:.](?!\d))|\s+(?:to(?= \d)|a las?|hasta|now|instead|sharp|on|every|each|today|tomorrow|daily"
    r"|in|and|because|since|as|with|for|this|next|again|rather|not|ahora|cada|los|el|en|de|hoy|mañana|y|porque|con"
    r"|\w+days?)\b)"
)
_CLOCK = re.compile(
    rf"(?<![\d.,:]){_HOUR.format(1)}(?::|h(?=\d)){_MINUTE.format(1)}(?![\d:])(?:{_HALF.format(1)})?"
    rf"|(?<![\d.,:]){_HOUR.format(2)}(?:\.{_MINUTE.format(2)})?{_HALF.format(2)}"
    rf"|{_LEAD.format(3)}{_HOUR.format(3)}(?:\.{_MINUTE.format(3)})?{_ENDS}"
    rf"|\b{_HOUR.format(4)}\s?(?:o['’]clock|h|hrs)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:(?P<noon>noon|midday|mediodía)|midnight|medianoche)\b", re.IGNORECASE)
_HAN_HOURS = {name: hour for hour, name in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split(), 1)}  # noqa: SIM905
_HAN_HOURS |= {"两": 2, "兩": 2}
_HAN = re.compile(
    r"(?P<half>上午|下午|晚上|早上|午前|午後|오전|오후)?\s?(?P<hour>\d{1,2}|十[一二]?|[一二两兩三四五六七八九])"
    r"\s?[時点點시](?![间間刻])(?:\s?(?:(?P<whole>[半반])|(?P<minute>\d{1,2})\s?[分분]))?"
)
_AFTERNOON = frozenset({"下午", "晚上", "午後", "오후"})


def find_clocks(text: str) -> Iterator[Quantity]:
    """The times of day of a text."""
    for found in _CLOCK.finditer(text):
        shape = next(shape for shape in "1234" if found[f"hour{shape}"])
        given = found.groupdict()
        half = (given.get(f"half{shape}") or "")[:1].casefold()
        hour, minute = int(found[f"hour{shape}"]), int(given.get(f"minute{shape}") or 0)
        lead = (given.get(f"lead{shape}") or "").casefold()
        yield Quantity(Measure.TIME, found.start(), found.end(), _key(hour, minute, half), lead=lead)
    for found in _NAMED.finditer(text):
        yield Quantity(Measure.TIME, found.start(), found.end(), "12:00" if found["noon"] else "0:00")
    for found in _HAN.finditer(text):
        said = found["hour"]
        hour = int(said) if said.isdecimal() else _HAN_HOURS[said]
        if hour < 24:
            half = "" if not found["half"] else "p" if found["half"] in _AFTERNOON else "a"
            minute = 30 if found["whole"] else int(found["minute"] or 0)
            yield Quantity(Measure.TIME, found.start(), found.end(), _key(hour, minute, half))


def _key(hour: int, minute: int, half: str) -> str:
    if half and hour <= 12:
        return f"{hour % 12 + 12 * (half == 'p')}:{minute:02}"
    # 10 may be in the evening; 0 and 13 say where in the day they are.
    return f"{hour}:{minute:02}{'?' if 1 <= hour <= 12 else ''}"
