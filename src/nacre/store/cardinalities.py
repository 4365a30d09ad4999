"""Whether claims and predicates hold one value at a time or several, where that was declared or learned."""

from dataclasses import dataclass

from sqlalchemy import select

from nacre.domain.claims import Cardinality
from nacre.store.databases import Transaction
from nacre.store.schema import cardinalities

DECLARED = "declared"
LEARNED = "learned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a claim or predicate, and whether somebody declared it."""

    key: str
    cardinality: Cardinality
    declared: bool
    reason: str


def of(tx: Transaction, key: str) -> Known | None:
    """What was declared or learned of a claim, `aspect/group/claim`, or of a predicate."""
    mine = (cardinalities.c.scope_id == tx.scope_id, cardinalities.c.key == key)
    row = tx.execute(select(cardinalities).where(*mine)).one_or_none()
    if row is None:
        return None
    choice = Cardinality(row.cardinality)
    return Known(key=row.key, cardinality=choice, declared=row.origin == DECLARED, reason=row.reason)
