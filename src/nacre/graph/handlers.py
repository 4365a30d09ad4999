"""What each operation does. Every row is changed through the journal, so every operation can be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from nacre.domain import ids
from nacre.domain.entities import Entity
from nacre.domain.errors import NotFound
from nacre.domain.memories import Status
from nacre.domain.operations import (
    ArchiveEntity,
    ArchiveLink,
    CleanUpGraph,
    MergeEntities,
    Operation,
    PruneGraph,
    UpsertEntity,
    UpsertLink,
)
from nacre.graph import merging, naming
from nacre.store import entities, graphs, links
from nacre.store import schema as tables
from nacre.store.journals import Journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an operation came to: in words, by id, in numbers, and what a caller should know."""

    summary: str
    entity: UUID | None = None
    link: UUID | None = None
    entities: int = 0
    links: int = 0
    warnings: tuple[str, ...] = field(default=())


def handle(journal: Journal, operation: Operation, actor: str) -> Outcome:  # noqa: PLR0911 - one line each
    """Carry out one operation."""
    match operation:
        case UpsertEntity():
            return _upsert_entity(journal, operation)
        case UpsertLink():
            return _upsert_link(journal, operation)
        case ArchiveEntity():
            return _archive_entity(journal, operation, actor)
        case ArchiveLink():
            return _archive_link(journal, operation)
        case MergeEntities():
            return _merge(journal, operation, actor)
        case PruneGraph():
            return _prune(journal, operation, actor)
        case CleanUpGraph():
            return _clean_up(journal, operation, actor)


def _upsert_entity(journal: Journal, operation: UpsertEntity) -> Outcome:
    entity, warnings = naming.upsert(journal, operation)
    return Outcome(summary=f"{entity.name} ({entity.slug})", entity=entity.id, entities=1, warnings=tuple(warnings))


def _upsert_link(journal: Journal, operation: UpsertLink) -> Outcome:
    source, warnings = naming.find_or_add(journal, operation.source, operation.confidence)
    target = None
    if operation.target is not None:
        target, more = naming.find_or_add(journal, operation.target, operation.confidence)
        warnings += more
    target_id = target.id if target else None
    known = links.same(journal.tx, source.id, operation.predicate, target_id, operation.value)
    if known is None:
        link_id = ids.new(journal.tx.now)
        journal.insert(tables.links, {"id": link_id, **_new_link(journal, operation, source.id, target_id)})
    else:
        link_id = known.id
        said_again = {
            "confidence": max(known.confidence, operation.confidence),
            "strength": max(known.strength, operation.strength),
            "reason": operation.reason or known.reason,
            "properties": {**known.properties, **operation.properties},
            "valid_from": min(filter(None, (known.valid_from, operation.valid_from)), default=None),
            "valid_to": operation.valid_to or known.valid_to,
            "updated_at": journal.tx.now,
        }
        journal.update(tables.links, {"id": link_id}, said_again)
    end = target.name if target else operation.value
    summary = f"{source.name} --{operation.predicate}--> {end}"
    return Outcome(summary=summary, entity=source.id, link=link_id, links=1, warnings=tuple(warnings))


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


def _archive_entity(journal: Journal, operation: ArchiveEntity, actor: str) -> Outcome:
    entity = naming.find(journal.tx, operation.entity)
    count = _archive(journal, [entity], actor, operation.reason)
    return Outcome(summary=f"Archived {entity.name}.", entity=entity.id, entities=1, links=count)


def _archive(journal: Journal, archived: Sequence[Entity], actor: str, reason: str | None) -> int:
    """Take entities and every link at them out of force; returns how many links that were."""
    now = journal.tx.now
    for entity in archived:
        values = {"status": Status.ARCHIVED.value, "archived_at": now, "archived_by": actor, "archive_reason": reason}
        journal.update(tables.entities, {"id": entity.id}, values)
    at_them = links.at_entities(journal.tx, [entity.id for entity in archived])
    for link in at_them:
        journal.update(tables.links, {"id": link.id}, {"status": Status.ARCHIVED.value, "updated_at": now})
    return len(at_them)


def _archive_link(journal: Journal, operation: ArchiveLink) -> Outcome:
    key = ids.parse("link", operation.link)
    link = links.by_id(journal.tx, [key]).get(key)
    if link is None or link.status is not Status.ACTIVE:
        raise NotFound("link", str(operation.link))
    journal.update(tables.links, {"id": key}, {"status": Status.ARCHIVED.value, "updated_at": journal.tx.now})
    return Outcome(summary=f"Archived a link `{link.predicate}`.", link=link.id, links=1)


def _merge(journal: Journal, operation: MergeEntities, actor: str) -> Outcome:
    target, source = naming.find(journal.tx, operation.target), naming.find(journal.tx, operation.source)
    moved = merging.merge(journal, target, source, actor)
    return Outcome(summary=f"{source.name} is {target.name} now.", entity=target.id, entities=1, links=moved)


def _prune(journal: Journal, operation: PruneGraph, actor: str) -> Outcome:
    below = operation.min_confidence
    weak = entities.load(
        journal.tx,
        tables.entities.c.confidence < below,
        tables.entities.c.status == Status.ACTIVE.value,
        tables.entities.c.pinned_at.is_(None),
    )
    gone = _archive(journal, weak, actor, operation.reason or f"confidence below {below:g}") if weak else 0
    left = links.load(journal.tx, tables.links.c.confidence < below, tables.links.c.status == Status.ACTIVE.value)
    for link in left:
        journal.update(tables.links, {"id": link.id}, {"status": Status.ARCHIVED.value, "updated_at": journal.tx.now})
    count = gone + len(left)
    return Outcome(summary=f"Archived {len(weak)} entities and {count} links.", entities=len(weak), links=count)


def _clean_up(journal: Journal, operation: CleanUpGraph, actor: str) -> Outcome:
    found = entities.by_id(journal.tx, graphs.untouched_since(journal.tx, operation.untouched_since))
    old = list(found.values())
    reason = operation.reason or f"untouched since {operation.untouched_since:%Y-%m-%d}"
    gone = _archive(journal, old, actor, reason) if old else 0
    return Outcome(summary=f"Archived {len(old)} entities and {gone} links.", entities=len(old), links=gone)
