"""Whether claims and predicates hold one value at a time or several, where that was declared or learned."""

from dataclasses import dataclass

from sqlalchemy import bindparam, select

from nacre.domain.claims import Cardinality
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import cardinalities

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


def of(tx: Transaction, key: str) -> CardinalityRow | None:
    """What was declared or learned of a claim, `aspect/group/claim`, or of a predicate."""
    row = tx.execute(_OF, {"scope": tx.scope_id, "name": key}).one_or_none()
    if row is None:
        return None
    choice = Cardinality(row.cardinality)
    return CardinalityRow(key=row.key, cardinality=choice, declared=row.origin == DECLARED, reason=row.reason)
