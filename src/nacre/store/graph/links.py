"""Links between entities, and from entities to plain values, and every change of one as the database wrote it down."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, or_, select

from nacre.domain.ids import EntityId, LinkId, SourceId
from nacre.domain.links import Link, LinkEvent
from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.tables.columns import from_microseconds
from nacre.store.tables.link_triggers import IDS, TIMES
from nacre.store.tables.schema import link_history, links


def by_id(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, Link]:
    """The links stored under `ids`, in force or not."""
    return {link.id: link for link in load(tx, links.c.id.in_(ids))}


def at_entities(
    tx: Transaction, ids: Collection[UUID], as_of: datetime | None = None, limit: int | None = None
) -> list[Link]:
    """The links that begin or end at entities and are in force, or were at a moment, the newest first."""
    ends = or_(links.c.source_entity.in_(ids), links.c.target_entity.in_(ids))
    return load(tx, ends, in_force(tx, as_of), limit=limit)


def from_entity(tx: Transaction, source: UUID, predicate: str) -> list[Link]:
    """The links in force that begin at an entity and say one kind of thing."""
    return load(tx, links.c.source_entity == source, links.c.predicate == predicate, in_force(tx))


def ended(tx: Transaction, source: UUID, predicate: str) -> list[Link]:
    """The links that begin at an entity, say one kind of thing, and are over: the last to end first."""
    over = (links.c.status == Status.ACTIVE.value, links.c.valid_to <= tx.now)
    found = load(tx, links.c.source_entity == source, links.c.predicate == predicate, *over)
    return sorted(found, key=lambda link: link.valid_to or tx.now, reverse=True)


def of_entities(tx: Transaction, ids: Collection[UUID], predicate: str, as_of: datetime | None = None) -> list[Link]:
    """The links of one kind that begin at entities and are in force, or were at a moment, the newest first."""
    return load(tx, links.c.source_entity.in_(ids), links.c.predicate == predicate, in_force(tx, as_of))


def to_entities(
    tx: Transaction, ids: Collection[UUID], predicates: Collection[str], as_of: datetime | None = None
) -> list[Link]:
    """The links of some kinds that lead to entities and are in force, or were at a moment, the newest first."""
    return load(tx, links.c.target_entity.in_(ids), links.c.predicate.in_(predicates), in_force(tx, as_of))


def reached(tx: Transaction, ids: Collection[UUID], predicates: Collection[str]) -> set[UUID]:
    """Those of some entities to which links of some kinds lead or led."""
    mine = (links.c.scope_id == tx.scope_id, links.c.target_entity.in_(ids), links.c.predicate.in_(predicates))
    return set(tx.execute(select(links.c.target_entity).where(*mine).distinct()).scalars())


def same(
    tx: Transaction,
    source: UUID,
    predicate: str,
    target: UUID | None,
    value: str | None,
    *,
    until: datetime | None = None,
) -> Link | None:
    """The link in force that says just this, or the one that ended at `until`."""
    ends = and_(
        links.c.source_entity == source,
        links.c.predicate == predicate,
        links.c.target_entity.is_(None) if target is None else links.c.target_entity == target,
        links.c.value.is_(None) if value is None else links.c.value == value,
    )
    over = and_(links.c.status == Status.ACTIVE.value, links.c.valid_to == until)
    return next(iter(load(tx, ends, in_force(tx) if until is None else or_(in_force(tx), over))), None)


def in_force(tx: Transaction, as_of: datetime | None = None) -> ColumnElement[bool]:
    """What holds now; or what held at a moment, as far as it was known or dated then.

    What was archived since was believed until it was archived. What had ended before it was stored, and nobody dated,
    held at any time before its end.
    """
    moment = tx.now if as_of is None else as_of
    undated = or_(links.c.created_at <= moment, links.c.valid_to <= links.c.created_at)
    began = or_(links.c.valid_from <= moment, and_(links.c.valid_from.is_(None), undated))
    lasts = or_(links.c.valid_to.is_(None), links.c.valid_to > moment)
    active = links.c.status == Status.ACTIVE.value
    return and_(active if as_of is None else or_(active, links.c.archived_at > moment), began, lasts)


def load(tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None) -> list[Link]:
    """The scope's links that pass, the newest first."""
    query = select(links).where(links.c.scope_id == tx.scope_id, *conditions)
    rows = tx.execute(query.order_by(links.c.created_at.desc(), links.c.id.desc()).limit(limit))
    return [to_link(row) for row in rows]


def to_link(row: Row[tuple[object, ...]]) -> Link:
    """A row as a link."""
    return Link(
        id=LinkId(row.id),
        source=EntityId(row.source_entity),
        predicate=row.predicate,
        target=None if row.target_entity is None else EntityId(row.target_entity),
        value=row.value,
        confidence=row.confidence,
        strength=row.strength,
        reason=row.reason,
        properties=row.properties,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        status=Status(row.status),
        evidence=None if row.source_id is None else SourceId(row.source_id),
        quote=None if row.quote_start is None else (row.quote_start, row.quote_end),
        created_at=row.created_at,
        updated_at=row.updated_at,
        aspect=row.aspect_id,
        archived_at=row.archived_at,
        archived_by=row.archived_by,
        archive_reason=row.archive_reason,
        proposal=row.proposal_id,
    )


def history(tx: Transaction, link: UUID) -> list[LinkEvent]:
    """Everything that happened to a link, the first first."""
    rows = tx.execute(
        select(link_history)
        .where(link_history.c.scope_id == tx.scope_id, link_history.c.link_id == link)
        .order_by(link_history.c.seq)
    )
    return [
        LinkEvent(event=row.event, at=row.at, before=_decoded(row.before), after=_decoded(row.after)) for row in rows
    ]


def _decoded(image: dict[str, Any] | None) -> dict[str, Any] | None:
    if image is None:
        return None
    ids = {name: UUID(image[name]) for name in IDS if image[name]}
    times = {name: from_microseconds(image[name]) for name in TIMES if image[name] is not None}
    return {**image, **ids, **times}
