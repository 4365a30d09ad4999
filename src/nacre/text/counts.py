"""Counts that a statement names, each with the words of what is counted: `5 MCU films`, `my third issue`.

`nacre.text.amounts` gives a number the one word that follows it; here the whole of what is counted matters.
"""

import re
from collections.abc import Iterable

from nacre.text.amounts import is_address, is_small_word, number_worth, rate_after
from nacre.text.caseless_patterns import caseless
from nacre.text.letters import fold
from nacre.text.measures import SPAN, Measure, Quantity
from nacre.text.stems import lexicon
from nacre.text.third_person import is_common_verb

# The unit of a time that something took: 27:12.
CLOCK = "clock"
# Marks a number that tells how far something has come, not how many there are: page 200, my third issue.
PLACE = "#"
NUMBER_WORDS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
"""
SPANISH_NUMBER_WORDS = """
    cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
    dieciocho diecinueve veinte
"""
_TENS = {
    word: 10 * place
    for place, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)
}
_NUMBERS = {
    word: number for block in (NUMBER_WORDS, SPANISH_NUMBER_WORDS) for number, word in enumerate(block.split())
} | _TENS
_NUMBERS |= {"dozen": 12, "single": 1, "docena": 12, "treinta": 30, "cuarenta": 40, "cincuenta": 50}
_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
"""
_ORDINAL_NUMBERS = {word: number for number, word in enumerate(_ORDINALS.split(), 1)}
_ORDINAL_NUMBERS |= {
    word: number
    for number, some in enumerate(
        "primer segund tercer cuart quint sext séptim octav noven décim".split(),  # noqa: SIM905
        1,
    )
    for word in (some, f"{some}o", f"{some}a")
}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


_FRESH = r"(?<![\w.,:/$€£¥#-])"
_DIGITS = r"\d+(?:[.,]\d+)*"
_WORDED = rf"(?:{_any(_TENS)})[- ](?:{_any(NUMBER_WORDS.split()[1:10])})|{_any(_NUMBERS.keys() - {'one', 'uno'})}"
_COUNT = re.compile(
    rf"{_FRESH}(?P<low>{_DIGITS})\s?(?:-|–|to|a)\s?(?P<high>{_DIGITS})(?=\s+[^\W\d])"
    rf"|{_FRESH}(?P<digits>{_DIGITS})(?P<percent>\s?%|\s+percent\b)?(?![\d/:%-]|\w|[.,]\d|st\b|nd\b|rd\b|th\b)"
    rf"|\b(?P<word>{_WORDED})\b(?=[\s-]+[^\W\d])"
    rf"|\b(?P<ordinal>{_any(_ORDINAL_NUMBERS)}|\d{{1,3}}(?:st|nd|rd|th))\b"
    rf"|\b(?P<times>{_any(_TIMES)})(?=\s+(?:an?|per|every|each)\s)"
    rf"|{_FRESH}(?P<clock>(?:\d:)?(?:2[4-9]|[3-9]\d):[0-5]\d|\d{{1,2}}:[0-5]\d:[0-5]\d)\b",
    re.IGNORECASE,
)
_HAS_WORDS = caseless(rf"\b(?:{_WORDED}|{_any(_ORDINAL_NUMBERS)}|{_any(_TIMES)})\b")
# A number behind one of these words is a name's part: page 200, level 4.
_NAMING = re.compile(
    r"\b(?P<named>page|episode|chapter|level|season|issue|lesson|volume|part|week|day|round|stage|step|grade|rank|book"
    r"|room|floor|gate|version|página|episodio|capítulo|nivel|temporada|lección|sala)\s+\Z",
    re.IGNORECASE,
)
_NAME_BEFORE = re.compile(r"(?P<name>[A-Z][\w'’-]{0,40})\s+\Z")
# A number that counts nothing names the noun before it: harbour 7.
_NOUN_BEFORE = re.compile(r"(?P<noun>[^\W\d_]{1,40})\s+\Z")
_NOUN = re.compile(
    r"[\s-]+(?:of (?:the |my |our |these |those )?|de (?:la |las |los |mis )?)?(?P<word>[^\W\d_][\w'’]*)"
)
_PER = re.compile(r"\s*(?:/|\bper\s|\bpor\s)\s?(?P<per>[^\W\d_]+)", re.IGNORECASE)
# Tell when something was, or over what time, and are no values themselves: three weeks ago, in the last 3 months.
_AWAY = re.compile(r"\s+(?:ago|later|earlier|before|after|from now|atrás|después|antes)\b", re.IGNORECASE)
_WITHIN = re.compile(
    r"\b(?:last|past|next|coming|within|after|first|previous|hace|últim[oa]s|próxim[oa]s)\s+(?:about |around )?\Z",
    re.IGNORECASE,
)
_REACH = 30
_CAPITALS = re.compile(r"\s+[A-Z]{2}")
_NO_NAMES = frozenset({"I", "I've", "I’ve", "I'm", "I’m"})
# A time that something took, told in two units: 27 minutes and 12 seconds.
_LONGER = {"hour": "minut", "minut": "second"}
_JOINED = re.compile(r"\s*(?:,|and|y)?\s*", re.IGNORECASE)
_MOST_WORDS = 3
# Say how much of it, or when, and not what is counted.
_NO_NOUN = frozenset(
    """now so already total altogether ago later yesterday today currently more less different whole new other great
    good amazing full straight consecutive long short big small old last next best early late far then
    nuevos nuevas distintos distintas ahora ya más""".split()  # noqa: SIM905
)
# `First` and `second` order what is said more often than they count.
_LOOSE_ORDINALS = frozenset(
    {"first", "second", "1st", "2nd", "primer", "primero", "primera", "segund", "segundo", "segunda"}
)
_OWNED = re.compile(r"\b(?:my|our|his|her|their|the|mi|el|la|just \w+)\s+\Z", re.IGNORECASE)


