"""Entities page by page, one entity in numbers, and the outline of what is believed of it."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, literal, select, union_all

from nacre.domain import keys
from nacre.domain.claims import Aspect, Claim, ClaimKind, ClaimStatus
from nacre.domain.ids import EntityId
from nacre.domain.memories import Status
from nacre.domain.navigation import ClaimOutline, Dependency, PinnedEntity
from nacre.store.base.databases import Transaction
from nacre.store.graph import claims, links
from nacre.store.graph.aspects import to_aspect
from nacre.store.graph.entities import drawn
from nacre.store.tables.schema import aliases, aspects, attributes, entities
from nacre.store.tables.schema import links as links_table

MAX_PREVIEW = 160

_ACTIVE = Status.ACTIVE.value
_CONSTRAINT = ClaimKind.CONSTRAINT.value
# The id makes the order total, so that no entity is on two pages.
_AFTER_PINNED = (entities.c.mentions.desc(), entities.c.updated_at.desc(), entities.c.name, entities.c.id)


@dataclass(frozen=True, slots=True)
class EntityFilter:
    """Which entities: of a type, and with a name that holds `key`."""

    kind: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """Which versions of claims; what is None does not matter."""

    group: str | None
    claim: str | None
    kind: str | None
    status: str | None


@dataclass(slots=True)
class Counts:
    """How much of an entity is in force."""

    aspects: int = 0
    attributes: int = 0
    constraints: int = 0
    incoming: int = 0
    outgoing: int = 0


@dataclass(frozen=True, slots=True)
class SlotOutline:
    """A claim with where it stands, and how many of its versions in force are of which kind."""

    aspect: UUID
    group: str
    attributes: int
    constraints: int
    claim: ClaimOutline


def page(tx: Transaction, entity_filter: EntityFilter, limit: int, offset: int) -> list[UUID]:
    """Ids of entities in force: the pinned, the last pinned first; then the most mentioned.

    The few pinned ones are read by an index of their own and the rest by theirs, so nothing is counted or sorted that
    is not on the page.
    """
    pinned, rest = entities.c.pinned_at.isnot(None), entities.c.pinned_at.is_(None)
    first = _chosen(tx, entity_filter).where(pinned).order_by(entities.c.pinned_at.desc(), *_AFTER_PINNED)
    rows = _ids(tx, first, limit, offset)
    if len(rows) == limit:
        return rows
    before = offset if rows else len(_ids(tx, first, offset, 0)) if offset else 0
    after = _chosen(tx, entity_filter).where(rest).order_by(*_AFTER_PINNED)
    return rows + _ids(tx, after, limit - len(rows), offset - before)


def pinned(tx: Transaction, limit: int) -> list[PinnedEntity]:
    """The pinned entities in force, the last pinned first."""
    rows = tx.execute(
        select(entities.c.id, entities.c.name, entities.c.pinned_at)
        .where(entities.c.scope_id == tx.scope_id, entities.c.status == _ACTIVE, entities.c.pinned_at.isnot(None))
        .order_by(entities.c.pinned_at.desc(), entities.c.name, entities.c.id)
        .limit(limit)
    )
    return [PinnedEntity(id=EntityId(row.id), name=row.name, pinned_at=row.pinned_at) for row in rows]


def most_like(tx: Transaction, key: str) -> UUID | None:
    """The entity in force with a name that begins with a key or else holds it; of several the most mentioned."""
    beginning = case((aliases.c.key.startswith(key, autoescape=True), 0), else_=1)
    owner = and_(entities.c.scope_id == aliases.c.scope_id, entities.c.id == aliases.c.entity_id)
    found = tx.execute(
        select(entities.c.id)
        .join_from(aliases, entities, owner)
        .where(aliases.c.scope_id == tx.scope_id, aliases.c.key.contains(key, autoescape=True))
        .where(entities.c.status == _ACTIVE)
        .order_by(beginning, *_AFTER_PINNED)
        .limit(1)
    )
    return found.scalar_one_or_none()


def counts(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, Counts]:
    """How much of each entity is in force, in four statements however many there are."""
    counts_by_id: dict[UUID, Counts] = defaultdict(Counts)
    sides = aspects.c.scope_id == tx.scope_id, aspects.c.entity_id.in_(ids), aspects.c.status == _ACTIVE
    for row in _tally(tx, sides, aspects.c.entity_id.label("key")):
        counts_by_id[row.key].aspects = row.held
    believed = attributes.c.scope_id == tx.scope_id, attributes.c.entity_id.in_(ids), claims.in_force(tx)
    for row in _tally(tx, believed, attributes.c.entity_id.label("key"), attributes.c.kind):
        setattr(counts_by_id[row.key], "constraints" if row.kind == _CONSTRAINT else "attributes", row.held)
    source, target = links_table.c.source_entity, links_table.c.target_entity
    mine = links_table.c.scope_id == tx.scope_id, links.in_force(tx)
    for row in _tally(tx, (*mine, source.in_(ids), target.isnot(None)), source.label("key")):
        counts_by_id[row.key].outgoing = row.held
    for row in _tally(tx, (*mine, target.in_(ids)), target.label("key")):
        counts_by_id[row.key].incoming = row.held
    return counts_by_id


def aspects_of(tx: Transaction, entity: UUID, limit: int, offset: int = 0) -> list[Aspect]:
    """The aspects in force of an entity, the weightiest first."""
    rows = tx.execute(
        select(aspects)
        .where(aspects.c.scope_id == tx.scope_id, aspects.c.entity_id == entity, aspects.c.status == _ACTIVE)
        .order_by(aspects.c.weight.desc(), aspects.c.key)
        .limit(limit)
        .offset(offset)
    )
    return [to_aspect(row) for row in rows]


def slots(tx: Transaction, aspect_ids: Collection[UUID]) -> list[SlotOutline]:
    """The claims of aspects, each with its counts and what it says now; those that were taken out are not shown."""
    held = claims.in_force(tx)
    place = (attributes.c.aspect_id, attributes.c.group_key, attributes.c.claim_key)
    rows = tx.execute(
        select(
            *place,
            func.sum(case((held, 1), else_=0)).label("active"),
            func.sum(case((and_(held, attributes.c.kind == _CONSTRAINT), 1), else_=0)).label("constraints"),
            func.sum(case((attributes.c.status == ClaimStatus.SUPERSEDED.value, 1), else_=0)).label("superseded"),
            func.max(attributes.c.updated_at).label("latest"),
        )
        .where(attributes.c.scope_id == tx.scope_id, attributes.c.aspect_id.in_(aspect_ids))
        .where(attributes.c.status != ClaimStatus.DELETED.value)
        .group_by(*place)
        .order_by(*place)
    ).all()
    said = _previews(tx, aspect_ids)
    return [_slot(row, said.get((row.aspect_id, row.group_key, row.claim_key))) for row in rows]


def versions(tx: Transaction, aspect: UUID, requested_versions: Versions, limit: int, offset: int) -> list[Claim]:
    """Versions of an aspect's claims, the last first in each."""
    columns = attributes.c
    given = {columns.kind: requested_versions.kind, columns.status: requested_versions.status}
    if requested_versions.group is not None:
        given[columns.group_key] = keys.canonical("group", requested_versions.group)
    if requested_versions.claim is not None:
        given[columns.claim_key] = keys.canonical("claim", requested_versions.claim)
    conditions = [column == value for column, value in given.items() if value is not None]
    return claims.load(tx, columns.aspect_id == aspect, *conditions, limit=limit, offset=offset)


