"""Fusion finds the best of many scores without putting all of them in order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.recall import fusion
from tests import examples

few_values = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]), max_size=60)


@examples.cheap()
@given(values=few_values, limit=st.integers(0, 70))
def test_the_best_are_the_first_of_all_in_order_and_ties_go_to_the_earlier(values, limit):
    ordered = sorted((place for place, value in enumerate(values) if value > 0), key=lambda place: -values[place])
    assert fusion.best(np.array(values, np.float32), limit).tolist() == ordered[:limit]


@pytest.mark.parametrize(("eligible", "expected"), [([1, 1, 1], 0.75), ([1, 0, 1], 0.5), ([0, 0, 0], 0.0)])
def test_the_top_is_that_of_the_eligible(eligible, expected):
    scores = np.array([0.25, 0.75, 0.5], np.float32)
    assert fusion.top(scores, np.array(eligible, np.bool_)) == expected
    assert fusion.top(scores[:0], np.zeros(0, np.bool_)) == 0
