"""Entities, the links at them and who likes them, for a caller who names them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain import ids
from nacre.domain.entities import Entity, EntityType, Node
from nacre.domain.errors import NotFound
from nacre.domain.links import DISLIKES, PREFERS, Link, Taste
from nacre.domain.memories import Status
from nacre.domain.operations import Selector
from nacre.graph.identity import naming
from nacre.store.base.cache import Cache
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities, links, row_history
from nacre.store.reads import nodes


def find(tx: Transaction, selector: Selector, as_of: datetime | None, limit: int | None, cache: Cache | None) -> Node:
    """The entity in force that is named, and the links in force at it; or both as they were at a moment."""
    if cache is None or as_of is not None:
        entity = naming.find(tx, selector, as_of)
        return Node(entity=entity, links=tuple(links.at_entities(tx, [entity.id], as_of, limit)))
    key = ids.parse("entity", selector) if naming.is_id(selector) else naming.find(tx, selector).id
    found = nodes.read(tx, key, cache, limit)
    if found is None or found.entity.status is not Status.ACTIVE:
        raise NotFound("entity", str(selector))
    return found


def by_ids(tx: Transaction, keys: Sequence[UUID], as_of: datetime | None) -> list[Entity]:
    """Entities in the order of their ids, in force or not, or as they were at a moment."""
    known = entities.by_id(tx, keys)
    shown = known if as_of is None else {**known, **row_history.entities_at(tx, known.values(), as_of)}
    return [shown[key] for key in keys if key in shown]


def first_sources(tx: Transaction, keys: Sequence[UUID]) -> dict[UUID, UUID]:
    """The first piece of evidence that speaks of each of some entities, where there is any."""
    return entities.first_mentions(tx, keys)


def link(tx: Transaction, key: UUID | None) -> Link:
    """A link by its id."""
    found = links.by_id(tx, [key]).get(key) if key else None
    if found is None:
        raise NotFound("link", str(key))
    return found


def links_at(tx: Transaction, selector: Selector, as_of: datetime | None, limit: int | None) -> list[Link]:
    """The links in force at an entity, or at a moment, in both directions, the newest first."""
    return links.at_entities(tx, [naming.subject(tx, selector, as_of).id], as_of, limit)


def find_tastes(tx: Transaction, candidates: Iterable[Entity], as_of: datetime | None = None) -> dict[UUID, Taste]:
    """Who likes and dislikes the preferences among entities, now or at a moment; those that no link is about left out.

    Only preferences: a tool, a place or a person is shown as what it is, whoever likes it.
    """
    wanted = {each.id for each in candidates if each.type is EntityType.PREFERENCE}
    held = links.to_entities(tx, wanted, (PREFERS, DISLIKES), as_of) if wanted else []
    people = entities.by_id(tx, {link.source for link in held}) if held else {}
    names: dict[tuple[UUID, str], list[str]] = defaultdict(list)
    for link in held:
        if link.target:
            names[link.target, link.predicate].append(people[link.source].name)
    tastes: dict[UUID, Taste] = {
        key: Taste(likers=tuple(sorted(names[key, PREFERS])), dislikers=tuple(sorted(names[key, DISLIKES])))
        for key in {target for target, _ in names}
    }
    left = wanted - set(tastes)
    return tastes | {key: Taste() for key in links.reached(tx, left, (PREFERS, DISLIKES))} if left else tastes


def of_entities(tx: Transaction, keys: Collection[UUID], as_of: datetime | None) -> dict[UUID, Taste]:
    """As `find_tastes`, for entities by their ids."""
    return find_tastes(tx, entities.by_id(tx, keys).values(), as_of)
