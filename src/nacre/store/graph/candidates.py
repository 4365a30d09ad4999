"""Pairs of entities that may be the same thing, until someone decides."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func, select, update

from nacre.domain import ids
from nacre.domain.duplicates import CandidateId, Decision, DuplicateCandidate
from nacre.domain.entities import EntityType
from nacre.domain.errors import Invalid, NotFound
from nacre.domain.ids import EntityId
from nacre.domain.memories import Status
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import aliases, dedup_candidates, entities
from nacre.text import names

Couple = tuple[EntityId, EntityId]

# Databases bound the parameters of a statement.
_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparableEntity:
    """As much of an entity as is needed to compare it with others; `keyed` are all its names under their keys."""

    id: EntityId
    name: str
    type: EntityType
    keyed: tuple[tuple[str, str], ...]
    description: str | None = None

    @property
    def names(self) -> list[str]:
        """Its own name and then the others."""
        return [self.name, *(name for _, name in self.keyed if name != self.name)]


def couple(one: UUID, other: UUID) -> Couple:
    """The pair without an order: the smaller id first."""
    if one == other:
        raise Invalid("entity_b", "must be another entity than `entity_a`")
    return (EntityId(min(one, other)), EntityId(max(one, other)))


def add(tx: Transaction, pairs: Iterable[tuple[UUID, UUID, float]]) -> int:
    """Queue pairs with their similarity; returns how many are new. A pair that is known stays as it is."""
    rows: list[dict[str, Any]] = [
        {
            "scope_id": tx.scope_id,
            "id": ids.new(tx.now),
            "entity_a": a,
            "entity_b": b,
            "similarity": similarity,
            "status": Decision.PENDING.value,
            "created_at": tx.now,
        }
        for (a, b), similarity in _distinct(pairs).items()
    ]
    if not rows:
        return 0
    scopes.ensure(tx)
    tx.insert_missing(dedup_candidates, rows)
    return sum(_stored(tx, [row["id"] for row in rows[at : at + _AT_ONCE]]) for at in range(0, len(rows), _AT_ONCE))


def listed(tx: Transaction, status: Decision, *, limit: int = 50, offset: int = 0) -> list[DuplicateCandidate]:
    """The pairs of which something was decided, the last decided first; those that wait, the most alike first.

    Of a pair that waits, both entities are still in force.
    """
    query = select(dedup_candidates).where(
        dedup_candidates.c.scope_id == tx.scope_id, dedup_candidates.c.status == status.value
    )
    if status is not Decision.PENDING:
        last = query.order_by(dedup_candidates.c.decided_at.desc(), dedup_candidates.c.id)
        return [_to_candidate(row) for row in tx.execute(last.limit(limit).offset(offset))]
    active = select(entities.c.id).where(entities.c.scope_id == tx.scope_id, entities.c.status == Status.ACTIVE.value)
    waiting = query.where(dedup_candidates.c.entity_a.in_(active), dedup_candidates.c.entity_b.in_(active))
    alike = waiting.order_by(dedup_candidates.c.similarity.desc(), dedup_candidates.c.id)
    return [_to_candidate(row) for row in tx.execute(alike.limit(limit).offset(offset))]


def get(tx: Transaction, key: UUID) -> DuplicateCandidate:
    """A pair, decided or not."""
    row = tx.execute(
        select(dedup_candidates).where(dedup_candidates.c.scope_id == tx.scope_id, dedup_candidates.c.id == key)
    ).one_or_none()
    if row is None:
        raise NotFound("duplicate candidate", str(key))
    return _to_candidate(row)


def keep_apart(tx: Transaction, one: UUID, other: UUID) -> None:
    """Decide that a pair which nobody queued is not one thing: an undone merge is then not made again by itself."""
    if not of_pair(tx, one, other):
        add(tx, [(one, other, 1.0)])
        tx.execute(
            update(dedup_candidates)
            .where(dedup_candidates.c.scope_id == tx.scope_id, dedup_candidates.c.id.in_(of_pair(tx, one, other)))
            .values(status=Decision.DISMISSED.value, decided_at=tx.now)
        )


def of_pair(tx: Transaction, one: UUID, other: UUID) -> list[UUID]:
    """What is queued or decided about two entities."""
    a, b = couple(one, other)
    pair = (dedup_candidates.c.entity_a == a, dedup_candidates.c.entity_b == b)
    rows = tx.execute(select(dedup_candidates.c.id).where(dedup_candidates.c.scope_id == tx.scope_id, *pair))
    return list(rows.scalars())


def decided(tx: Transaction) -> set[Couple]:
    """The pairs that someone decided, one way or the other."""
    rows = tx.execute(
        select(dedup_candidates.c.entity_a, dedup_candidates.c.entity_b).where(
            dedup_candidates.c.scope_id == tx.scope_id, dedup_candidates.c.status != Decision.PENDING.value
        )
    )
    return {(EntityId(row.entity_a), EntityId(row.entity_b)) for row in rows}


def named(tx: Transaction) -> list[ComparableEntity]:
    """Every entity in force with all its names, by id. Two statements, however many there are."""
    keyed_names_by_id: dict[UUID, list[tuple[str, str]]] = defaultdict(list)
    columns = select(aliases.c.entity_id, aliases.c.key, aliases.c.name).where(aliases.c.scope_id == tx.scope_id)
    for row in tx.execute(columns):
        keyed_names_by_id[row.entity_id].append((row.key, row.name))
    rows = tx.execute(
        select(entities.c.id, entities.c.name, entities.c.type, entities.c.description)
        .where(entities.c.scope_id == tx.scope_id, entities.c.status == Status.ACTIVE.value)
        .order_by(entities.c.id)
    )
    return [
        ComparableEntity(
            id=EntityId(row.id),
            name=row.name,
            type=EntityType(row.type),
            keyed=tuple(sorted(keyed_names_by_id[row.id] or [(names.match_key(row.name), row.name)])),
            description=row.description,
        )
        for row in rows
    ]


def _distinct(pairs: Iterable[tuple[UUID, UUID, float]]) -> dict[Couple, float]:
    similarities_by_couple: dict[Couple, float] = {}
    for one, other, similarity in pairs:
        if not 0.0 <= similarity <= 1.0:
            raise Invalid("similarity", f"must be from 0 to 1, not {similarity}")
        pair = couple(one, other)
        similarities_by_couple[pair] = max(similarity, similarities_by_couple.get(pair, 0.0))
    return similarities_by_couple


def _stored(tx: Transaction, keys: list[UUID]) -> int:
    count = select(func.count()).where(dedup_candidates.c.scope_id == tx.scope_id, dedup_candidates.c.id.in_(keys))
    return int(tx.execute(count).scalar_one())


def _to_candidate(row: Row[tuple[object, ...]]) -> DuplicateCandidate:
    return DuplicateCandidate(
        id=CandidateId(row.id),
        entity_a=EntityId(row.entity_a),
        entity_b=EntityId(row.entity_b),
        similarity=row.similarity,
        status=Decision(row.status),
        created_at=row.created_at,
        decided_at=row.decided_at,
    )
