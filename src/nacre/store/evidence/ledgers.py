"""Recall ledger: the items that each session was already shown."""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import select

from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import recall_ledger


def seen(tx: Transaction, session: str) -> set[UUID]:
    """The items a session was shown."""
    mine = (recall_ledger.c.scope_id == tx.scope_id, recall_ledger.c.session == session)
    return set(tx.execute(select(recall_ledger.c.item_id).where(*mine)).scalars())


def note(tx: Transaction, session: str, items: Iterable[UUID]) -> None:
    """Note that a session is shown items."""
    scopes.ensure(tx)
    rows = [{"scope_id": tx.scope_id, "session": session, "item_id": item, "at": tx.now} for item in items]
    tx.insert_missing(recall_ledger, rows)
