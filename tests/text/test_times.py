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
