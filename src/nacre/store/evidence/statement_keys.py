"""Statements by the words they are about: under each key the places of the turns and memories that state it."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any
from uuid import UUID

from sqlalchemy import Insert, LargeBinary, bindparam, delete, func, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from nacre.store.base import dialects
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import passages, statement_keys
from nacre.text.stems import term_key

# So many of the newest are kept under each key: a word that everything is about must not make learning slow.
MOST_OF_A_KEY = 100
_TOGETHER = 500
# Four bytes each: see `pack_places`.
_PLACE, _BYTES = "I", 4


def pack_places(places: Iterable[int]) -> bytes:
    """Sequence numbers of passages as they are kept under a key, the newest last."""
    return array(_PLACE, places).tobytes()


def add(tx: Transaction, keys: Mapping[UUID, Iterable[str]]) -> None:
    """Let turns and memories be found by the keys of their statements."""
    numbers = {item: {_number(key) for key in some} for item, some in keys.items()}
    places = defaultdict[int, list[int]](list)
    for item, place in sorted(_places(tx, [item for item, some in numbers.items() if some]).items(), key=_by_place):
        for number in numbers[item]:
            places[number].append(place)
    rows = [{"scope_id": tx.scope_id, "key": key, "places": pack_places(places[key])} for key in sorted(places)]
    if rows:
        tx.execute(_append(tx.connection.dialect.name), rows)


def _by_place(item_and_place: tuple[UUID, int]) -> int:
    return item_and_place[1]


def find_items(tx: Transaction, keys: Collection[str]) -> Counter[UUID]:
    """The turns and memories with statements under any of some keys, and under how many of them."""
    return Counter(chain.from_iterable(items_by_key(tx, keys).values()))


def items_by_key(tx: Transaction, keys: Collection[str]) -> dict[str, list[UUID]]:
    """The newest turns and memories with statements under each of some keys; keys without any are left out."""
    numbers = {key: _number(key) for key in sorted(keys)}
    places: dict[int, Sequence[int]] = {}
    for some in _portions(dict.fromkeys(numbers.values())):
        rows = tx.execute(_UNDER, {"scope": tx.scope_id, "keys": some})
        places |= {row.key: array(_PLACE, row.places) for row in rows}
    items: dict[int, UUID] = {}
    for some in _portions(dict.fromkeys(chain.from_iterable(places.values()))):
        items |= {row.seq: row.item_id for row in tx.execute(_ITEMS, {"scope": tx.scope_id, "seqs": some})}
    return {
        # What says a thing again was put under its key again.
        key: list(dict.fromkeys(items[place] for place in reversed(places[number]) if place in items))
        for key, number in numbers.items()
        if number in places
    }


def remove(tx: Transaction, items: Collection[UUID]) -> None:
    """Leave nothing of items that are about to go under any key. Reads all keys of the scope."""
    gone = set(_every_place(tx, items))
    if not gone:
        return
    # Read to its end before anything is changed.
    for row in tx.execute(_ALL, {"scope": tx.scope_id}).all():
        places = array(_PLACE, row.places)
        left = [place for place in places if place not in gone]
        if len(left) < len(places):
            here = (statement_keys.c.scope_id == tx.scope_id, statement_keys.c.key == row.key)
            change = update(statement_keys).values(places=pack_places(left)) if left else delete(statement_keys)
            tx.execute(change.where(*here))


def _every_place(tx: Transaction, items: Collection[UUID]) -> Iterable[int]:
    for some in _portions(items):
        yield from tx.execute(_PLACES_OF, {"scope": tx.scope_id, "items": some}).scalars()


def _places(tx: Transaction, items: Collection[UUID]) -> dict[UUID, int]:
    """The newest passage of each item."""
    places: dict[UUID, int] = {}
    for some in _portions(items):
        places |= {row.item_id: row.seq for row in tx.execute(_NEWEST_OF, {"scope": tx.scope_id, "items": some})}
    return places


def _portions(every: Iterable[Any]) -> Iterable[list[Any]]:
    values = list(every)
    return (values[start : start + _TOGETHER] for start in range(0, len(values), _TOGETHER))


def _number(key: str) -> int:
    number = term_key(key)
    return number - 2**64 if number >= 2**63 else number


class newest_places(FunctionElement[bytes]):  # noqa: N801 - reads as an SQL function
    """What a key holds and what comes behind it, without the oldest that are too many."""

    type = LargeBinary()
    inherit_cache = True


@compiles(newest_places, "sqlite")
def _newest_sqlite(element: newest_places, compiler: SQLCompiler, **options: Any) -> str:
    held, more = (compiler.process(each, **options) for each in element.clauses)
    # What SQLite joins is text to it, whose characters it would count.
    return f"substr(CAST({held} || {more} AS BLOB), -{MOST_OF_A_KEY * _BYTES})"


@compiles(newest_places, "postgresql")
def _newest_postgresql(element: newest_places, compiler: SQLCompiler, **options: Any) -> str:
    held, more = (compiler.process(each, **options) for each in element.clauses)
    first = f"octet_length({held}) + octet_length({more}) - {MOST_OF_A_KEY * _BYTES} + 1"
    return f"substr({held} || {more}, greatest(1, {first}))"


@cache
def _append(dialect: str) -> Insert:
    adding = dialects.insert_into(dialect, statement_keys)
    places = newest_places(statement_keys.c.places, adding.excluded.places)
    return adding.on_conflict_do_update(index_elements=["scope_id", "key"], set_={"places": places})


_OF_SCOPE = statement_keys.c.scope_id == bindparam("scope")
_ALL = select(statement_keys.c.key, statement_keys.c.places).where(_OF_SCOPE)
_UNDER = _ALL.where(statement_keys.c.key.in_(bindparam("keys", expanding=True)))
_ITEMS = select(passages.c.seq, passages.c.item_id).where(
    passages.c.scope_id == bindparam("scope"), passages.c.seq.in_(bindparam("seqs", expanding=True))
)
_PLACES_OF = select(passages.c.seq).where(
    passages.c.scope_id == bindparam("scope"), passages.c.item_id.in_(bindparam("items", expanding=True))
)
_NEWEST_OF = (
    select(passages.c.item_id, func.max(passages.c.seq).label("seq"))
    .where(passages.c.scope_id == bindparam("scope"), passages.c.item_id.in_(bindparam("items", expanding=True)))
    .group_by(passages.c.item_id)
)
