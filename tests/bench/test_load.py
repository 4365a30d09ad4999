"""Two clients, and one call of each kind: every call is counted, and none fails."""

from bench import load

PLAN = load.Plan(clients=2, users=2, seconds=0, held_turns=1)


def test_every_kind_of_call_is_made_and_answered(tmp_path):
    figures = load.measure(str(tmp_path / "load.db"), PLAN)

    assert set(figures["calls"]) == set(load.MIX)
    assert all(of["calls"] and not of["errors"] for of in figures["calls"].values())
    assert figures["all"]["calls"] == sum(of["calls"] for of in figures["calls"].values())
    assert figures["cpu_ms_a_call"]["server"] > 0
    options = {"clients": 2, "users": 2, "seconds": 0, "rate": None, "workers": 1}
    times, costs = load.tables({"databases": {"sqlite": figures}, "options": options})
    assert [row[1] for row in times.rows] == ["all", *load.MIX]
    assert [row[0] for row in costs.rows] == ["sqlite"]
