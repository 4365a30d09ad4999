"""Looking through a large graph: pages, details and reports, each beside a plain query of as many rows."""

import random
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, insert, select
from sqlalchemy import Table as Stored

from bench.progress import Progress
from bench.tables import Table, number
from nacre import Nacre, ScopedNacre, Settings
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import aliases, aspects, attributes, entities, links
from nacre.text import names

SIZE = 60_000
PINNED = 20
MEMORIES = 200

Json = dict[str, Any]
Plain = Callable[[Transaction], Select[Any]]
Call = Callable[[ScopedNacre], object]

_AT = datetime(2026, 5, 1, tzinfo=UTC)
_ROUNDS = 15
_BATCH = 10_000
_FIRST = ("Amber", "Birch", "Coral", "Delta", "Ember", "Fjord", "Grove", "Haven", "Ivory", "Jade")
_TYPES = ("person", "project", "tool", "system", "organization", "concept")
_ASPECTS = ("work", "taste")
_CLAIMS = ("owner", "colour", "city")
_PREDICATES = ("works_on", "knows", "uses", "part_of")
_LINKS_EACH = 2


def measure(size: int, database: str | None, progress: Progress) -> Json:
    """Every figure in milliseconds, with the plain query beside it and how many times as long Nacre takes."""
    figures: Json = {}
    with tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder:
        address = database or str(Path(folder) / "knowledge.db")
        with Nacre(address, settings=Settings(worker="off"), clock=lambda: _AT + timedelta(days=1)) as nacre:
            scope = nacre.scope(agent=f"bench-{random.SystemRandom().getrandbits(32):08x}", user="knowledge")
            with progress.track(f"a graph of {size:,} entities", 1 + len(_figures(size))) as advance:
                fill(nacre, scope, size)
                advance(1)
                for name, (call, plain, rounds) in _figures(size).items():
                    figures[name] = _compared(nacre, scope, call, plain, rounds)
                    advance(1)
    return figures


def tables(document: Json) -> list[Table]:
    """What each costs, what a plain query of as many rows costs, and the ratio."""
    rows = tuple(
        (name, number(figure["ms"]), number(figure["plain_ms"]), f"× {number(figure['ratio'])}")
        for name, figure in document["figures"].items()
    )
    note = f"{document['options']['entities']:,} entities, with {len(_ASPECTS)} aspects, {len(_CLAIMS)} claims and "
    note += f"{_LINKS_EACH} links each. p50 of {_ROUNDS} calls, of 3 or fewer for what reads the whole graph. Beside "
    note += "each, a single statement on the same connection that reads as many rows of the same table by an index."
    return [Table("Looking through a graph", ("", "p50, ms", "plain query, ms", "ratio"), rows, note)]


def name_of(index: int) -> str:
    """The name of an entity: two words, the second its own, but for a few that share one."""
    return f"{_FIRST[index % len(_FIRST)]} n{index - index % 1000 if index % 1000 == 1 else index:x}"


def fill(nacre: Nacre, scope: ScopedNacre, size: int, links_each: int = _LINKS_EACH) -> None:
    """Write the graph straight into the tables, and some memories that name entities."""
    with nacre.parts.database.write(scope.scope) as tx:
        scopes.advance(tx)
        _insert(tx, entities, (_entity(tx, index) for index in range(size)))
        _insert(tx, aliases, (_alias(tx, index) for index in range(size)))
        _insert(tx, aspects, (_aspect(tx, index, side) for index in range(size) for side in range(len(_ASPECTS))))
        _insert(tx, attributes, (_claim(tx, index, place) for index in range(size) for place in range(len(_CLAIMS))))
        _insert(tx, links, _links(tx, size, links_each))
    for index in range(MEMORIES):
        scope.remember(f"{name_of(index * 7 % size)} met {name_of(index * 11 % size)} on day {index} at gate {index}")


