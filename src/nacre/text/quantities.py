"""Quantities that a statement names, whatever they measure, in the order of the text.

English and Spanish, and what Chinese, Japanese and Korean write with digits.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from nacre.text import amounts, clocks, days
from nacre.text.measures import SPAN, Measure, Quantity

# Between the ends of a span: from 9 to 17.
_SPAN = re.compile(
    r"\s*(?:-|–|—|to|until|till|a|hasta)\s*(?:the |las? )?|\s?(?:~|～|から|至|到|부터)\s?", re.IGNORECASE
)
_SPANNING = frozenset({Measure.DATE, Measure.WEEKDAY, Measure.TIME, Measure.NUMBER, Measure.MONEY})
# What something moves from begins no span: moved from June 16 to July 14.
_AWAY = re.compile(
    r"\b(?:mov|chang|push|shift|went|rais|rose|drop|fell|switch|delay|postpon|cut|pas|cambi|sub|baj|retras)\w*\b[^,;.]*\Z",
    re.IGNORECASE,
)


def find_quantities(text: str, at: datetime) -> list[Quantity]:
    """The quantities of a text that was said at a moment."""
    quantities: list[Quantity] = []
    for some in (
        amounts.find_money(text),
        days.find_days(text, at),
        clocks.find_clocks(text),
        amounts.find_codes(text),
        amounts.find_numbers(text),
    ):
        quantities += _free(some, quantities)
    return _joined(text, sorted(quantities, key=lambda each: each.start))


def _free(some: Iterable[Quantity], taken: list[Quantity]) -> list[Quantity]:
    """Those that stand where nothing was found yet; the first of two at one place."""
    free: list[Quantity] = []
    for each in some:
        if not any(each.start < other.end and other.start < each.end for other in (*taken, *free)):
            free.append(each)
    return free


def _joined(text: str, quantities: list[Quantity]) -> list[Quantity]:
    """The quantities, with the two ends of a span as one."""
    joined: list[Quantity] = []
    for each in quantities:
        before = joined[-1] if joined else None
        if before and _is_span(text, before, each):
            key = f"{before.key}{SPAN}{each.key}"
            joined[-1] = replace(before, end=each.end, key=key, unit=each.unit or before.unit, period=None)
        else:
            joined.append(each)
    return joined


def _is_span(text: str, one: Quantity, other: Quantity) -> bool:
    alike = one.measure is other.measure and one.measure in _SPANNING
    # The word between may have been taken for the second's own.
    between = text[one.end : other.start] + other.lead
    return alike and bool(_SPAN.fullmatch(between)) and not _AWAY.search(text[: one.start])
