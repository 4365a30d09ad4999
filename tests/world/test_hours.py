"""Quiet hours and days by the clock on the wall."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.world.hours import Hours

pytestmark = pytest.mark.spec("W7")

MADRID = ZoneInfo("Europe/Madrid")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_hours_may_pass_midnight_or_not():
    night, noon = Hours.of("23:00-08:00", "UTC"), Hours.of("12:00-14:00", "UTC")

    assert [night.are_quiet(at(f"2026-05-01T{hour}")) for hour in ("22:59", "23:00", "00:00", "07:59", "08:00")] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert [noon.are_quiet(at(f"2026-05-01T{hour}")) for hour in ("11:59", "12:00", "13:59", "14:00")] == [
        False,
        True,
        True,
        False,
    ]
    assert not Hours.of("", "UTC").are_quiet(at("2026-05-01T00:00"))


def test_they_end_by_the_wall_when_the_clocks_change():
    madrid = Hours.of("23:00-08:00", "Europe/Madrid")

    assert madrid.ends(at("2026-03-28T23:00")) == at("2026-03-29T06:00")  # the short night
    assert madrid.ends(at("2026-10-24T22:00")) == at("2026-10-25T07:00")  # the long one
    assert Hours.of("22:00-02:30", "Europe/Madrid").ends(at("2026-10-25T00:45")) == at("2026-10-25T01:30")


def test_a_day_has_as_many_hours_as_it_has():
    madrid = Hours.of("", "Europe/Madrid")

    for noon, hours in (("2026-03-29T12:00", 23), ("2026-10-25T12:00", 25), ("2026-05-01T12:00", 24)):
        first, last = madrid.day(at(noon))
        assert last - first == timedelta(hours=hours)
        assert first.astimezone(MADRID).hour == last.astimezone(MADRID).hour == 0


# Two nights around each change of the clocks, by the minute: that is where the mistakes are.
changes = st.sampled_from([at("2026-03-28T12:00"), at("2026-10-24T12:00")])
moments = st.builds(lambda start, minute: start + timedelta(minutes=minute), changes, st.integers(0, 2 * 24 * 60))
walls = st.builds(lambda hour, minute: f"{hour:02d}:{minute:02d}", st.integers(0, 23), st.sampled_from([0, 30]))


@given(moments, walls, walls)
def test_quiet_hours_end_within_a_day_whatever_the_clocks_do(now, start, end):
    if start == end:
        return
    hours = Hours.of(f"{start}-{end}", "Europe/Madrid")
    ends = hours.ends(now)

    assert now < ends <= now + timedelta(hours=25, minutes=30)
    # An hour that the clock leaps over may end a little late, in hours that are quiet again.
    assert not (hours.are_quiet(ends) and hours.are_quiet(hours.ends(ends)))
