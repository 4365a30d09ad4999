"""Entities, the names they go by, and where they are spoken of."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, bindparam, exists, func, or_, select, update

from nacre.domain.audits import JournalEntry
from nacre.domain.entities import Entity, EntityType
from nacre.domain.ids import EntityId
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.tables.columns import Id, Instant
from nacre.store.tables.schema import aliases, attributes, entities, links, mentions, sources
from nacre.text import names


def by_id(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, Entity]:
    """The entities stored under `ids`, in force or not."""
    rows = tx.execute(_BY_ID, {"scope": tx.scope_id, "ids": list(ids)}).all() if ids else []
    return {entity.id: entity for entity in _with_names(tx, rows)}


def by_slug(tx: Transaction, slug: str) -> Entity | None:
    """The entity with a slug, in force or not."""
    return next(iter(load(tx, entities.c.slug == slug)), None)


def slugs_among(tx: Transaction, slugs: Collection[str]) -> set[str]:
    """Those of some slugs that entities, in force or not, have."""
    return set(tx.execute(_SLUGS, {"scope": tx.scope_id, "slugs": list(slugs)}).scalars())


def by_name(tx: Transaction, name: str) -> list[Entity]:
    """The entities in force that go by a name, whatever its case, most mentioned first."""
    mine = (aliases.c.scope_id == tx.scope_id, aliases.c.key == names.match_key(name))
    keys = list(tx.execute(select(aliases.c.entity_id).where(*mine)).scalars())
    # Asked for by id alone: with the status in the statement, SQLite reads every entity in force.
    found = [entity for entity in by_id(tx, keys).values() if entity.status is Status.ACTIVE]
    return sorted(found, key=lambda entity: (-entity.mentions, entity.created_at))


def active_ids(tx: Transaction) -> list[UUID]:
    """The ids of all entities in force, in their order."""
    mine = select(entities.c.id).where(entities.c.scope_id == tx.scope_id, standing())
    return list(tx.execute(mine.order_by(entities.c.id)).scalars())


def in_force(as_of: datetime | None = None) -> ColumnElement[bool]:
    """What is in force; or what was known at a moment, and not archived by then as far as its row tells."""
    return standing() if as_of is None else and_(entities.c.created_at <= as_of, standing(as_of))


def standing(as_of: datetime | None = None) -> ColumnElement[bool]:
    """What is not archived, or was not at a moment. Facts may be dated before their entity became known."""
    active: ColumnElement[bool] = entities.c.status == Status.ACTIVE.value
    return active if as_of is None else or_(active, entities.c.archived_at > as_of)


def drawn(tx: Transaction) -> ColumnElement[bool]:
    """What has a place in pictures and counts: all but bare mentions.

    A bare mention is a name of no known type that was said once, and that nothing is known of. It is kept, and found by
    its name; with the next mention, a type or a fact it is a node like any other.
    """
    begins = exists().where(links.c.scope_id == tx.scope_id, links.c.source_entity == entities.c.id)
    ends = exists().where(links.c.scope_id == tx.scope_id, links.c.target_entity == entities.c.id)
    told = exists().where(attributes.c.scope_id == tx.scope_id, attributes.c.entity_id == entities.c.id)
    return or_(
        entities.c.type != EntityType.UNKNOWN.value,
        entities.c.mentions != 1,
        entities.c.pinned_at.is_not(None),
        entities.c.description.is_not(None),
        begins,
        ends,
        told,
    )


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


def places_in(tx: Transaction, source_id: UUID) -> list[tuple[UUID, int]]:
    """Which entities a source is known to speak of, and where."""
    rows = tx.execute(_PLACES, {"scope": tx.scope_id, "source": source_id})
    return [(row.entity_id, row.quote_start) for row in rows]


@dataclass(frozen=True, slots=True)
class SourceMention:
    """A place in a source that speaks of an entity in force."""

    name: str
    type: EntityType
    start: int
    end: int


def mentioned_in(tx: Transaction, source_ids: Collection[UUID]) -> list[SourceMention]:
    """Whom sources speak of, in the order of the sources and of the places in them."""
    rows = tx.execute(_MENTIONED_IN, {"scope": tx.scope_id, "ids": list(source_ids)})
    return [SourceMention(row.name, EntityType(row.type), row.quote_start, row.quote_end) for row in rows]


def last_mentioned(
    tx: Transaction, ids: Collection[UUID] | None, as_of: datetime | None = None
) -> dict[UUID, datetime]:
    """When evidence last spoke of some entities, or of all, up to a moment. Looking one up is no mention."""
    chosen = () if ids is None else (mentions.c.entity_id.in_(ids),)
    until = () if as_of is None else (sources.c.at <= as_of,)
    evidence = and_(sources.c.scope_id == mentions.c.scope_id, sources.c.id == mentions.c.source_id)
    rows = tx.execute(
        select(mentions.c.entity_id, func.max(sources.c.at).label("at"))
        .join_from(mentions, sources, evidence)
        .where(mentions.c.scope_id == tx.scope_id, *chosen, *until)
        .group_by(mentions.c.entity_id)
    )
    return {row.entity_id: row.at for row in rows}


def touch_call(tx: Transaction, ids: Sequence[UUID]) -> Call:
    """What notes that entities were asked about just now."""
    return _TOUCH, {"scope": tx.scope_id, "ids": list(ids), "now": tx.now}


def load(tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None) -> list[Entity]:
    """The scope's entities that pass, the last changed first."""
    query = select(entities).where(entities.c.scope_id == tx.scope_id, *conditions)
    return _with_names(tx, tx.execute(query.order_by(*_LAST_CHANGED).limit(limit)).all())


