"""Replies under idempotency keys, as rows of the server."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, select, update

from nacre.domain.access import KeyedReply
from nacre.store.base import dialects
from nacre.store.base.databases import AllScopes
from nacre.store.tables.access_tables import SERVER, SPENT
from nacre.store.tables.schema import replies

KEPT = timedelta(hours=24)
# Longer than any call takes: when it has passed, the server that began the call is taken for dead.
LEASE = timedelta(minutes=10)

_MINE = replies.c.scope_id == SERVER


def claim(tx: AllScopes, key: bytes, call: bytes, about: UUID | None) -> KeyedReply | None:
    """Take a key for a call that begins now; None when it was free, else what it was taken for."""
    row = {"scope_id": SERVER, "key": key, "call": call, "about": about, "created_at": tx.now}
    taking = dialects.insert(tx.connection, replies).values(row).on_conflict_do_nothing().returning(replies.c.key)
    if tx.execute(taking).first() is not None:
        return None
    held = tx.execute(select(replies).where(_MINE, replies.c.key == key)).one()
    return KeyedReply(call=held.call, status=held.status, body=held.body)


def spend(tx: AllScopes, key: bytes, until: datetime) -> bool:
    """Take a key that nobody may take twice before `until`; False when it is taken. No call goes with it."""
    prune(tx)
    # Rows go a day after they were made.
    row = {"scope_id": SERVER, "key": key, "call": SPENT, "status": 204, "created_at": until - KEPT}
    taking = dialects.insert(tx.connection, replies).values(row).on_conflict_do_nothing().returning(replies.c.key)
    return tx.execute(taking).first() is not None


def is_spent(tx: AllScopes, key: bytes) -> bool:
    """Whether a key was taken so."""
    return tx.execute(select(replies.c.key).where(_MINE, replies.c.key == key)).first() is not None


def prune(tx: AllScopes) -> None:
    """Let go of the keys that are a day old, and of those whose call should have ended long ago."""
    tx.execute(delete(replies).where(_MINE, replies.c.created_at <= tx.now - KEPT))
    tx.execute(delete(replies).where(_MINE, replies.c.status.is_(None), replies.c.created_at <= tx.now - LEASE))


def answer(tx: AllScopes, key: bytes, call: bytes, status: int, body: bytes) -> bool:
    """Keep what a call was answered; False when its key is gone, as after a purge."""
    running = (_MINE, replies.c.key == key, replies.c.call == call, replies.c.status.is_(None))
    return tx.execute(update(replies).where(*running).values(status=status, body=body)).rowcount == 1


def release(tx: AllScopes, key: bytes, call: bytes) -> None:
    """Give back the key of a call that came to nothing."""
    tx.execute(delete(replies).where(_MINE, replies.c.key == key, replies.c.call == call, replies.c.status.is_(None)))
