"""Feedback is recorded when it is given, and learned from later, once.

A cycle takes signals, learns from them, and consumes them in the transaction that keeps what it learned: if the
cycle fails, the next one is given them again.
"""

from collections.abc import Iterable
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.errors import Invalid
from nacre.domain.feedback import MAX_SIGNALS, FeedbackKind, Signal, SignalId
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Database
from nacre.store.evidence import feedback


def record(
    database: Database, scope: Scope, kind: str, subject: str, *, detail: str | None = None, session: str | None = None
) -> Signal:
    """Keep a signal."""
    now = database.clock()
    known = FeedbackKind(checks.choice("kind", kind, FeedbackKind))
    signal = Signal(id=SignalId(ids.new(now)), kind=known, subject=subject, detail=detail, session=session, at=now)
    with database.write(scope) as tx:
        feedback.add(tx, signal)
    return signal


def recent(database: Database, scope: Scope, *, limit: int = MAX_SIGNALS) -> list[Signal]:
    """The signals of the last seven days, newest first."""
    checks.count("limit", limit, maximum=MAX_SIGNALS)
    with database.read(scope) as tx:
        return feedback.recent(tx, limit)


def take(database: Database, scope: Scope, *, limit: int = MAX_SIGNALS) -> list[Signal]:
    """The signals a cycle should learn from, oldest first; they stay until they are consumed."""
    checks.count("limit", limit, maximum=MAX_SIGNALS)
    with database.read(scope) as tx:
        return feedback.unconsumed(tx, limit)


def consume(database: Database, scope: Scope, signals: Iterable[str | UUID]) -> int:
    """Mark signals as learned from; how many were not yet."""
    if isinstance(signals, str) or not isinstance(signals, Iterable):
        raise Invalid("ids", "must be a list of ids")
    keys = {ids.parse("ids", each) for each in signals}
    checks.count("ids", len(keys) or 1)
    with database.write(scope) as tx:
        return len(feedback.consume(tx, keys))


def prune(database: Database, scope: Scope) -> int:
    """Delete the signals that are too old to be offered; how many there were."""
    with database.write(scope) as tx:
        return feedback.prune(tx)
