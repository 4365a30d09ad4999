"""Every measurement at the smallest size; what matters here is that it measures, not what."""

import sqlite3
from contextlib import closing

from bench import probes, speed, synthetic
from bench.bare import BareStore, BareVectors

SHARED = {name: 1.0 for _, name, _ in speed._ROWS} | dict.fromkeys(speed._BARE_TITLES, 1.0)


def test_a_scope_is_filled_and_measured_beside_a_bare_one(tmp_path, monkeypatch):
    for name in (
        "SINGLES",
        "SINGLES_ROUND",
        "REFRESHES",
        "QUERIES",
        "REMEMBERS",
        "CONTEXTS",
        "QUERIES_ROUND",
        "SMALLEST",
    ):
        monkeypatch.setattr(probes, name, getattr(probes, name) // 10)
    figures = {**probes.write(tmp_path, probes.SMALLEST), **probes.read(tmp_path, probes.SMALLEST)}

    assert {name for name, value in figures.items() if value <= 0} <= {"cold_load_ms"}
    with closing(sqlite3.connect(tmp_path / "bare.db")) as connection:
        assert connection.execute("select count(*) from turns").fetchone() == (probes.SMALLEST,)


def test_one_more_like_is_timed_by_how_many_there_are(tmp_path):
    figures = probes.hold(tmp_path, 100)

    assert list(figures) == ["10", "100"]
    assert min(figures.values()) > 0
    shown = speed.tables({"sizes": {"1000": SHARED, "10000": SHARED}, "likes": figures})[-1]
    assert shown.columns[1:3] == ("10", "100")


def test_a_bare_store_finds_its_rows_by_their_words(tmp_path):
    with closing(BareStore(tmp_path / "bare.db")) as bare:
        bare.insert(synthetic.turns(50)[:30])
        bare.insert_each(synthetic.turns(50)[30:])

    with closing(sqlite3.connect(tmp_path / "bare.db")) as connection:
        found = connection.execute("select count(*) from turns_fts where turns_fts match 'the'").fetchone()
    assert found[0] > 10


def test_a_bare_scan_finds_the_nearest_vector_first():
    vectors = BareVectors(100)

    assert vectors.best(vectors.vectors[42])[0] == 42


def test_both_sides_of_a_race_get_every_piece():
    ours: list[int] = []
    theirs: list[int] = []

    times = probes.race([1, 2, 3], ours.append, theirs.append)

    assert ours == theirs == [1, 2, 3]
    assert [len(side) for side in times] == [3, 3]


def test_memory_is_that_of_this_process():
    assert 5 < probes.resident() < 10_000


def test_growth_is_flat_or_told_by_figures_of_the_same_run():
    small = {**SHARED, "recall_p50_ms": 2.0, "context_p50_ms": 4.0, "bytes": 1_000_000}
    large = {**SHARED, "recall_p50_ms": 10.0, "context_p50_ms": 14.0, "bytes": 19_000_000, "bare_scan_p50_ms": 3.0}
    slower = {**large, "observe_per_s": 0.5}

    told = [row[-1] for row in speed.tables({"sizes": {"1000": small, "10000": large}})[0].rows]

    assert told == [
        "flat",
        "25 % of it in a bare scan of as many vectors",
        "80 % of it in recall",
        "flat",
        "2.00 KB for each turn more",
    ]
    assert speed.tables({"sizes": {"1000": small, "10000": slower}})[0].rows[0][-1] == "not explained"
