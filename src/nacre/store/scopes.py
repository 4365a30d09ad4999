"""Scopes and their revisions."""

from dataclasses import dataclass

from sqlalchemy import BigInteger, bindparam, select, update

from nacre.domain.errors import Unavailable
from nacre.domain.scopes import Scope
from nacre.store.databases import Transaction
from nacre.store.schema import scopes


@dataclass(frozen=True, slots=True)
class State:
    """How far a scope has come; what an index compares itself with."""

    revision: int = 0
    purged_revision: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One write: its revision, and the first of the sequence numbers it may use."""

    revision: int
    first_seq: int


# Every read begins with the first of these and every write with the second, so they are built once.
_MINE = scopes.c.scope_id == bindparam("scope")
_STATE = select(scopes.c.revision, scopes.c.purged_revision).where(_MINE)
_ADVANCE = (
    update(scopes)
    .where(_MINE)
    .values(revision=scopes.c.revision + 1, next_seq=scopes.c.next_seq + bindparam("count", type_=BigInteger))
    .returning(scopes.c.revision, scopes.c.next_seq)
)


def state(tx: Transaction) -> State:
    """The scope's state; that of an empty scope when nothing was written yet."""
    row = tx.execute(_STATE, {"scope": tx.scope_id}).one_or_none()
    return State(*row) if row else State()


def ensure(tx: Transaction) -> None:
    """Have a row for the scope, for rows of other tables to hang from."""
    tx.insert_missing(scopes, [_row(tx, tx.scope)])


def advance(tx: Transaction, *, passages: int = 0) -> Step:
    """Take the next revision and `passages` sequence numbers.

    The row stays locked until the transaction ends, so another process that sees revision n
    has seen every revision before it.
    """
    return _advance(tx, passages) or _advance_new(tx, passages)


def _advance(tx: Transaction, count: int) -> Step | None:
    row = tx.execute(_ADVANCE, {"scope": tx.scope_id, "count": count}).one_or_none()
    return Step(row.revision, row.next_seq - count) if row else None


def _advance_new(tx: Transaction, count: int) -> Step:
    ensure(tx)
    step = _advance(tx, count)
    if step is None:
        raise Unavailable("The scope could not be created. Try again.")
    return step


def _row(tx: Transaction, scope: Scope) -> dict[str, object]:
    return {
        "scope_id": scope.id,
        "agent": scope.agent,
        "user": scope.user,
        "chat": scope.chat,
        "revision": 0,
        "next_seq": 1,
        "purged_revision": 0,
        "created_at": tx.now,
    }
