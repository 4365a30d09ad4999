"""The same walk in other graph stores, where they are installed: networkx in memory, Kuzu on disk."""

import csv
import importlib
import importlib.util
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

Edges = Iterable[tuple[int, int]]
Walk = Callable[[Sequence[int]], object]

NAMES = ("networkx", "kuzu")

_TABLES = ("CREATE NODE TABLE Entity(id INT64, PRIMARY KEY(id))", "CREATE REL TABLE Link(FROM Entity TO Entity)")
_REACHED = "MATCH (a:Entity)-[:Link*1..{hops}]-(b:Entity) WHERE a.id IN $seeds RETURN DISTINCT b.id"


def missing() -> list[str]:
    """Those that are not installed."""
    return [name for name in NAMES if importlib.util.find_spec(name) is None]


def walk_p50s(edges: Edges, nodes: int, seeds: Sequence[Sequence[int]], hops: int, folder: Path) -> dict[str, Any]:
    """The median milliseconds of a walk from each of `seeds`, nothing for what is not installed."""
    drawn = list(edges)
    figures: dict[str, Any] = {f"{name}_p50_ms": None for name in NAMES}
    if "networkx" not in missing():
        figures["networkx_p50_ms"] = _p50(_networkx(drawn, hops), seeds)
    if "kuzu" not in missing():
        figures["kuzu_p50_ms"] = _p50(_kuzu(drawn, nodes, hops, folder), seeds)
    return figures


def _networkx(edges: Edges, hops: int) -> Walk:
    networkx = importlib.import_module("networkx")
    graph = networkx.MultiGraph(edges)

    def walk(seeds: Sequence[int]) -> object:
        return [networkx.single_source_shortest_path_length(graph, seed, cutoff=hops) for seed in seeds]

    return walk


def _kuzu(edges: Edges, nodes: int, hops: int, folder: Path) -> Walk:
    kuzu = importlib.import_module("kuzu")
    connection = kuzu.Connection(kuzu.Database(str(folder / "kuzu")))
    for statement in _TABLES:
        connection.execute(statement)
    for table, rows in (("Entity", ((node,) for node in range(nodes))), ("Link", edges)):
        path = folder / f"{table}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        connection.execute(f"COPY {table} FROM '{path}'")
    reached = connection.prepare(_REACHED.format(hops=hops))

    def walk(seeds: Sequence[int]) -> object:
        return connection.execute(reached, {"seeds": list(seeds)}).get_all()

    return walk


def _p50(walk: Walk, seeds: Sequence[Sequence[int]]) -> float:
    """The first walk is for warming up."""
    times = []
    for some in (seeds[0], *seeds):
        started = perf_counter()
        walk(some)
        times.append((perf_counter() - started) * 1000)
    return round(median(times[1:]), 3)
