"""The sides of entities, their weights, and whether their claims hold one value at a time or several."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Row, bindparam, func, select

from nacre.domain.claims import Aspect, Cardinality
from nacre.domain.ids import AspectId, EntityId
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import aspects, cardinalities


def by_key(tx: Transaction, entity: UUID, key: str) -> Aspect | None:
    """An entity's aspect, in force or not."""
    return next(iter(load(tx, aspects.c.entity_id == entity, aspects.c.key == key)), None)


def of_entities(tx: Transaction, entities: Collection[UUID]) -> list[Aspect]:
    """The aspects in force of entities, the weightiest first."""
    return load(tx, aspects.c.entity_id.in_(entities), aspects.c.status == Status.ACTIVE.value)


def load(tx: Transaction, *conditions: ColumnElement[bool]) -> list[Aspect]:
    """The scope's aspects that pass, the weightiest first."""
    query = select(aspects).where(aspects.c.scope_id == tx.scope_id, *conditions)
    rows = tx.execute(query.order_by(aspects.c.weight.desc(), aspects.c.key))
    return [to_aspect(row) for row in rows]


def to_aspect(row: Row[tuple[object, ...]]) -> Aspect:
    """A row as an aspect."""
    return Aspect(
        id=AspectId(row.id),
        entity=EntityId(row.entity_id),
        name=row.name,
        key=row.key,
        weight=row.weight,
        status=Status(row.status),
        archived_at=row.archived_at,
        archived_by=row.archived_by,
        archive_reason=row.archive_reason,
        proposal=row.proposal_id,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def stale_weights(tx: Transaction, moment: datetime, *, above: float, limit: int) -> dict[UUID, float]:
    """The aspects in force that weigh more than `above` and were of no use since a moment, the heaviest first."""
    last = func.coalesce(aspects.c.weighed_at, aspects.c.created_at)
    heavy = (aspects.c.status == Status.ACTIVE.value, aspects.c.weight > above, last < moment)
    query = select(aspects.c.id, aspects.c.weight).where(aspects.c.scope_id == tx.scope_id, *heavy)
    rows = tx.execute(query.order_by(aspects.c.weight.desc(), last, aspects.c.id).limit(limit))
    return {row.id: row.weight for row in rows}


DECLARED = "declared"
LEARNED = "learned"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardinalityRow:
    """What is known of a claim or predicate, and whether somebody declared it."""

    key: str
    cardinality: Cardinality
    declared: bool
    reason: str


# Built once: every statement that is recorded asks for it.
_OF = select(cardinalities).where(
    cardinalities.c.scope_id == bindparam("scope"), cardinalities.c.key == bindparam("name")
)


def cardinality_of(tx: Transaction, key: str) -> CardinalityRow | None:
    """What was declared or learned of a claim, `aspect/group/claim`, or of a predicate."""
    row = tx.execute(_OF, {"scope": tx.scope_id, "name": key}).one_or_none()
    if row is None:
        return None
    choice = Cardinality(row.cardinality)
    return CardinalityRow(key=row.key, cardinality=choice, declared=row.origin == DECLARED, reason=row.reason)
