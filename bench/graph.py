"""Reading a graph at several sizes: names in a message, walks, search. Rows are written directly and not timed."""

import importlib
import importlib.util
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID

from sqlalchemy import Table as Stored
from sqlalchemy import insert

from bench.progress import Progress
from bench.tables import Table, number
from nacre import Scope
from nacre.graph import matching, searching, walks
from nacre.store import scopes
from nacre.store.databases import Database, Transaction
from nacre.store.schema import aliases, entities, links
from nacre.text import names

SIZES = "1000,10000,100000,1000000"
HUB = 50_000
SEARCHED = 60_000
MESSAGE_WORDS = 60

Json = dict[str, Any]

_SCOPE = Scope(agent="bench", user="graph")
_AT = datetime(2026, 5, 1, tzinfo=UTC)
_ROUNDS = 30
_BATCH = 10_000
_FILLER = ("we", "met", "today", "to", "talk", "about", "the", "new", "plan", "and", "what", "it", "needs", "before")
_FIRST = ("Amber", "Birch", "Coral", "Delta", "Ember", "Fjord", "Grove", "Haven", "Ivory", "Jade")
_PREDICATES = ("works_on", "knows", "uses", "part_of")

_ROWS = (
    ("names in a 60-word message p50, ms", "match_p50_ms"),
    ("walk, 2 hops from 3 seeds p50, ms", "walk_p50_ms"),
    ("  links it reads", "walk_links"),
    ("the same in memory with networkx p50, ms", "networkx_p50_ms"),
    ("walk with the hub among the seeds p50, ms", "hub_walk_p50_ms"),
    ("search, a whole name p50, ms", "search_name_p50_ms"),
    ("search, two prefixes p50, ms", "search_prefix_p50_ms"),
    ("search, a word of every tenth entity p50, ms", "search_common_p50_ms"),
)


@dataclass(frozen=True, slots=True)
class Edge:
    source: int
    target: int


def measure(sizes: Sequence[int], progress: Progress) -> Json:
    """Every size's figures, the size as text."""
    steps: tuple[Callable[[Database, int], Json], ...] = (_match, _walk, _search)
    figures: Json = {}
    for size in sizes:
        figures[str(size)] = {}
        with progress.track(f"a graph of {size:,}", len(steps)) as advance:
            for step in steps:
                with tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder:
                    database = Database(Path(folder) / "graph.db", lambda: _AT)
                    figures[str(size)] |= step(database, size)
                    database.close()
                advance(1)
    return figures


def tables(document: Json) -> list[Table]:
    """All figures by size with their growth."""
    sizes: Json = document["sizes"]
    columns = ("", *(f"{int(size):,}" for size in sizes))
    rows = tuple(_row(title, name, sizes) for title, name in _ROWS)
    note = f"Names, links and entities as many as the column says; search at most {SEARCHED:,} entities; the hub has "
    note += f"half of all links, at most {HUB:,}."
    if not _has_networkx():
        note += " networkx was not installed."
    return [Table("Figures by size of the graph", (*columns, f"{columns[-1]} ÷ {columns[1]}"), rows, note)]


def name_of(index: int) -> str:
    """The name of an entity: two words, the second its own."""
    return f"{_FIRST[index % len(_FIRST)]} n{index:x}"


def message(size: int, chance: random.Random) -> str:
    """Sixty words with five names in them."""
    said = [chance.choice(_FILLER) for _ in range(MESSAGE_WORDS - 10)]
    for _ in range(5):
        said.insert(chance.randrange(len(said)), name_of(chance.randrange(size)))
    return " ".join(said)


