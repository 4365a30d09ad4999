"""Long-term memory entries, their tags and their sources."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, or_, select, update

from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.memories import EXPANDED_FROM, Memory, Status
from nacre.store import passages
from nacre.store.databases import Transaction
from nacre.store.schema import memories, memory_sources, memory_tags
from nacre.store.schema import passages as passages_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which entries are wanted: a category and those below it, all of some tags, a span of time."""

    category: str | None = None
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


def add(tx: Transaction, memory: Memory) -> None:
    """Store a new entry."""
    tx.execute(insert(memories).values(scope_id=tx.scope_id, id=memory.id, short=memory.short, **_columns(memory)))
    _add_tags(tx, memory)
    add_source(tx, memory.id, memory.source, memory.quote)


def save(tx: Transaction, memory: Memory) -> None:
    """Write an entry that is there already as it is now."""
    tx.execute(
        update(memories).where(memories.c.scope_id == tx.scope_id, memories.c.id == memory.id).values(_columns(memory))
    )
    mine = and_(memory_tags.c.scope_id == tx.scope_id, memory_tags.c.memory_id == memory.id)
    tx.execute(delete(memory_tags).where(mine))
    _add_tags(tx, memory)


def add_source(tx: Transaction, memory_id: UUID, source_id: UUID, quote: tuple[int, int]) -> None:
    """Note that an entry rests on a source, too."""
    row = {"scope_id": tx.scope_id, "memory_id": memory_id, "source_id": source_id}
    tx.insert_missing(memory_sources, [{**row, "quote_start": quote[0], "quote_end": quote[1]}])


def archive(tx: Transaction, ids: Sequence[UUID], reason: str) -> int:
    """Take entries out of force; they stay readable as of before. Returns how many were in force."""
    found = tx.execute(
        update(memories)
        .where(memories.c.scope_id == tx.scope_id, memories.c.id.in_(ids), memories.c.status == Status.ACTIVE.value)
        .values(status=Status.ARCHIVED.value, archived_at=tx.now, archive_reason=reason)
        .returning(memories.c.id)
    )
    archived = list(found.scalars())
    if archived:
        passages.end(tx, archived)
    return len(archived)


def by_id(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    """The entries stored under `ids`, in force or not."""
    return {memory.id: memory for memory in _load(tx, memories.c.id.in_(ids))}


def by_short(tx: Transaction, short: str) -> list[Memory]:
    """The entries that go by a short id."""
    return _load(tx, memories.c.short == short)


def expanded_from(tx: Transaction, originals: Sequence[Memory]) -> list[Memory]:
    """The entries that took the place of other ones; they rest on the same source."""
    same_source = memories.c.source_id.in_([memory.source for memory in originals])
    ids = {str(memory.id) for memory in originals}
    return [memory for memory in _load(tx, same_source) if memory.metadata.get(EXPANDED_FROM) in ids]


def newest(tx: Transaction, wanted: Filter, limit: int) -> list[Memory]:
    """Entries in force, the last seen first."""
    return _load(tx, memories.c.status == Status.ACTIVE.value, *_wanted(tx, wanted), limit=limit)


def before(tx: Transaction, moment: datetime) -> list[UUID]:
    """Every entry made before a moment, in force or not."""
    mine = and_(memories.c.scope_id == tx.scope_id, memories.c.created_at < moment)
    return list(tx.execute(select(memories.c.id).where(mine)).scalars())


def seqs(tx: Transaction, wanted: Filter) -> list[int]:
    """The passages of the entries in force that pass a filter."""
    beside = and_(
        passages_table.c.scope_id == memories.c.scope_id,
        passages_table.c.item_id == memories.c.id,
        passages_table.c.ended_at.is_(None),
    )
    active = and_(memories.c.scope_id == tx.scope_id, memories.c.status == Status.ACTIVE.value)
    return list(
        tx.execute(select(passages_table.c.seq).join(memories, beside).where(active, *_wanted(tx, wanted))).scalars()
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
        "content": memory.content,
        "category": memory.category,
        "metadata": dict(memory.metadata),
        "importance": memory.importance,
        "source_id": memory.source,
        "quote_start": memory.quote[0],
        "quote_end": memory.quote[1],
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "last_seen_at": memory.last_seen_at,
        "reinforced": memory.reinforced,
        "status": memory.status.value,
        "archived_at": memory.archived_at,
        "archive_reason": memory.archive_reason,
    }


def _add_tags(tx: Transaction, memory: Memory) -> None:
    if memory.tags:
        mine = {"scope_id": tx.scope_id, "memory_id": memory.id}
        tx.execute(
            insert(memory_tags),
            [{**mine, "tag": tag, "position": position} for position, tag in enumerate(memory.tags)],
        )


def _wanted(tx: Transaction, wanted: Filter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.category is not None:
        # The category itself, or one below it: `a/b` is not below `a/bc`.
        below = memories.c.category.startswith(f"{wanted.category}/", autoescape=True)
        conditions.append(or_(memories.c.category == wanted.category, below))
    if wanted.since is not None:
        conditions.append(memories.c.created_at >= wanted.since)
    if wanted.until is not None:
        conditions.append(memories.c.created_at <= wanted.until)
    for tag in wanted.tags:
        tagged = select(memory_tags.c.memory_id).where(memory_tags.c.scope_id == tx.scope_id, memory_tags.c.tag == tag)
        conditions.append(memories.c.id.in_(tagged))
    return conditions


def _load(tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None) -> list[Memory]:
    query = select(memories).where(memories.c.scope_id == tx.scope_id, *conditions)
    rows = tx.execute(query.order_by(memories.c.last_seen_at.desc(), memories.c.id.desc()).limit(limit)).all()
    tags = _tags(tx, [row.id for row in rows])
    return [_to_memory(row, tuple(tags[row.id])) for row in rows]


def _tags(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, list[str]]:
    found: dict[UUID, list[str]] = defaultdict(list)
    rows = tx.execute(
        select(memory_tags.c.memory_id, memory_tags.c.tag)
        .where(memory_tags.c.scope_id == tx.scope_id, memory_tags.c.memory_id.in_(ids))
        .order_by(memory_tags.c.position)
    )
    for row in rows:
        found[row.memory_id].append(row.tag)
    return found


def _to_memory(row: Row[tuple[object, ...]], tags: tuple[str, ...]) -> Memory:
    return Memory(
        id=MemoryId(row.id),
        content=row.content,
        category=row.category,
        source=SourceId(row.source_id),
        quote=(row.quote_start, row.quote_end),
        created_at=row.created_at,
        updated_at=row.updated_at,
        last_seen_at=row.last_seen_at or row.updated_at,
        tags=tags,
        metadata=row.metadata,
        importance=row.importance,
        reinforced=row.reinforced,
        status=Status(row.status),
        archived_at=row.archived_at,
        archive_reason=row.archive_reason,
    )
