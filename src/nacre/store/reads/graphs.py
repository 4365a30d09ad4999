"""The graph as a whole: counts, hubs and what has grown old."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import exists, func, select, union_all

from nacre.domain.entities import EntityType
from nacre.domain.graph_reports import GraphEdge, GraphNode
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.graph.entities import drawn
from nacre.store.graph.entities import in_force as held
from nacre.store.graph.links import in_force
from nacre.store.tables.schema import attributes, entities, links

_ACTIVE = Status.ACTIVE.value


def count_by_type(tx: Transaction, as_of: datetime | None = None, *, bare: bool = False) -> dict[str, int]:
    """How many entities in force there are, or were, of each type; bare mentions only where they are asked for."""
    mine = (entities.c.scope_id == tx.scope_id, held(as_of), *([] if bare else [drawn(tx)]))
    counted = select(entities.c.type, func.count().label("held")).where(*mine).group_by(entities.c.type)
    rows = tx.execute(counted.order_by(entities.c.type))
    return {row.type: row.held for row in rows}


def count_links(tx: Transaction, as_of: datetime | None = None) -> int:
    """How many links are, or were, in force."""
    mine = (links.c.scope_id == tx.scope_id, in_force(tx, as_of))
    count: int = tx.execute(select(func.count()).select_from(links).where(*mine)).scalar_one()
    return count


def count_values(tx: Transaction, as_of: datetime | None = None) -> int:
    """How many links in force, now or at a moment, lead to plain values."""
    mine = (links.c.scope_id == tx.scope_id, links.c.target_entity.is_(None), in_force(tx, as_of))
    return int(tx.execute(select(func.count()).select_from(links).where(*mine)).scalar_one())


def nodes(tx: Transaction, ids: Sequence[UUID]) -> list[GraphNode]:
    """Entities in short, in the order of their ids."""
    named = select(entities.c.id, entities.c.name, entities.c.type, entities.c.confidence)
    rows = tx.execute(named.where(entities.c.scope_id == tx.scope_id, entities.c.id.in_(ids)))
    known = {row.id: GraphNode(row.id, row.name, row.type, row.confidence) for row in rows}
    return [known[key] for key in ids]


def edges(tx: Transaction, ids: Sequence[UUID], limit: int) -> list[GraphEdge]:
    """Links in force between entities, in short, the newest first."""
    ends = (links.c.source_entity.in_(ids), links.c.target_entity.in_(ids))
    rows = tx.execute(
        select(links.c.id, links.c.source_entity, links.c.target_entity, links.c.predicate)
        .where(links.c.scope_id == tx.scope_id, *ends, in_force(tx))
        .order_by(links.c.created_at.desc(), links.c.id.desc())
        .limit(limit)
    )
    return [GraphEdge(row.id, row.source_entity, row.target_entity, row.predicate) for row in rows]


def hubs(tx: Transaction, limit: int, as_of: datetime | None = None) -> list[UUID]:
    """The entities in force with the most links, then the last changed ones; no bare mentions."""
    mine = (links.c.scope_id == tx.scope_id, in_force(tx, as_of))
    ends = union_all(
        select(links.c.source_entity.label("entity_id")).where(*mine),
        select(links.c.target_entity.label("entity_id")).where(*mine, links.c.target_entity.isnot(None)),
    ).subquery()
    degrees = select(ends.c.entity_id, func.count().label("degree")).group_by(ends.c.entity_id).subquery()
    rows = tx.execute(
        select(entities.c.id)
        .join(degrees, degrees.c.entity_id == entities.c.id, isouter=True)
        .where(entities.c.scope_id == tx.scope_id, held(as_of), drawn(tx))
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


def orphans(tx: Transaction, before: datetime, limit: int) -> list[UUID]:
    """Entities without link or claim, mentioned once at most, that nobody has spoken of since a moment.

    People and what is pinned are never among them.
    """
    spoken_of = func.coalesce(entities.c.last_referenced_at, entities.c.updated_at)
    begins = exists().where(links.c.scope_id == tx.scope_id, links.c.source_entity == entities.c.id, in_force(tx))
    ends = exists().where(links.c.scope_id == tx.scope_id, links.c.target_entity == entities.c.id, in_force(tx))
    said = exists().where(attributes.c.scope_id == tx.scope_id, attributes.c.entity_id == entities.c.id)
    alone = (
        entities.c.scope_id == tx.scope_id,
        entities.c.status == _ACTIVE,
        entities.c.pinned_at.is_(None),
        entities.c.type != EntityType.PERSON.value,
        entities.c.mentions <= 1,
        entities.c.created_at < before,
        spoken_of < before,
    )
    rows = tx.execute(select(entities.c.id).where(*alone, ~begins, ~ends, ~said).order_by(entities.c.id).limit(limit))
    return list(rows.scalars())


def weak_links(tx: Transaction, below: float, before: datetime, limit: int) -> list[UUID]:
    """Links less sure than `below` that were said once, before a moment, and never again."""
    mine = (links.c.scope_id == tx.scope_id, links.c.confidence < below, in_force(tx))
    once = (links.c.created_at < before, links.c.updated_at == links.c.created_at)
    return list(tx.execute(select(links.c.id).where(*mine, *once).order_by(links.c.id).limit(limit)).scalars())


def changed_since(tx: Transaction, moment: datetime | None, limit: int) -> list[UUID]:
    """The entities in force that changed since a moment, the last changed first."""
    newer = [] if moment is None else [entities.c.updated_at > moment]
    mine = (entities.c.scope_id == tx.scope_id, entities.c.status == _ACTIVE, *newer)
    rows = tx.execute(select(entities.c.id).where(*mine).order_by(entities.c.updated_at.desc()).limit(limit))
    return list(rows.scalars())


def fingerprint(tx: Transaction) -> str:
    """How many links are in force, and when one last changed: what has changed has another."""
    mine = (links.c.scope_id == tx.scope_id, links.c.status == _ACTIVE)
    row = tx.execute(select(func.count().label("held"), func.max(links.c.updated_at).label("last")).where(*mine)).one()
    return f"{row.held}/{row.last}"
