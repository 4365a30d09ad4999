"""Statements by the words they are about, and marks on those that a later one made outdated."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Integer, Row, Select, and_, bindparam, select, union_all

from nacre.domain.hits import Kind
from nacre.domain.memories import Memory
from nacre.domain.outdated_marks import OutdatedMark
from nacre.domain.replacements import successors
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import memories
from nacre.store.tables.schema import outdated, passages, statement_keys
from nacre.text.stems import term_key

# So many of the newest under each key are looked at: a word that everything is about must not make learning slow.
MOST_OF_A_KEY = 100
# So many keys are looked up by one statement: a few, or as many as a database plans well.
_LENGTHS = (8, 64)
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
    return Counter(item for items in items_by_key(tx, keys).values() for item in items)


def items_by_key(tx: Transaction, keys: Collection[str]) -> dict[str, list[UUID]]:
    """The newest turns and memories with statements under each of some keys; keys without any are left out."""
    numbers = {key: _number(key) for key in sorted(keys)}
    rest, items = list(dict.fromkeys(numbers.values())), defaultdict[int, list[UUID]](list)
    while rest:
        length = next((each for each in _LENGTHS if each >= len(rest)), _LENGTHS[-1])
        some, rest = rest[:length], rest[length:]
        # A statement has a text of its own for each number of keys, and nothing is under none.
        given = {f"key_{place}": some[place] if place < len(some) else None for place in range(length)}
        for row in tx.execute(_newest_under(length), {"scope": tx.scope_id, "most": MOST_OF_A_KEY, **given}):
            items[row.key].append(row.item_id)
    return {key: items[number] for key, number in numbers.items() if number in items}


def _number(key: str) -> int:
    number = term_key(key)
    return number - 2**64 if number >= 2**63 else number


@cache
def _newest_under(keys: int) -> Select[Any]:
    """The newest items under each of so many keys; each of them is a search of its own in the index."""
    each = [
        select(statement_keys.c.key, statement_keys.c.item_id)
        .where(
            statement_keys.c.scope_id == bindparam("scope"),
            statement_keys.c.key == bindparam(f"key_{place}", type_=BigInteger),
        )
        .order_by(statement_keys.c.item_id.desc())
        .limit(bindparam("most", type_=Integer))
        .subquery()
        for place in range(keys)
    ]
    found = union_all(*(select(one.c.key, one.c.item_id) for one in each)).subquery()
    return select(found.c.key, found.c.item_id)


def marked_places(tx: Transaction, items: Collection[UUID]) -> dict[tuple[UUID, int], bool]:
    """The statements of some turns and memories that are outdated: whose, where they begin, and if that is in doubt."""
    return {(row.item_id, row.quote_start): row.doubtful for row in _rows(tx, items)}


def find_marks(tx: Transaction, items: Collection[UUID], as_of: datetime | None = None) -> dict[UUID, list[Mark]]:
    """Of some turns and memories, those with outdated statements in their order, each with what took over from it last.

    What took over may itself be outdated: then the last of the chain counts. One that is no longer in force does not,
    nor one that was said after `as_of`. A chain goes no further where it is in doubt.
    """
    steps: dict[UUID, list[_Step]] = {}
    places: dict[UUID, tuple[int, Kind]] = {}
    wanted = asked = set(items)
    for _ in range(_LONGEST):
        rows = [row for row in _rows(tx, wanted) if as_of is None or row.said_at <= as_of]
        if not rows:
            break
        newer = {row.newer_id for row in rows}
        tx.read_ahead([mark_call(tx, newer - asked)] if newer - asked else [])
        places |= _in_force(tx, newer)
        takers = _takers(tx, newer - places.keys())
        places |= _in_force(tx, {each.id for some in takers.values() for each in some})
        for row in sorted(rows, key=lambda row: row.quote_start):
            steps.setdefault(row.item_id, []).append(_step(row, takers.get(row.newer_id, ())))
        wanted = {step.newer for row in rows for step in steps[row.item_id]} - asked
        asked = asked | wanted
    marks: dict[UUID, list[Mark]] = {}
    if not steps:
        return marks
    for step in (step for item in dict.fromkeys(items) for step in steps.get(item, ())):
        last = _last(steps, step, places)
        if last is not None:
            seq, kind = places[last.newer]
            told = OutdatedMark(
                by=last.newer,
                value=step.value,
                new_value=last.new_value,
                quote=step.quote,
                at=last.said_at,
                doubtful=step.doubtful,
            )
            marks.setdefault(step.item, []).append(Mark(item=step.item, outdated=told, seq=seq, kind=kind))
    return marks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """From a statement to the one that takes over from it: whose it is, and where it stands there."""

    item: UUID
    quote: tuple[int, int]
    value: str
    newer: UUID
    newer_start: int
    new_value: str
    said_at: datetime
    doubtful: bool


def _step(row: Row[Any], takers: Sequence[Memory]) -> _Step:
    """The step of a row; where a memory was split since, to the part that has the new value."""
    newer, start = row.newer_id, row.newer_start
    for taker in takers:
        if (found := taker.content.find(row.new_value)) >= 0:
            newer, start = taker.id, found
            break
    return _Step(
        item=row.item_id,
        quote=(row.quote_start, row.quote_end),
        value=row.value,
        newer=newer,
        newer_start=start,
        new_value=row.new_value,
        said_at=row.said_at,
        doubtful=row.doubtful,
    )


def _takers(tx: Transaction, gone: Collection[UUID]) -> dict[UUID, list[Memory]]:
    """What memories that are not in force any more were split into, as far as that is."""
    split = memories.by_id(tx, list(gone)) if gone else {}
    after = {key: successors(each.metadata) for key, each in split.items()}
    parts = memories.by_id(tx, list(set().union(*after.values()))) if any(after.values()) else {}
    return {key: [parts[part] for part in some if part in parts] for key, some in after.items()}


def _last(steps: Mapping[UUID, Sequence[_Step]], step: _Step, places: Mapping[UUID, tuple[int, Kind]]) -> _Step | None:
    """The end of the chain that begins with a step, as far as it is in force."""
    first, found, seen = step.item, None, {(step.item, step.quote[0])}
    following: _Step | None = step
    while following is not None:
        found = following if following.newer in places and following.newer != first else found
        if step.doubtful:
            break
        place, sure = following.newer_start, (each for each in steps.get(following.newer, ()) if not each.doubtful)
        following = next((each for each in sure if each.quote[0] <= place < each.quote[1]), None)
        if following is None or (following.item, following.quote[0]) in seen:
            break
        seen.add((following.item, following.quote[0]))
    return found


def _rows(tx: Transaction, items: Collection[UUID]) -> Sequence[Row[Any]]:
    return tx.execute(*mark_call(tx, items)).all() if items else []


def mark_call(tx: Transaction, items: Collection[UUID]) -> Call:
    """What reads the marks of some turns and memories."""
    # The numbers of ids are compared several times faster than the ids themselves.
    return _MARKS, {"scope": tx.scope_id, "items": sorted(items, key=attrgetter("int"))}


def _in_force(tx: Transaction, items: Collection[UUID]) -> dict[UUID, tuple[int, Kind]]:
    if not items:
        return {}
    rows = tx.execute(_PLACES, {"scope": tx.scope_id, "items": list(items)})
    return {row.item_id: (row.seq, Kind(row.kind)) for row in rows}


_MARKS = select(outdated).where(
    outdated.c.scope_id == bindparam("scope"), outdated.c.item_id.in_(bindparam("items", expanding=True))
)
_PLACES = select(passages.c.item_id, passages.c.seq, passages.c.kind).where(
    and_(passages.c.scope_id == bindparam("scope"), passages.c.ended_at.is_(None)),
    passages.c.item_id.in_(bindparam("items", expanding=True)),
)
