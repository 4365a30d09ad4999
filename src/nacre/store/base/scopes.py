"""Scopes and their revisions."""

from dataclasses import dataclass
from secrets import randbits
from typing import Any

from sqlalchemy import BigInteger, Row, bindparam, delete, func, select, update

from nacre.domain.errors import Busy, Unavailable
from nacre.domain.scopes import Scope, ScopeInfo
from nacre.domain.sharing import own_scope
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.tables.columns import Id, Instant
from nacre.store.tables.schema import passage_segments, scopes, settings

# Many enough that two never meet, and few enough to be counted on from: see `transfers`.
_REVISION_BITS = 48
# How often a scope is made anew for a writer while others purge all of it.
LOCK_TRIES = 5


@dataclass(frozen=True, slots=True)
class ScopeState:
    """How far a scope has come; what an index compares itself with."""

    revision: int = 0
    purged_revision: int = 0
    # How many passages it was ever given.
    passages: int = 0
    # The first turn that its graph has not learned from, and how much of that was read already.
    unread_seq: int | None = None
    unread_offset: int = 0


@dataclass(frozen=True, slots=True)
class ScopeWrite:
    """One write: its revision, and the first of the sequence numbers it may use.

    `shares_graph` says whether the agent keeps one graph for all its users, where what is written is to be learned.
    """

    revision: int
    first_seq: int
    shares_graph: bool = False


# Every read begins with the first of these and every write with the second, so they are built once.
_MINE = scopes.c.scope_id == bindparam("scope")
_LOCK = select(scopes.c.revision).where(_MINE).with_for_update(key_share=True)
_STATE = (
    select(scopes.c.revision, scopes.c.purged_revision, scopes.c.next_seq - 1)
    .add_columns(scopes.c.unread_seq, scopes.c.unread_offset)
    .where(_MINE)
)
_ADVANCE = (
    update(scopes)
    .where(_MINE)
    .values(
        revision=scopes.c.revision + 1,
        next_seq=scopes.c.next_seq + bindparam("count", type_=BigInteger),
        changed_at=bindparam("now", type_=Instant),
    )
    .returning(scopes.c.revision, scopes.c.next_seq)
)
# The values are worked out from the row as it was, so `next_seq` is the first of the new passages here.
_ADVANCE_UNREAD = _ADVANCE.values(unread_seq=func.coalesce(scopes.c.unread_seq, scopes.c.next_seq))
_PURGED = select(scopes.c.purged_revision).where(_MINE).with_for_update(key_share=True)
# A field of `SharingSettings`. The agent's own scope may be on another node, so no statement is about both.
_SHARES_GRAPH = select(settings.c.value).where(
    settings.c.scope_id == bindparam("agent_scope", type_=Id), settings.c.name == "share_knowledge_graph"
)


NAMES = (scopes.c.agent, scopes.c.user, scopes.c.chat, scopes.c.team)


def named(row: Row[Any]) -> Scope:
    """The scope that a row names, in columns as of `NAMES`."""
    return Scope(agent=row.agent, user=row.user, chat=row.chat, team=row.team)


def state(tx: Transaction) -> ScopeState:
    """The scope's state; that of an empty scope when nothing was written yet."""
    row = tx.execute(*state_call(tx)).one_or_none()
    return ScopeState(*row) if row else ScopeState()


def state_call(tx: Transaction) -> Call:
    """What reads the scope's state: every read begins with it."""
    return _STATE, {"scope": tx.scope_id}


def is_unpurged(tx: Transaction, read: ScopeState) -> bool:
    """Whether nothing was purged since a state was read; until the transaction ends nothing will be.

    Who removes a whole scope frees its sequence numbers: what was made of one passage must not be kept for another.
    """
    return tx.execute(_PURGED, {"scope": tx.scope_id}).scalar() == read.purged_revision


def ensure(tx: Transaction) -> None:
    """Have a row for the scope, for rows of other tables to hang from."""
    tx.execute(*ensure_call(tx))


def ensure_call(tx: Transaction) -> Call:
    """What has a row for the scope."""
    return tx.missing_call(scopes, [_row(tx, tx.scope)])