def dependencies(tx: Transaction, entity: UUID, directions: Sequence[str], limit: int, offset: int) -> list[Dependency]:
    """The links in force between an entity and others, the strongest first."""
    found = union_all(*(_towards(tx, entity, direction) for direction in directions)).subquery()
    weight = found.c.strength * found.c.confidence
    rows = tx.execute(
        select(found)
        .order_by(weight.desc(), found.c.updated_at.desc(), found.c.id, found.c.direction)
        .limit(limit)
        .offset(offset)
    ).all()
    names = _names(tx, {end for row in rows for end in (row.source_entity, row.target_entity)})
    return [
        Dependency(
            link=links.to_link(row),
            direction=row.direction,
            source_name=names[row.source_entity],
            target_name=names[row.target_entity],
        )
        for row in rows
    ]


def _chosen(tx: Transaction, entity_filter: EntityFilter) -> Select[Any]:
    mine = select(entities.c.id).where(entities.c.scope_id == tx.scope_id, entities.c.status == _ACTIVE)
    if entity_filter.kind is not None:
        mine = mine.where(entities.c.type == entity_filter.kind)
    if entity_filter.key is None:
        return mine if entity_filter.kind else mine.where(drawn(tx))
    named = (
        select(aliases.c.entity_id)
        .where(aliases.c.scope_id == tx.scope_id, aliases.c.key.contains(entity_filter.key, autoescape=True))
        .distinct()
        .subquery()
    )
    # Joined, so that the few that match are looked up and not looked for in the whole list.
    return mine.join_from(named, entities, entities.c.id == named.c.entity_id)


