"""Every measurement at the smallest size; what matters here is that it measures, not what."""

import sqlite3
from contextlib import closing

from bench import probes, synthetic
from bench.bare import BareStore, BareVectors


def test_a_scope_is_filled_and_measured_beside_a_bare_one(tmp_path):
    figures = {**probes.write(tmp_path, probes.SMALLEST), **probes.read(tmp_path, probes.SMALLEST)}

    assert {name for name, value in figures.items() if value <= 0} <= {"cold_load_ms"}
    with closing(sqlite3.connect(tmp_path / "bare.db")) as connection:
        assert connection.execute("select count(*) from turns").fetchone() == (probes.SMALLEST,)


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
