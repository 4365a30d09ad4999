"""Token vectors as stored: one row for a passage, which nothing loads but what may answer a question."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from sqlalchemy import and_, bindparam, delete, or_, select

from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import passages, token_vectors


def add(tx: Transaction, space: str, packed: Mapping[int, bytes]) -> None:
    """Store vectors by their passages' sequence numbers; where another process was first, its vectors stay."""
    rows = [{"scope_id": tx.scope_id, "space": space, "seq": seq, "data": data} for seq, data in packed.items()]
    if rows:
        tx.insert_missing(token_vectors, rows)


def keep_only(tx: Transaction, space: str) -> None:
    """Remove the vectors of every other space: nobody compares anything with them."""
    mine = token_vectors.c.scope_id == tx.scope_id
    # Either side of the space is looked up, and not the whole scope read.
    tx.execute(delete(token_vectors).where(mine, or_(token_vectors.c.space < space, token_vectors.c.space > space)))


def by_seq(tx: Transaction, space: str, seqs: Sequence[int]) -> dict[int, bytes]:
    """The vectors of some passages."""
    rows = tx.execute(_BY_SEQ, {"scope": tx.scope_id, "space": space, "seqs": list(seqs)}) if seqs else ()
    return {row.seq: row.data for row in rows}


def by_item(tx: Transaction, space: str, items: Collection[UUID]) -> dict[UUID, bytes]:
    """The vectors of turns and memories in force, by their ids."""
    rows = tx.execute(_BY_ITEM, {"scope": tx.scope_id, "space": space, "items": sorted(items)}) if items else ()
    return {row.item_id: row.data for row in rows}


# Built once: every question that is compared with tokens runs the first, every context the second.
_MINE = and_(token_vectors.c.scope_id == bindparam("scope"), token_vectors.c.space == bindparam("space"))
_BY_SEQ = select(token_vectors.c.seq, token_vectors.c.data).where(
    _MINE, token_vectors.c.seq.in_(bindparam("seqs", expanding=True))
)
_BY_ITEM = (
    select(passages.c.item_id, token_vectors.c.data)
    .join(token_vectors, and_(_MINE, token_vectors.c.seq == passages.c.seq))
    .where(passages.c.scope_id == bindparam("scope"), passages.c.item_id.in_(bindparam("items", expanding=True)))
    .where(passages.c.ended_at.is_(None))
)


def missing(tx: Transaction, space: str, *, after_seq: int, limit: int) -> list[int]:
    """The next passages in force without vectors of `space`, by sequence number."""
    beside = and_(
        token_vectors.c.scope_id == tx.scope_id, token_vectors.c.space == space, token_vectors.c.seq == passages.c.seq
    )
    rows = tx.execute(
        select(passages.c.seq)
        .join(token_vectors, beside, isouter=True)
        .where(passages.c.scope_id == tx.scope_id, passages.c.seq > after_seq, passages.c.ended_at.is_(None))
        .where(token_vectors.c.seq.is_(None))
        .order_by(passages.c.seq)
        .limit(limit)
    )
    return list(rows.scalars())
