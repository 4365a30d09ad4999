"""Peers of a value: what else is in force in its slot, a few of them or those under ids, in no order."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, select

from nacre.domain.claims import Claim, ClaimStatus, Slot
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.store import claims, links
from nacre.store.databases import Transaction
from nacre.store.schema import aspects, attributes
from nacre.store.schema import links as links_table


def some_links(tx: Transaction, source: UUID, predicate: str, limit: int | None) -> list[Link]:
    """The links in force that begin at an entity and say one kind of thing; at most `limit`, whichever."""
    mine = (links_table.c.source_entity == source, links_table.c.predicate == predicate, links.in_force(tx))
    return _links(tx, *mine, limit=limit)


def links_among(tx: Transaction, ids: Collection[UUID]) -> list[Link]:
    """Those of some links that are in force."""
    return _links(tx, links_table.c.id.in_(ids), links.in_force(tx))


def ended_links(tx: Transaction, source: UUID, predicate: str, target: UUID | None, value: str | None) -> list[Link]:
    """The links from an entity to just this end that are over, the last to end first."""
    ends = links_table.c.value == value if target is None else links_table.c.target_entity == target
    place = (links_table.c.source_entity == source, links_table.c.predicate == predicate, ends)
    over = (links_table.c.status == Status.ACTIVE.value, links_table.c.valid_to <= tx.now)
    found = links.load(tx, *place, *over)
    return sorted(found, key=lambda link: link.valid_to or tx.now, reverse=True)


def some_claims(tx: Transaction, aspect: UUID, slot: Slot, limit: int | None) -> list[Claim]:
    """The active versions in a slot; at most `limit`, whichever."""
    return _claims(tx, *_in_slot(aspect, slot), limit=limit)


def claims_among(tx: Transaction, ids: Collection[UUID]) -> list[Claim]:
    """Those of some versions that are active."""
    return _claims(tx, attributes.c.id.in_(ids), attributes.c.status == ClaimStatus.ACTIVE.value)


def count_claims(tx: Transaction, aspect: UUID, slot: Slot) -> int:
    """How many versions in a slot are active."""
    mine = (attributes.c.scope_id == tx.scope_id, *_in_slot(aspect, slot))
    count: int = tx.execute(select(func.count()).select_from(attributes).where(*mine)).scalar_one()
    return count


def _in_slot(aspect: UUID, slot: Slot) -> tuple[ColumnElement[bool], ...]:
    return (
        attributes.c.aspect_id == aspect,
        attributes.c.group_key == slot.group,
        attributes.c.claim_key.is_(None) if slot.claim is None else attributes.c.claim_key == slot.claim,
        attributes.c.status == ClaimStatus.ACTIVE.value,
    )


def _links(tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None) -> list[Link]:
    rows = tx.execute(select(links_table).where(links_table.c.scope_id == tx.scope_id, *conditions).limit(limit))
    return [links.to_link(row) for row in rows]


def _claims(tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None) -> list[Claim]:
    rows = tx.execute(
        select(attributes, aspects.c.key.label("aspect_key"))
        .join(aspects, and_(aspects.c.scope_id == attributes.c.scope_id, aspects.c.id == attributes.c.aspect_id))
        .where(attributes.c.scope_id == tx.scope_id, *conditions)
        .limit(limit)
    )
    return [claims.to_claim(row) for row in rows]