def _ids(tx: Transaction, chosen: Select[Any], limit: int, offset: int) -> list[UUID]:
    return list(tx.execute(chosen.limit(limit).offset(offset)).scalars())


def _tally(
    tx: Transaction, conditions: Sequence[ColumnElement[bool]], *columns: ColumnElement[Any]
) -> Sequence[Row[Any]]:
    return tx.execute(select(*columns, func.count().label("held")).where(*conditions).group_by(*columns)).all()


def _previews(tx: Transaction, aspect_ids: Collection[UUID]) -> dict[tuple[UUID, str, str | None], str]:
    """What the last version in force of each claim says, cut short."""
    place = (attributes.c.aspect_id, attributes.c.group_key, attributes.c.claim_key)
    last = (attributes.c.version.desc(), attributes.c.created_at.desc(), attributes.c.id.desc())
    ranked = (
        select(
            *place,
            func.substr(attributes.c.value, 1, MAX_PREVIEW).label("said"),
            func.row_number().over(partition_by=place, order_by=last).label("rank"),
        )
        .where(attributes.c.scope_id == tx.scope_id, attributes.c.aspect_id.in_(aspect_ids), claims.in_force(tx))
        .subquery()
    )
    rows = tx.execute(select(ranked).where(ranked.c.rank == 1))
    return {(row.aspect_id, row.group_key, row.claim_key): row.said for row in rows}


def _slot(row: Row[Any], text: str | None) -> SlotOutline:
    latest: datetime = row.latest
    outline = ClaimOutline(
        claim_key=row.claim_key,
        active_count=row.active,
        superseded_count=row.superseded,
        latest_updated_at=latest,
        preview=text,
    )
    return SlotOutline(row.aspect_id, row.group_key, row.active - row.constraints, row.constraints, outline)


def _towards(tx: Transaction, entity: UUID, direction: str) -> Select[Any]:
    here = links_table.c.source_entity if direction == "outgoing" else links_table.c.target_entity
    return select(links_table, literal(direction).label("direction")).where(
        links_table.c.scope_id == tx.scope_id,
        here == entity,
        *([links_table.c.target_entity.isnot(None)] if direction == "outgoing" else []),
        links.in_force(tx),
    )


def _names(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, str]:
    rows = tx.execute(
        select(entities.c.id, entities.c.name).where(entities.c.scope_id == tx.scope_id, entities.c.id.in_(ids))
    )
    return {row.id: row.name for row in rows}
