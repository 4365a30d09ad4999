"""Entities leave the graph, one by one or many at once, and can come back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nacre.domain import ids
from nacre.domain.claims import ClaimStatus
from nacre.domain.entities import Entity
from nacre.domain.errors import Conflict, NotFound
from nacre.domain.memories import Status
from nacre.domain.operation_results import Effect
from nacre.domain.operations import ArchiveEntity, CleanUpGraph, PruneGraph, RestoreEntity, Selector
from nacre.graph.beliefs import aspects as sides
from nacre.graph.beliefs import assertions
from nacre.graph.identity import naming
from nacre.graph.operations import entity_handlers
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.graph import aspects, claims, entities, links
from nacre.store.reads import graphs
from nacre.store.tables import schema as tables

_BACK = {"archived_at": None, "archived_by": None, "archive_reason": None}


def archive(journal: Journal, gone: Sequence[Entity], reason: str | None) -> tuple[int, int]:
    """Take entities, their links and their claims out of force; returns how many links and claims that were."""
    if not gone:
        return 0, 0
    links_gone = entity_handlers.archive_entities(journal, gone, reason)
    known = aspects.of_entities(journal.tx, [entity.id for entity in gone])
    claims_gone = len(claims.active_in(journal.tx, [aspect.id for aspect in known]))
    for aspect in known:
        sides.archive(journal, aspect, reason)
    assertions.archive_of(journal, [entity.id for entity in gone], reason)
    return links_gone, claims_gone


def _archive_entity(journal: Journal, operation: ArchiveEntity) -> Effect:
    entity = naming.one(journal.tx, operation.entity)
    if entity.pinned_at and not operation.force:
        raise Conflict(f"{entity.name} is pinned. It is only archived by force.")
    moved, said = archive(journal, [entity], operation.reason)
    return Effect(summary=f"Archived {entity.name}.", entity=entity.id, entities=1, links=moved, claims=said)


def _restore_entity(journal: Journal, operation: RestoreEntity) -> Effect:
    tx = journal.tx
    entity = _archived(tx, operation.entity)
    at = entity.archived_at
    journal.update(tables.entities, {"id": entity.id}, {"status": Status.ACTIVE.value, **_BACK, "updated_at": tx.now})
    together = tables.links.c.archived_at == at
    ends = (tables.links.c.source_entity == entity.id) | (tables.links.c.target_entity == entity.id)
    back = [link for link in links.load(tx, together, ends) if _stands(tx, link.source) and _stands(tx, link.target)]
    for link in back:
        journal.update(tables.links, {"id": link.id}, {"status": Status.ACTIVE.value, **_BACK, "updated_at": tx.now})
    mine = tables.aspects.c.entity_id == entity.id
    for aspect in aspects.load(tx, mine, tables.aspects.c.archived_at == at):
        journal.update(tables.aspects, {"id": aspect.id}, {"status": Status.ACTIVE.value, **_BACK})
    said = claims.load(tx, tables.attributes.c.entity_id == entity.id, tables.attributes.c.archived_at == at)
    for claim in said:
        journal.update(tables.attributes, {"id": claim.id}, {"status": ClaimStatus.ACTIVE.value, **_BACK})
    assertions.restore_of(journal, entity.id, at)
    summary = f"{entity.name} is back."
    return Effect(summary=summary, entity=entity.id, entities=1, links=len(back), claims=len(said))


def _archived(tx: Transaction, selector: Selector) -> Entity:
    found = entities.by_slug(tx, str(selector))
    if found is None and naming.is_id(selector):
        key = ids.parse("entity", selector)
        found = entities.by_id(tx, [key]).get(key)
    if found is None:
        raise NotFound("archived entity", str(selector))
    if found.status is Status.ACTIVE:
        raise Conflict(f"{found.name} is in force already.")
    return found


def _stands(tx: Transaction, entity: ids.EntityId | None) -> bool:
    return entity is None or entities.by_id(tx, [entity])[entity].status is Status.ACTIVE


def _prune(journal: Journal, operation: PruneGraph) -> Effect:
    below = operation.min_confidence
    reason = operation.reason or f"confidence below {below:g}"
    weak = entities.load(
        journal.tx,
        tables.entities.c.confidence < below,
        tables.entities.c.status == Status.ACTIVE.value,
        tables.entities.c.pinned_at.is_(None),
    )
    gone, said = archive(journal, weak, reason)
    left = links.load(journal.tx, tables.links.c.confidence < below, tables.links.c.status == Status.ACTIVE.value)
    for link in left:
        entity_handlers.archive_link(journal, link.id, reason)
    count = gone + len(left)
    summary = f"Archived {len(weak)} entities and {count} links."
    return Effect(summary=summary, entities=len(weak), links=count, claims=said)


def _clean_up(journal: Journal, operation: CleanUpGraph) -> Effect:
    old = list(entities.by_id(journal.tx, graphs.untouched_since(journal.tx, operation.untouched_since)).values())
    reason = operation.reason or f"untouched since {operation.untouched_since:%Y-%m-%d}"
    gone, said = archive(journal, old, reason)
    summary = f"Archived {len(old)} entities and {gone} links."
    return Effect(summary=summary, entities=len(old), links=gone, claims=said)


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    ArchiveEntity: _archive_entity,
    RestoreEntity: _restore_entity,
    PruneGraph: _prune,
    CleanUpGraph: _clean_up,
}
