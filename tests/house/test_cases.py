"""Rows that a test takes in turn are told apart when one fails."""

import inspect

import pytest

from tests.cases import in_turn


@in_turn(("one", "other"), [(1, 1), (2, 3), (4, 4)])
def equal(tmp_path, one, other):
    assert one == other, tmp_path


def test_the_row_that_fails_is_named_and_columns_are_no_fixtures(tmp_path):
    assert list(inspect.signature(equal).parameters) == ["tmp_path"]
    with pytest.raises(AssertionError) as failed:
        equal(tmp_path=tmp_path)
    assert failed.value.__notes__ == ["Row 1: {'one': 2, 'other': 3}"]
