"""What a run of load is summed up to; the run itself takes minutes."""

import pytest

from bench import endure, fleets


def test_memory_that_grows_is_told_from_memory_that_does_not():
    samples = [(float(at), {"server 1": 100.0, "worker 1": 100.0 + at / 36}) for at in range(0, 3_600, 10)]

    told = endure._memory(samples)

    assert told["server 1"]["growth_mb_per_hour"] == 0
    assert told["worker 1"]["growth_mb_per_hour"] == pytest.approx(100, abs=0.2)
    assert set(told["worker 1"]["windows_mb"]) == {str(window) for window in range(12)}


def test_lost_and_doubled_jobs_are_counted():
    held = [("note", "done", 7, 2), ("note", "dead", 1, 4), ("other", "done", 5, 0)]

    told = endure._jobs("note", 9, held, effects=8, distinct=7)

    assert (told["lost"], told["doubled"], told["begun_again"]) == (2, 1, 6)


def test_the_tables_show_every_call_and_every_process():
    spread = {"calls": 1, "p50_ms": 1.0, "p95_ms": 2.0}
    document = {
        "options": {"minutes": 10, "rate": 1, "clients": 1},
        "calls": 2,
        "errors": {"recall: busy": 1},
        "warnings": {"nacre.store.base.cache": 2},
        "turns": {"acknowledged": 1, "stored": 1, "lost": 0, "doubled": 0},
        "jobs": {"dream": {"enqueued": 1, "effects": 1, "lost": 0, "doubled": 0, "begun_again": 0}},
        "windows": {"0": dict.fromkeys(endure.MIX, spread), "1": {"recall": spread}},
        "memory": {"server 1": {"windows_mb": {"0": 1.0, "1": 1.0}, "growth_mb_per_hour": 0.0}},
    }

    counted, times, sizes = endure.tables(document)

    assert "1 × recall: busy" in counted.note
    assert "2 of nacre.store.base.cache" in counted.note
    assert [row[0] for row in times.rows] == list(endure.MIX)
    assert times.columns == ("call", "0–5", "5–10")
    assert sizes.rows == (("server 1", "1.00", "1.00", "0.00"),)


def test_a_process_that_has_ended_has_no_memory_and_no_children():
    assert fleets.resident_of(2**30) is None
    assert fleets.children(2**30) == []


def test_warnings_are_counted_by_who_gave_them(tmp_path):
    log = tmp_path / "log"
    log.write_text(
        "2026-11-15T16:27:40+00:00 warning [38] nacre.store.base.cache: It is slow.\nTraceback\n  of several words"
    )

    assert endure._logged(log) == {"nacre.store.base.cache": 1}
