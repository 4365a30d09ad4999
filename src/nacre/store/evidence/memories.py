"""Long-term memory entries, their tags and their sources."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select

from nacre.domain.ids import SourceId
from nacre.domain.memories import EXPANDED_FROM, MERGED_FROM, PINNED, YES, Memory, MemoryFilter, Status
from nacre.domain.proposals import ProposalStatus
from nacre.domain.replacements import ReplaceMemory, with_successors
from nacre.store.base.databases import Result, Transaction
from nacre.store.base.journals import Journal
from nacre.store.evidence import passages
from nacre.store.graph import proposals
from nacre.store.tables.columns import Id
from nacre.store.tables.schema import memories, memory_sources, memory_tags
from nacre.store.tables.schema import passages as passages_table

# The fields of an entry that its row holds as they are, under the same name.
_SAME = tuple(each.name for each in fields(Memory) if each.name in memories.c)
_take = attrgetter(*_SAME)
# What they are in rows from before there was such a column.
BEFORE = {each.name: each.default for each in fields(Memory) if each.name in _SAME and each.default is not MISSING}
_WITHDRAWN = "One of the memories is no longer in force."


def add(journal: Journal, memory: Memory) -> None:
    """Store a new entry."""
    journal.insert(memories, {"id": memory.id, "short": memory.short, **_columns(memory)})
    if memory.tags:
        journal.insert_many(memory_tags, _tag_rows(memory))
    journal.insert(memory_sources, _source_row(memory.id, memory.source, memory.quote))


def save(journal: Journal, memory: Memory) -> None:
    """Write an entry that is there already as it is now."""
    journal.update(memories, {"id": memory.id}, _columns(memory))
    before = {tag: place for place, tag in enumerate(_tags(journal.tx, [memory.id])[memory.id])}
    for tag in before.keys() - set(memory.tags):
        journal.delete(memory_tags, {"memory_id": memory.id, "tag": tag})
    for row in _tag_rows(memory):
        if row["tag"] not in before:
            journal.insert(memory_tags, row)
        elif before[row["tag"]] != row["position"]:
            journal.update(memory_tags, row, row)


def add_source(journal: Journal, memory_id: UUID, source_id: UUID, quote: tuple[int, int]) -> None:
    """Note that an entry rests on a source, too."""
    key = (memory_sources.c.memory_id == memory_id, memory_sources.c.source_id == source_id)
    known = select(memory_sources.c.source_id).where(memory_sources.c.scope_id == journal.tx.scope_id, *key)
    if journal.tx.execute(known).first() is None:
        journal.insert(memory_sources, _source_row(memory_id, source_id, quote))


def archive(journal: Journal, ids: Sequence[UUID], reason: str, by: Sequence[UUID] = ()) -> list[UUID]:
    """Take entries out of force; they stay readable as of before, and point at those that took their place.

    Returns those that were in force.
    """
    tx = journal.tx
    active: dict[UUID, Mapping[str, str]] = {}
    for start in range(0, len(ids), 500):
        some = (memories.c.id.in_(ids[start : start + 500]), memories.c.status == Status.ACTIVE.value)
        found = select(memories.c.id, memories.c.metadata).where(memories.c.scope_id == tx.scope_id, *some)
        active |= {row.id: row.metadata for row in tx.execute(found)}
    if active:
        out = {"status": Status.ARCHIVED.value, "archived_at": tx.now, "archive_reason": reason}
        journal.update_many(memories, list(active), out)
        for key, metadata in active.items() if by else ():
            journal.update(memories, {"id": key}, {"metadata": with_successors(metadata, by)})
        passages.end(tx, list(active))
        withdraw(tx, list(active), actor=journal.actor, but=journal.proposal)
    return list(active)


def withdraw(tx: Transaction, gone: Sequence[UUID], *, actor: str, but: UUID | None = None) -> None:
    """Reject the proposals that are about entries which are out of force, but for one that is being carried out."""
    waiting = proposals.naming(tx, ReplaceMemory.operation, ("older", "newer"), gone) if gone else []
    decided = {"rejected_by": actor, "rejected_at": tx.now, "result": {"reason": _WITHDRAWN}}
    for each in waiting:
        if each.id != but:
            proposals.decide(tx, each.id, ProposalStatus.REJECTED, decided)


def by_id(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    """The entries stored under `ids`, in force or not."""
    if not ids:
        return {}
    given = {"scope": tx.scope_id, "ids": list(ids)}
    rows, tag_rows = tx.execute_all([(_BY_ID, given), (_TAGS, given)])
    tags = _tags_by_id(tag_rows)
    return {row.id: to_memory(row, tuple(tags.get(row.id, ()))) for row in rows}


def by_short(tx: Transaction, short: str) -> list[Memory]:
    """The entries that go by a short id."""
    return _load(tx, memories.c.short == short)


def expanded_from(tx: Transaction, originals: Sequence[Memory]) -> list[Memory]:
    """The entries that took the place of other ones; they rest on the same source."""
    same_source = memories.c.source_id.in_([memory.source for memory in originals])
    ids = {str(memory.id) for memory in originals}
    return [memory for memory in _load(tx, same_source) if memory.metadata.get(EXPANDED_FROM) in ids]


def resting_on(tx: Transaction, sources: Collection[UUID]) -> list[Memory]:
    """The entries in force whose words are those of some sources."""
    return _load(tx, memories.c.source_id.in_(sources), memories.c.status == Status.ACTIVE.value)


def merged_with(tx: Transaction, keys: Collection[UUID]) -> set[UUID]:
    """The entries that entries were merged into or from, near and far, themselves included."""
    family, fresh = set(keys), set(keys)
    while fresh:
        into = or_(*(memories.c.metadata[MERGED_FROM].as_string().contains(str(key)) for key in fresh))
        found = _load(tx, or_(memories.c.id.in_(fresh), into))
        named = {UUID(key) for memory in found for key in memory.metadata.get(MERGED_FROM, "").split()}
        fresh = ({memory.id for memory in found} | named) - family
        family |= fresh
    return family


def newest(tx: Transaction, memory_filter: MemoryFilter, limit: int, offset: int = 0) -> list[Memory]:
    """Entries in force, the last seen first."""
    return _load(tx, memories.c.status == Status.ACTIVE.value, *_wanted(tx, memory_filter), limit=limit, offset=offset)


def before(tx: Transaction, moment: datetime) -> list[UUID]:
    """Every entry made before a moment, in force or not."""
    mine = and_(memories.c.scope_id == tx.scope_id, memories.c.created_at < moment)
    return list(tx.execute(select(memories.c.id).where(mine)).scalars())


def seqs(tx: Transaction, memory_filter: MemoryFilter) -> list[int]:
    """The passages of the entries in force that pass a filter."""
    beside = and_(
        passages_table.c.scope_id == memories.c.scope_id,
        passages_table.c.item_id == memories.c.id,
        passages_table.c.ended_at.is_(None),
    )
    active = and_(memories.c.scope_id == tx.scope_id, memories.c.status == Status.ACTIVE.value)
    return list(
        tx.execute(
            select(passages_table.c.seq).join(memories, beside).where(active, *_wanted(tx, memory_filter))
        ).scalars()
    )


def categories(tx: Transaction) -> dict[str, int]:
    """How many entries in force each category holds."""
    rows = tx.execute(
        select(memories.c.category, func.count().label("entries"))
        .where(memories.c.scope_id == tx.scope_id, memories.c.status == Status.ACTIVE.value)
        .group_by(memories.c.category)
        .order_by(memories.c.category)
    )
    return {row.category: row.entries for row in rows}


def _columns(memory: Memory) -> dict[str, object]:
    return {
        **{name: getattr(memory, name) for name in _SAME if name != "id"},
        "metadata": dict(memory.metadata),
        "source_id": memory.source,
        "quote_start": memory.quote[0],
        "quote_end": memory.quote[1],
        "status": memory.status.value,
    }


def _tag_rows(memory: Memory) -> list[dict[str, Any]]:
    return [{"memory_id": memory.id, "tag": tag, "position": place} for place, tag in enumerate(memory.tags)]


def _source_row(memory_id: UUID, source_id: UUID, quote: tuple[int, int]) -> dict[str, Any]:
    return {"memory_id": memory_id, "source_id": source_id, "quote_start": quote[0], "quote_end": quote[1]}


def _wanted(tx: Transaction, memory_filter: MemoryFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if memory_filter.category is not None:
        # The category itself, or one below it: `a/b` is not below `a/bc`.
        below = memories.c.category.startswith(f"{memory_filter.category}/", autoescape=True)
        conditions.append(or_(memories.c.category == memory_filter.category, below))
    if memory_filter.since is not None:
        conditions.append(memories.c.created_at >= memory_filter.since)
    if memory_filter.until is not None:
        conditions.append(memories.c.created_at <= memory_filter.until)
    if memory_filter.importance_min is not None:
        conditions.append(memories.c.importance >= memory_filter.importance_min)
    if memory_filter.pinned is not None:
        held = func.coalesce(memories.c.metadata[PINNED].as_string(), "") == YES
        conditions.append(held if memory_filter.pinned else ~held)
    conditions += [memories.c.metadata[name].as_string() == value for name, value in memory_filter.noted]
    for tag in memory_filter.tags:
        tagged = select(memory_tags.c.memory_id).where(memory_tags.c.scope_id == tx.scope_id, memory_tags.c.tag == tag)
        conditions.append(memories.c.id.in_(tagged))
    return conditions


def _load(
    tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None, offset: int | None = None
) -> list[Memory]:
    query = select(memories).where(memories.c.scope_id == tx.scope_id, *conditions)
    return _with_tags(tx, tx.execute(query.order_by(*_LAST_FIRST).limit(limit).offset(offset)).all())


def _with_tags(tx: Transaction, rows: Sequence[Any]) -> list[Memory]:
    tags = _tags(tx, [row.id for row in rows]) if rows else {}
    return [to_memory(row, tuple(tags.get(row.id, ()))) for row in rows]


def _tags(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, list[str]]:
    return _tags_by_id(tx.execute(_TAGS, {"scope": tx.scope_id, "ids": list(ids)}))


def _tags_by_id(rows: Result) -> dict[UUID, list[str]]:
    tags_by_id: dict[UUID, list[str]] = defaultdict(list)
    for row in rows:
        tags_by_id[row.memory_id].append(row.tag)
    return tags_by_id


# Built once: whatever is remembered is compared with what is near to it.
_IDS = bindparam("ids", type_=Id, expanding=True)
_LAST_FIRST = (memories.c.last_seen_at.desc(), memories.c.id.desc())
_BY_ID = (
    select(memories).where(memories.c.scope_id == bindparam("scope"), memories.c.id.in_(_IDS)).order_by(*_LAST_FIRST)
)
_TAGS = (
    select(memory_tags.c.memory_id, memory_tags.c.tag)
    .where(memory_tags.c.scope_id == bindparam("scope"), memory_tags.c.memory_id.in_(_IDS))
    .order_by(memory_tags.c.position)
)


def to_memory(row: Any, tags: tuple[str, ...]) -> Memory:
    """A row, or what it was at some time, as an entry."""
    held: dict[str, Any] = dict(zip(_SAME, _take(row), strict=True))
    held["last_seen_at"] = held["last_seen_at"] or held["updated_at"]
    held["status"] = Status(held["status"])
    return Memory(**held, source=SourceId(row.source_id), quote=(row.quote_start, row.quote_end), tags=tags)
