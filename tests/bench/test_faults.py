"""Faults as a table, and a disk that is full; the faults themselves take minutes."""

import os

import pytest

from bench import disks, faults


def test_the_table_says_what_was_seen_lost_and_how_long_it_took():
    counts = {"calls": 9, "acknowledged": 5, "lost": 0, "doubled": 0}
    told = {"503 `unavailable`": 4}
    document = {
        "faults": {
            "A": {**counts, "told": told, "kept_unacknowledged": 1, "recovered_s": 0.25},
            "B": {**counts, "told": {}, "used_again_s": 2.0, "recovered_s": 0.0},
        }
    }

    (table,) = faults.tables(document)

    assert table.rows[0] == ("A", "4 × 503 `unavailable`", "9", "5", "0", "0", "1", "0.25 s")
    assert table.rows[1][1] == "nothing; used again after 2.00 s"


def test_a_small_disk_is_filled_and_freed():
    with disks.small_disk(1) as folder:
        if folder is None:
            pytest.skip("This machine lets nobody mount a small file system.")
        free = disks.fill(folder)
        with pytest.raises(OSError, match="No space left"), (folder / "more").open("wb", buffering=0) as file:
            file.write(bytes(4_096))
        free()
        left = os.statvfs(folder)
        assert left.f_bavail * left.f_frsize > 900_000
