"""Learning cursors: the turns of each scope that its graph has not learned from yet."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import BigInteger, Integer, bindparam, case, func, null, select, update

from nacre.domain.errors import NotFound
from nacre.domain.hits import Kind
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.base.scopes import NAMES, named
from nacre.store.tables.columns import Id
from nacre.store.tables.schema import passages, turns
from nacre.store.tables.schema import scopes as scopes_table


@dataclass(frozen=True, slots=True)
class Cursor:
    """The first turn that is unread, by its place in the scope, and how much of its text was read already."""

    seq: int
    offset: int = 0


_MINE = scopes_table.c.scope_id == bindparam("scope")
_NEXT = bindparam("next", type_=BigInteger)
_MOVE = (
    update(scopes_table)
    .where(
        _MINE,
        scopes_table.c.unread_seq == bindparam("seq", type_=BigInteger),
        scopes_table.c.unread_offset == bindparam("from", type_=Integer),
    )
    .values(
        unread_seq=case((scopes_table.c.next_seq <= _NEXT, null()), else_=_NEXT),
        unread_offset=bindparam("offset", type_=Integer),
    )
    .returning(scopes_table.c.scope_id)
)
_COUNT = select(func.count()).where(
    passages.c.scope_id == bindparam("scope"),
    passages.c.seq >= bindparam("seq", type_=BigInteger),
    passages.c.seq <= bindparam("last", type_=BigInteger),
    passages.c.kind == Kind.TURN.value,
)
_BACKLOG = select(scopes_table.c.next_seq - scopes_table.c.unread_seq).where(_MINE)
_PLACE = select(turns.c.seq).where(turns.c.scope_id == bindparam("scope"), turns.c.id == bindparam("turn", type_=Id))
_END = 2**62
_BEHIND = (
    select(*NAMES)
    .where(scopes_table.c.unread_seq.is_not(None))
    .limit(bindparam("most", type_=Integer))
    .execution_options(all_scopes=True)
)
_BEHIND_OF = _BEHIND.where(scopes_table.c.agent == bindparam("agent"))


def position(tx: Transaction) -> Cursor | None:
    """The scope's cursor; None when everything was read."""
    state = scopes.state(tx)
    return None if state.unread_seq is None else Cursor(state.unread_seq, state.unread_offset)


def move(tx: Transaction, begun: Cursor, end: Cursor) -> bool:
    """Move the scope's cursor from where it was when reading began; False when another reader was faster."""
    values = {"scope": tx.scope_id, "seq": begun.seq, "from": begun.offset, "next": end.seq, "offset": end.offset}
    return tx.execute(_MOVE, values).one_or_none() is not None


def unread(tx: Transaction, turn: UUID | None = None) -> int:
    """How many turns are unread: of all, or of those up to one of them."""
    cursor = position(tx)
    return unread_since(tx, cursor.seq if cursor else _END, turn)


def unread_since(tx: Transaction, seq: int, turn: UUID | None = None) -> int:
    """How many turns there are from a place on: of all, or of those up to one of them."""
    last = _END if turn is None else _place(tx, turn)
    if seq > last or seq == _END:
        return 0
    return int(tx.execute(_COUNT, {"scope": tx.scope_id, "last": last, "seq": seq}).scalar_one())


def backlog(tx: Transaction) -> int:
    """At most how many turns are unread; cheaper than counting them."""
    return tx.execute(_BACKLOG, {"scope": tx.scope_id}).scalar_one_or_none() or 0


def _place(tx: Transaction, turn: UUID) -> int:
    seq = tx.execute(_PLACE, {"scope": tx.scope_id, "turn": turn}).scalar_one_or_none()
    if seq is None:
        raise NotFound("observation", str(turn))
    return int(seq)


def behind(tx: AllScopes, limit: int, agent: str | None = None) -> list[Scope]:
    """Scopes with unread turns, of all agents or of one, at most `limit` of them."""
    query = _BEHIND if agent is None else _BEHIND_OF
    given = {"most": limit} | ({} if agent is None else {"agent": agent})
    return [named(row) for row in tx.execute(query, given)]
