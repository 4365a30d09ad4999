"""Handlers of operations on entities and links. Rows are changed through the journal, so all of it can be taken
back.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from nacre.domain import ids
from nacre.domain.entities import Entity, EntityType
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.domain.operation_results import Effect
from nacre.domain.operations import (
    AddAlias,
    ArchiveLink,
    PinEntity,
    RemoveAlias,
    RenameEntity,
    RetypeEntity,
    UnpinEntity,
    UpdateLink,
    UpsertEntity,
    UpsertLink,
)
from nacre.graph.identity import naming
from nacre.store.base.journals import Journal
from nacre.store.graph import entities, links
from nacre.store.tables import schema as tables


def _upsert_entity(journal: Journal, operation: UpsertEntity) -> Effect:
    entity, warnings = naming.upsert(journal, operation)
    return Effect(summary=f"{entity.name} ({entity.slug})", entity=entity.id, entities=1, warnings=tuple(warnings))


def _upsert_link(journal: Journal, operation: UpsertLink) -> Effect:
    source, warnings = naming.find_or_add(journal, operation.source, operation.confidence, operation.source_type)
    target = None
    if operation.target is not None:
        target, more = naming.find_or_add(journal, operation.target, operation.confidence, operation.target_type)
        warnings += more
    target_id = target.id if target else None
    known = links.same(journal.tx, source.id, operation.predicate, target_id, operation.value, until=operation.valid_to)
    link_id = put_link(journal, operation, source.id, target_id, known)
    end = target.name if target else operation.value
    summary = f"{source.name} --{operation.predicate}--> {end}"
    return Effect(summary=summary, entity=source.id, link=link_id, links=1, warnings=tuple(warnings))


def put_link(journal: Journal, operation: UpsertLink, source: UUID, target: UUID | None, before: Link | None) -> UUID:
    """Add a link between entities, or strengthen the one that is known to say the same."""
    if before is None:
        link_id = ids.new(journal.tx.now)
        journal.insert(tables.links, {"id": link_id, **_new_link(journal, operation, source, target)})
        return link_id
    said_again = {
        "confidence": max(before.confidence, operation.confidence),
        "strength": max(before.strength, operation.strength),
        "reason": operation.reason or before.reason,
        "properties": {**before.properties, **operation.properties},
        "valid_from": min(filter(None, (before.valid_from, operation.valid_from)), default=None),
        "valid_to": operation.valid_to or before.valid_to,
        "updated_at": journal.tx.now,
    }
    journal.update(tables.links, {"id": before.id}, said_again)
    return before.id


def _new_link(journal: Journal, operation: UpsertLink, source: UUID, target: UUID | None) -> dict[str, object]:
    evidence = operation.evidence
    return {
        "source_entity": source,
        "predicate": operation.predicate,
        "target_entity": target,
        "value": operation.value,
        "confidence": operation.confidence,
        "strength": operation.strength,
        "reason": operation.reason,
        "properties": dict(operation.properties),
        "valid_from": operation.valid_from,
        "valid_to": operation.valid_to,
        "status": Status.ACTIVE.value,
        "source_id": evidence.source if evidence else None,
        "quote_start": evidence.quote[0] if evidence else None,
        "quote_end": evidence.quote[1] if evidence else None,
        "created_at": journal.tx.now,
        "updated_at": journal.tx.now,
    }


def _rename_entity(journal: Journal, operation: RenameEntity) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    others = [each for each in entities.by_name(journal.tx, operation.new_name) if each.id != entity.id]
    if others:
        raise Conflict(
            f"`{operation.new_name}` is the name of {others[0].slug} already. "
            f"Merge {entity.slug} into it if the two are the same."
        )
    journal.update(tables.entities, {"id": entity.id}, {"name": operation.new_name, "updated_at": journal.tx.now})
    naming.add_names(journal, entity.id, [operation.new_name])
    return Effect(summary=f"{entity.name} is called {operation.new_name} now.", entity=entity.id, entities=1)


def _retype_entity(journal: Journal, operation: RetypeEntity) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    kind = EntityType(operation.type).value
    journal.update(tables.entities, {"id": entity.id}, {"type": kind, "updated_at": journal.tx.now})
    return Effect(summary=f"{entity.name} is of type {kind} now.", entity=entity.id, entities=1)


def _pin_entity(journal: Journal, operation: PinEntity) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    if entity.pinned_at is None:
        journal.update(tables.entities, {"id": entity.id}, {"pinned_at": journal.tx.now})
    return Effect(summary=f"Pinned {entity.name}.", entity=entity.id, entities=1)


def _unpin_entity(journal: Journal, operation: UnpinEntity) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    journal.update(tables.entities, {"id": entity.id}, {"pinned_at": None})
    return Effect(summary=f"Unpinned {entity.name}.", entity=entity.id, entities=1)


def _add_alias(journal: Journal, operation: AddAlias) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    taken = [each.slug for each in entities.by_name(journal.tx, operation.alias)]
    if taken:
        raise Conflict(f"`{operation.alias}` is a name of {', '.join(taken)} already.")
    naming.add_names(journal, entity.id, [operation.alias])
    summary = f"{entity.name} is also called {operation.alias}."
    return Effect(summary=summary, entity=entity.id, entities=1)


def _remove_alias(journal: Journal, operation: RemoveAlias) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    naming.remove_name(journal, entity, operation.alias)
    summary = f"{entity.name} is no longer called {operation.alias}."
    return Effect(summary=summary, entity=entity.id, entities=1)


def archive_entities(journal: Journal, archived: Sequence[Entity], reason: str | None) -> int:
    """Take entities and every link at them out of force; returns how many links that were."""
    gone = {"status": Status.ARCHIVED.value, **_archived(journal, reason)}
    for entity in archived:
        journal.update(tables.entities, {"id": entity.id}, gone)
    at_them = links.at_entities(journal.tx, [entity.id for entity in archived])
    for link in at_them:
        archive_link(journal, link.id, reason)
    return len(at_them)


def archive_link(journal: Journal, link: UUID, reason: str | None) -> None:
    """Take one link out of force."""
    gone = {"status": Status.ARCHIVED.value, "updated_at": journal.tx.now, **_archived(journal, reason)}
    journal.update(tables.links, {"id": link}, gone)


def _archived(journal: Journal, reason: str | None) -> dict[str, object]:
    return {"archived_at": journal.tx.now, "archived_by": journal.actor, "archive_reason": reason}


def _update_link(journal: Journal, operation: UpdateLink) -> Effect:
    link = _active_link(journal, operation.link)
    given = ("confidence", "strength", "reason", "properties", "valid_from", "valid_to")
    values = {name: getattr(operation, name) for name in given if getattr(operation, name) is not None}
    begins, ends = values.get("valid_from", link.valid_from), values.get("valid_to", link.valid_to)
    if begins and ends and begins >= ends:
        raise Invalid("valid_from", "must be earlier than `valid_to`")
    if "properties" in values:
        values["properties"] = {**link.properties, **values["properties"]}
    journal.update(tables.links, {"id": link.id}, {**values, "updated_at": journal.tx.now})
    return Effect(summary=f"Changed a link `{link.predicate}`.", link=link.id, links=1)


def _active_link(journal: Journal, selector: UUID | str) -> Link:
    key = ids.parse("link", selector)
    link = links.by_id(journal.tx, [key]).get(key)
    if link is None or link.status is not Status.ACTIVE:
        raise NotFound("link", str(selector))
    return link


def _archive_link(journal: Journal, operation: ArchiveLink) -> Effect:
    link = _active_link(journal, operation.link)
    archive_link(journal, link.id, operation.reason)
    return Effect(summary=f"Archived a link `{link.predicate}`.", link=link.id, links=1)


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    UpsertEntity: _upsert_entity,
    RenameEntity: _rename_entity,
    RetypeEntity: _retype_entity,
    PinEntity: _pin_entity,
    UnpinEntity: _unpin_entity,
    AddAlias: _add_alias,
    RemoveAlias: _remove_alias,
    UpsertLink: _upsert_link,
    UpdateLink: _update_link,
    ArchiveLink: _archive_link,
}