def _figures(size: int) -> dict[str, tuple[Call, Plain, int]]:
    deep = size * 5 // 6
    middle = _id(size // 2)
    return {
        "list, first 50": (lambda scope: scope.knowledge.entities(), _listing(50), _ROUNDS),
        f"list, 50 from place {deep:,}": (
            lambda scope: scope.knowledge.entities(offset=deep),
            _listing(50, deep),
            _ROUNDS,
        ),
        "list of a type, first 50": (lambda scope: scope.knowledge.entities(type="tool"), _listing(50), _ROUNDS),
        "search, few match": (lambda scope: scope.knowledge.entities(q=f"n{size // 2:x}"), _listing(50), _ROUNDS),
        "search, every tenth matches": (lambda scope: scope.knowledge.entities(q="coral"), _listing(50), _ROUNDS),
        "entity by a part of its name": (
            lambda scope: scope.knowledge.entity(f"l n{size // 2 + 2:x}"),
            lambda tx: select(entities).where(entities.c.scope_id == tx.scope_id, entities.c.id == middle),
            _ROUNDS,
        ),
        "tree": (
            lambda scope: scope.knowledge.tree(middle),
            lambda tx: select(attributes).where(attributes.c.scope_id == tx.scope_id, attributes.c.entity_id == middle),
            _ROUNDS,
        ),
        "constellation": (lambda scope: scope.knowledge.constellation(), _listing(150), _ROUNDS),
        "stats": (lambda scope: scope.knowledge.stats(), _counting(attributes), 3),
        "health": (lambda scope: scope.knowledge.health(), _counting(links), 3),
        "hygiene": (lambda scope: scope.knowledge.hygiene(), _reading(entities), 3),
        "quality": (lambda scope: scope.knowledge.quality(), _reading(entities), 3),
        "refresh communities": (lambda scope: scope.knowledge.refresh_communities(), _reading(links), 1),
    }


def _listing(limit: int, offset: int = 0) -> Plain:
    order = (entities.c.mentions.desc(), entities.c.updated_at.desc(), entities.c.name)
    mine = select(entities).where(entities.c.status == "active").order_by(*order).limit(limit).offset(offset)
    return lambda tx: mine.where(entities.c.scope_id == tx.scope_id)


def _counting(table: Stored) -> Plain:
    return lambda tx: select(func.count()).select_from(table).where(table.c.scope_id == tx.scope_id)


def _reading(table: Stored) -> Plain:
    return lambda tx: select(table).where(table.c.scope_id == tx.scope_id)


def _compared(nacre: Nacre, scope: ScopedNacre, call: Call, plain: Plain, rounds: int) -> Json:
    def ask_plainly() -> None:
        with nacre.parts.database.read(scope.scope) as tx:
            tx.execute(plain(tx)).all()

    mine, bare = _p50(lambda: call(scope), rounds), _p50(ask_plainly, rounds)
    return {"ms": round(mine, 3), "plain_ms": round(bare, 3), "ratio": round(mine / bare, 2)}


def _p50(call: Callable[[], object], rounds: int) -> float:
    """The median time of a call in milliseconds; the first is for warming up."""
    times = []
    for _ in range(rounds + 1):
        started = perf_counter()
        call()
        times.append((perf_counter() - started) * 1000)
    return median(times[1:])


def _insert(tx: Transaction, table: Stored, rows: Iterator[Json]) -> None:
    while some := list(islice(rows, _BATCH)):
        tx.execute(insert(table), some)


def _id(number: int) -> UUID:
    return UUID(int=number)


def _entity(tx: Transaction, index: int) -> Json:
    return {
        **_common(tx, index),
        "name": name_of(index),
        "slug": f"n{index}",
        "type": _TYPES[index % len(_TYPES)],
        "description": f"Of group {index % 97} at site {index % 13}",
        "properties": {},
        "mentions": index % 50,
        "pinned_at": _AT if index % (SIZE // PINNED) == 7 else None,
    }


def _alias(tx: Transaction, index: int) -> Json:
    name = name_of(index)
    return {"scope_id": tx.scope_id, "key": names.match_key(name), "entity_id": _id(index), "name": name}


def _aspect(tx: Transaction, index: int, side: int) -> Json:
    key = _ASPECTS[side]
    weight = {"name": key, "key": key, "weight": 0.5 + index % 5 / 10}
    row = _common(tx, index * len(_ASPECTS) + side) | weight | {"entity_id": _id(index)}
    del row["confidence"]
    return row


def _claim(tx: Transaction, index: int, place: int) -> Json:
    key = _id(index * len(_CLAIMS) + place)
    return {
        **_common(tx, key.int),
        "entity_id": _id(index),
        "aspect_id": _id(index * len(_ASPECTS) + place % len(_ASPECTS)),
        "group_key": "general",
        "claim_key": _CLAIMS[place],
        "kind": "constraint" if index % 20 == 0 else "attribute",
        "value": f"value {index % 1000}",
        "normalized": f"value {index % 1000}",
        "importance": 0.5,
        "version": 1,
        "root_id": key,
        "actor": "bench",
    }


def _links(tx: Transaction, size: int, links_each: int) -> Iterator[Json]:
    chance = random.Random(size)
    for index in range(size * links_each):
        source = index // links_each
        # Most links stay near by, so that there are communities to find.
        target = (source + chance.randrange(1, 30)) % size if index % 10 else chance.randrange(size)
        yield {
            **_common(tx, index),
            "source_entity": _id(source),
            "predicate": _PREDICATES[index % len(_PREDICATES)],
            "target_entity": _id(target),
            "properties": {},
            "confidence": 0.4 + index % 60 / 100,
            "strength": 0.5 + index % 50 / 100,
        }


def _common(tx: Transaction, index: int) -> Json:
    at = _AT + timedelta(seconds=index % 3600)
    row = {"scope_id": tx.scope_id, "id": _id(index), "status": "active", "created_at": at, "updated_at": at}
    return {**row, "confidence": 1.0}
