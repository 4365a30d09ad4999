"""Long-term memory entries and their tags."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Row, insert, select

from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.memories import Memory
from nacre.store.databases import Transaction
from nacre.store.schema import memories, memory_tags


def add(tx: Transaction, memory: Memory) -> None:
    """Store a new entry."""
    tx.execute(
        insert(memories).values(
            scope_id=tx.scope_id,
            id=memory.id,
            content=memory.content,
            category=memory.category,
            metadata=dict(memory.metadata),
            importance=memory.importance,
            source_id=memory.source,
            quote_start=memory.quote[0],
            quote_end=memory.quote[1],
            created_at=memory.created_at,
            updated_at=memory.updated_at,
        )
    )
    if memory.tags:
        tx.execute(
            insert(memory_tags),
            [
                {"scope_id": tx.scope_id, "memory_id": memory.id, "tag": tag, "position": position}
                for position, tag in enumerate(memory.tags)
            ],
        )


def by_id(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    """The entries stored under `ids`."""
    rows = tx.execute(select(memories).where(memories.c.scope_id == tx.scope_id, memories.c.id.in_(ids))).all()
    tags = _tags(tx, [row.id for row in rows])
    return {row.id: _to_memory(row, tuple(tags[row.id])) for row in rows}


def _tags(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, list[str]]:
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
        tags=tags,
        metadata=row.metadata,
        importance=row.importance,
    )
