"""Times in sentences: the day that is meant."""

from datetime import UTC, datetime

import pytest

from nacre.text import times


@pytest.mark.parametrize(
    ("text", "future", "day"),
    [
        ("on friday the 27th", True, datetime(2026, 11, 27, tzinfo=UTC)),
        ("on saturday the 19th", True, datetime(2026, 12, 19, tzinfo=UTC)),
        ("on friday the 13th", False, datetime(2026, 11, 13, tzinfo=UTC)),
        ("on monday the 31st", True, datetime(2027, 5, 31, tzinfo=UTC)),
    ],
)
def test_a_weekday_with_its_day_of_the_month_is_that_day(text, future, day):
    [time] = times.find(text, datetime(2026, 11, 16, 9, tzinfo=UTC), future=future)

    assert time.at == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("switching to mercanta from april", datetime(2026, 4, 1, tzinfo=UTC)),
        ("she takes over from april 1st", datetime(2026, 4, 1, tzinfo=UTC)),
        ("the baby is due in august", datetime(2026, 8, 1, tzinfo=UTC)),
        ("a house in ghent, closing june 30", datetime(2026, 6, 30, tzinfo=UTC)),
        ("a flat in ghent, the contract starts on august 1", datetime(2026, 8, 1, tzinfo=UTC)),
        ("got a post from september", datetime(2026, 9, 1, tzinfo=UTC)),
        ("we moved in april", datetime(2025, 4, 1, tzinfo=UTC)),
        ("worked there from october until june", datetime(2025, 10, 1, tzinfo=UTC)),
    ],
)
def test_what_begins_soon_or_is_due_lies_ahead(text, day):
    assert times.find(text, datetime(2026, 3, 23, 9, tzinfo=UTC))[0].at == day
