"""Statements by the words they are about, and marks on those that a later one made outdated."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Integer, Row, Select, and_, bindparam, select, union_all

from nacre.domain.hits import Kind
from nacre.domain.outdated_marks import OutdatedMark
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import outdated, passages, statement_keys
from nacre.text.stems import term_key

# So many of the newest under each key are looked at: a word that everything is about must not make learning slow.
MOST_OF_A_KEY = 100
# A chain of statements is followed as far as this.
_LONGEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A statement that is outdated, and the place of what takes over from it, if that is in force."""

    item: UUID
    outdated: OutdatedMark
    seq: int
    kind: Kind


def add_keys(tx: Transaction, keys: Mapping[UUID, Iterable[str]]) -> None:
    """Let turns and memories be found by the keys of their statements."""
    rows = [
        {"scope_id": tx.scope_id, "key": number, "item_id": item}
        for item, texts in keys.items()
        for number in sorted(set(map(_number, texts)))
    ]
    if rows:
        tx.insert_missing(statement_keys, rows)


def find_items(tx: Transaction, keys: Collection[str]) -> Counter[UUID]:
    """The turns and memories with statements under any of some keys, and under how many of them."""
    if not keys:
        return Counter()
    numbers = {f"key_{place}": _number(key) for place, key in enumerate(sorted(keys))}
    given = {"scope": tx.scope_id, "most": MOST_OF_A_KEY, **numbers}
    return Counter(tx.execute(_newest_under(len(numbers)), given).scalars())


def _number(key: str) -> int:
    number = term_key(key)
    return number - 2**64 if number >= 2**63 else number


@cache
def _newest_under(keys: int) -> Select[Any]:
    """The newest items under each of so many keys; each of them is a search of its own in the index."""
    each = [
        select(statement_keys.c.item_id)
        .where(
            statement_keys.c.scope_id == bindparam("scope"),
            statement_keys.c.key == bindparam(f"key_{place}", type_=BigInteger),
        )
        .order_by(statement_keys.c.item_id.desc())
        .limit(bindparam("most", type_=Integer))
        .subquery()
        for place in range(keys)
    ]
    found = union_all(*(select(one.c.item_id) for one in each)).subquery()
    return select(found.c.item_id)


def marked_places(tx: Transaction, items: Collection[UUID]) -> set[tuple[UUID, int]]:
    """The statements of some turns and memories that are outdated: whose, and where they begin."""
    return {(row.item_id, row.quote_start) for row in _rows(tx, items)}


def find_marks(tx: Transaction, items: Collection[UUID], as_of: datetime | None = None) -> dict[UUID, list[Mark]]:
    """Of some turns and memories, those with outdated statements in their order, each with what took over from it last.

    What took over may itself be outdated: then the last of the chain counts. One that is no longer in force does not,
    nor one that was said after `as_of`.
    """
    links: dict[tuple[UUID, int], Row[Any]] = {}
    wanted = set(items)
    for _ in range(_LONGEST):
        if not wanted:
            break
        rows = _rows(tx, wanted)
        found = {(row.item_id, row.quote_start): row for row in rows if as_of is None or row.said_at <= as_of}
        wanted = {row.newer_id for row in found.values()} - {item for item, _ in links} - wanted
        links |= found
    if not links:
        return {}
    places = _in_force(tx, {row.newer_id for row in links.values()})
    marks: dict[UUID, list[Mark]] = {}
    for (item, start), row in sorted(links.items(), key=lambda each: each[0][1]):
        last = _last(links, (item, start), places) if item in items else None
        if last is not None:
            seq, kind = places[last.newer_id]
            told = OutdatedMark(
                by=last.newer_id,
                value=row.value,
                new_value=last.new_value,
                quote=(row.quote_start, row.quote_end),
                at=last.said_at,
            )
            marks.setdefault(item, []).append(Mark(item=item, outdated=told, seq=seq, kind=kind))
    return marks


def _last(
    links: Mapping[tuple[UUID, int], Row[Any]], place: tuple[UUID, int], places: Mapping[UUID, tuple[int, Kind]]
) -> Row[Any] | None:
    """The end of the chain that begins at a statement, as far as it is in force."""
    found, seen = None, {place}
    while (row := links.get(place)) is not None:
        found = row if row.newer_id in places and row.newer_id != place[0] else found
        place = (row.newer_id, row.newer_start)
        if place in seen:
            break
        seen.add(place)
    return found


def _rows(tx: Transaction, items: Collection[UUID]) -> Sequence[Row[Any]]:
    return tx.execute(_MARKS, {"scope": tx.scope_id, "items": list(items)}).all() if items else []


def _in_force(tx: Transaction, items: Collection[UUID]) -> dict[UUID, tuple[int, Kind]]:
    rows = tx.execute(_PLACES, {"scope": tx.scope_id, "items": list(items)})
    return {row.item_id: (row.seq, Kind(row.kind)) for row in rows}


_MARKS = select(outdated).where(
    outdated.c.scope_id == bindparam("scope"), outdated.c.item_id.in_(bindparam("items", expanding=True))
)
_PLACES = select(passages.c.item_id, passages.c.seq, passages.c.kind).where(
    and_(passages.c.scope_id == bindparam("scope"), passages.c.ended_at.is_(None)),
    passages.c.item_id.in_(bindparam("items", expanding=True)),
)
