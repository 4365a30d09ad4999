"""Many tenants in one PostgreSQL or cluster: what recall, observe and context take as they grow, and what each costs.

Every tenant has fifty turns, three memories and at least ten entities with their links, audit and history;
`bench.tenants` says how their rows are made. At each size a sample of tenants is drawn. Each of them is recalled from
for the first time in this process (cold: its rows are read and its index is made), recalled from again, observed,
asked for a context and searched. Then several threads do that at once. Beside the times stands that of an empty
transaction: what the machine and the way to the database take at that moment. A database with Citus is distributed
first, and what it holds is on its workers.
"""

import random
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from time import perf_counter
from typing import Any

import psycopg
from psycopg import sql

from bench import citus, synthetic, tenants
from bench.clusters import cluster
from bench.metrics import percentile
from bench.probes import resident
from bench.progress import Progress
from bench.tables import Table, number
from bench.words import NAMES
from nacre import Nacre, ScopedNacre, Settings
from nacre.brain import health
from nacre.store.tables.schema import metadata

SIZES = "1000,10000,100000"
SAMPLE = 300
THREADS = 8
SECONDS = 20

Json = dict[str, Any]
Times = dict[str, list[float]]

CALLS = {
    "bare": "empty transaction",
    "recall_cold": "recall, cold scope",
    "recall": "recall, warm",
    "observe": "observe",
    "context": "context",
    "search": "search for an entity",
}
# How often each call is made by the threads, out of ten.
_MIX = {"observe": 5, "recall": 3, "context": 2}
# A shard is a table on its worker, with a number after the name.
_SIZES = """
SELECT c.relname AS name, sum(pg_table_size(p.relid)) AS rows, sum(pg_indexes_size(p.relid)) AS indexes
FROM pg_class AS c, LATERAL pg_partition_tree(c.oid) AS p
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'p' AND p.isleaf GROUP BY 1
UNION ALL
SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition
ORDER BY 2 DESC
"""
_SHARDS_OF_SCOPES = r"""
SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname ~ '^scopes_\d+$'
"""


def measure(
    sizes: Sequence[int],
    database: str | None,
    progress: Progress,
    *,
    sample: int = SAMPLE,
    seconds: int = SECONDS,
    more: Callable[[int], Json] = lambda size: {},  # noqa: ARG005
) -> Json:
    """Every size's figures, the size as text, with what `more` adds. The database is filled further for each."""
    figures: Json = {}
    with ExitStack() as held:
        address = database or held.enter_context(cluster())
        with Nacre(address, settings=Settings(worker="off")) as nacre:
            if citus.is_installed(address):
                health.distribute(nacre.parts)
            for template in range(tenants.TEMPLATES):
                tenants.write_template(nacre, template)
        written = tenants.TEMPLATES
        for size in sizes:
            begun = perf_counter()
            with progress.track(f"{size:,} tenants", size - written) as advance:
                for made in tenants.fill(address, range(written, size)):
                    advance(made)
            filled = perf_counter() - begun
            figures[str(size)] = {"fill_s": round(filled, 1), "filled": size - written, **_settled(address, size)}
            figures[str(size)] |= _timed(address, size, min(sample, size), seconds) | more(size)
            written = size
    return figures


def tables(document: Json) -> list[Table]:
    """Times by size, then what a tenant takes."""
    sizes: Json = document["sizes"]
    columns = ("", *(f"{int(size):,}" for size in sizes))
    growth = f"{columns[-1]} ÷ {columns[1]}"
    times = tuple(
        _row(f"{title} {part}, ms", [of["calls"][call][f"{part}_ms"] for of in sizes.values()])
        for call, title in CALLS.items()
        for part in ("p50", "p95")
    )
    note = (
        f"One caller, {document['options']['sample']} tenants drawn at random at each size; each is cold for its first "
        "recall."
    )
    together = (
        _row("calls a second", [of["together"]["calls_per_s"] for of in sizes.values()]),
        *(
            _row(f"{CALLS[call]} {part}, ms", [of["together"][call][f"{part}_ms"] for of in sizes.values()])
            for call in _MIX
            for part in ("p50", "p95")
        ),
        _row("errors", [of["together"]["errors"] for of in sizes.values()]),
        _row("connections that the pool keeps open", [of["together"]["connections"] for of in sizes.values()]),
        _row("resident memory of the process, MB", [of["resident_mb"] for of in sizes.values()]),
    )
    return [
        Table("Times by number of tenants", (*columns, growth), times, note),
        Table(
            f"{THREADS} threads at once",
            (*columns, growth),
            together,
            f"For {document['options']['seconds']} s, each call to another tenant: half observe, three in ten recall, "
            "two in ten context. The more tenants there are, the fewer of them are warm: of 100,000 none.",
        ),
        _disk(sizes, columns),
    ]


