"""Reading a graph at several sizes: names in a message, walks, search, duplicates. Writing its rows is not timed."""

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

from bench import rivals
from bench.progress import Progress
from bench.tables import Table, number
from nacre import Scope
from nacre.domain.graph_reports import Walk
from nacre.graph.identity import matching, resolution
from nacre.graph.reading import searching, walks
from nacre.models.static_embedder import StaticEmbedder
from nacre.store.base import scopes
from nacre.store.base.databases import Database, Transaction
from nacre.store.tables.schema import aliases, entities, links
from nacre.text import names

SIZES = "1000,10000,100000,1000000"
HUB = 50_000
HUB_SHARE = 20
SEARCHED = 60_000
SCANNED = 20_000
MESSAGE_WORDS = 60

Json = dict[str, Any]

_SCOPE = Scope(agent="bench", user="graph")
_AT = datetime(2026, 5, 1, tzinfo=UTC)
_ROUNDS = 30
_BATCH = 10_000
_FILLER = ("we", "met", "today", "to", "talk", "about", "the", "new", "plan", "and", "what", "it", "needs", "before")
_FIRST = ("Amber", "Birch", "Coral", "Delta", "Ember", "Fjord", "Grove", "Haven", "Ivory", "Jade")
_SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
    "va",
    "we",
    "zi",
)
_PREDICATES = ("works_on", "knows", "uses", "part_of")

_ROWS = (
    ("names in a 60-word message p50, ms", "match_p50_ms"),
    ("walk, 2 hops from 3 seeds p50, ms", "walk_p50_ms"),
    ("  links it reads", "walk_links"),
    ("the same in memory with networkx p50, ms", "networkx_p50_ms"),
    ("the same on disk with Kuzu p50, ms", "kuzu_p50_ms"),
    ("walk with the hub among the seeds p50, ms", "hub_walk_p50_ms"),
    ("  links it reads", "hub_walk_links"),
    ("search, a whole name p50, ms", "search_name_p50_ms"),
    ("search, two prefixes p50, ms", "search_prefix_p50_ms"),
    ("search, a word of every tenth entity p50, ms", "search_common_p50_ms"),
    ("scan for duplicates, s", "scan_s"),
    ("  pairs it finds", "scan_pairs"),
)


@dataclass(frozen=True, slots=True)
class Edge:
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Step:
    """What is measured on a database of its own with as many rows as the size says, and at most `most`."""

    title: str
    measured: Callable[[Database, int, Path], Json]
    most: int | None = None


def measure(sizes: Sequence[int], progress: Progress) -> Json:
    """Every size's figures, the size as text."""
    figures: Json = {str(size): {} for size in sizes}
    for step in (
        Step("names", _match),
        Step("links", _walk),
        Step("entities searched", _search, SEARCHED),
        Step("entities scanned", _scan, SCANNED),
    ):
        found: dict[int, Json] = {}
        for size in sizes:
            count = min(size, step.most or size)
            if count not in found:
                found[count] = _measured(step, count, progress)
            figures[str(size)] |= found[count]
    return figures


