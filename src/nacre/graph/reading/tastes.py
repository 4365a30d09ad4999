"""Tastes by the links in force."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from uuid import UUID

from nacre.domain.entities import Entity, EntityType
from nacre.domain.links import DISLIKES, PREFERS
from nacre.domain.tastes import Taste
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities, links


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
