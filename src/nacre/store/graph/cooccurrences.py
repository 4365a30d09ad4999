"""Which entities were spoken of in which sessions, and which of them were ever linked."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import and_, func, select

from nacre.domain.memories import Status
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import entities, links, mentions, turns


def last_sessions(tx: Transaction, limit: int) -> list[str]:
    """The sessions in which something was said last."""
    mine = (turns.c.scope_id == tx.scope_id, turns.c.session.is_not(None))
    newest = select(turns.c.session).where(*mine).group_by(turns.c.session).order_by(func.max(turns.c.seq).desc())
    return list(tx.execute(newest.limit(limit)).scalars())


def session_entities(tx: Transaction, sessions: Collection[str], limit: int) -> list[tuple[str, UUID]]:
    """Which entities in force were spoken of in sessions, the most mentioned first."""
    said = and_(turns.c.scope_id == mentions.c.scope_id, turns.c.id == mentions.c.source_id)
    owner = and_(entities.c.scope_id == mentions.c.scope_id, entities.c.id == mentions.c.entity_id)
    rows = tx.execute(
        select(turns.c.session, mentions.c.entity_id)
        .join_from(mentions, turns, said)
        .join(entities, owner)
        .where(mentions.c.scope_id == tx.scope_id, turns.c.session.in_(sessions))
        .where(entities.c.status == Status.ACTIVE.value)
        .group_by(turns.c.session, mentions.c.entity_id, entities.c.mentions)
        .order_by(entities.c.mentions.desc(), mentions.c.entity_id, turns.c.session)
        .limit(limit)
    )
    return [(row.session, row.entity_id) for row in rows]


def ever_linked(tx: Transaction, among: Collection[UUID]) -> set[frozenset[UUID]]:
    """The pairs of entities between which there is a link, or was one that somebody took out of force."""
    ends = (links.c.source_entity.in_(among), links.c.target_entity.in_(among))
    rows = tx.execute(
        select(links.c.source_entity, links.c.target_entity).distinct().where(links.c.scope_id == tx.scope_id, *ends)
    )
    return {frozenset((row.source_entity, row.target_entity)) for row in rows}
