"""What operations do to entities and links. Rows are changed through the journal, so all of it can be taken back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from nacre.domain import ids
from nacre.domain.entities import Entity, EntityType
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.links import Link
from nacre.domain.memories import Status
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
from nacre.graph import naming
from nacre.store import entities, links
from nacre.store import schema as tables
from nacre.store.journals import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an operation came to: in words, by id, in numbers, and what a caller should know."""

    summary: str
    entity: UUID | None = None
    link: UUID | None = None
    claim: UUID | None = None
    assertion: UUID | None = None
    entities: int = 0
    links: int = 0
    claims: int = 0
    warnings: tuple[str, ...] = field(default=())


def _upsert_entity(journal: Journal, operation: UpsertEntity) -> Outcome:
    entity, warnings = naming.upsert(journal, operation)
    return Outcome(summary=f"{entity.name} ({entity.slug})", entity=entity.id, entities=1, warnings=tuple(warnings))


def _upsert_link(journal: Journal, operation: UpsertLink) -> Outcome:
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
    return Outcome(summary=summary, entity=source.id, link=link_id, links=1, warnings=tuple(warnings))


def put_link(journal: Journal, operation: UpsertLink, source: UUID, target: UUID | None, known: Link | None) -> UUID:
    """Add a link between entities, or strengthen the one that is known to say the same."""
    if known is None:
        link_id = ids.new(journal.tx.now)
        journal.insert(tables.links, {"id": link_id, **_new_link(journal, operation, source, target)})
        return link_id
    said_again = {
        "confidence": max(known.confidence, operation.confidence),
        "strength": max(known.strength, operation.strength),
        "reason": operation.reason or known.reason,
        "properties": {**known.properties, **operation.properties},
        "valid_from": min(filter(None, (known.valid_from, operation.valid_from)), default=None),
        "valid_to": operation.valid_to or known.valid_to,
        "updated_at": journal.tx.now,
    }
    journal.update(tables.links, {"id": known.id}, said_again)
    return known.id


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


def _rename_entity(journal: Journal, operation: RenameEntity) -> Outcome:
    entity = naming.one(journal.tx, operation.entity)
    others = [each for each in entities.by_name(journal.tx, operation.new_name) if each.id != entity.id]
    if others:
        raise Conflict(
            f"`{operation.new_name}` is the name of {others[0].slug} already. "
            f"Merge {entity.slug} into it if the two are the same."
        )
    journal.update(tables.entities, {"id": entity.id}, {"name": operation.new_name, "updated_at": journal.tx.now})
    naming.add_names(journal, entity.id, [operation.new_name])
    return Outcome(summary=f"{entity.name} is called {operation.new_name} now.", entity=entity.id, entities=1)


def _retype_entity(journal: Journal, operation: RetypeEntity) -> Outcome:
    entity = naming.one(journal.tx, operation.entity)
    kind = EntityType(operation.type).value
    journal.update(tables.entities, {"id": entity.id}, {"type": kind, "updated_at": journal.tx.now})
    return Outcome(summary=f"{entity.name} is of type {kind} now.", entity=entity.id, entities=1)


def _pin_entity(journal: Journal, operation: PinEntity) -> Outcome:
    entity = naming.one(journal.tx, operation.entity)
    if entity.pinned_at is None:
        journal.update(tables.entities, {"id": entity.id}, {"pinned_at": journal.tx.now})
    return Outcome(summary=f"Pinned {entity.name}.", entity=entity.id, entities=1)


def _unpin_entity(journal: Journal, operation: UnpinEntity) -> Outcome:
    entity = naming.one(journal.tx, operation.entity)
    journal.update(tables.entities, {"id": entity.id}, {"pinned_at": None})
    return Outcome(summary=f"Unpinned {entity.name}.", entity=entity.id, entities=1)


def _add_alias(journal: Journal, operation: AddAlias) -> Outcome:
    entity = naming.one(journal.tx, operation.entity)
    taken = [each.slug for each in entities.by_name(journal.tx, operation.alias)]
    if taken:
        raise Conflict(f"`{operation.alias}` is a name of {', '.join(taken)} already.")
    naming.add_names(journal, entity.id, [operation.alias])
    summary = f"{entity.name} is also called {operation.alias}."
    return Outcome(summary=summary, entity=entity.id, entities=1)


def _remove_alias(journal: Journal, operation: RemoveAlias) -> Outcome:
    entity = naming.one(journal.tx, operation.entity)
    naming.remove_name(journal, entity, operation.alias)
    summary = f"{entity.name} is no longer called {operation.alias}."
    return Outcome(summary=summary, entity=entity.id, entities=1)


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


def _update_link(journal: Journal, operation: UpdateLink) -> Outcome:
    link = _active_link(journal, operation.link)
    given = ("confidence", "strength", "reason", "properties", "valid_from", "valid_to")
    values = {name: getattr(operation, name) for name in given if getattr(operation, name) is not None}
    begins, ends = values.get("valid_from", link.valid_from), values.get("valid_to", link.valid_to)
    if begins and ends and begins >= ends:
        raise Invalid("valid_from", "must be earlier than `valid_to`")
    if "properties" in values:
        values["properties"] = {**link.properties, **values["properties"]}
    journal.update(tables.links, {"id": link.id}, {**values, "updated_at": journal.tx.now})
    return Outcome(summary=f"Changed a link `{link.predicate}`.", link=link.id, links=1)


def _active_link(journal: Journal, selector: UUID | str) -> Link:
    key = ids.parse("link", selector)
    link = links.by_id(journal.tx, [key]).get(key)
    if link is None or link.status is not Status.ACTIVE:
        raise NotFound("link", str(selector))
    return link


def _archive_link(journal: Journal, operation: ArchiveLink) -> Outcome:
    link = _active_link(journal, operation.link)
    archive_link(journal, link.id, operation.reason)
    return Outcome(summary=f"Archived a link `{link.predicate}`.", link=link.id, links=1)


HANDLERS: Mapping[type, Callable[[Journal, Any], Outcome]] = {
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
