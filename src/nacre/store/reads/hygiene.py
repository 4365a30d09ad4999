"""Rows that a check of the graph reads. Nothing here writes."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, select, union

from nacre.domain.claims import GENERAL_GROUP
from nacre.domain.memories import Status
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Transaction
from nacre.store.graph import claims
from nacre.store.graph.links import in_force
from nacre.store.tables.schema import (
    aliases,
    aspects,
    attributes,
    entities,
    links,
    memories,
    memory_sources,
    mentions,
)

PAGE = 2_000

_ACTIVE = Status.ACTIVE.value


class EntityCheckRow(NamedTuple):
    """An entity as a check sees it; `bare` when it was never mentioned and nothing is known of it."""

    id: UUID
    name: str
    type: str
    mentions: int
    pinned: bool
    bare: bool


class Twins(NamedTuple):
    """Entities in force with one name."""

    key: str
    ids: tuple[UUID, ...]
    names: tuple[str, ...]


class Grounds(NamedTuple):
    """Claims in force, and how many of them lack something."""

    held: int
    in_general: int
    without_claim_key: int
    without_grounds: int


class Gates(NamedTuple):
    """Links between entities that are not archived, and how many of them each gate of a walk stops."""

    links: int
    walkable: int
    out_of_time: int
    unsure: int
    weak: int


class MemoryCheckRow(NamedTuple):
    """A memory and the evidence it rests on."""

    id: UUID
    content: str
    sources: frozenset[UUID]


def every_entity(tx: Transaction) -> Iterator[EntityCheckRow]:
    """All entities in force, read page by page."""
    unknown = and_(entities.c.mentions == 0, ~_claimed(tx), ~_linked(tx))
    last: UUID | None = None
    while True:
        after = [] if last is None else [entities.c.id > last]
        rows = tx.execute(
            select(
                entities.c.id,
                entities.c.name,
                entities.c.type,
                entities.c.mentions,
                entities.c.pinned_at.isnot(None).label("pinned"),
                unknown.label("bare"),
            )
            .where(entities.c.scope_id == tx.scope_id, entities.c.status == _ACTIVE, *after)
            .order_by(entities.c.id)
            .limit(PAGE)
        ).all()
        yield from (EntityCheckRow._make(row) for row in rows)
        if len(rows) < PAGE:
            return
        last = rows[-1].id


def twins(tx: Transaction) -> list[Twins]:
    """All groups of entities in force that have the same name, the largest first."""
    shared = (
        select(aliases.c.key).where(aliases.c.scope_id == tx.scope_id).group_by(aliases.c.key).having(func.count() > 1)
    )
    own = and_(
        entities.c.scope_id == aliases.c.scope_id,
        entities.c.id == aliases.c.entity_id,
        entities.c.name == aliases.c.name,
    )
    rows = tx.execute(
        select(aliases.c.key, entities.c.id, entities.c.name)
        .join_from(aliases, entities, own)
        .where(aliases.c.scope_id == tx.scope_id, aliases.c.key.in_(shared), entities.c.status == _ACTIVE)
        .order_by(entities.c.mentions.desc(), entities.c.id)
    )
    entities_by_name: dict[str, dict[UUID, str]] = defaultdict(dict)
    for row in rows:
        entities_by_name[row.key][row.id] = row.name
    groups = [Twins(key, tuple(held), tuple(held.values())) for key, held in entities_by_name.items() if len(held) > 1]
    return sorted(groups, key=lambda group: (-len(group.ids), group.key))


def grounds(tx: Transaction) -> Grounds:
    """What the claims in force rest on."""
    baseless = and_(attributes.c.memory_id.is_(None), attributes.c.source_id.is_(None))
    row = tx.execute(
        select(
            func.count().label("held"),
            _so_many(attributes.c.group_key == GENERAL_GROUP),
            _so_many(attributes.c.claim_key.is_(None)),
            _so_many(baseless),
        ).where(attributes.c.scope_id == tx.scope_id, claims.in_force(tx))
    ).one()
    return Grounds._make(row)


def aspect_keys(tx: Transaction) -> dict[str, int]:
    """How many aspects in force go by each name."""
    rows = tx.execute(
        select(aspects.c.key, func.count().label("held"))
        .where(aspects.c.scope_id == tx.scope_id, aspects.c.status == _ACTIVE)
        .group_by(aspects.c.key)
    )
    return {row.key: row.held for row in rows}


def gates(tx: Transaction, min_weight: float, min_confidence: float) -> Gates:
    """How many links the gates of a walk let through; the first gate that stops a link is the one it counts for."""
    held = in_force(tx)
    sure = links.c.confidence >= min_confidence
    strong = links.c.strength * links.c.confidence >= min_weight
    row = tx.execute(
        select(
            func.count().label("links"),
            _so_many(and_(held, sure, strong)),
            _so_many(~held),
            _so_many(and_(held, ~sure)),
            _so_many(and_(held, sure, ~strong)),
        ).where(links.c.scope_id == tx.scope_id, links.c.target_entity.isnot(None), links.c.status == _ACTIVE)
    ).one()
    return Gates._make(row)


def walkable_ends(tx: Transaction, min_weight: float, min_confidence: float) -> int:
    """How many entities a walk can leave or reach."""
    passes = and_(
        links.c.scope_id == tx.scope_id,
        in_force(tx),
        links.c.confidence >= min_confidence,
        links.c.strength * links.c.confidence >= min_weight,
    )
    leads_on = links.c.target_entity.isnot(None)
    ends = union(
        select(links.c.source_entity.label("entity_id")).where(passes, leads_on),
        select(links.c.target_entity.label("entity_id")).where(passes, leads_on),
    ).subquery()
    count: int = tx.execute(select(func.count()).select_from(ends)).scalar_one()
    return count


def count_archived_links(tx: Transaction) -> int:
    """How many links between entities were taken out of force."""
    mine = links.c.scope_id == tx.scope_id, links.c.target_entity.isnot(None), links.c.status != _ACTIVE
    count: int = tx.execute(select(func.count()).select_from(links).where(*mine)).scalar_one()
    return count


def newest_memories(tx: Transaction, home: Scope, limit: int) -> list[MemoryCheckRow]:
    """The newest memories in force that are kept in `home`."""
    rows = tx.execute(
        select(memories.c.id, memories.c.content)
        .where(memories.c.scope_id == home.id, memories.c.status == _ACTIVE)
        .order_by(memories.c.created_at.desc(), memories.c.id.desc())
        .limit(limit)
    ).all()
    rests_on: dict[UUID, set[UUID]] = defaultdict(set)
    known = select(memory_sources.c.memory_id, memory_sources.c.source_id).where(
        memory_sources.c.scope_id == home.id, memory_sources.c.memory_id.in_([row.id for row in rows])
    )
    for row in tx.execute(known):
        rests_on[row.memory_id].add(row.source_id)
    return [MemoryCheckRow(row.id, row.content, frozenset(rests_on[row.id])) for row in rows]


def mentioned_in(tx: Transaction, source_ids: Collection[UUID]) -> set[tuple[UUID, UUID]]:
    """Which source is known to speak of which entity."""
    rows = tx.execute(
        select(mentions.c.source_id, mentions.c.entity_id)
        .where(mentions.c.scope_id == tx.scope_id, mentions.c.source_id.in_(source_ids))
        .distinct()
    )
    return {(row.source_id, row.entity_id) for row in rows}


def _claimed(tx: Transaction) -> ColumnElement[bool]:
    return exists().where(
        attributes.c.scope_id == tx.scope_id, attributes.c.entity_id == entities.c.id, claims.in_force(tx)
    )


def _linked(tx: Transaction) -> ColumnElement[bool]:
    leaves = exists().where(links.c.scope_id == tx.scope_id, links.c.source_entity == entities.c.id, in_force(tx))
    reached = exists().where(links.c.scope_id == tx.scope_id, links.c.target_entity == entities.c.id, in_force(tx))
    return or_(leaves, reached)


def _so_many(condition: ColumnElement[bool]) -> ColumnElement[Any]:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
