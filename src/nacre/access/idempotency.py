"""Idempotency keys: one call takes a key, and its answer is kept under it for whoever sends the call again."""

from collections.abc import Iterable
from uuid import UUID

from nacre.domain.access import KeyedReply
from nacre.store.base import replies
from nacre.store.base.databases import Database


def take(
    database: Database, key: bytes, call: bytes, about: UUID | None, owed: Iterable[tuple[bytes, bytes]]
) -> KeyedReply | None:
    """Take a key for a call; None when it was free, else what it was taken for. `owed` keys are given back first."""
    with database.write_all() as tx:
        for each in owed:
            replies.release(tx, *each)
        replies.prune(tx)
        return replies.claim(tx, key, call, about)


def keep(
    database: Database, key: bytes, call: bytes, about: UUID | None, *, status: int, body: bytes, may_purge: bool
) -> None:
    """Keep what a call was answered; a call that `may_purge` takes its key anew where a purge took it along."""
    with database.write_all() as tx:
        if not replies.answer(tx, key, call, status, body) and may_purge:
            replies.claim(tx, key, call, about)
            replies.answer(tx, key, call, status, body)


def release(database: Database, key: bytes, call: bytes) -> None:
    """Give back the key of a call that came to nothing."""
    with database.write_all() as tx:
        replies.release(tx, key, call)
