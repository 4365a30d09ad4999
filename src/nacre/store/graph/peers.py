"""Peers of a value: what else is in force in its slot, a few of them or those under ids, in no order."""

from collections.abc import Collection, Mapping
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from sqlalchemy import Integer, Select, and_, bindparam, func, select

from nacre.domain.claims import Claim, ClaimStatus, Slot
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.graph import claims, links
from nacre.store.tables.columns import Instant
from nacre.store.tables.schema import aspects, attributes
from nacre.store.tables.schema import links as links_table

# Built once: every statement that is recorded looks for peers.
_NOW: Any = SimpleNamespace(now=bindparam("now", type_=Instant()))
_ALL = 2**31 - 1
_MOST = bindparam("most", type_=Integer)
_LINKS = select(links_table).where(links_table.c.scope_id == bindparam("scope"), links.in_force(_NOW)).limit(_MOST)
_LINKS_FROM = _LINKS.where(
    links_table.c.source_entity == bindparam("source"), links_table.c.predicate == bindparam("predicate")
)
_LINKS_AMONG = _LINKS.where(links_table.c.id.in_(bindparam("ids", expanding=True)))
_ACTIVE = (attributes.c.scope_id == bindparam("scope"), attributes.c.status == ClaimStatus.ACTIVE.value)
_CLAIMS = (
    select(attributes, aspects.c.key.label("aspect_key"))
    .join(aspects, and_(aspects.c.scope_id == attributes.c.scope_id, aspects.c.id == attributes.c.aspect_id))
    .where(*_ACTIVE)
    .limit(_MOST)
)
_PLACE = (attributes.c.aspect_id == bindparam("aspect"), attributes.c.group_key == bindparam("group"))
# A claim without a key stands in a slot of its own kind.
_KEYED, _UNKEYED = (
    (*_PLACE, claim) for claim in (attributes.c.claim_key == bindparam("claim"), attributes.c.claim_key.is_(None))
)
_CLAIMS_AMONG = _CLAIMS.where(attributes.c.id.in_(bindparam("ids", expanding=True)))
_CLAIMS_AT, _CLAIMS_AT_NONE = (_CLAIMS.where(*place) for place in (_KEYED, _UNKEYED))
_COUNT_AT, _COUNT_AT_NONE = (
    select(func.count()).select_from(attributes).where(*_ACTIVE, *place) for place in (_KEYED, _UNKEYED)
)


def some_links(tx: Transaction, source: UUID, predicate: str, limit: int | None) -> list[Link]:
    """The links in force that begin at an entity and say one kind of thing; at most `limit`, whichever."""
    return _links(tx, _LINKS_FROM, {"source": source, "predicate": predicate}, limit)


def links_among(tx: Transaction, ids: Collection[UUID]) -> list[Link]:
    """Those of some links that are in force."""
    return _links(tx, _LINKS_AMONG, {"ids": list(ids)}) if ids else []


def ended_links(tx: Transaction, source: UUID, predicate: str, target: UUID | None, value: str | None) -> list[Link]:
    """The links from an entity to just this end that are over, the last to end first."""
    ends = links_table.c.value == value if target is None else links_table.c.target_entity == target
    place = (links_table.c.source_entity == source, links_table.c.predicate == predicate, ends)
    over = (links_table.c.status == Status.ACTIVE.value, links_table.c.valid_to <= tx.now)
    found = links.load(tx, *place, *over)
    return sorted(found, key=lambda link: link.valid_to or tx.now, reverse=True)


def some_claims(tx: Transaction, aspect: UUID, slot: Slot, limit: int | None) -> list[Claim]:
    """The active versions in a slot; at most `limit`, whichever."""
    return _claims(tx, _CLAIMS_AT_NONE if slot.claim is None else _CLAIMS_AT, _place(aspect, slot), limit)


def claims_among(tx: Transaction, ids: Collection[UUID]) -> list[Claim]:
    """Those of some versions that are active."""
    return _claims(tx, _CLAIMS_AMONG, {"ids": list(ids)}) if ids else []


def count_claims(tx: Transaction, aspect: UUID, slot: Slot) -> int:
    """How many versions in a slot are active."""
    query = _COUNT_AT_NONE if slot.claim is None else _COUNT_AT
    count: int = tx.execute(query, {"scope": tx.scope_id, **_place(aspect, slot)}).scalar_one()
    return count


def _place(aspect: UUID, slot: Slot) -> dict[str, Any]:
    place = {"aspect": aspect, "group": slot.group}
    return place if slot.claim is None else {**place, "claim": slot.claim}


def _links(tx: Transaction, query: Select[Any], given: Mapping[str, Any], limit: int | None = None) -> list[Link]:
    rows = tx.execute(query, {"scope": tx.scope_id, "now": tx.now, "most": limit or _ALL, **given})
    return [links.to_link(row) for row in rows]


def _claims(tx: Transaction, query: Select[Any], given: Mapping[str, Any], limit: int | None = None) -> list[Claim]:
    rows = tx.execute(query, {"scope": tx.scope_id, "most": limit or _ALL, **given})
    return [claims.to_claim(row) for row in rows]
