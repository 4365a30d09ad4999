"""Handlers of operations on aspects."""

from collections.abc import Callable, Mapping
from typing import Any

from nacre.domain import keys
from nacre.domain.claim_operations import ArchiveAspect, CreateAspect, MergeAspects, RenameAspect
from nacre.domain.claims import Aspect, ClaimKind
from nacre.domain.errors import Conflict, Invalid, SlotConstrained
from nacre.domain.memories import Status
from nacre.domain.operation_results import Effect
from nacre.graph.beliefs import slots, versions
from nacre.graph.identity import naming
from nacre.store.base.journals import Journal
from nacre.store.graph import aspects, claims
from nacre.store.tables import schema as tables


def _create(journal: Journal, operation: CreateAspect) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    slots.ensure_aspect(journal, entity, operation.name, operation.weight)
    return Effect(summary=f"{entity.name} has the aspect {operation.name}.", entity=entity.id)


def _rename(journal: Journal, operation: RenameAspect) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    aspect = slots.find_aspect(journal.tx, entity, operation.aspect)
    key = keys.canonical("new_name", operation.new_name)
    other = aspects.by_key(journal.tx, entity.id, key)
    if other and other.id != aspect.id:
        raise Conflict(f"{entity.name} has an aspect `{other.name}` already. Merge the two instead.")
    values = {"name": operation.new_name, "key": key, "updated_at": journal.tx.now}
    journal.update(tables.aspects, {"id": aspect.id}, values)
    return Effect(summary=f"{aspect.name} is called {operation.new_name} now.", entity=entity.id)


def _archive(journal: Journal, operation: ArchiveAspect) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    aspect = slots.find_aspect(journal.tx, entity, operation.aspect)
    held = claims.active_in(journal.tx, [aspect.id])
    if not operation.force and any(claim.kind is ClaimKind.CONSTRAINT for claim in held):
        raise SlotConstrained(aspect.key)
    archive(journal, aspect, operation.reason)
    return Effect(summary=f"Archived the aspect {aspect.name}.", entity=entity.id, claims=len(held))


def archive(journal: Journal, aspect: Aspect, reason: str | None) -> None:
    """Take an aspect and its claims out of force."""
    versions.archive(journal, claims.active_in(journal.tx, [aspect.id]), reason)
    gone = {
        "status": Status.ARCHIVED.value,
        "archived_at": journal.tx.now,
        "archived_by": journal.actor,
        "archive_reason": reason,
        "updated_at": journal.tx.now,
    }
    journal.update(tables.aspects, {"id": aspect.id}, gone)


def _merge(journal: Journal, operation: MergeAspects) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    target = slots.find_aspect(journal.tx, entity, operation.target)
    source = slots.find_aspect(journal.tx, entity, operation.source)
    if target.id == source.id:
        raise Invalid("source", "and `target` are the same aspect")
    moved = merge(journal, target, source)
    return Effect(summary=f"{source.name} is part of {target.name} now.", entity=entity.id, claims=moved)


def merge(journal: Journal, target: Aspect, source: Aspect) -> int:
    """Give every version in `source` to `target` and archive `source`; returns how many moved."""
    moved = claims.load(journal.tx, tables.attributes.c.aspect_id == source.id)
    for claim in moved:
        journal.update(tables.attributes, {"id": claim.id}, {"aspect_id": target.id, "entity_id": target.entity})
    if source.weight > target.weight:
        journal.update(tables.aspects, {"id": target.id}, {"weight": source.weight, "updated_at": journal.tx.now})
    archive(journal, source, f"merged into {target.name}")
    return len(moved)


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    CreateAspect: _create,
    RenameAspect: _rename,
    ArchiveAspect: _archive,
    MergeAspects: _merge,
}
