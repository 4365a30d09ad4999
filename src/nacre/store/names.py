"""Which entities go by which names: the alias index, read by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, select

from nacre.domain.memories import Status
from nacre.store.databases import Transaction
from nacre.store.schema import aliases, entities

KEYS_A_STATEMENT = 500
# So many entities may share the names of one statement; the least mentioned of a crowd are left out.
ROWS_A_STATEMENT = 2_000


@dataclass(frozen=True, slots=True)
class Name:
    """A name that an entity in force goes by, and the key it is matched with."""

    key: str
    entity_id: UUID
    name: str


def by_keys(tx: Transaction, keys: Sequence[str]) -> list[Name]:
    """The names under `keys` of entities in force, those of the most mentioned entities first."""
    found: list[Name] = []
    for start in range(0, len(keys), KEYS_A_STATEMENT):
        found += _by_some_keys(tx, keys[start : start + KEYS_A_STATEMENT])
    return found


def _by_some_keys(tx: Transaction, keys: Sequence[str]) -> list[Name]:
    owner = and_(entities.c.scope_id == aliases.c.scope_id, entities.c.id == aliases.c.entity_id)
    rows = tx.execute(
        select(aliases.c.key, aliases.c.entity_id, aliases.c.name)
        .join_from(aliases, entities, owner)
        .where(aliases.c.scope_id == tx.scope_id, aliases.c.key.in_(keys), entities.c.status == Status.ACTIVE.value)
        .order_by(entities.c.mentions.desc(), entities.c.id)
        .limit(ROWS_A_STATEMENT)
    )
    return [Name(row.key, row.entity_id, row.name) for row in rows]
