"""Marks on statements that a later one made outdated."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import Row, and_, bindparam, select

from nacre.domain.hits import Kind
from nacre.domain.memories import Memory
from nacre.domain.outdated_marks import OutdatedMark
from nacre.domain.replacements import successors
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import memories
from nacre.store.tables.schema import likely_successors, outdated, passages

# A chain of statements is followed as far as this.
_LONGEST = 20


class LikelySuccessor(NamedTuple):
    """What perhaps makes a turn or memory outdated, and how likely."""

    id: UUID
    chance: float


class PlaceMark(NamedTuple):
    """What is outdated of a statement, and whether that is in doubt."""

    value: str
    doubtful: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A statement that is outdated, and the place of what takes over from it, if that is in force."""

    item: UUID
    outdated: OutdatedMark
    seq: int
    kind: Kind


def add_successors(tx: Transaction, chances: Mapping[tuple[UUID, UUID], float]) -> None:
    """Note how likely newer turns and memories make older ones outdated, by older and newer."""
    rows = [
        {"scope_id": tx.scope_id, "item_id": older, "newer_id": newer, "chance": chance}
        for (older, newer), chance in chances.items()
    ]
    if rows:
        tx.insert_missing(likely_successors, rows)


def successor_call(tx: Transaction, items: Collection[UUID]) -> Call:
    """What reads the likely successors of some turns and memories."""
    return _SUCCESSORS, {"scope": tx.scope_id, "items": sorted(items, key=attrgetter("int"))}


def find_successors(tx: Transaction, items: Collection[UUID], least: float) -> dict[UUID, list[LikelySuccessor]]:
    """Of some turns and memories, those that others make outdated with such a chance, and these, the likeliest last."""
    return successors_in(tx.execute(*successor_call(tx, items)), least) if items else {}


def successors_in(rows: Iterable[Any], least: float) -> dict[UUID, list[LikelySuccessor]]:
    """What `find_successors` finds in what `successor_call` reads."""
    likely: dict[UUID, list[LikelySuccessor]] = {}
    for row in rows:
        if row.chance >= least:
            likely.setdefault(row.item_id, []).append(LikelySuccessor(row.newer_id, row.chance))
    return likely


def marked_places(tx: Transaction, items: Collection[UUID]) -> dict[tuple[UUID, int], PlaceMark]:
    """The statements of some turns and memories that are outdated: whose, and where they begin."""
    return {(row.item_id, row.quote_start): PlaceMark(row.value, row.doubtful) for row in _rows(tx, items)}


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
_SUCCESSORS = (
    select(likely_successors.c.item_id, likely_successors.c.newer_id, likely_successors.c.chance)
    .where(
        likely_successors.c.scope_id == bindparam("scope"),
        likely_successors.c.item_id.in_(bindparam("items", expanding=True)),
    )
    .order_by(likely_successors.c.chance, likely_successors.c.newer_id)
)
_PLACES = select(passages.c.item_id, passages.c.seq, passages.c.kind).where(
    and_(passages.c.scope_id == bindparam("scope"), passages.c.ended_at.is_(None)),
    passages.c.item_id.in_(bindparam("items", expanding=True)),
)