def _disk(sizes: Json, columns: tuple[str, ...]) -> Table:
    each = list(sizes.values())
    biggest = [name for name, _ in sorted(each[-1]["tables"].items(), key=lambda of: -sum(of[1]))[:8]]
    rows = (
        ("turns", *(f"{of['turns']:,}" for of in each)),
        ("entities", *(f"{of['entities']:,}" for of in each)),
        ("database, GB", *(number(of["bytes"] / 1e9) for of in each)),
        ("a tenant, kB", *(number(of["bytes"] / 1e3 / int(size)) for size, of in sizes.items())),
        *(
            (
                f"  {name}: rows and indexes, kB",
                *(_kilobytes(of["tables"].get(name), int(size)) for size, of in sizes.items()),
            )
            for name in biggest
        ),
        ("tenants filled a second", *(number(of["filled"] / of["fill_s"]) for of in each)),
    )
    return Table("What tenants take", columns, rows)


def _kilobytes(held: Sequence[int] | None, size: int) -> str:
    rows, indexes = held or (0, 0)
    return f"{number(rows / 1e3 / size)} + {number(indexes / 1e3 / size)}"


def _row(title: str, values: Sequence[float]) -> tuple[str, ...]:
    growth = f"× {number(values[-1] / values[0])}" if values[0] else number(None)
    return (title, *map(number, values), growth)


def _settled(address: str, size: int) -> Json:
    """What the database holds, once its statistics are those of what it holds."""
    nodes = citus.worker_addresses(address) if citus.is_installed(address) else [address]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            sql.SQL("VACUUM (ANALYZE) {}").format(sql.SQL(", ").join(map(sql.Identifier, metadata.tables)))
        )
        counted = ("SELECT count(*) FROM turns", "SELECT count(*) FROM entities")
        turns, entities = (connection.execute(query).fetchone() for query in counted)
    each = [_node(node) for node in nodes]
    held: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for node in each:
        for name, *sizes in node["tables"]:
            held[name] = [sum(both) for both in zip(held[name], sizes, strict=True)]
    return {
        "bytes": sum(node["bytes"] for node in each),
        "turns": turns and turns[0],
        "entities": entities and entities[0],
        "nodes": [{"bytes": node["bytes"], "scopes": node["scopes"]} for node in each],
        "tables": {name: sizes for name, sizes in held.items() if sum(sizes) > size},
    }