def tables(document: Json) -> list[Table]:
    """All figures by size with their growth."""
    sizes: Json = document["sizes"]
    columns = ("", *(f"{int(size):,}" for size in sizes))
    rows = tuple(_row(title, name, sizes) for title, name in _ROWS)
    note = (
        f"Names, links and entities as many as the column says; searches over at most {SEARCHED:,} entities, scans "
        f"over {SCANNED:,}. The hub has one of {HUB_SHARE} links, at most {HUB:,}."
    )
    if absent := [name for name in rivals.NAMES if any(each[f"{name}_p50_ms"] is None for each in sizes.values())]:
        note += f" Not installed: {', '.join(absent)}."
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
    """A fifth as many entities in two halves without a link between them; the hub leads to many of the first half."""
    chance = random.Random(size)
    half = nodes_of(size) // 2
    hub = min(HUB, size // HUB_SHARE)
    for index in range(hub):
        yield Edge(0, 1 + index % (half - 1))
    for index in range(size - hub):
        start = 1 if index % 2 else half
        yield Edge(chance.randrange(start, start + half - 1), chance.randrange(start, start + half - 1))


def nodes_of(size: int) -> int:
    return max(size // 5, 10)


def person_name(index: int) -> str:
    """A made-up name of a person; one in a hundred is the one before it with a letter doubled."""
    chance = random.Random(index - index % 100 if index % 100 == 1 else index)
    first, last = ("".join(chance.choices(_SYLLABLES, k=count)).capitalize() for count in (2, 4))
    return f"{first} {last}{last[-1]}" if index % 100 == 1 else f"{first} {last}"


def fill(
    database: Database,
    count: int,
    drawn: Iterable[Edge] = (),
    *,
    name: Callable[[int], str] = name_of,
    searchable: bool = False,
) -> None:
    """Write `count` entities with their names, and links between them."""
    with database.write(_SCOPE) as tx:
        tx.connection.exec_driver_sql("PRAGMA cache_size = -262144")
        # No walk reads the history of links, and only the search its index: keeping them up takes longer than the rest.
        for unread in ["link_history_insert"] + ["entities_fts_insert"] * (not searchable):
            tx.connection.exec_driver_sql(f"DROP TRIGGER {unread}")
        scopes.advance(tx)
        _insert(tx, entities, (_entity(tx, index, name(index)) for index in range(count)))
        _insert(tx, aliases, (_alias(tx, index, name(index)) for index in range(count)))
        _insert(tx, links, (_link(tx, index, edge) for index, edge in enumerate(drawn)))


def _measured(step: Step, count: int, progress: Progress) -> Json:
    with (
        tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder,
        progress.track(f"{count:,} {step.title}", 1) as advance,
    ):
        database = Database(Path(folder) / "graph.db", lambda: _AT)
        figures = step.measured(database, count, Path(folder))
        database.close()
        advance(1)
    return figures


def _match(database: Database, size: int, _folder: Path) -> Json:
    fill(database, size)
    chance = random.Random(1)
    messages = [message(size, chance) for _ in range(_ROUNDS)]
    return {"match_p50_ms": _p50(database, [_with(matching.find, text) for text in messages])}


def _walk(database: Database, size: int, folder: Path) -> Json:
    fill(database, nodes_of(size), edges(size))
    chance = random.Random(2)
    half = nodes_of(size) // 2
    seeds = [[chance.randrange(half, 2 * half - 1) for _ in range(3)] for _ in range(_ROUNDS)]
    plain = [_walk_from(some) for some in seeds]
    hub = [_walk_from([0, *some[1:]]) for some in seeds]
    pairs = ((edge.source, edge.target) for edge in edges(size))
    return {
        "walk_p50_ms": _p50(database, plain),
        "walk_links": _links_read(database, plain),
        **rivals.walk_p50s(pairs, nodes_of(size), seeds, walks.HOPS, folder),
        "hub_walk_p50_ms": _p50(database, hub),
        "hub_walk_links": _links_read(database, hub),
    }


def _links_read(database: Database, calls: Sequence[Callable[[Transaction], Walk]]) -> float:
    with database.read(_SCOPE) as tx:
        return median(len(call(tx).links) for call in calls)


def _walk_from(seeds: Sequence[int]) -> Callable[[Transaction], Walk]:
    return lambda tx: walks.walk(tx, [_id(seed) for seed in seeds])


def _search(database: Database, count: int, _folder: Path) -> Json:
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


def _scan(database: Database, count: int, _folder: Path) -> Json:
    fill(database, count, name=person_name)
    embedder = StaticEmbedder()
    embedder.matrix([name_of(0)])
    with database.read(_SCOPE) as tx:
        started = perf_counter()
        pairs = len(resolution.scan(tx, embedder, limit=count))
        return {"scan_s": round(perf_counter() - started, 3), "scan_pairs": pairs}


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
    # Sorted once at the end, an index is made many times faster than row by row.
    for index in table.indexes:
        index.drop(tx.connection)
    while some := list(islice(rows, _BATCH)):
        tx.execute(insert(table), some)
    for index in table.indexes:
        index.create(tx.connection)


def _id(index: int) -> UUID:
    return UUID(int=index)


def _entity(tx: Transaction, index: int, name: str) -> Json:
    return {
        **_common(tx, index),
        "name": name,
        "slug": f"n{index}",
        "type": "project",
        "description": f"A project of group {index % 97} at site {index % 13}",
        "mentions": index % 50,
    }


def _alias(tx: Transaction, index: int, name: str) -> Json:
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
