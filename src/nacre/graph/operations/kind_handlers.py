"""Handlers of operations on policies, action types, interfaces and tasks: entities of special kinds."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from nacre.domain.entities import Entity, EntityType
from nacre.domain.errors import Invalid
from nacre.domain.kind_operations import (
    AttachInterface,
    CreateActionType,
    CreateInterface,
    CreatePolicy,
    Definition,
    SetTask,
)
from nacre.domain.operation_results import Effect
from nacre.domain.operations import UpsertEntity, UpsertLink
from nacre.domain.tasks import FINISHED, TaskStatus
from nacre.graph.identity import naming
from nacre.graph.operations import entity_handlers
from nacre.store.base.journals import Journal
from nacre.store.graph import tasks
from nacre.store.tables import schema as tables


def _define(journal: Journal, operation: Definition) -> Effect:
    upsert = UpsertEntity(
        name=operation.name,
        type=operation.type,
        description=operation.definition,
        properties=operation.properties,
    )
    entity, warnings = naming.upsert(journal, upsert)
    made = Effect(summary=f"{entity.name} ({entity.type.value})", entity=entity.id, entities=1)
    if operation.entity is None:
        return made
    link = _link(journal, naming.one(journal.tx, operation.entity), operation.predicate, entity, operation.reason)
    return Effect(summary=link.summary, entity=entity.id, link=link.link, entities=1, links=1, warnings=tuple(warnings))


def _attach(journal: Journal, operation: AttachInterface) -> Effect:
    interface = naming.one(journal.tx, operation.interface)
    if interface.type is not EntityType.INTERFACE:
        raise Invalid("interface", f"must be an interface; {interface.name} is a {interface.type.value}")
    entity = naming.one(journal.tx, operation.entity)
    return _link(journal, entity, CreateInterface.predicate, interface, operation.reason)


def _link(journal: Journal, source: Entity, predicate: str, target: Entity, reason: str | None) -> Effect:
    link = UpsertLink(source=source.id, predicate=predicate, target=target.id, reason=reason)
    return entity_handlers.HANDLERS[UpsertLink](journal, link)


def _set_task(journal: Journal, operation: SetTask) -> Effect:
    entity, notes = naming.find_or_add(journal, operation.entity, 1.0, EntityType.TASK.value)
    known, now = tasks.of(journal.tx, entity.id), journal.tx.now
    status = TaskStatus(operation.status) if operation.status else known.status if known else TaskStatus.OPEN
    given = {
        "status": status.value,
        "updated_at": now,
        **{name: value for name in ("expires_at", "retention_until") if (value := getattr(operation, name))},
    }
    if status in FINISHED:
        given["completed_at"] = known.completed_at if known and known.completed_at else now
    else:
        given["completed_at"] = None
    if known:
        journal.update(tables.tasks, {"entity_id": entity.id}, given)
    else:
        journal.insert(tables.tasks, {"entity_id": entity.id, "created_at": now, **given})
    return Effect(summary=f"{entity.name} is {status.value}.", entity=entity.id, entities=1, warnings=tuple(notes))


def move_task(journal: Journal, target: UUID, source: UUID) -> None:
    """Make one entity the task that another is, unless it is a task of its own."""
    known = tasks.of(journal.tx, source)
    if known is None or tasks.of(journal.tx, target):
        return
    names = ("status", "expires_at", "retention_until", "completed_at", "created_at")
    journal.delete(tables.tasks, {"entity_id": source})
    row = {"entity_id": target, **{name: getattr(known, name) for name in names}, "updated_at": journal.tx.now}
    journal.insert(tables.tasks, row)


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    CreatePolicy: _define,
    CreateActionType: _define,
    CreateInterface: _define,
    AttachInterface: _attach,
    SetTask: _set_task,
}
