"""Claims and their versions."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, func, or_, select

from nacre.domain.claims import Claim, ClaimKind, ClaimStatus, Slot
from nacre.domain.ids import AspectId, ClaimId, EntityId
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import aspects, attributes


def by_id(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, Claim]:
    """The versions stored under `ids`, in force or not."""
    return {claim.id: claim for claim in load(tx, attributes.c.id.in_(ids))}


def of_entity(tx: Transaction, entity: UUID, as_of: datetime | None = None, *, limit: int | None = None) -> list[Claim]:
    """What is believed of an entity, the weightiest aspects first."""
    return load(tx, attributes.c.entity_id == entity, in_force(tx, as_of), limit=limit)


def holding(tx: Transaction, ids: Collection[UUID], as_of: datetime | None = None) -> list[Claim]:
    """Those of some versions that hold now, or held at a moment."""
    return load(tx, attributes.c.id.in_(ids), in_force(tx, as_of))


def in_slot(tx: Transaction, aspect: UUID, slot: Slot, *, deleted: bool = False) -> list[Claim]:
    """Every version in a slot, the last first; those taken out of force only where they are asked for."""
    return load(
        tx,
        attributes.c.aspect_id == aspect,
        attributes.c.group_key == slot.group,
        attributes.c.claim_key.is_(None) if slot.claim is None else attributes.c.claim_key == slot.claim,
        *([] if deleted else [attributes.c.status != ClaimStatus.DELETED.value]),
    )


def in_chains(tx: Transaction, roots: Collection[UUID]) -> list[Claim]:
    """Every version of some chains that was not taken out of force, the last first."""
    return load(tx, attributes.c.root_id.in_(roots), attributes.c.status != ClaimStatus.DELETED.value)


def crowded_slots(tx: Transaction, limit: int) -> list[list[Claim]]:
    """The slots that hold several values at once, each with its values; claims without a key are no slot."""
    place = (attributes.c.aspect_id, attributes.c.group_key, attributes.c.claim_key)
    rows = tx.execute(
        select(*place)
        .where(
            attributes.c.scope_id == tx.scope_id,
            attributes.c.status == ClaimStatus.ACTIVE.value,
            attributes.c.claim_key.isnot(None),
        )
        .group_by(*place)
        .having(func.count() > 1)
        .order_by(*place)
        .limit(limit)
    ).all()
    active = attributes.c.status == ClaimStatus.ACTIVE.value
    return [load(tx, active, *(column == value for column, value in zip(place, row, strict=True))) for row in rows]


def fingerprint(tx: Transaction) -> str:
    """How many claims are in force, and when one last changed: what has changed has another."""
    mine = (attributes.c.scope_id == tx.scope_id, attributes.c.status == ClaimStatus.ACTIVE.value)
    row = tx.execute(
        select(func.count().label("held"), func.max(attributes.c.updated_at).label("last")).where(*mine)
    ).one()
    return f"{row.held}/{row.last}"


def active_in(tx: Transaction, aspects_of: Collection[UUID]) -> list[Claim]:
    """The versions of aspects that nothing has superseded or taken out."""
    return load(tx, attributes.c.aspect_id.in_(aspects_of), attributes.c.status == ClaimStatus.ACTIVE.value)


def in_force(tx: Transaction, as_of: datetime | None = None) -> ColumnElement[bool]:
    """What is believed now; or what held at a moment, as far as it was known or dated then."""
    moment = tx.now if as_of is None else as_of
    began = or_(
        attributes.c.valid_from <= moment, and_(attributes.c.valid_from.is_(None), attributes.c.created_at <= moment)
    )
    lasts = or_(attributes.c.valid_to.is_(None), attributes.c.valid_to > moment)
    if as_of is None:
        # What gives way at a later moment is believed until then.
        gives_way = and_(attributes.c.status == ClaimStatus.SUPERSEDED.value, attributes.c.valid_to > moment)
        return and_(or_(and_(attributes.c.status == ClaimStatus.ACTIVE.value, lasts), gives_way), began)
    # What was taken out since was believed until then, and what was superseded has an end of its own.
    believed = or_(attributes.c.status != ClaimStatus.DELETED.value, attributes.c.archived_at > moment)
    return and_(believed, began, lasts)


def load(
    tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None, offset: int | None = None
) -> list[Claim]:
    """The scope's versions that pass: the weightiest aspects first, and in a slot the last version first."""
    rows = tx.execute(
        select(attributes, aspects.c.key.label("aspect_key"))
        .join(aspects, and_(aspects.c.scope_id == attributes.c.scope_id, aspects.c.id == attributes.c.aspect_id))
        .where(attributes.c.scope_id == tx.scope_id, *conditions)
        .order_by(
            aspects.c.weight.desc(),
            aspects.c.key,
            attributes.c.group_key,
            attributes.c.claim_key,
            attributes.c.version.desc(),
            attributes.c.created_at.desc(),
            attributes.c.id.desc(),
        )
        .limit(limit)
        .offset(offset)
    )
    return [to_claim(row) for row in rows]


def to_claim(row: Row[tuple[object, ...]]) -> Claim:
    """A row, joined with its aspect's key, as a version of a claim."""
    return Claim(
        id=ClaimId(row.id),
        entity=EntityId(row.entity_id),
        aspect=AspectId(row.aspect_id),
        slot=Slot(row.aspect_key, row.group_key, row.claim_key),
        value=row.value,
        kind=ClaimKind(row.kind),
        confidence=row.confidence,
        importance=row.importance,
        status=ClaimStatus(row.status),
        version=row.version,
        root=ClaimId(row.root_id),
        previous=row.previous_id,
        superseded_by=row.superseded_by,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        memory=row.memory_id,
        evidence=row.source_id,
        quote=None if row.quote_start is None else (row.quote_start, row.quote_end),
        actor=row.actor,
        decision=row.decision,
        archived_at=row.archived_at,
        archived_by=row.archived_by,
        archive_reason=row.archive_reason,
        proposal=row.proposal_id,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