def has_words(text: str) -> bool:
    """Whether a text may count something without digits."""
    return bool(_HAS_WORDS.search(text))


def find_counts(text: str) -> list[Quantity]:
    """The counts of a text in order; the stems of what each counts are its unit, the last the noun itself."""
    quantities: list[Quantity] = []
    for match in _COUNT.finditer(text):
        each = _quantity(text, match)
        if each is None or (quantities and each.start < quantities[-1].end):
            continue
        if quantities and _continues(text, quantities[-1], each):
            first = quantities.pop()
            each = Quantity(Measure.NUMBER, first.start, each.end, f"{first.key}:{each.key:0>2}", CLOCK)
        quantities.append(each)
    return quantities


def _continues(text: str, one: Quantity, other: Quantity) -> bool:
    return _LONGER.get(one.unit) == other.unit and bool(_JOINED.fullmatch(text, one.end, other.start))


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    if match["clock"]:
        return Quantity(Measure.NUMBER, *match.span(), match["clock"], CLOCK)
    if match["ordinal"]:
        return _ordinal(text, match)
    if match["times"]:
        return _times(text, match)
    return _named(text, match) if match["digits"] else _counted(text, match)


def _times(text: str, match: re.Match[str]) -> Quantity | None:
    rate = rate_after(text, match.end())
    number = str(_TIMES[match["times"].casefold()])
    return Quantity(Measure.NUMBER, match.start(), rate[1], number, f"time /{rate[0]}") if rate else None


def _named(text: str, match: re.Match[str]) -> Quantity | None:
    """What digits say: a share, a place, a part of a name, or how many there are."""
    start, end = match.span()
    worth = number_worth(match["digits"], None)
    named = _NAMING.search(text, max(0, start - _REACH), start)
    name = _NAME_BEFORE.search(text, max(0, start - _REACH), start)
    if match["percent"]:
        return Quantity(Measure.NUMBER, start, end, worth, "%")
    if named:
        return Quantity(Measure.NUMBER, named.start(), end, worth, f"{PLACE} {_stem(named['named'])}")
    if is_address(text, end) and not _CAPITALS.match(text, end):
        return None
    if name and name.start() and name["name"] not in _NO_NAMES:
        return Quantity(Measure.LABEL, start, end, match["digits"], _stem(name["name"]))
    counted = _counted(text, match)
    noun = _NOUN_BEFORE.search(text, max(0, start - _REACH), start)
    if counted and not counted.unit and noun and not is_small_word(noun["noun"]) and not is_common_verb(noun["noun"]):
        return Quantity(Measure.LABEL, start, end, worth, _stem(noun["noun"]))
    return counted


def _counted(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    if match["low"]:
        key = f"{number_worth(match['low'], None)}{SPAN}{number_worth(match['high'], None)}"
    elif match["digits"]:
        key = number_worth(match["digits"], None)
    else:
        key = str(_number(match["word"]))
    unit, end = _unit(text, end)
    if not unit and not match["digits"]:
        return None
    if _AWAY.match(text, end) or _WITHIN.search(text, max(0, start - _REACH), start):
        return None
    if rate := rate_after(text, end):
        unit, end = [*unit, f"/{rate[0]}"], rate[1]
    elif per := _PER.match(text, end):
        unit, end = [*unit, f"/{_stem(per['per'])}"], per.end()
    return Quantity(Measure.NUMBER, start, end, key, " ".join(unit))


def _ordinal(text: str, match: re.Match[str]) -> Quantity | None:
    said = match["ordinal"].casefold()
    if said in _LOOSE_ORDINALS or not _OWNED.search(text, 0, match.start()):
        return None
    number = _ORDINAL_NUMBERS.get(said) or int(re.sub(r"\D", "", said))
    unit, end = _unit(text, match.end())
    return Quantity(Measure.NUMBER, match.start(), end, str(number), " ".join([PLACE, *unit]))


def _unit(text: str, end: int) -> tuple[list[str], int]:
    """The stems of the words that name what is counted, and where they end."""
    unit: list[str] = []
    while len(unit) < _MOST_WORDS and (following := _NOUN.match(text, end)):
        word = re.sub(r"['’]s?\Z", "", following["word"]).casefold()
        light = word in _NO_NOUN or word.endswith("ly")
        if (not light and is_small_word(word)) or (light and unit):
            break
        if not light:
            unit.append(_stem(word))
        end = following.end()
        if text[end : end + 1] in (",", ".", ";", "!", "?", ")"):
            break
    return unit, end


def _number(word: str) -> int:
    parts = re.split(r"[- ]", word.casefold())
    return sum(_NUMBERS[part] for part in parts)


def _stem(word: str) -> str:
    return lexicon("en")[fold(word.casefold())].text
