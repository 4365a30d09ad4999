"""The lifecycle of entities that are tasks."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, or_, select

from nacre.domain.ids import EntityId
from nacre.domain.memories import Status
from nacre.domain.tasks import Task, TaskStatus
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import entities, tasks


def of(tx: Transaction, entity: UUID) -> Task | None:
    """The task that an entity is, if it is one."""
    return next(iter(_load(tx, tasks.c.entity_id == entity)), None)


def current(tx: Transaction, statuses: Collection[TaskStatus], *, limit: int) -> list[Task]:
    """Tasks in these statuses that have not expired, those that expire first before the rest."""
    fresh = or_(tasks.c.expires_at.is_(None), tasks.c.expires_at > tx.now)
    return _load(tx, tasks.c.status.in_([status.value for status in statuses]), fresh, limit=limit)


def past_retention(tx: Transaction, moment: datetime) -> list[Task]:
    """Tasks that were to be kept until before a moment."""
    return _load(tx, tasks.c.retention_until <= moment)


def _load(tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None) -> list[Task]:
    rows = tx.execute(
        select(tasks, entities.c.name)
        .join(entities, and_(entities.c.scope_id == tasks.c.scope_id, entities.c.id == tasks.c.entity_id))
        .where(tasks.c.scope_id == tx.scope_id, entities.c.status == Status.ACTIVE.value, *conditions)
        .order_by(tasks.c.expires_at.is_(None), tasks.c.expires_at, tasks.c.created_at, tasks.c.entity_id)
        .limit(limit)
    )
    return [_to_task(row) for row in rows]


def _to_task(row: Row[tuple[object, ...]]) -> Task:
    return Task(
        entity=EntityId(row.entity_id),
        name=row.name,
        status=TaskStatus(row.status),
        expires_at=row.expires_at,
        retention_until=row.retention_until,
        completed_at=row.completed_at,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
