"""A process is timed as a person waits for it; how long the real ones take is not for a test to say."""

import os
import sys

from bench import doors


def test_a_process_is_timed_on_the_clock_and_by_its_processor_time(tmp_path):
    wall, used = doors.timed([sys.executable, "-c", "import time; time.sleep(0.2)"], os.environ, tmp_path)

    assert wall > 200
    assert 0 < used < wall


def test_every_figure_has_a_row_and_stands_beside_what_was_promised():
    figures = {"calls": 3, "p50_ms": 41.2, "p95_ms": 60.0, "cpu_ms": 21.0}
    served = {**figures, "server_ms": 22.0, "first_ms": 55.0}
    measured = {"starts": {"import nacre": figures}, "sizes": {"3000": {"hook at a prompt, server up": served}}}
    (table,) = doors.tables({**measured, "machine": {"load": 1.5, "cores": 2}})

    assert table.rows == (
        ("`import nacre`", "41", "60", "21", "–", "500"),
        ("hook at a prompt, server up, 3,000 turns", "41", "60", "21", "22", "60"),
    )
