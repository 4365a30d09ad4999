"""Quantities of statements: what they measure, and when two of them are at odds."""

from datetime import UTC, datetime

import pytest

from nacre.text import measures, quantities
from nacre.text.measures import Measure

# A Friday.
NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)


def found(text: str) -> list[tuple[str, str]]:
    return [(each.measure.value, each.key) for each in quantities.find_quantities(text, NOW)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pebble launches on June 16", [("date", "06-16")]),
        ("It ends on 2026-12-31", [("date", "2026-12-31")]),
        ("The demo is on Thursday at 3pm", [("date", "2026-05-07"), ("time", "15:00")]),
        ("We deploy on Tuesdays", [("weekday", "1")]),
        ("It moved to the 14th", [("date", "14")]),
        ("Budget for Q3 is 40k", [("date", "07-01"), ("number", "40000")]),
        ("The stand-up is at 9:30", [("time", "9:30?")]),
        ("The stand-up is at 10 now", [("time", "10:00?")]),
        ("The shop is open from 9 to 17", [("time", "9:00?–17:00")]),
        ("Lunch is at noon", [("time", "12:00")]),
        ("The plan costs 39 euros a month", [("money", "39")]),
        ("It costs $1,299.50", [("money", "1299.5")]),
        ("El alquiler es de 1.200 euros", [("money", "1200")]),
        ("The cat weighs 4.6 kg", [("number", "4.6")]),
        ("Ana has two cats", [("number", "2")]),
        ("Room 4 seats 12", [("label", "4"), ("number", "12")]),
        ("It runs Python 3.12", [("label", "3.12")]),
        ("Her number is 555-0134", [("code", "5550134")]),
        ("Henrik lives at 4 Birch Lane", []),
        ("The launch moved from June 16 to July 14", [("date", "06-16"), ("date", "07-14")]),
        ("発売日は6月16日です", [("date", "06-16")]),
        ("会议改到下午三点", [("time", "15:00")]),
        ("价格是39元", [("money", "39")]),
        ("출시일은 7월 14일입니다", [("date", "07-14")]),
    ],
)
def test_a_statement_gives_its_quantities(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    ("one", "other", "at_odds"),
    [
        ("on June 16", "on July 14", True),
        ("on June 16", "16 June 2026", False),
        ("in June", "on June 16", False),
        ("in June", "on July 1", True),
        ("on June 16", "the 14th", True),
        ("tomorrow", "on May 2", False),
        ("at 3", "at 15:00", False),
        ("at 3", "at 15:30", True),
        ("at 3am", "at 3pm", True),
        ("1,200 euro", "1200 euros", False),
        ("40k", "40,000", False),
        ("4.2 kg", "4.6 kg", True),
    ],
)
def test_two_quantities_are_at_odds_where_both_cannot_be_meant(one, other, at_odds):
    first, second = (quantities.find_quantities(text, NOW)[0] for text in (one, other))

    assert first.measure is second.measure
    assert measures.differ(first, second) is measures.differ(second, first) is at_odds


def test_a_rate_belongs_to_its_amount():
    (monthly,) = quantities.find_quantities("39 euros a month", NOW)
    (quick,) = quantities.find_quantities("100 requests per minute", NOW)

    assert (monthly.unit, quick.unit) == ("eur/month", "request/minute")
    assert (monthly.measure, quick.measure) == (Measure.MONEY, Measure.NUMBER)
