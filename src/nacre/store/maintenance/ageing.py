"""How old memories are, and where they stand in the space of meanings."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, func, select

from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import memories, passages, vectors

_TOGETHER = 500


def unseen_since(tx: Transaction, moment: datetime) -> list[UUID]:
    """The entries in force that were last seen before a moment, the oldest first."""
    in_force = (memories.c.status == Status.ACTIVE.value, memories.c.last_seen_at < moment)
    mine = select(memories.c.id).where(memories.c.scope_id == tx.scope_id, *in_force)
    return list(tx.execute(mine.order_by(memories.c.last_seen_at, memories.c.id)).scalars())


def archived_before(tx: Transaction, moment: datetime) -> int:
    """How many entries were archived before a moment."""
    gone = (memories.c.status == Status.ARCHIVED.value, memories.c.archived_at < moment)
    found = tx.execute(select(func.count()).select_from(memories).where(memories.c.scope_id == tx.scope_id, *gone))
    return int(found.scalar_one())


def in_force(tx: Transaction) -> int:
    """How many entries are in force."""
    active = (memories.c.scope_id == tx.scope_id, memories.c.status == Status.ACTIVE.value)
    return int(tx.execute(select(func.count()).select_from(memories).where(*active)).scalar_one())


def packed_vectors(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, bytes]:
    """The vectors of those entries that have one in the space that most of them share."""
    beside = and_(vectors.c.scope_id == passages.c.scope_id, vectors.c.seq == passages.c.seq)
    vectors_by_embedder: dict[str, dict[UUID, bytes]] = {}
    for start in range(0, len(ids), _TOGETHER):
        some = (passages.c.item_id.in_(ids[start : start + _TOGETHER]), passages.c.ended_at.is_(None))
        rows = tx.execute(
            select(passages.c.item_id, vectors.c.embedder, vectors.c.data)
            .join(vectors, beside)
            .where(passages.c.scope_id == tx.scope_id, *some)
        )
        for row in rows:
            vectors_by_embedder.setdefault(row.embedder, {})[row.item_id] = row.data
    if not vectors_by_embedder:
        return {}
    # Only vectors of one space may be compared.
    space, _ = Counter({name: len(held) for name, held in vectors_by_embedder.items()}).most_common(1)[0]
    return vectors_by_embedder[space]


def marked(tx: Transaction, name: str) -> list[UUID]:
    """The entries in force whose metadata have a name."""
    active = (memories.c.scope_id == tx.scope_id, memories.c.status == Status.ACTIVE.value)
    held = memories.c.metadata[name].as_string().is_not(None)
    return list(tx.execute(select(memories.c.id).where(*active, held).order_by(memories.c.id)).scalars())
