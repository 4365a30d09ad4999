"""Where entities were first spoken of."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select

from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import entities, mentions


def first(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, UUID]:
    """The first piece of evidence that speaks of each entity; ids of evidence sort by time."""
    said = (
        select(mentions.c.source_id)
        .where(mentions.c.scope_id == tx.scope_id, mentions.c.entity_id == entities.c.id)
        .order_by(mentions.c.source_id)
        .limit(1)
        .scalar_subquery()
    )
    rows = tx.execute(
        select(entities.c.id, said.label("source_id")).where(entities.c.scope_id == tx.scope_id, entities.c.id.in_(ids))
    )
    return {row.id: row.source_id for row in rows if row.source_id is not None}
