"""The weights of aspects, and how long it is since they were of use."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select

from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import aspects


def stale(tx: Transaction, moment: datetime, *, above: float, limit: int) -> dict[UUID, float]:
    """The aspects in force that weigh more than `above` and were of no use since a moment, the heaviest first."""
    last = func.coalesce(aspects.c.weighed_at, aspects.c.created_at)
    heavy = (aspects.c.status == Status.ACTIVE.value, aspects.c.weight > above, last < moment)
    query = select(aspects.c.id, aspects.c.weight).where(aspects.c.scope_id == tx.scope_id, *heavy)
    rows = tx.execute(query.order_by(aspects.c.weight.desc(), last, aspects.c.id).limit(limit))
    return {row.id: row.weight for row in rows}
