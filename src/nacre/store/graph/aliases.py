"""Which entities go by which names: the alias index, read by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_, bindparam, select

from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import aliases, entities

KEYS_A_STATEMENT = 500
# So many entities may share the names of one statement; the least mentioned of a crowd are left out.
ROWS_A_STATEMENT = 2_000


@dataclass(frozen=True, slots=True)
class Name:
    """A name that an entity in force goes by, the key it is matched with, and how often the entity is mentioned."""

    key: str
    entity_id: UUID
    name: str
    mentions: int


def by_keys(tx: Transaction, keys: Sequence[str]) -> list[Name]:
    """The names under `keys` of entities in force, those of the most mentioned entities first."""
    names: list[Name] = []
    for start in range(0, len(keys), KEYS_A_STATEMENT):
        names += _by_some_keys(tx, keys[start : start + KEYS_A_STATEMENT])
    return names


def _by_some_keys(tx: Transaction, keys: Sequence[str]) -> list[Name]:
    rows = tx.execute(_BY_KEYS, {"scope": tx.scope_id, "keys": keys})
    return [Name(row.key, row.entity_id, row.name, row.mentions) for row in rows]


# Built once: every recall and every turn looks names up.
_BY_KEYS = (
    select(aliases.c.key, aliases.c.entity_id, aliases.c.name, entities.c.mentions)
    .join_from(aliases, entities, and_(entities.c.scope_id == aliases.c.scope_id, entities.c.id == aliases.c.entity_id))
    .where(aliases.c.scope_id == bindparam("scope"), aliases.c.key.in_(bindparam("keys", expanding=True)))
    .where(entities.c.status == Status.ACTIVE.value)
    .order_by(entities.c.mentions.desc(), entities.c.id)
    .limit(ROWS_A_STATEMENT)
)
