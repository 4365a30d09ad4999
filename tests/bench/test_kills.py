"""A few kills: what was learned is counted row by row, and a row too many would be seen."""

import pytest

from bench import kills
from bench.progress import Silent


@pytest.mark.spec("N12")
def test_after_kills_the_graph_is_that_of_a_quiet_run(database_url):
    figures = kills.measure(database_url, 2, Silent())

    assert figures["rows"]["mentions"] > 50
    assert not any(figures["differences"].values())
    (table,) = kills.tables({"databases": {"sqlite": figures}})
    assert table.rows[0][1] == "2"
    assert table.rows[0][-1] == "0"


def test_rows_missing_and_rows_too_many_are_counted():
    assert kills._difference(["a", "a", "b"], ["a", "c"]) == 3
