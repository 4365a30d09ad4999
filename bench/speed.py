"""Speed and size at several numbers of turns in one scope, beside bare baselines measured in the same run."""

import multiprocessing
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bench import probes
from bench.errors import BadSizes
from bench.progress import Progress
from bench.tables import Table, number

SIZES = "1000,10000,100000"
LIKES = 10_000

Json = dict[str, Any]

# title, figure, and the bare figure it stands beside
_ROWS: tuple[tuple[str, str, str | None], ...] = (
    ("observe, durable calls/s", "observe_per_s", "bare_insert_per_s"),
    ("observe_many, turns/s", "observe_many_per_s", "bare_insert_many_per_s"),
    ("observe_many, turns/s until learned", "observe_many_learned_per_s", None),
    ("remember p50, ms", "remember_p50_ms", None),
    ("recall p50, ms", "recall_p50_ms", "bare_scan_p50_ms"),
    ("recall p95, ms", "recall_p95_ms", None),
    ("context p50, ms", "context_p50_ms", None),
    ("recall after an observe p50, ms", "recall_after_observe_p50_ms", None),
    ("first recall of a process, empty scope, ms", "first_recall_ms", None),
    ("cold load of the scope, ms", "cold_load_ms", None),
    ("resident memory, MB", "resident_mb", None),
    ("resident before the first recall, MB", "start_mb", None),
    ("database file, MB", "bytes", "bare_bytes"),
)
_BARE_TITLES = {
    "bare_insert_per_s": "bare SQLite + FTS5, durable inserts/s",
    "bare_insert_many_per_s": "bare SQLite + FTS5, batched rows/s",
    "bare_scan_p50_ms": "bare numpy scan of n × 256 p50, ms",
    "bare_bytes": "bare SQLite + FTS5 file, MB",
}

# The figures of the growth table.
_GROWING = ("observe_per_s", "recall_p50_ms", "context_p50_ms", "resident_mb", "bytes")
FLAT = 1.5


def measure(sizes: Sequence[int], progress: Progress) -> Json:
    """Every size's figures, the size as text."""
    steps: tuple[Callable[[Path, int], Json], ...] = (probes.write, probes.read)
    figures: Json = {}
    for size in sizes:
        with (
            tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder,
            progress.track(f"{size:,} turns", len(steps)) as advance,
        ):
            figures[str(size)] = {}
            for step in steps:
                figures[str(size)] |= _rounded(in_fresh_process(step, Path(folder), size))
                advance(1)
    return figures


def measure_likes(most: int, progress: Progress) -> Json:
    """Processor time of one more like, by how many the speaker has."""
    with tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder, progress.track(f"{most:,} likes", 1):
        return in_fresh_process(probes.hold, Path(folder), most)


def parse_sizes(written: str) -> list[int]:
    """`1000,10000`, smallest first."""
    try:
        sizes = sorted({int(part.replace("_", "")) for part in written.split(",")})
    except ValueError:
        raise BadSizes(written) from None
    if sizes[0] < probes.SMALLEST:
        raise BadSizes(written)
    return sizes


def in_fresh_process(step: Callable[[Path, int], Json], folder: Path, size: int) -> Json:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as processes:
        return processes.submit(step, folder, size).result()


def tables(document: Json) -> list[Table]:
    """All figures by size with their growth, then what Nacre costs over bare."""
    sizes: Json = document["sizes"]
    columns = ("", *(f"{int(size):,}" for size in sizes))
    growth = f"{columns[-1]} ÷ {columns[1]}"
    return [
        Table(
            "Growth: flat or explained",
            (*columns, growth, "why"),
            tuple(_growth_rows(sizes)),
            f"Flat is at most {FLAT} times slower or larger. Extraction is on.",
        ),
        Table("Figures by turns in the scope", (*columns, growth), tuple(_figure_rows(sizes))),
        Table(
            "Cost over bare",
            columns,
            tuple(_ratio_rows(sizes)),
            "1 is the same as bare, 2 twice as slow or twice as large.",
        ),
        *_likes(document.get("likes")),
    ]


def _likes(figures: Json | None) -> list[Table]:
    if not figures:
        return []
    columns = ("", *(f"{int(held):,}" for held in figures), "growth")
    values = list(figures.values())
    row = ("observe and learn, CPU ms", *map(number, values), f"× {number(values[-1] / values[0])}")
    note = (
        f"One speaker's likes, one more each time. What was not reached within {probes.HOLD_SECONDS:g} s is left out."
    )
    return [Table("Growth with values held by one speaker", columns, (row,), note)]


def _figure_rows(sizes: Json) -> list[tuple[str, ...]]:
    rows = []
    for title, name, bare in _ROWS:
        rows.append(_figure_row(title, name, sizes))
        if bare:
            rows.append(_figure_row(_BARE_TITLES[bare], bare, sizes))
    return rows


def _figure_row(title: str, name: str, sizes: Json) -> tuple[str, ...]:
    values = [figures[name] / (1_000_000 if name.endswith("bytes") else 1) for figures in sizes.values()]
    growth = f"× {number(values[-1] / values[0])}" if values[0] else number(None)
    return (title, *map(number, values), growth)


def _growth_rows(sizes: Json) -> list[tuple[str, ...]]:
    turns, known = [int(size) for size in sizes], list(sizes.values())
    titles = {name: title for title, name, _ in _ROWS}
    rows = []
    for name in _GROWING:
        flat = _cost(name, known[-1][name], known[0][name]) <= FLAT
        reason = "flat" if flat else _reason(name, known[0], known[-1], turns[-1] - turns[0])
        rows.append((*_figure_row(titles[name], name, sizes), reason))
    return rows


def _reason(name: str, first: Json, last: Json, turns: int) -> str:
    """What the run itself says of the growth. It names no cause that was not measured beside it."""
    more = last[name] - first[name]
    if name == "recall_p50_ms":
        return f"{_part('bare_scan_p50_ms', first, last, more)} of it in a bare scan of as many vectors"
    if name == "context_p50_ms":
        return f"{_part('recall_p50_ms', first, last, more)} of it in recall"
    if name in ("bytes", "resident_mb"):
        size = more / 1000 if name == "bytes" else more * 1024
        return f"{number(size / turns)} KB for each turn more"
    return "not explained"


def _part(name: str, first: Json, last: Json, more: float) -> str:
    return f"{number((last[name] - first[name]) / more * 100, 0)} %"


def _ratio_rows(sizes: Json) -> list[tuple[str, ...]]:
    return [
        (title.partition(",")[0], *(number(_cost(name, figures[name], figures[bare]), 2) for figures in sizes.values()))
        for title, name, bare in _ROWS
        if bare
    ]


def _cost(name: str, nacre: float, bare: float) -> float:
    return bare / nacre if name.endswith("_per_s") else nacre / bare


def _rounded(figures: Json) -> Json:
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in figures.items()}
