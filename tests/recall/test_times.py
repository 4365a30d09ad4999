"""Dates in a question, and the passages from then."""

from datetime import UTC, datetime

import pytest

from nacre.text import times

NOW = datetime(2026, 11, 15, 9, tzinfo=UTC)


def day(year, month, day):
    return datetime(year, month, day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did Ana buy on 3 June 2025?", day(2025, 6, 3), day(2025, 6, 4)),
        ("What did Ana buy on June 3rd, 2025?", day(2025, 6, 3), day(2025, 6, 4)),
        ("What happened on 2025-06-03?", day(2025, 6, 3), day(2025, 6, 4)),
        ("What did Ana paint in July 2025?", day(2025, 7, 1), day(2025, 8, 1)),
        ("Where was Ana in 2024?", day(2024, 1, 1), day(2025, 1, 1)),
        ("What did we say yesterday?", day(2026, 11, 14), day(2026, 11, 15)),
        ("What did we do last month?", day(2026, 10, 1), day(2026, 11, 1)),
        ("What did we do last week?", day(2026, 11, 8), day(2026, 11, 15)),
        ("What did we do this week?", day(2026, 11, 9), day(2026, 11, 16)),
        ("Where did Ana live 4 years ago?", day(2022, 1, 1), day(2023, 1, 1)),
        ("¿Qué compró Ana el 3 de junio de 2025?", day(2025, 6, 3), day(2025, 6, 4)),
    ],
)
def test_a_question_speaks_of_a_period(question, start, end):
    assert times.asked(question, NOW) == [times.Period(start, end)]


@pytest.mark.parametrize("question", ["What may Ana do?", "Did she march on?", "Room 2025?", "İstanbul in June", ""])
def test_a_question_may_speak_of_none(question):
    assert times.asked(question, NOW) == []


def test_a_month_without_its_year_may_be_of_any_year():
    (period,) = times.asked("When did Ana go camping in June?", NOW)

    assert period.yearless
    assert period.of_year(2023) == times.Period(day(2023, 6, 1), day(2023, 7, 1))
    assert times.Period(day(2024, 2, 29), day(2024, 3, 1), yearless=True).of_year(2023) is None


@pytest.mark.spec("S14")
def test_passages_from_then_come_first(scope):
    for month in (3, 6, 9):
        scope.observe(
            "user", "We went camping by the lake.", session=f"{month}", at=datetime(2025, month, 7, tzinfo=UTC)
        )

    for question, month in (("When did we go camping in June?", 6), ("Did we go camping on 7 September 2025?", 9)):
        first = scope.recall(question, explain=True)[0]
        assert first.at.month == month
        assert first.channels["time"] == 1


@pytest.mark.spec("S14")
def test_what_is_told_soon_afterwards_counts_for_half(scope):
    scope.observe("user", "The trip was lovely.", at=datetime(2025, 7, 5, tzinfo=UTC))

    assert scope.recall("How was the trip in June 2025?", explain=True)[0].channels["time"] == 0.5
