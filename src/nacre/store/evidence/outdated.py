"""Marks on statements that a later one made outdated."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import BindParameter, Integer, Row, Select, and_, bindparam, literal_column, select

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


def mark_calls(tx: Transaction, items: Collection[UUID]) -> list[Call]:
    """What reads the marks of those of some turns and memories that nobody asked for yet."""
    return tx.kept(_MarkRows).calls(tx, items)


def successor_calls(tx: Transaction, items: Collection[UUID]) -> list[Call]:
    """What reads the likely successors of those of some turns and memories that nobody asked for yet."""
    return tx.kept(_SuccessorRows).calls(tx, items)


def find_successors(tx: Transaction, items: Collection[UUID], least: float) -> dict[UUID, list[LikelySuccessor]]:
    """Of some turns and memories, those that others make outdated with such a chance, and these, the likeliest last."""
    rows = tx.kept(_SuccessorRows).read(tx, items)
    likely = {item: [row for row in rows[item] if row.chance >= least] for item in items if rows[item]}
    return {item: [LikelySuccessor(row.newer_id, row.chance) for row in some] for item, some in likely.items() if some}


def marked_places(tx: Transaction, items: Collection[UUID]) -> dict[tuple[UUID, int], PlaceMark]:
    """The statements of some turns and memories that are outdated: whose, and where they begin."""
    rows = tx.execute(_PLACES_MARKED, {"scope": tx.scope_id, "items": list(items)}) if items else ()
    return {(row.item_id, row.quote_start): PlaceMark(row.value, row.doubtful) for row in rows}


def find_marks(tx: Transaction, items: Collection[UUID], as_of: datetime | None = None) -> dict[UUID, list[Mark]]:
    """Of some turns and memories, those with outdated statements in their order, each with what took over from it last.

    What took over may itself be outdated: then the last of the chain counts. One that is no longer in force does not,
    nor one that was said after `as_of`. A chain goes no further where it is in doubt.
    """
    held = tx.kept(_MarkRows)
    steps: dict[UUID, list[_Step]] = {}
    places: dict[UUID, tuple[int, Kind]] = {}
    wanted = asked = set(items)
    for _ in range(_LONGEST):
        marked = held.read(tx, wanted)
        sofar = (row for item in wanted for row in marked[item])
        rows = [row for row in sofar if as_of is None or row.said_at <= as_of]
        if not rows:
            break
        places |= {row.newer_id: (row.seq, Kind(row.kind)) for row in rows if row.seq is not None}
        takers = _takers(tx, {row.newer_id for row in rows} - places.keys())
        places |= _in_force(tx, {each.id for some in takers.values() for each in some})
        for row in rows:
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


_ITEMS: BindParameter[Any] = bindparam("items", expanding=True)
_SCOPE = outdated.c.scope_id == bindparam("scope")
_PLACES_MARKED = select(outdated.c.item_id, outdated.c.quote_start, outdated.c.value, outdated.c.doubtful).where(
    _SCOPE, outdated.c.item_id.in_(_ITEMS)
)


def _chained_marks() -> Select[Any]:
    """Marks, those of what follows upon the words that are marked, and where that has a passage in force."""
    columns = [column for column in outdated.c if column.name not in ("scope_id", "created_at")]
    chain = (
        select(*columns, literal_column("1", Integer).label("depth"))
        .where(_SCOPE, outdated.c.item_id.in_(_ITEMS))
        .cte("chain", recursive=True)
    )
    further = select(*columns, (chain.c.depth + literal_column("1", Integer)).label("depth"))
    chain = chain.union(
        further.join(chain, outdated.c.item_id == chain.c.newer_id).where(
            _SCOPE, chain.c.depth < literal_column(str(_LONGEST))
        )
    )
    here = and_(passages.c.scope_id == bindparam("scope"), passages.c.item_id == chain.c.newer_id)
    return select(chain, passages.c.seq, passages.c.kind).join(
        passages, and_(here, passages.c.ended_at.is_(None)), isouter=True
    )


_MARKS = _chained_marks()
_SUCCESSORS = (
    select(likely_successors.c.item_id, likely_successors.c.newer_id, likely_successors.c.chance)
    .where(
        likely_successors.c.scope_id == bindparam("scope"),
        likely_successors.c.item_id.in_(_ITEMS),
    )
    .order_by(likely_successors.c.chance, likely_successors.c.newer_id)
)


class _ItemRows:
    """What one statement tells of turns and memories; each is asked for once in a transaction."""

    statement: Select[Any]

    def __init__(self) -> None:
        self._rows: dict[UUID, list[Row[Any]]] = {}
        self._asked: set[UUID] = set()
        self._waiting: list[tuple[Sequence[UUID], Call]] = []

    def calls(self, tx: Transaction, items: Collection[UUID]) -> list[Call]:
        """What reads those that nobody asked for yet."""
        # The numbers of ids are compared several times faster than the ids themselves.
        fresh = sorted({*items} - self._asked - self._rows.keys(), key=attrgetter("int"))
        if not fresh:
            return []
        self._asked.update(fresh)
        self._waiting.append((fresh, (self.statement, {"scope": tx.scope_id, "items": fresh})))
        return [self._waiting[-1][1]]

    def read(self, tx: Transaction, items: Collection[UUID]) -> Mapping[UUID, Sequence[Row[Any]]]:
        """The rows of some items, and of all others that were read."""
        if not self._rows.keys() >= {*items}:
            self.calls(tx, items)
            waiting, self._waiting = self._waiting, []
            for (fresh, _), rows in zip(waiting, tx.execute_all([call for _, call in waiting]), strict=True):
                self._rows = self._grouped(fresh, rows) | self._rows
        return self._rows

    def _grouped(self, items: Sequence[UUID], rows: Iterable[Row[Any]]) -> dict[UUID, list[Row[Any]]]:
        grouped: dict[UUID, list[Row[Any]]] = {item: [] for item in items}
        for row in rows:
            grouped[row.item_id].append(row)
        return grouped


class _SuccessorRows(_ItemRows):
    """Likely successors."""

    statement = _SUCCESSORS


class _MarkRows(_ItemRows):
    """Marks, in the order of the words that they are on, and those of what follows upon them."""

    statement = _MARKS

    def _grouped(self, items: Sequence[UUID], rows: Iterable[Row[Any]]) -> dict[UUID, list[Row[Any]]]:
        marks: dict[UUID, dict[int, Row[Any]]] = {item: {} for item in items}
        for row in rows:
            marks.setdefault(row.item_id, {})[row.quote_start] = row
            if row.depth < _LONGEST:
                marks.setdefault(row.newer_id, {})
        return {item: [some[start] for start in sorted(some)] for item, some in marks.items()}


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


def _in_force(tx: Transaction, items: Collection[UUID]) -> dict[UUID, tuple[int, Kind]]:
    if not items:
        return {}
    rows = tx.execute(_PLACES, {"scope": tx.scope_id, "items": list(items)})
    return {row.item_id: (row.seq, Kind(row.kind)) for row in rows}


_PLACES = select(passages.c.item_id, passages.c.seq, passages.c.kind).where(
    and_(passages.c.scope_id == bindparam("scope"), passages.c.ended_at.is_(None)),
    passages.c.item_id.in_(_ITEMS),
)
