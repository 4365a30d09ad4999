"""Values of links and claims by keys, so that few of many are read when a new one is judged."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

from sqlalchemy import and_, bindparam, delete, func, select

from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import attributes, entities, links, unkeyed_values, value_keys


@dataclass(frozen=True, slots=True)
class UnkeyedValue:
    """A value whose keys are not worked out yet, and the slot that it stands in: for a link, its predicate."""

    item: UUID
    slot: str
    value: str


def claim_slot(group: str, claim: str | None) -> str:
    """The slot of a claim, within what its aspect holds."""
    return f"{group}/{claim or ''}"


def unkeyed_links(tx: Transaction, source: UUID) -> list[UnkeyedValue]:
    """Links from an entity that have no keys yet."""
    rows = tx.execute(_UNKEYED_LINKS, {"scope": tx.scope_id, "holder": source})
    return [UnkeyedValue(row.id, row.predicate, row.said) for row in rows if row.source_entity == source]


def unkeyed_claims(tx: Transaction, aspect: UUID) -> list[UnkeyedValue]:
    """Claims of an aspect that have no keys yet."""
    rows = tx.execute(_UNKEYED_CLAIMS, {"scope": tx.scope_id, "holder": aspect})
    found = [row for row in rows if row.aspect_id == aspect]
    return [UnkeyedValue(row.id, claim_slot(row.group_key, row.claim_key), row.value) for row in found]


def write(tx: Transaction, holder: UUID, keys: Mapping[UUID, tuple[str, Collection[str]]]) -> None:
    """Keep the keys of what had none: each item with its slot and its keys."""
    rows = [
        {"scope_id": tx.scope_id, "key": number, "item_id": item}
        for item, (slot, texts) in keys.items()
        for number in numbers(holder, slot, texts)
    ]
    if rows:
        tx.insert_missing(value_keys, rows)
    tx.execute(_KEYED, {"scope": tx.scope_id, "holder": holder})


def items(tx: Transaction, holder: UUID, slot: str, keys: Iterable[str]) -> set[UUID]:
    """What a holder holds in a slot under any of some keys."""
    wanted = {"scope": tx.scope_id, "numbers": sorted(numbers(holder, slot, keys))}
    return set(tx.execute(_ITEMS, wanted).scalars())


def numbers(holder: UUID, slot: str, keys: Iterable[str]) -> set[int]:
    """Keys as they are stored. Two that clash only make a value be looked at in vain."""
    place = blake2b(holder.bytes + slot.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return {
        int.from_bytes(
            blake2b(key.encode("utf-8", "surrogatepass"), key=place, digest_size=8).digest(), "big", signed=True
        )
        for key in keys
    }


# Whose a row is now is looked at when it is read: as a condition it would lead through all that the holder holds.
_OF_HOLDER = (unkeyed_values.c.scope_id == bindparam("scope"), unkeyed_values.c.holder_id == bindparam("holder"))
_KEYED = delete(unkeyed_values).where(*_OF_HOLDER)
# The numbers are written into the statement: handing over each takes longer.
_ITEMS = select(value_keys.c.item_id).where(
    value_keys.c.scope_id == bindparam("scope"),
    value_keys.c.key.in_(bindparam("numbers", expanding=True, literal_execute=True)),
)
_UNKEYED_LINKS = (
    select(
        links.c.id,
        links.c.source_entity,
        links.c.predicate,
        func.coalesce(entities.c.name, links.c.value, "").label("said"),
    )
    .join_from(
        unkeyed_values,
        links,
        and_(links.c.scope_id == unkeyed_values.c.scope_id, links.c.id == unkeyed_values.c.item_id),
    )
    .outerjoin(entities, and_(entities.c.scope_id == links.c.scope_id, entities.c.id == links.c.target_entity))
    .where(*_OF_HOLDER)
)
_UNKEYED_CLAIMS = (
    select(*(attributes.c[name] for name in ("id", "aspect_id", "group_key", "claim_key", "value")))
    .join_from(
        unkeyed_values,
        attributes,
        and_(attributes.c.scope_id == unkeyed_values.c.scope_id, attributes.c.id == unkeyed_values.c.item_id),
    )
    .where(*_OF_HOLDER)
)
