from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from nacre.domain import ids

NOW = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)


def test_ids_of_one_moment_sort_in_the_order_they_were_made():
    made = [ids.new(NOW) for _ in range(2_000)]

    assert made == sorted(made)
    assert len(set(made)) == len(made)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30))
def test_ids_sort_by_their_time_whatever_the_clock_did_in_between(moments):
    made = [(moment, ids.new(NOW + timedelta(milliseconds=moment))) for moment in moments]

    for (one, first), (other, second) in pairwise(made):
        if one != other:
            assert (first < second) == (one < other)
    assert {each.version for _, each in made} == {7}
