"""A few clients for a second: every call is counted, and none fails."""

from bench import load


def test_every_kind_of_call_is_made_and_answered():
    figures = load.measure(None, clients=4, seconds=2)

    assert set(figures["calls"]) == set(load.MIX)
    assert all(of["calls"] and not of["errors"] for of in figures["calls"].values())
    (table,) = load.tables({"databases": {"sqlite": figures}, "options": {"clients": 4, "seconds": 2}})
    assert [row[1] for row in table.rows] == list(load.MIX)
