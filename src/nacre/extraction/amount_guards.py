"""Amount guards: which amount of an older text a newer one replaces, where the succession model points beside it."""

import re
from collections.abc import Iterable
from dataclasses import replace

from nacre.memory import named_amounts
from nacre.memory.pairs import Update
from nacre.models.local_succession import SuccessionReading
from nacre.text import amounts, clauses, sentences, times
from nacre.text.tokens import content_words
from nacre.text.word_blocks import word_set

_MONTHS = times.any_of(
    {
        *times.MONTHS,
        *word_set("""
        januar februar märz mai juni juli oktober dezember
        janvier février mars avril juin juillet août septembre octobre novembre décembre
        janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    """),
    }
)
# Thousands and millions, which are often left out where the amount is told again.
_SCALES = "k|thousand|mil|million|millions|millones|millón|millionen|tausend|lakh|lakhs|crore|bn|billion"
_SCALED = re.compile(rf"(?<=\d) ?(?:{_SCALES})\b", re.IGNORECASE)
# "Forty-five million"
_SPELT = re.compile(rf"[^\W\d_] (?:{_SCALES})\b", re.IGNORECASE)
# "on 88 now instead of 75"
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|en vez de|en lugar de) (?:the |el |la |los |las )?(\d+)", re.IGNORECASE
)
# "1350/mo"
_RATE = re.compile(r"(?<![\d,])\d[\d,]{0,12}(?=/)")
# "8 to 4", "9.30-17.00"
_RANGE = re.compile(
    r"\d[\d:.]{0,4}(?: ?[ap]m)?(?: ?[-–] ?| (?:to|until|till|a|hasta) )\d[\d:.]{0,4}(?: ?[ap]m\b)?", re.IGNORECASE
)
# A day of a month, a time of day or a year.
_DAY = re.compile(
    rf"\d(?:st|nd|rd|th)\b|:|\b(?:19|20)\d\d\b|\b\d{{1,2}}\.? (?:of |de |d[ae] )?(?:{_MONTHS})\b"
    rf"|\b(?:{_MONTHS})\.? \d{{1,2}}\b|\b\d{{1,2}} ?[ap]m\b",
    re.IGNORECASE,
)


def right_amount(older: str, newer: str, update: Update) -> Update:
    """The update, of the amount whose clause the newer text speaks of: "28,000 a month, rent is 9,500".

    The model finds the sentence better than the amount.
    """
    if _amounts(update.value) != [update.value.strip()] or not _amounts(update.new_value):
        return update
    said = set(content_words(_without(newer, _amounts(newer))))
    parts = {each: _amounts(each) for each in clauses.parts(older[slice(*update.quote)])}
    meant = [some for each, some in parts.items() if some and said & set(content_words(_without(each, some)))]
    if len(meant) != 1 or len(meant[0]) != 1:
        return update
    return replace(update, value=meant[0][0])


def whole_ranges(older: str, newer: str, found: SuccessionReading) -> SuccessionReading:
    """The reading, with all of a range of hours or amounts where the model points to one end of it: "8 to 4"."""
    was, now = _range_around(older, found.was), _range_around(newer, found.now)
    return replace(found, was=was, now=now) if was and now else found


def _range_around(text: str, words: tuple[int, int]) -> tuple[int, int] | None:
    ranges = (each.span() for each in _RANGE.finditer(text))
    return next((each for each in ranges if each[0] <= words[0] and words[1] <= each[1]), None)


def _amounts(text: str) -> list[str]:
    """The sums and numbers of a text, as they are written."""
    sums = list(amounts.find_money(text))
    numbers = (
        each for each in amounts.find_numbers(text) if not any(one.start <= each.start < one.end for one in sums)
    )
    return [text[each.start : each.end] for each in (*sums, *numbers)]


def _without(text: str, parts: Iterable[str]) -> str:
    for part in parts:
        text = text.replace(part, " ")
    return text


def is_of_another_amount(older: str, newer: str, update: Update) -> bool:
    """Whether the newer text names the amount that it takes the place of, or is of quite another size: 1,350 and 88."""
    if (named := _INSTEAD.search(newer)) and not re.search(rf"(?<!\d){re.escape(named[1])}(?!\d)", older):
        return True
    was, now = _sizes(update.value, update.new_value)
    return was is not None and now is not None and min(was, now) < named_amounts.LEAST_SHARE * max(was, now)


def is_same_amount(update: Update) -> bool:
    """Whether both values are one sum or number, however it is written: "1.000,50 €" and "1000.50 €"."""
    was, now = (_amounts(each) for each in (update.value, update.new_value))
    if was != [update.value.strip()] or len(now) != 1 or _unit(was[0]) != _unit(now[0]):
        return False
    return _size(was[0]) is not None and _size(was[0]) == _size(now[0])


def comparable_amount(older: str, newer: str, update: Update) -> Update:
    """The update, of the one amount of the older text that is of the same size, where its own is of quite another.

    "I charge 310 a spread, 24 spreads" has one that may have become "20 spreads".
    """
    if not is_of_another_amount(older, newer, update):
        return update
    days = [each.span() for each in _DAY.finditer(older)]
    parts = [each for each in _amounts(older) if not any(start <= older.find(each) < end for start, end in days)]
    fitting = [each for each in parts if not is_of_another_amount(older, newer, replace(update, value=each))]
    unit = _unit(update.new_value)
    alike = [each for each in fitting if _unit(each) == unit] if unit else []
    meant = set(alike or [each for each in fitting if not (unit and _unit(each))])
    if len(meant) != 1:
        return update
    value = meant.pop()
    place = older.find(value)
    quote = next((each for each in sentences.split(older) if each[0] <= place < each[1]), update.quote)
    return replace(update, value=value, quote=quote)


def _unit(words: str) -> str:
    return next((each.unit for each in (*amounts.find_money(words), *amounts.find_numbers(words))), "")


def _sizes(value: str, new_value: str) -> tuple[float | None, float | None]:
    """The amounts of an older and a newer value; of "45 million" and "36 only" the millions are left out."""
    if _SCALED.search(value) and not _SCALED.search(new_value):
        value = _SCALED.sub("", value)
    return _size(value), _size(new_value)


def _size(words: str) -> float | None:
    """The amount that some words give; None where they give none or several, or a day."""
    found = {each.key for each in (*amounts.find_money(words), *amounts.find_numbers(words))}
    keys = found or set(_RATE.findall(words))
    if len(keys) != 1 or _DAY.search(words) or _SPELT.search(words):
        return None
    key = keys.pop().replace(",", "")
    return float(key) if key.replace(".", "", 1).isdecimal() else None
