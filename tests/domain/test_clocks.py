"""No sum of times leaves the calendar."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.domain.clocks import FIRST, LAST, month_end, shifted
from nacre.graph.beliefs import markers
from nacre.text.days import find_days
from tests import examples

INSTANTS = st.sampled_from([FIRST, LAST]) | st.datetimes(timezones=st.just(UTC))


@examples.cheap()
@given(INSTANTS, st.timedeltas())
def test_a_sum_is_exact_or_the_end_of_the_calendar_on_its_side(at, by):
    moved = shifted(at, by)

    assert moved - at == by or moved == (LAST if by > timedelta() else FIRST)
    assert moved >= at if by >= timedelta() else moved <= at


@examples.cheap()
@given(INSTANTS)
def test_a_month_is_over_where_the_next_begins(at):
    over = month_end(at)

    assert over >= at
    assert over == LAST or ((over - timedelta.resolution).month == at.month and over.day == 1)


@pytest.mark.parametrize("at", [FIRST, LAST, datetime(9999, 12, 1, tzinfo=UTC)])
def test_what_ends_soon_ends_no_later_than_the_calendar(at):
    said = ["until Friday", "for 3 weeks", "for 999 weeks", "this month", "this week", "today", "tomorrow", "for now"]

    ends = [end for each in said if (end := markers.end(f"I am in Rome {each}", at))]

    assert len(ends) == (0 if at == LAST else 7)
    assert all(at < end <= LAST for end in ends)


@pytest.mark.parametrize("at", [FIRST, LAST])
def test_days_are_found_at_the_ends_of_the_calendar(at):
    found = list(find_days("in Q4, on Friday, 12月, 12月31日, yesterday", at))

    assert len(found) >= 4
    assert all(each.period is None or each.period.start <= each.period.end for each in found)
