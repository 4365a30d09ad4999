"""The sides of entities."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import ColumnElement, Row, select

from nacre.domain.claims import Aspect
from nacre.domain.ids import AspectId, EntityId
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import aspects


def by_key(tx: Transaction, entity: UUID, key: str) -> Aspect | None:
    """An entity's aspect, in force or not."""
    return next(iter(load(tx, aspects.c.entity_id == entity, aspects.c.key == key)), None)


def of_entities(tx: Transaction, entities: Collection[UUID]) -> list[Aspect]:
    """The aspects in force of entities, the weightiest first."""
    return load(tx, aspects.c.entity_id.in_(entities), aspects.c.status == Status.ACTIVE.value)


def load(tx: Transaction, *conditions: ColumnElement[bool]) -> list[Aspect]:
    """The scope's aspects that pass, the weightiest first."""
    query = select(aspects).where(aspects.c.scope_id == tx.scope_id, *conditions)
    rows = tx.execute(query.order_by(aspects.c.weight.desc(), aspects.c.key))
    return [to_aspect(row) for row in rows]


def to_aspect(row: Row[tuple[object, ...]]) -> Aspect:
    """A row as an aspect."""
    return Aspect(
        id=AspectId(row.id),
        entity=EntityId(row.entity_id),
        name=row.name,
        key=row.key,
        weight=row.weight,
        status=Status(row.status),
        archived_at=row.archived_at,
        archived_by=row.archived_by,
        archive_reason=row.archive_reason,
        proposal=row.proposal_id,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
