"""Sessions: conversations, as their turns tell them apart."""

from sqlalchemy import and_, func, select

from nacre.domain.hits import Kind
from nacre.domain.turns import SessionInfo
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import passages


def newest(tx: Transaction, limit: int, offset: int = 0) -> list[SessionInfo]:
    """The sessions in which something was said last, newest first; turns that were forgotten do not count."""
    first, last = func.min(passages.c.at), func.max(passages.c.at)
    # A turn's passage says all that is asked here, and whether the turn is in force.
    said = and_(passages.c.kind == Kind.TURN.value, passages.c.session.is_not(None), passages.c.ended_at.is_(None))
    rows = tx.execute(
        select(passages.c.session, func.count().label("held"), first.label("first_at"), last.label("last_at"))
        .where(passages.c.scope_id == tx.scope_id, said)
        .group_by(passages.c.session)
        .order_by(last.desc(), func.max(passages.c.seq).desc())
        .limit(limit)
        .offset(offset)
    )
    return [
        SessionInfo(session=row.session, turns=row.held, first_at=row.first_at, last_at=row.last_at) for row in rows
    ]
