"""Entities and the names they go by."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, Row, select, update

from nacre.domain.entities import Entity, EntityType
from nacre.domain.ids import EntityId
from nacre.domain.memories import Status
from nacre.store.databases import Transaction
from nacre.store.schema import aliases, entities, mentions
from nacre.text import names


def by_id(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, Entity]:
    """The entities stored under `ids`, in force or not."""
    return {entity.id: entity for entity in load(tx, entities.c.id.in_(ids))}


def by_slug(tx: Transaction, slug: str) -> Entity | None:
    """The entity with a slug, in force or not."""
    return next(iter(load(tx, entities.c.slug == slug)), None)


def by_name(tx: Transaction, name: str) -> list[Entity]:
    """The entities in force that go by a name, whatever its case, most mentioned first."""
    keyed = select(aliases.c.entity_id).where(aliases.c.scope_id == tx.scope_id, aliases.c.key == names.match_key(name))
    found = load(tx, entities.c.id.in_(keyed), entities.c.status == Status.ACTIVE.value)
    return sorted(found, key=lambda entity: (-entity.mentions, entity.created_at))


def names_of(tx: Transaction, entity_id: UUID) -> list[str]:
    """Every name an entity goes by, its own included."""
    return _aliases(tx, [entity_id])[entity_id]


def mentions_of(tx: Transaction, entity_id: UUID) -> list[tuple[UUID, int, int]]:
    """Where evidence speaks of an entity: the source, and from where to where in it."""
    mine = (mentions.c.scope_id == tx.scope_id, mentions.c.entity_id == entity_id)
    rows = tx.execute(select(mentions.c.source_id, mentions.c.quote_start, mentions.c.quote_end).where(*mine))
    return [(row.source_id, row.quote_start, row.quote_end) for row in rows]


def is_mentioned(tx: Transaction, entity_id: UUID, source_id: UUID, start: int) -> bool:
    """Whether a place in a source is known to speak of an entity."""
    here = select(mentions.c.quote_start).where(
        mentions.c.scope_id == tx.scope_id,
        mentions.c.entity_id == entity_id,
        mentions.c.source_id == source_id,
        mentions.c.quote_start == start,
    )
    return tx.execute(here).first() is not None


def touch(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Note that entities were spoken of just now."""
    tx.execute(
        update(entities)
        .where(entities.c.scope_id == tx.scope_id, entities.c.id.in_(ids))
        .values(last_referenced_at=tx.now)
    )


def load(tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None) -> list[Entity]:
    """The scope's entities that pass, the last changed first."""
    query = select(entities).where(entities.c.scope_id == tx.scope_id, *conditions)
    rows = tx.execute(query.order_by(entities.c.updated_at.desc(), entities.c.id.desc()).limit(limit)).all()
    known = _aliases(tx, [row.id for row in rows])
    return [to_entity(row, tuple(known[row.id])) for row in rows]


def _aliases(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, list[str]]:
    found: dict[UUID, list[str]] = defaultdict(list)
    rows = tx.execute(
        select(aliases.c.entity_id, aliases.c.name)
        .where(aliases.c.scope_id == tx.scope_id, aliases.c.entity_id.in_(ids))
        .order_by(aliases.c.name)
    )
    for row in rows:
        found[row.entity_id].append(row.name)
    return found


def to_entity(row: Row[tuple[object, ...]], known: tuple[str, ...]) -> Entity:
    """A row and the names that go with it; the entity's own name is not among its aliases."""
    return Entity(
        id=EntityId(row.id),
        name=row.name,
        slug=row.slug,
        type=EntityType(row.type),
        description=row.description,
        aliases=tuple(name for name in known if name != row.name),
        properties=row.properties,
        confidence=row.confidence,
        mentions=row.mentions,
        pinned_at=row.pinned_at,
        status=Status(row.status),
        archived_at=row.archived_at,
        archived_by=row.archived_by,
        archive_reason=row.archive_reason,
        created_at=row.created_at,
        updated_at=row.updated_at,
        last_referenced_at=row.last_referenced_at,
        last_synthesized_at=row.last_synthesized_at,
        proposal=row.proposal_id,
    )