def _node(address: str) -> Json:
    """What one node holds."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        connection.execute("SET citus.show_shards_for_app_name_prefixes = '*'")
        rows = [
            (re.sub(r"_\d{6,}$", "", name), int(of), int(indexes)) for name, of, indexes in connection.execute(_SIZES)
        ]
        shards = connection.execute(_SHARDS_OF_SCOPES).fetchall()
        scopes = [
            connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name))) for (name,) in shards
        ]
        (whole,) = connection.execute("SELECT pg_database_size(current_database())").fetchone() or (0,)
    return {"tables": rows, "bytes": int(whole), "scopes": sum((of.fetchone() or (0,))[0] for of in scopes)}


def beside(addresses: Mapping[str, str], size: int, sample: int) -> Json:
    """The same calls to the same tenants of several databases, in turn: each has the machine as the others do."""
    times: dict[str, Times] = {name: defaultdict(list) for name in addresses}
    with ExitStack() as held:
        brains = {name: held.enter_context(_brain(address)) for name, address in addresses.items()}
        for place, tenant in enumerate(_drawn(size, sample)):
            for name, nacre in brains.items():
                _visit(nacre, tenant, place, times[name])
    return {name: {call: _spread(of) for call, of in calls.items()} for name, calls in times.items()}


def _drawn(size: int, sample: int) -> list[int]:
    chance = random.Random(size)
    # Not the templates: what is said to them would be copied when the database is filled further.
    return [chance.randrange(tenants.TEMPLATES, size) for _ in range(sample)]


@contextmanager
def _brain(address: str) -> Iterator[Nacre]:
    with Nacre(address, settings=Settings(worker="off")) as nacre:
        # Models are loaded before, and what every process does once.
        _call("context", nacre.scope(agent="empty", user="nobody"), "What about the garden?")
        yield nacre


def _timed(address: str, size: int, sample: int, seconds: int) -> Json:
    with _brain(address) as nacre:
        times: Times = defaultdict(list)
        for place, tenant in enumerate(_drawn(size, sample)):
            _visit(nacre, tenant, place, times)
        together = _together(nacre, size, seconds)
        return {
            "calls": {call: _spread(of) for call, of in times.items()},
            "together": {**together, "connections": _connections(address)},
            "resident_mb": round(resident()),
        }


def _visit(nacre: Nacre, tenant: int, place: int, times: Times) -> None:
    """One call of each kind to a tenant."""
    scope = tenants.scope_of(nacre, tenant)
    first, second = _questions(tenants.template_of(tenant))
    _clock(times["bare"], nacre.parts.database.ping)
    _clock(times["recall_cold"], lambda: scope.recall(first))
    _clock(times["recall"], lambda: scope.recall(second))
    _clock(times["observe"], lambda: _call("observe", scope, f"{first} Number {place}."))
    _clock(times["context"], lambda: scope.context(second, session="bench"))
    _clock(times["search"], lambda: scope.graph.search(NAMES[place % len(NAMES)]))


@cache
def _questions(template: int) -> list[str]:
    return synthetic.queries(tenants.TURNS, 2, template)


def _connections(address: str) -> int:
    """How many connections to the database are open beside the one that asks."""
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend' AND application_name = 'nacre'"
    )
    with psycopg.connect(address) as connection:
        (count,) = connection.execute(others).fetchone() or (0,)
        return int(count)


def _together(nacre: Nacre, size: int, seconds: int) -> Json:
    """Several threads at once, each call to a tenant drawn at random."""
    times: Times = defaultdict(list)
    errors: list[Exception] = []
    until = perf_counter() + seconds
    texts = [turn.text for turn in synthetic.turns(1_000)]

    def work(place: int) -> None:
        chance = random.Random(place + size)
        while perf_counter() < until:
            call = chance.choices(list(_MIX), list(_MIX.values()))[0]
            scope = tenants.scope_of(nacre, chance.randrange(tenants.TEMPLATES, size))
            try:
                _clock(times[call], partial(_call, call, scope, chance.choice(texts)))
            except Exception as error:  # noqa: BLE001 - a figure, and shown
                errors.append(error)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        "calls_per_s": round(sum(map(len, times.values())) / seconds, 1),
        "errors": len(errors),
        **{call: _spread(times[call]) for call in _MIX},
    }


def _call(call: str, scope: ScopedNacre, text: str) -> object:
    match call:
        case "observe":
            return scope.observe("user", text, session="bench")
        case "recall":
            return scope.recall(text[:80])
        case _:
            return scope.context(text[:80], session="bench", budget=800)


def _clock(into: list[float], call: Callable[[], object]) -> None:
    begun = perf_counter()
    call()
    into.append((perf_counter() - begun) * 1000)


def _spread(times: list[float]) -> Json:
    return {"calls": len(times), **{f"p{part}_ms": round(percentile(times, part), 2) for part in (50, 95)}}
