"""Both users at work for a moment; how much slower one is made by the other is not for a test to say."""

from bench import neighbours
from bench.progress import Silent


def test_a_quiet_user_is_timed_alone_and_beside_a_noisy_one(tmp_path):
    plan = neighbours.Plan(seconds=0.3, characters=5_000, places=("embedded",))

    figures = neighbours.measure(str(tmp_path / "neighbours.db"), plan, Silent())

    assert set(figures) == set(plan.places)
    for of in figures.values():
        assert of["alone"]["noisy_turns"] == 0 < of["beside"]["noisy_turns"]
        assert of["p95_ratio"] > 0
    (table,) = neighbours.tables(
        {"databases": {"sqlite": figures}, "options": {"seconds": 0.3, "characters": plan.characters}}
    )
    assert [row[1] for row in table.rows] == list(plan.places)


def test_the_noise_is_as_long_as_it_should_be():
    assert len(neighbours.synthetic_text(12_345)) == 12_345
