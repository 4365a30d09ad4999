"""Entities that share a name, and what hangs from them."""

from collections import defaultdict
from collections.abc import Collection
from uuid import UUID

from sqlalchemy import and_, func, select

from nacre.domain.duplicates import MergeImpact
from nacre.domain.entities import Entity
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities as things
from nacre.store.graph import links as edges
from nacre.store.tables.schema import aliases, aspects, attributes, entities, memory_sources, mentions
from nacre.text import names

# Databases bound the parameters of a statement.
_AT_ONCE = 500


def same_named(tx: Transaction) -> list[list[Entity]]:
    """The entities in force that have one name, in groups, by that name; other names they go by do not count."""
    active = and_(
        entities.c.scope_id == aliases.c.scope_id,
        entities.c.id == aliases.c.entity_id,
        entities.c.status == Status.ACTIVE.value,
    )
    shared = (
        select(aliases.c.key)
        .join(entities, active)
        .where(aliases.c.scope_id == tx.scope_id)
        .group_by(aliases.c.key)
        .having(func.count() > 1)
    )
    rows = tx.execute(
        select(entities.c.id, entities.c.name)
        .join(aliases, active)
        .where(aliases.c.scope_id == tx.scope_id, aliases.c.key.in_(shared))
        .distinct()
    )
    groups: dict[str, list[UUID]] = defaultdict(list)
    for row in rows:
        groups[names.canonical(row.name)].append(row.id)
    wanted = {name: keys for name, keys in sorted(groups.items()) if len(keys) > 1}
    every = [key for keys in wanted.values() for key in keys]
    entities_by_id: dict[UUID, Entity] = {}
    for start in range(0, len(every), _AT_ONCE):
        entities_by_id |= things.by_id(tx, every[start : start + _AT_ONCE])
    return [[entities_by_id[key] for key in keys] for keys in wanted.values()]


def impact(tx: Transaction, sources: Collection[Entity]) -> MergeImpact:
    """What a merge of entities into another would move."""
    keys = [source.id for source in sources]
    sides = select(aspects.c.id).where(
        aspects.c.scope_id == tx.scope_id, aspects.c.entity_id.in_(keys), aspects.c.status == Status.ACTIVE.value
    )
    said = select(attributes.c.id).where(attributes.c.scope_id == tx.scope_id, attributes.c.aspect_id.in_(sides))
    remembered = select(memory_sources.c.source_id).where(memory_sources.c.scope_id == tx.scope_id)
    spoken = select(mentions.c.source_id).where(
        mentions.c.scope_id == tx.scope_id, mentions.c.entity_id.in_(keys), mentions.c.source_id.in_(remembered)
    )
    counts = [
        int(tx.execute(select(func.count()).select_from(each.subquery())).scalar_one())
        for each in (spoken, sides, said)
    ]
    return MergeImpact(
        source_mentions=sum(source.mentions for source in sources),
        memory_mentions=counts[0],
        aspects=counts[1],
        attributes=counts[2],
        links=len(edges.at_entities(tx, keys)),
    )
