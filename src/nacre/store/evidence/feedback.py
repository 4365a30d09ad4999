"""Feedback signals: offered for seven days, learned from once."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, delete, insert, select, update

from nacre.domain.feedback import MAX_SIGNALS, WINDOW, FeedbackKind, Signal, SignalId
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import feedback


def add(tx: Transaction, signal: Signal) -> None:
    """Keep a new signal."""
    scopes.ensure(tx)
    tx.execute(
        insert(feedback).values(
            scope_id=tx.scope_id,
            id=signal.id,
            kind=signal.kind.value,
            session=signal.session,
            subject=signal.subject,
            detail=signal.detail,
            at=signal.at,
            consumed_at=signal.consumed_at,
        )
    )


def recent(tx: Transaction, limit: int = MAX_SIGNALS) -> list[Signal]:
    """The signals of the last seven days, newest first, learned from or not."""
    query = select(feedback).where(_in_window(tx)).order_by(feedback.c.at.desc(), feedback.c.id.desc())
    return [_to_signal(row) for row in tx.execute(query.limit(limit))]


def unconsumed(tx: Transaction, limit: int = MAX_SIGNALS, kind: FeedbackKind | None = None) -> list[Signal]:
    """The signals of the last seven days that nothing was learned from yet, oldest first."""
    query = select(feedback).where(_in_window(tx), feedback.c.consumed_at.is_(None))
    if kind is not None:
        query = query.where(feedback.c.kind == kind.value)
    return [_to_signal(row) for row in tx.execute(query.order_by(feedback.c.at, feedback.c.id).limit(limit))]


def consume(tx: Transaction, ids: Collection[UUID]) -> set[SignalId]:
    """Mark signals as learned from; returns those that were not yet.

    Of two transactions that consume the same signal, one waits for the other and is then not given it.
    """
    marked = tx.execute(
        update(feedback)
        .where(feedback.c.scope_id == tx.scope_id, feedback.c.id.in_(ids), feedback.c.consumed_at.is_(None))
        .values(consumed_at=tx.now)
        .returning(feedback.c.id)
    )
    return {SignalId(key) for key in marked.scalars()}


def prune(tx: Transaction) -> int:
    """Delete the signals that are too old to be offered; returns how many."""
    old = and_(feedback.c.scope_id == tx.scope_id, feedback.c.at <= tx.now - WINDOW)
    return tx.execute(delete(feedback).where(old)).rowcount


def _in_window(tx: Transaction) -> ColumnElement[bool]:
    # No upper end: a signal from before a clock was set back is still news.
    return and_(feedback.c.scope_id == tx.scope_id, feedback.c.at > tx.now - WINDOW)


def _to_signal(row: Row[tuple[object, ...]]) -> Signal:
    return Signal(
        id=SignalId(row.id),
        kind=FeedbackKind(row.kind),
        subject=row.subject,
        at=row.at,
        detail=row.detail,
        session=row.session,
        consumed_at=row.consumed_at,
    )
