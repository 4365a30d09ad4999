"""The graph as a whole: counts, hubs and what has grown old."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select, union_all

from nacre.domain.memories import Status
from nacre.store.databases import Transaction
from nacre.store.links import in_force
from nacre.store.schema import entities, links

_ACTIVE = Status.ACTIVE.value


def count_by_type(tx: Transaction) -> dict[str, int]:
    """How many entities in force there are of each type."""
    mine = (entities.c.scope_id == tx.scope_id, entities.c.status == _ACTIVE)
    counted = select(entities.c.type, func.count().label("held")).where(*mine).group_by(entities.c.type)
    rows = tx.execute(counted.order_by(entities.c.type))
    return {row.type: row.held for row in rows}


def count_links(tx: Transaction) -> int:
    """How many links are in force."""
    mine = (links.c.scope_id == tx.scope_id, in_force(tx))
    count: int = tx.execute(select(func.count()).select_from(links).where(*mine)).scalar_one()
    return count


def hubs(tx: Transaction, limit: int) -> list[UUID]:
    """The entities in force with the most links, then the last changed ones."""
    mine = (links.c.scope_id == tx.scope_id, in_force(tx))
    ends = union_all(
        select(links.c.source_entity.label("entity_id")).where(*mine),
        select(links.c.target_entity.label("entity_id")).where(*mine, links.c.target_entity.isnot(None)),
    ).subquery()
    degrees = select(ends.c.entity_id, func.count().label("degree")).group_by(ends.c.entity_id).subquery()
    rows = tx.execute(
        select(entities.c.id)
        .join(degrees, degrees.c.entity_id == entities.c.id, isouter=True)
        .where(entities.c.scope_id == tx.scope_id, entities.c.status == _ACTIVE)
        .order_by(func.coalesce(degrees.c.degree, 0).desc(), entities.c.updated_at.desc(), entities.c.id)
        .limit(limit)
    )
    return list(rows.scalars())


def untouched_since(tx: Transaction, moment: datetime) -> list[UUID]:
    """The entities in force that were neither changed nor spoken of since a moment, and are not pinned."""
    spoken_of = func.coalesce(entities.c.last_referenced_at, entities.c.updated_at)
    old = (entities.c.updated_at < moment, spoken_of < moment, entities.c.pinned_at.is_(None))
    mine = (entities.c.scope_id == tx.scope_id, entities.c.status == _ACTIVE)
    return list(tx.execute(select(entities.c.id).where(*mine, *old)).scalars())