def lock(tx: Transaction) -> int:
    """Hold off other writers of the scope until the transaction ends; returns the revision that they left."""
    # SQLite has no row locks and needs none: the transaction holds the whole file's write lock already.
    for _ in range(LOCK_TRIES):
        if found := tx.execute(_LOCK, {"scope": tx.scope_id}).one_or_none():
            return int(found.revision)
        # Whoever purges all of the scope may take the row away again.
        ensure(tx)
    raise Busy("The scope is being purged again and again. Try again.")


def purged(tx: Transaction) -> None:
    """Have every index of the scope loaded anew, and from the rows alone: some are gone for good."""
    step = advance(tx)
    # The scope's row is locked now, so nobody adds a segment that was made before.
    tx.execute(delete(passage_segments).where(passage_segments.c.scope_id == tx.scope_id))
    tx.execute(update(scopes).where(scopes.c.scope_id == tx.scope_id).values(purged_revision=step.revision))


def remove(tx: Transaction) -> None:
    """Forget that the scope was ever there; nothing may hang from it any more."""
    tx.execute(delete(scopes).where(scopes.c.scope_id == tx.scope_id))


def of_user(connection: AllScopes, agent: str, user: str) -> list[Scope]:
    """Every scope of a user with an agent: theirs, and one for each chat."""
    rows = connection.execute(
        select(*NAMES)
        .where(scopes.c.agent == agent, scopes.c.user == user)
        .order_by(scopes.c.chat)
        .execution_options(all_scopes=True)
    )
    return [named(row) for row in rows]


def users_of(connection: AllScopes, agent: str) -> list[str]:
    """The users that something was kept for with an agent, by name."""
    named_ones = select(scopes.c.user).distinct().where(scopes.c.agent == agent, scopes.c.user.is_not(None))
    return list(connection.execute(named_ones.order_by(scopes.c.user).execution_options(all_scopes=True)).scalars())


def of_agent(connection: AllScopes, agent: str, limit: int, offset: int) -> list[ScopeInfo]:
    """The scopes of an agent that something was kept in, teams left out: its own first, then by user and chat."""
    rows = connection.execute(
        select(scopes.c.user, scopes.c.chat, scopes.c.created_at, scopes.c.changed_at)
        .where(scopes.c.agent == agent, scopes.c.team.is_(None))
        .order_by(scopes.c.user.is_not(None), scopes.c.user, scopes.c.chat.is_not(None), scopes.c.chat)
        .limit(limit)
        .offset(offset)
        .execution_options(all_scopes=True)
    )
    return [ScopeInfo(row.user, row.chat, row.created_at, row.changed_at) for row in rows]


def advance(tx: Transaction, *, passages: int = 0, unread: bool = False) -> ScopeWrite:
    """Take the next revision and `passages` sequence numbers; `unread` passages are still to be learned from.

    The row stays locked until the transaction ends, so another process that sees revision n
    has seen every revision before it.
    """
    return _advance(tx, passages, unread=unread) or _advance_new(tx, passages, unread=unread)


def _advance(tx: Transaction, count: int, *, unread: bool) -> ScopeWrite | None:
    given = {"scope": tx.scope_id, "count": count, "now": tx.now}
    if not unread:
        row = tx.execute(_ADVANCE, given).one_or_none()
        return ScopeWrite(row.revision, row.next_seq - count) if row else None
    told = {"agent_scope": own_scope(tx.scope.agent).id}
    advanced, shared = tx.execute_all([(_ADVANCE_UNREAD, given), (_SHARES_GRAPH, told)])
    row = advanced.one_or_none()
    return ScopeWrite(row.revision, row.next_seq - count, shared.scalar() is True) if row else None


def _advance_new(tx: Transaction, count: int, *, unread: bool) -> ScopeWrite:
    ensure(tx)
    step = _advance(tx, count, unread=unread)
    if step is None:
        raise Unavailable("The scope could not be created. Try again.")
    return step


def _row(tx: Transaction, scope: Scope) -> dict[str, object]:
    # Revisions start anywhere, not at 1: an index of a scope that was removed and made again can then never take
    # itself for current.
    start = randbits(_REVISION_BITS)
    return {
        "scope_id": scope.id,
        "agent": scope.agent,
        "user": scope.user,
        "chat": scope.chat,
        "team": scope.team,
        "revision": start,
        "next_seq": 1,
        "purged_revision": start,
        "created_at": tx.now,
    }