def _with_names(tx: Transaction, rows: Sequence[Row[Any]]) -> list[Entity]:
    known = _aliases(tx, [row.id for row in rows]) if rows else {}
    return [to_entity(row, tuple(known[row.id])) for row in rows]


def _aliases(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, list[str]]:
    aliases_by_id: dict[UUID, list[str]] = defaultdict(list)
    for row in tx.execute(_ALIASES, {"scope": tx.scope_id, "ids": list(ids)}):
        aliases_by_id[row.entity_id].append(row.name)
    return aliases_by_id


def to_entity(row: Any, known_names: tuple[str, ...]) -> Entity:
    """A row and the names that go with it; the entity's own name is not among its aliases."""
    return Entity(
        id=EntityId(row.id),
        name=row.name,
        slug=row.slug,
        type=EntityType(row.type),
        description=row.description,
        aliases=tuple(name for name in known_names if name != row.name),
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


# Built once: every text that is heard needs most of these, and building one takes longer than running it.
_SCOPE = bindparam("scope", type_=Id)
_IDS = bindparam("ids", type_=Id, expanding=True)
_LAST_CHANGED = (entities.c.updated_at.desc(), entities.c.id.desc())
_BY_ID = select(entities).where(entities.c.scope_id == _SCOPE, entities.c.id.in_(_IDS)).order_by(*_LAST_CHANGED)
_SLUGS = select(entities.c.slug).where(
    entities.c.scope_id == _SCOPE, entities.c.slug.in_(bindparam("slugs", expanding=True))
)
_ALIASES = (
    select(aliases.c.entity_id, aliases.c.name)
    .where(aliases.c.scope_id == _SCOPE, aliases.c.entity_id.in_(_IDS))
    .order_by(aliases.c.name)
)
_PLACES = select(mentions.c.entity_id, mentions.c.quote_start).where(
    mentions.c.scope_id == _SCOPE, mentions.c.source_id == bindparam("source", type_=Id)
)
_MENTIONED_IN = (
    select(entities.c.name, entities.c.type, mentions.c.quote_start, mentions.c.quote_end)
    .join_from(
        mentions,
        entities,
        and_(entities.c.scope_id == mentions.c.scope_id, entities.c.id == mentions.c.entity_id),
    )
    .where(mentions.c.scope_id == _SCOPE, mentions.c.source_id.in_(_IDS), entities.c.status == Status.ACTIVE.value)
    .order_by(mentions.c.source_id, mentions.c.quote_start)
)
_TOUCH = (
    update(entities)
    .where(entities.c.scope_id == _SCOPE, entities.c.id.in_(_IDS))
    .values(last_referenced_at=bindparam("now", type_=Instant))
)


def first_mentions(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, UUID]:
    """The first piece of evidence that speaks of each entity; ids of evidence sort by time."""
    said = (
        select(mentions.c.source_id)
        .where(mentions.c.scope_id == tx.scope_id, mentions.c.entity_id == entities.c.id)
        .order_by(mentions.c.source_id)
        .limit(1)
        .scalar_subquery()
    )
    rows = tx.execute(
        select(entities.c.id, said.label("source_id")).where(entities.c.scope_id == tx.scope_id, entities.c.id.in_(ids))
    )
    return {row.id: row.source_id for row in rows if row.source_id is not None}


KEYS_A_STATEMENT = 500
# So many entities may share the names of one statement; the least mentioned of a crowd are left out.
ROWS_A_STATEMENT = 2_000


@dataclass(frozen=True, slots=True)
class Name:
    """A name that an entity in force goes by, the key it is matched with, and how often and as what it is mentioned."""

    key: str
    entity_id: UUID
    name: str
    mentions: int
    type: EntityType


def by_keys(tx: Transaction, keys: Sequence[str]) -> list[Name]:
    """The names under `keys` of entities in force, those of the most mentioned entities first."""
    results = tx.execute_all(key_calls(tx, keys))
    return [
        Name(row.key, row.entity_id, row.name, row.mentions, EntityType(row.type)) for rows in results for row in rows
    ]


def keys_among(tx: Transaction, keys: Sequence[str]) -> set[str]:
    """Those of some keys under which a name is kept, whether or not its entity is in force."""
    parts = [keys[start : start + KEYS_A_STATEMENT] for start in range(0, len(keys), KEYS_A_STATEMENT)]
    results = tx.execute_all([(_KEYS_AMONG, {"scope": tx.scope_id, "keys": part}) for part in parts])
    return {key for rows in results for key in rows.scalars()}


def written_keys(changes: Iterable[JournalEntry]) -> set[str]:
    """The keys of the names that changes gave."""
    rows = (change.after for change in changes if change.after and change.table == aliases.name)
    return {str(row["key"]) for row in rows if "key" in row}


def key_calls(tx: Transaction, keys: Sequence[str]) -> list[Call]:
    """What reads the names under `keys`."""
    parts = [keys[start : start + KEYS_A_STATEMENT] for start in range(0, len(keys), KEYS_A_STATEMENT)]
    return [(_BY_KEYS, {"scope": tx.scope_id, "keys": part}) for part in parts]


# Built once: every recall and every turn looks names up.
_BY_KEYS = (
    select(aliases.c.key, aliases.c.entity_id, aliases.c.name, entities.c.mentions, entities.c.type)
    .join_from(aliases, entities, and_(entities.c.scope_id == aliases.c.scope_id, entities.c.id == aliases.c.entity_id))
    .where(aliases.c.scope_id == bindparam("scope"), aliases.c.key.in_(bindparam("keys", expanding=True)))
    .where(entities.c.status == Status.ACTIVE.value)
    .order_by(entities.c.mentions.desc(), entities.c.id)
    .limit(ROWS_A_STATEMENT)
)
_KEYS_AMONG = (
    select(aliases.c.key)
    .where(aliases.c.scope_id == bindparam("scope"), aliases.c.key.in_(bindparam("keys", expanding=True)))
    .distinct()
)
