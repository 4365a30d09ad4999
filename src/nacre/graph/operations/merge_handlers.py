"""Two entities become one. All that either knew stays, and all of it can be taken back."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from nacre.domain.claims import Aspect
from nacre.domain.duplicates import Decision
from nacre.domain.entities import Entity, EntityType
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.domain.operation_results import Effect
from nacre.domain.operations import DismissDuplicate, MergeEntities
from nacre.graph.beliefs import aspects as sides
from nacre.graph.beliefs import assertions, slots
from nacre.graph.identity import naming
from nacre.graph.operations import entity_handlers, kind_handlers
from nacre.store.base.journals import Journal
from nacre.store.graph import aspects, candidates, claims, entities, links
from nacre.store.tables import schema as tables

# The actor of merges that nobody asked for; they name their entities by id.
BY_ITSELF = "resolution"


def _merge(journal: Journal, operation: MergeEntities) -> Effect:
    target, source = naming.one(journal.tx, operation.target), naming.one(journal.tx, operation.source)
    if target.id == source.id:
        raise Invalid("source", "and `target` are the same entity")
    if not operation.force:
        _check_mergeable(target, source)
    assertions.move(journal, target.id, source.id)
    kind_handlers.move_task(journal, target.id, source.id)
    moved = _give(journal, target, source)
    said = sum(_move_aspect(journal, target, aspect) for aspect in aspects.of_entities(journal.tx, [source.id]))
    summary = f"{source.name} is {target.name} now."
    return Effect(summary=summary, entity=target.id, entities=1, links=moved, claims=said)


def _check_mergeable(target: Entity, source: Entity) -> None:
    if source.pinned_at:
        raise Conflict(f"{source.name} is pinned. It is only merged by force.")
    if target.type is not source.type and EntityType.UNKNOWN not in (target.type, source.type):
        kinds = f"{source.name} is a {source.type.value} and {target.name} a {target.type.value}"
        raise Conflict(f"{kinds}. They are only merged by force.")


def _move_aspect(journal: Journal, target: Entity, aspect: Aspect) -> int:
    """Give an aspect to the target; where it has one of that name, the two fall together."""
    twin = aspects.by_key(journal.tx, target.id, aspect.key)
    if twin:
        return sides.merge(journal, slots.ensure_aspect(journal, target, twin.name), aspect)
    journal.update(tables.aspects, {"id": aspect.id}, {"entity_id": target.id, "updated_at": journal.tx.now})
    held = claims.load(journal.tx, tables.attributes.c.aspect_id == aspect.id)
    for claim in held:
        journal.update(tables.attributes, {"id": claim.id}, {"entity_id": target.id})
    return len(held)


def _give(journal: Journal, target: Entity, source: Entity) -> int:
    """Give `target` all that `source` has and archive `source`; returns how many links moved or fell together."""
    naming.add_names(journal, target.id, [source.name, *source.aliases])
    united = _united(target, source)
    # Who only gains a name is left as it was: later changes then do not stand in the way of an undo.
    if any(getattr(target, field) != value for field, value in united.items()):
        journal.update(tables.entities, {"id": target.id}, {**united, "updated_at": journal.tx.now})
    moved = [_move(journal, link, target.id, source.id) for link in links.at_entities(journal.tx, [source.id])]
    for source_id, start, end in entities.mentions_of(journal.tx, source.id):
        _move_mention(journal, target.id, source.id, source_id, (start, end))
    gone = {
        "status": Status.ARCHIVED.value,
        "archived_at": journal.tx.now,
        "archived_by": journal.actor,
        "archive_reason": f"merged into {target.slug}",
    }
    journal.update(tables.entities, {"id": source.id}, gone)
    for candidate in candidates.of_pair(journal.tx, target.id, source.id):
        decided = {"status": "merged", "decided_at": journal.tx.now}
        journal.update(tables.dedup_candidates, {"id": candidate}, decided)
    return len(moved)


def _united(target: Entity, source: Entity) -> dict[str, object]:
    # Where both have a value, the target's stands and the source's is kept under a name that says whose it was.
    differing = {
        f"{key} ({source.slug})": value
        for key, value in source.properties.items()
        if target.properties.get(key, value) != value
    }
    seen = [each for each in (target.last_referenced_at, source.last_referenced_at) if each]
    return {
        "properties": {**source.properties, **target.properties, **differing},
        "description": target.description or source.description,
        "confidence": max(target.confidence, source.confidence),
        "mentions": target.mentions + source.mentions,
        "pinned_at": target.pinned_at or source.pinned_at,
        "created_at": min(target.created_at, source.created_at),
        "last_referenced_at": max(seen, default=None),
    }


def _move(journal: Journal, link: Link, target: UUID, source: UUID) -> UUID:
    """Let a link lead to or from the target; one that would say nothing new, or lead to itself, is archived."""
    begins = target if link.source == source else link.source
    ends = target if link.target == source else link.target
    now = journal.tx.now
    if begins == ends:
        entity_handlers.archive_link(journal, link.id, "it would lead from an entity to itself")
        return link.id
    twin = links.same(journal.tx, begins, link.predicate, ends, link.value)
    if twin is None:
        journal.update(
            tables.links, {"id": link.id}, {"source_entity": begins, "target_entity": ends, "updated_at": now}
        )
        return link.id
    entity_handlers.archive_link(journal, link.id, "the merged entity has a link that says the same")
    both = {
        "confidence": max(twin.confidence, link.confidence),
        "strength": max(twin.strength, link.strength),
        "properties": {**link.properties, **twin.properties},
        "reason": twin.reason or link.reason,
        "updated_at": now,
    }
    journal.update(tables.links, {"id": twin.id}, both)
    return twin.id


def _move_mention(journal: Journal, target: UUID, source: UUID, source_id: UUID, quote: tuple[int, int]) -> None:
    key = {"source_id": source_id, "quote_start": quote[0]}
    journal.delete(tables.mentions, {"entity_id": source, **key})
    if not entities.is_mentioned(journal.tx, target, source_id, quote[0]):
        journal.insert(tables.mentions, {"entity_id": target, **key, "quote_end": quote[1]})


def _dismiss(journal: Journal, operation: DismissDuplicate) -> Effect:
    pair = candidates.get(journal.tx, operation.candidate)
    if pair.status is not Decision.PENDING:
        raise NotFound("pending duplicate candidate", str(operation.candidate))
    decided = {"status": Decision.DISMISSED.value, "decided_at": journal.tx.now}
    journal.update(tables.dedup_candidates, {"id": pair.id}, decided)
    known = entities.by_id(journal.tx, [pair.entity_a, pair.entity_b])
    named = " and ".join(known[key].name for key in (pair.entity_a, pair.entity_b) if key in known)
    return Effect(summary=f"{named} are two things.", entity=pair.entity_a)


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {MergeEntities: _merge, DismissDuplicate: _dismiss}
