"""The figures as tables and plots."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench import pages, tables
from bench.peers.answering import METRICS
from bench.plots import Bar, Line, bars, lines
from bench.tables import NONE, Table, number, share

PLOTS = pages.PAGE.parent / "benchmarks"
RECALL_PLOT, WRITES_PLOT = "peers-recall.svg", "peers-writes.svg"

# DESIGN's floors: writes against mem0's, search against mem0's at one size, search alone at the largest.
WRITE_FLOOR = 20
RECALL_FLOOR, RECALL_FLOOR_SIZE = 5, "10000"
RECALL_MS, RECALL_MS_SIZE = 10, "100000"

Json = dict[str, Any]


def all_tables(document: Json) -> list[Table]:
    return [
        _writes(document),
        _recall(document),
        _memory(document),
        _quality(document),
        _floors(document),
        _does(document),
    ]


def publish(document: Json, page: Path = pages.PAGE, folder: Path = PLOTS) -> None:
    """Rewrite the section of the page, and the plots beside it."""
    write_plots(document, folder)
    body = tables.section("Peers", document, all_tables(document))
    images = (
        f"![Search, median milliseconds by turns held]({folder.name}/{RECALL_PLOT})\n\n"
        f"![Durable writes a second]({folder.name}/{WRITES_PLOT})"
    )
    pages.publish("peers", f"{body}\n\n{images}", page)


def write_plots(document: Json, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECALL_PLOT).write_text(recall_plot(document), encoding="utf-8")
    (folder / WRITES_PLOT).write_text(writes_plot(document), encoding="utf-8")


def recall_plot(document: Json) -> str:
    """A system that missed a size stands at the number of turns it holds."""
    drawn = []
    for name, about in document["systems"].items():
        points = {
            figures[name]["held"]: figures[name]["recall_p50_ms"]
            for figures in document["sizes"].values()
            if name in figures and figures[name]["recall_p50_ms"]
        }
        if points:
            drawn.append(Line(about["title"], tuple(sorted(points.items()))))
    return lines("Search: median time", "turns held", "milliseconds", drawn)


def writes_plot(document: Json) -> str:
    """The middle size: large enough to matter, small enough for all."""
    sizes = list(document["sizes"])
    size = sizes[len(sizes) // 2]
    drawn = [
        Bar(about["title"], figures["single_per_s"], figures["batch_per_s"])
        for name, about in document["systems"].items()
        if (figures := document["sizes"][size].get(name)) and figures["single_per_s"]
    ]
    return bars(f"Writes at {int(size):,} turns", "turns a second", ("one a call", "in batches"), drawn)


def _writes(document: Json) -> Table:
    sizes = document["sizes"]
    columns = [f"{kind} at {int(size):,}" for kind in ("one a call", "batched") for size in sizes]
    rows = [
        (title, *(_cell(size, name, field) for field in ("single_per_s", "batch_per_s") for size in sizes.values()))
        for name, title in _titles(document)
    ]
    return Table("Writes a second", ("", *columns), tuple(rows), _unfinished(document))


def _recall(document: Json) -> Table:
    rows = []
    for name, title in _titles(document):
        cells = []
        for size, figures in document["sizes"].items():
            pair = f"{_cell(figures, name, 'recall_p50_ms')} / {_cell(figures, name, 'recall_p95_ms')}"
            cells.append(pair + _at(figures, name, size))
        rows.append((title, *cells))
    columns = ("", *(f"{int(size):,} turns" for size in document["sizes"]))
    note = "With the turns held where the size was missed; who missed a size was not asked for the next."
    return Table("Search of ten, p50 / p95 ms", columns, tuple(rows), note)


def _memory(document: Json) -> Table:
    sizes = document["sizes"]
    rows = []
    for name, title in _titles(document):
        memory = [_cell(figures, name, "resident_mb") for figures in sizes.values()]
        disk = [_cell(figures, name, "bytes", 1_000_000) for figures in sizes.values()]
        rows.append((title, *memory, *disk))
    columns = [f"{kind} at {int(size):,}" for kind in ("memory", "disk") for size in sizes]
    note = "Resident memory of the process that holds the system, with its libraries; the folder while it is open."
    return Table("Memory and disk, MB", ("", *columns), tuple(rows), note)


def _quality(document: Json) -> Table:
    rows = []
    for name, title in _titles(document):
        scores = document["quality"].get(name, {})
        cells = [share(metric, scores[metric]) if metric in scores else NONE for metric in METRICS]
        rows.append((title, str(scores.get("questions", NONE)), *cells))
    note = (
        "The same questions and vectors for all, no reranker. Speakers stand in front of the text where a system has "
        "no place for them. The MCP server is asked for the longest word of the question: whole questions find nothing."
    )
    return Table("LoCoMo", ("", "n", *METRICS), tuple(rows), note)


def _floors(document: Json) -> Table:
    sizes = document["sizes"]
    columns = ("", *(f"{int(size):,}" for size in sizes), "floor")
    rows = (
        ("writes one a call, Nacre ÷ mem0", *(_ratio(f, "single_per_s") for f in sizes.values()), f"{WRITE_FLOOR}"),
        (
            "search p50, mem0 ÷ Nacre",
            *(_ratio(f, "recall_p50_ms", inverse=True) for f in sizes.values()),
            f"{RECALL_FLOOR} at {int(RECALL_FLOOR_SIZE):,}",
        ),
        (
            "search p50, Nacre, ms",
            *(_cell(f, "nacre", "recall_p50_ms") for f in sizes.values()),
            f"≤ {RECALL_MS} at {int(RECALL_MS_SIZE):,}",
        ),
    )
    note = "mem0 is measured with what it holds: where it missed the size its search is faster than it would be."
    return Table("Nacre beside mem0", columns, rows, note)


def _does(document: Json) -> Table:
    systems = document["systems"]
    heads = next(iter(systems.values()))["does"]
    rows = tuple((about["title"], _versions(about), *about["does"].values()) for about in systems.values())
    return Table("What each does in that time", ("", "versions", *heads), rows)


def _titles(document: Json) -> Iterable[tuple[str, str]]:
    """Names and titles; a title says when there is nothing to measure."""
    for name, about in document["systems"].items():
        yield name, about["title"] if about["installed"] else f"{about['title']} (not installed)"


def _versions(about: Json) -> str:
    if not about["installed"]:
        return "not installed"
    return ", ".join(f"{name} {version}" for name, version in about["versions"].items()) or NONE


def _unfinished(document: Json) -> str:
    """One sentence for every size a system missed."""
    said = []
    for size, systems in document["sizes"].items():
        for name, figures in systems.items():
            title = document["systems"][name]["title"]
            if figures["failed"]:
                said.append(f"{title} {figures['failed']} before {int(size):,}.")
            elif not figures["finished"]:
                seconds = number(figures["fill_seconds"], 0)
                said.append(
                    f"{title} did not finish {int(size):,}: {figures['filled']:,} written in {seconds} s, "
                    f"{figures['held']:,} held."
                )
    return " ".join(said)


def _cell(figures: Json, name: str, field: str, divisor: int = 1) -> str:
    value = figures.get(name, {}).get(field)
    return number(value / divisor if value is not None else None)


def _at(figures: Json, name: str, size: str) -> str:
    held = figures.get(name, {}).get("held")
    missed = held is not None and not figures[name]["finished"] and not figures[name]["failed"]
    return f" at {held:,}" if missed and held < int(size) else ""


def _ratio(figures: Json, field: str, *, inverse: bool = False) -> str:
    ours, theirs = (figures.get(name, {}).get(field) for name in ("nacre", "mem0"))
    if not ours or not theirs:
        return NONE
    return f"× {number(theirs / ours if inverse else ours / theirs)}"
