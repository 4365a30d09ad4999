"""Segments as stored: the bytes of many passages in a row, which an index is loaded from in place of their rows."""

from collections.abc import Iterator

from sqlalchemy import bindparam, func, insert, select

from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import passage_segments

_MINE = passage_segments.c.scope_id == bindparam("scope")
_LAST = select(func.max(passage_segments.c.last_seq)).where(_MINE)
_FIRSTS = select(passage_segments.c.first_seq).where(_MINE).order_by(passage_segments.c.first_seq)
_DATA = select(passage_segments.c.data).where(_MINE, passage_segments.c.first_seq == bindparam("first"))


def last_seq(tx: Transaction) -> int:
    """The last passage that is in a segment; 0 where none is."""
    return tx.execute(_LAST, {"scope": tx.scope_id}).scalar() or 0


def in_order(tx: Transaction) -> Iterator[bytes]:
    """The segments of the scope, from its first passage on without a gap, one at a time."""
    for first in tx.execute(_FIRSTS, {"scope": tx.scope_id}).scalars().all():
        yield tx.execute(_DATA, {"scope": tx.scope_id, "first": first}).scalar_one()


def add(tx: Transaction, data: bytes, *, first_seq: int, last: int, read: scopes.ScopeState) -> bool:
    """Store a segment of passages as they were when a state was `read`; False where that no longer fits."""
    # Whoever purges holds the scope's row first, and removes the segments when it is theirs.
    if not scopes.is_unpurged(tx, read) or last_seq(tx) >= first_seq:
        return False
    row = {"scope_id": tx.scope_id, "first_seq": first_seq, "last_seq": last, "data": data}
    tx.execute(insert(passage_segments), [row])
    return True
