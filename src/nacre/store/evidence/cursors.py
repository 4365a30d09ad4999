"""Cursors: how far each reader of the conversation log has come."""

from sqlalchemy import select

from nacre.store.base import dialects, scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import cursors
from nacre.store.tables.schema import scopes as scopes_table


def position(tx: Transaction, reader: str) -> int:
    """The last place that `reader` has consumed; 0 before the first."""
    query = select(cursors.c.seq).where(cursors.c.scope_id == tx.scope_id, cursors.c.reader == reader)
    return tx.execute(query).scalar() or 0


def advance(tx: Transaction, reader: str, seq: int) -> bool:
    """Move a reader forward to `seq`; whether it was behind. A cursor never moves back."""
    scopes.ensure(tx)
    moving = dialects.insert(tx.connection, cursors).values(scope_id=tx.scope_id, reader=reader, seq=seq)
    moved = tx.execute(
        moving.on_conflict_do_update(
            index_elements=["scope_id", "reader"],
            set_={"seq": moving.excluded.seq},
            where=cursors.c.seq < moving.excluded.seq,
        ).returning(cursors.c.seq)
    )
    return moved.one_or_none() is not None


def end(tx: Transaction) -> int:
    """The last place that was ever given out in the scope; no turn can still appear at or before it."""
    query = select(scopes_table.c.next_seq).where(scopes_table.c.scope_id == tx.scope_id)
    return (tx.execute(query).scalar() or 1) - 1
