"""Traversal rows: aspects, claims, mentions, links, and the passages of the evidence behind them.

Each statement returns a bounded number of rows for each entity. What is out of force never comes: a claim counts only
while it, its aspect and its entity are in force, a link only while it, its aspect and the entity at its other end are.
"""

from collections.abc import Collection
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Float,
    Integer,
    Row,
    Select,
    Text,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    union_all,
)

from nacre.domain.claims import Aspect, Claim, ClaimKind
from nacre.domain.hits import Kind
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.graph import claims, links
from nacre.store.graph.aspects import to_aspect
from nacre.store.tables.columns import Id, Instant
from nacre.store.tables.schema import aspects, attributes, entities, memories, memory_sources, mentions, passages
from nacre.store.tables.schema import links as links_table
from nacre.text.tokens import PackedTerms

# Of an entity with very many links, the surest in each direction are looked at.
LINKS_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class TraversalClaim:
    """A claim in force that rests on evidence; `text` is what it is about and says."""

    id: UUID
    entity: UUID
    aspect: UUID
    importance: float
    text: str
    memory: UUID | None
    source: UUID | None


@dataclass(frozen=True, slots=True)
class TraversalEdge:
    """A link in force from an entity that a traversal has reached to another one."""

    id: UUID
    other: UUID
    predicate: str
    strength: float


@dataclass(frozen=True, slots=True)
class EvidencePassage:
    """The words of a memory or turn in force, as the index holds them."""

    item: UUID
    packed: PackedTerms


def top_aspects(tx: Transaction, of: Collection[UUID], per_entity: int, key: str | None) -> list[Aspect]:
    """The weightiest aspects of entities; with a `key`, only the aspect that goes by it."""
    rows = tx.execute(_TOP_ASPECTS, {**_bound(tx, of, per_entity), "key": key})
    return [to_aspect(row) for row in rows]


def constraints(tx: Transaction, of: Collection[UUID], limit: int) -> list[Claim]:
    """The constraints on entities, whatever the aspect, the most important first."""
    return [claims.to_claim(row) for row in tx.execute(_CONSTRAINTS, _bound(tx, of, limit))]


def held_in(tx: Transaction, of: Collection[UUID], per_aspect: int) -> list[TraversalClaim]:
    """The claims of aspects that rest on evidence, the most important of each aspect."""
    return [_to_held(row) for row in tx.execute(_HELD, _bound(tx, of, per_aspect))]


def mentions_of(tx: Transaction, entity: UUID, limit: int) -> list[UUID]:
    """The sources that speak of an entity, the last learned first."""
    return list(tx.execute(_MENTIONS, {"scope": tx.scope_id, "entity": entity, "most": limit}).scalars())


def edges_of(tx: Transaction, entity: UUID, min_confidence: float, limit: int) -> list[TraversalEdge]:
    """The links of an entity in both directions that lead on to others in force, the strongest first.

    The indexes links_best_from and links_best_to hold an entity's links by confidence, so of a hub only some are read.
    """
    given = {"scope": tx.scope_id, "now": tx.now, "entity": entity, "sure": min_confidence, "most": limit}
    return [TraversalEdge(row.id, row.other, row.predicate, row.walked) for row in tx.execute(_EDGES, given)]


def passages_of(tx: Transaction, kind: Kind, items: Collection[UUID]) -> list[EvidencePassage]:
    """The passages in force of items; those of other kinds, other scopes and the forgotten have none."""
    rows = tx.execute(_PASSAGES, {"scope": tx.scope_id, "ids": list(items), "kind": kind.value})
    return [
        EvidencePassage(row.item_id, PackedTerms(row.term_keys, row.term_counts, row.length, row.language))
        for row in rows
    ]


def memories_on(tx: Transaction, of: Collection[UUID]) -> list[tuple[UUID, UUID]]:
    """Which memories rest on which sources, as pairs of a source and a memory."""
    rows = tx.execute(_RESTING, {"scope": tx.scope_id, "ids": list(of)})
    return [(row.source_id, row.memory_id) for row in rows]


def importance_of(tx: Transaction, of: Collection[UUID]) -> dict[UUID, float]:
    """How important memories are."""
    rows = tx.execute(_IMPORTANCE, {"scope": tx.scope_id, "ids": list(of)})
    return {row.id: row.importance for row in rows}


def _bound(tx: Transaction, ids: Collection[UUID], most: int) -> dict[str, object]:
    return {"scope": tx.scope_id, "now": tx.now, "ids": list(ids), "most": most}


# The statements are built once: building them takes several times as long as running them, and a traversal runs many.
_SCOPE = bindparam("scope", type_=Id)
_IDS = bindparam("ids", type_=Id, expanding=True)
_ENTITY = bindparam("entity", type_=Id)
_MOST = bindparam("most", type_=Integer)
# What the rules for claims and links need of a transaction is its moment.
_ANY = cast("Transaction", SimpleNamespace(now=bindparam("now", type_=Instant)))
_STANDING = and_(aspects.c.status == Status.ACTIVE.value, entities.c.status == Status.ACTIVE.value)


def _owner(entity: ColumnElement[UUID], scope: ColumnElement[Any]) -> ColumnElement[bool]:
    return and_(entities.c.scope_id == scope, entities.c.id == entity)