def edges(size: int) -> Iterator[Edge]:
    """A fifth as many entities in two halves without a link between them; the hub leads to all of the first half."""
    chance = random.Random(size)
    half = nodes_of(size) // 2
    hub = min(HUB, size // 2)
    for index in range(hub):
        yield Edge(0, 1 + index % (half - 1))
    for index in range(size - hub):
        start = 1 if index % 2 else half
        yield Edge(chance.randrange(start, start + half - 1), chance.randrange(start, start + half - 1))


def nodes_of(size: int) -> int:
    return max(size // 5, 10)


def fill(database: Database, count: int, drawn: Iterable[Edge] = (), *, searchable: bool = False) -> None:
    """Write `count` entities with their names, and links between them."""
    with database.write(_SCOPE) as tx:
        if not searchable:
            # Only the search reads it, and keeping it up takes longer than all the rest.
            tx.connection.exec_driver_sql("DROP TRIGGER entities_fts_insert")
        scopes.ensure(tx)
        _insert(tx, entities, (_entity(tx, index) for index in range(count)))
        _insert(tx, aliases, (_alias(tx, index) for index in range(count)))
        _insert(tx, links, (_link(tx, index, edge) for index, edge in enumerate(drawn)))


def _match(database: Database, size: int) -> Json:
    fill(database, size)
    chance = random.Random(1)
    messages = [message(size, chance) for _ in range(_ROUNDS)]
    return {"match_p50_ms": _p50(database, [_with(matching.find, text) for text in messages])}


def _walk(database: Database, size: int) -> Json:
    fill(database, nodes_of(size), edges(size))
    chance = random.Random(2)
    half = nodes_of(size) // 2
    seeds = [[chance.randrange(half, 2 * half - 1) for _ in range(3)] for _ in range(_ROUNDS)]
    plain = [_walk_from(some) for some in seeds]
    with database.read(_SCOPE) as tx:
        read = median(len(walk(tx).links) for walk in plain)
    return {
        "walk_p50_ms": _p50(database, plain),
        "walk_links": read,
        "hub_walk_p50_ms": _p50(database, [_walk_from([0, *some[1:]]) for some in seeds]),
        "networkx_p50_ms": _networkx(size, seeds),
    }


def _walk_from(seeds: Sequence[int]) -> Callable[[Transaction], walks.Walk]:
    return lambda tx: walks.walk(tx, [_id(seed) for seed in seeds])


def _search(database: Database, size: int) -> Json:
    count = min(size, SEARCHED)
    fill(database, count, searchable=True)
    chance = random.Random(3)
    picked = [chance.randrange(count) for _ in range(_ROUNDS)]
    queries = {
        "search_name": [name_of(index) for index in picked],
        "search_prefix": [f"{name_of(index)[:3]} n{index:x}"[:6] for index in picked],
        "search_common": [_FIRST[index % len(_FIRST)] for index in picked],
    }
    return {
        f"{name}_p50_ms": _p50(database, [_with(searching.search, query) for query in some])
        for name, some in queries.items()
    }


def _networkx(size: int, seeds: Sequence[Sequence[int]]) -> float | None:
    if not _has_networkx():
        return None
    networkx = importlib.import_module("networkx")
    graph = networkx.Graph((edge.source, edge.target) for edge in edges(size))
    times = []
    for some in seeds:
        started = perf_counter()
        for seed in some:
            networkx.single_source_shortest_path_length(graph, seed, cutoff=walks.HOPS)
        times.append((perf_counter() - started) * 1000)
    return round(median(times), 3)


def _has_networkx() -> bool:
    return importlib.util.find_spec("networkx") is not None


def _p50(database: Database, calls: Sequence[Callable[[Transaction], object]]) -> float:
    """The median time of a call with its transaction, in milliseconds; the first is for warming up."""
    times = []
    for call in (calls[0], *calls):
        started = perf_counter()
        with database.read(_SCOPE) as tx:
            call(tx)
        times.append((perf_counter() - started) * 1000)
    return round(median(times[1:]), 3)


def _with(call: Callable[[Transaction, str], object], text: str) -> Callable[[Transaction], object]:
    return lambda tx: call(tx, text)


def _row(title: str, name: str, sizes: Json) -> tuple[str, ...]:
    values = [figures[name] for figures in sizes.values()]
    growth = f"× {number(values[-1] / values[0])}" if values[0] and values[-1] is not None else number(None)
    return (title, *map(number, values), growth)


def _insert(tx: Transaction, table: Stored, rows: Iterator[Json]) -> None:
    while some := list(islice(rows, _BATCH)):
        tx.execute(insert(table), some)


def _id(index: int) -> UUID:
    return UUID(int=index)


def _entity(tx: Transaction, index: int) -> Json:
    return {
        **_common(tx, index),
        "name": name_of(index),
        "slug": f"n{index}",
        "type": "project",
        "description": f"A project of group {index % 97} at site {index % 13}",
        "mentions": index % 50,
    }


def _alias(tx: Transaction, index: int) -> Json:
    name = name_of(index)
    return {"scope_id": tx.scope_id, "key": names.match_key(name), "entity_id": _id(index), "name": name}


def _link(tx: Transaction, index: int, edge: Edge) -> Json:
    return {
        **_common(tx, index),
        "source_entity": _id(edge.source),
        "predicate": _PREDICATES[index % len(_PREDICATES)],
        "target_entity": _id(edge.target),
        "confidence": 0.5 + index % 50 / 100,
        "strength": 1.0,
    }


def _common(tx: Transaction, index: int) -> Json:
    return {
        "scope_id": tx.scope_id,
        "id": _id(index),
        "properties": {},
        "confidence": 1.0,
        "status": "active",
        "created_at": tx.now,
        "updated_at": tx.now,
    }