def _top_aspects() -> Select[Any]:
    key = bindparam("key", type_=Text)
    in_order = (aspects.c.weight.desc(), aspects.c.key, aspects.c.id)
    place = func.row_number().over(partition_by=aspects.c.entity_id, order_by=in_order)
    ranked = (
        select(aspects, place.label("place"))
        .join(entities, _owner(aspects.c.entity_id, aspects.c.scope_id))
        .where(aspects.c.scope_id == _SCOPE, aspects.c.entity_id.in_(_IDS), _STANDING)
        .where(or_(key.is_(None), aspects.c.key == key))
        .subquery()
    )
    return select(ranked).where(ranked.c.place <= _MOST).order_by(ranked.c.weight.desc(), ranked.c.key, ranked.c.id)


def _in_force(selected: Select[Any]) -> Select[Any]:
    """The one rule for claims: they, their aspects and their entities are all in force."""
    beside = and_(aspects.c.scope_id == attributes.c.scope_id, aspects.c.id == attributes.c.aspect_id)
    return (
        selected.join(aspects, beside)
        .join(entities, _owner(attributes.c.entity_id, attributes.c.scope_id))
        .where(attributes.c.scope_id == _SCOPE, claims.in_force(_ANY), _STANDING)
    )


def _held() -> Select[Any]:
    in_order = (attributes.c.importance.desc(), attributes.c.created_at.desc(), attributes.c.id.desc())
    place = func.row_number().over(partition_by=attributes.c.aspect_id, order_by=in_order)
    ranked = (
        _in_force(select(attributes, aspects.c.name.label("aspect"), place.label("place")))
        .where(attributes.c.aspect_id.in_(_IDS))
        .where(or_(attributes.c.memory_id.is_not(None), attributes.c.source_id.is_not(None)))
        .subquery()
    )
    return select(ranked).where(ranked.c.place <= _MOST)


def _surest(here: ColumnElement[UUID], there: ColumnElement[UUID]) -> Select[Any]:
    table = links_table
    columns = (table.c.id, table.c.predicate, table.c.confidence, table.c.strength, table.c.aspect_id)
    return (
        select(*columns, there.label("other"))
        .where(table.c.scope_id == _SCOPE, here == _ENTITY, there.is_not(None))
        .where(links.in_force(_ANY), table.c.confidence >= bindparam("sure", type_=Float))
        .order_by(table.c.confidence.desc(), table.c.updated_at.desc(), table.c.id.desc())
        .limit(LINKS_LOOKED_AT)
    )


def _edges() -> Select[Any]:
    ends = links_table.c.source_entity, links_table.c.target_entity
    sides = [_surest(*ends).subquery(), _surest(*reversed(ends)).subquery()]
    found = union_all(*(select(side) for side in sides)).subquery()
    strength = (found.c.confidence * found.c.strength).label("walked")
    gone = aspects.c.scope_id == _SCOPE, aspects.c.id == found.c.aspect_id, aspects.c.status != Status.ACTIVE.value
    return (
        select(found.c.id, found.c.other, found.c.predicate, strength)
        .join_from(found, entities, and_(entities.c.scope_id == _SCOPE, entities.c.id == found.c.other))
        .where(entities.c.status == Status.ACTIVE.value, found.c.other != _ENTITY, ~exists().where(*gone))
        .order_by(strength.desc(), found.c.confidence.desc(), found.c.id)
        .limit(_MOST)
    )


_TOP_ASPECTS = _top_aspects()
_HELD = _held()
_EDGES = _edges()
_CONSTRAINTS = (
    _in_force(select(attributes, aspects.c.key.label("aspect_key")))
    .where(attributes.c.entity_id.in_(_IDS), attributes.c.kind == ClaimKind.CONSTRAINT.value)
    .order_by(attributes.c.importance.desc(), attributes.c.created_at.desc(), attributes.c.id)
    .limit(_MOST)
)
_MENTIONS = (
    select(mentions.c.source_id)
    .distinct()
    .where(mentions.c.scope_id == _SCOPE, mentions.c.entity_id == _ENTITY)
    .order_by(mentions.c.source_id.desc())
    .limit(_MOST)
)
_PASSAGES = (
    select(passages.c.item_id, passages.c.term_keys, passages.c.term_counts, passages.c.length, passages.c.language)
    .where(passages.c.scope_id == _SCOPE, passages.c.item_id.in_(_IDS))
    .where(passages.c.kind == bindparam("kind", type_=Text), passages.c.ended_at.is_(None))
)
_RESTING = select(memory_sources.c.source_id, memory_sources.c.memory_id).where(
    memory_sources.c.scope_id == _SCOPE, memory_sources.c.source_id.in_(_IDS)
)
_IMPORTANCE = select(memories.c.id, memories.c.importance).where(memories.c.scope_id == _SCOPE, memories.c.id.in_(_IDS))


def _to_held(row: Row[Any]) -> TraversalClaim:
    about = " ".join(filter(None, (row.aspect, row.group_key, row.claim_key))).replace("_", " ")
    text = f"{about} {row.value}"
    return TraversalClaim(row.id, row.entity_id, row.aspect_id, row.importance, text, row.memory_id, row.source_id)
