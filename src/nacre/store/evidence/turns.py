"""Turns: what was said in conversations, session by session, and how far each reader of it has come."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, Integer, Row, Select, and_, bindparam, func, select

from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.turns import SessionInfo, StoredTurn, Turn
from nacre.store.base import dialects, scopes
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.base.row_inserts import NewRows, RowInsert
from nacre.store.evidence import passages as stored_passages
from nacre.store.evidence import sources as stored_sources
from nacre.store.tables.columns import Id, among
from nacre.store.tables.schema import cursors, passages, sources, turns
from nacre.store.tables.schema import scopes as scopes_table

_ADD = RowInsert(turns)


def new_rows(tx: Transaction, ids: Sequence[UUID], first_seq: int, spoken_turns: Sequence[Turn]) -> NewRows:
    """The rows of turns whose sources are stored under `ids`, from a place in the scope on."""
    scope_id = tx.scope_id
    rows = [
        (scope_id, key, seq, turn.role, turn.speaker, turn.session)
        for seq, (key, turn) in enumerate(zip(ids, spoken_turns, strict=True), first_seq)
    ]
    return NewRows(_ADD, rows)


_SOURCE = and_(sources.c.scope_id == turns.c.scope_id, sources.c.id == turns.c.id)


def _select(text: ColumnElement[str]) -> Select[Any]:
    held = (turns.c.id, turns.c.seq, turns.c.role, turns.c.speaker, turns.c.session)
    return select(*held, text.label("text"), sources.c.ref, sources.c.at, sources.c.created_at).join(sources, _SOURCE)


_REFS = select(sources.c.ref).join_from(turns, sources, _SOURCE)
_WORDS = select(turns.c.session, turns.c.role, sources.c.text, sources.c.ref).join_from(turns, sources, _SOURCE)
_SAID = _select(sources.c.text)
_BY_ID = _SAID.where(turns.c.scope_id == bindparam("scope"), turns.c.id.in_(bindparam("ids", expanding=True)))
_OPENINGS = _select(func.substr(sources.c.text, 1, bindparam("characters", type_=Integer)))
# By place and by id, so that a database may start from either table and finds the other's row by its key.
_BESIDE = and_(passages.c.scope_id == turns.c.scope_id, passages.c.seq == turns.c.seq, passages.c.item_id == turns.c.id)
_IN_FORCE, _OPENINGS_IN_FORCE = (
    each.join(passages, _BESIDE).where(passages.c.ended_at.is_(None)) for each in (_SAID, _OPENINGS)
)
# Built once: whatever is heard needs these.
_END = 2**62
_LAST = (
    _IN_FORCE.where(turns.c.scope_id == bindparam("scope"), turns.c.session == bindparam("session"))
    .where(turns.c.seq < bindparam("before", type_=BigInteger))
    .order_by(turns.c.seq.desc())
    .limit(bindparam("most", type_=Integer))
)
_LOOKED_BACK = 40
_HERE = turns.alias("here")
_COMPANY = (
    select(turns.c.speaker)
    .join(_HERE, and_(_HERE.c.scope_id == turns.c.scope_id, _HERE.c.session == turns.c.session))
    .where(turns.c.scope_id == bindparam("scope"), _HERE.c.id == bindparam("turn", type_=Id))
    .where(turns.c.seq < _HERE.c.seq)
    .order_by(turns.c.seq.desc())
    .limit(bindparam("most", type_=Integer))
)
_SINCE, _OPENINGS_SINCE = (
    each.where(passages.c.scope_id == bindparam("scope"), passages.c.seq > bindparam("after", type_=BigInteger))
    .order_by(passages.c.seq)
    .limit(bindparam("most", type_=Integer))
    for each in (_IN_FORCE, _OPENINGS_IN_FORCE)
)


def by_id(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, StoredTurn]:
    """The turns stored under `ids`."""
    rows = tx.execute(_BY_ID, {"scope": tx.scope_id, "ids": list(ids)})
    return {row.id: _to_said(row) for row in rows}


def by_seq(tx: Transaction, seqs: Sequence[int]) -> dict[int, StoredTurn]:
    """The turns in force among some passages, by the passages' sequence numbers."""
    if not seqs:
        return {}
    mine = and_(passages.c.scope_id == tx.scope_id, among(passages.c.seq, seqs))
    return {said.seq: said for said in map(_to_said, tx.execute(_IN_FORCE.where(mine)))}


def last(tx: Transaction, session: str, limit: int, before: int | None = None) -> list[StoredTurn]:
    """The last turns of a session that are in force, oldest first; those before place `before`, where it is given."""
    return [_to_said(row) for row in reversed(tx.execute(*last_call(tx, session, limit, before)).all())]


def last_call(tx: Transaction, session: str, limit: int, before: int | None = None) -> Call:
    """What reads the last turns of a session."""
    given = {"scope": tx.scope_id, "session": session, "before": _END if before is None else before, "most": limit}
    return _LAST, given


def company(tx: Transaction, turn: UUID) -> list[str]:
    """Those who spoke in the session of a turn shortly before it, each once, the last first."""
    rows = tx.execute(_COMPANY, {"scope": tx.scope_id, "turn": turn, "most": _LOOKED_BACK})
    return list(dict.fromkeys(speaker for speaker in rows.scalars() if speaker))


def since(tx: Transaction, seq: int, limit: int) -> list[StoredTurn]:
    """The turns in force after place `seq`, of every session and of none, in the order they were stored."""
    return [_to_said(row) for row in tx.execute(_SINCE, {"scope": tx.scope_id, "after": seq, "most": limit})]


def openings_since(tx: Transaction, seq: int, limit: int, characters: int) -> Iterator[StoredTurn]:
    """As `since`, with no more than so many characters of each text; where these are blank, a mark begins them."""
    given = {"scope": tx.scope_id, "after": seq, "most": limit, "characters": characters}
    rows = tx.execute(_OPENINGS_SINCE, given)
    return (_to_said(row, row.text if row.text.strip() else f"…{row.text[1:]}") for row in rows)


def refs(tx: Transaction, prefix: str) -> set[str]:
    """The callers' own ids of turns, where they begin so; also of those that were forgotten."""
    found = _REFS.where(turns.c.scope_id == tx.scope_id, sources.c.ref.startswith(prefix, autoescape=True))
    return set(tx.execute(found).scalars())


def refs_among(tx: Transaction, sessions: Collection[str], among: Collection[str]) -> set[str]:
    """Those of some callers' ids under which a turn of some sessions is there."""
    mine = (turns.c.scope_id == tx.scope_id, turns.c.session.in_(sessions), sources.c.ref.in_(among))
    return set(tx.execute(_REFS.where(*mine)).scalars())


def in_sessions(tx: Transaction, sessions: Collection[str]) -> list[tuple[str, str, str, str | None]]:
    """The session, role, words and `ref` of every turn of some sessions; also of those that were forgotten."""
    found = _WORDS.where(turns.c.scope_id == tx.scope_id, turns.c.session.in_(sessions))
    return [(row.session, row.role, row.text, row.ref) for row in tx.execute(found)]


def _to_said(row: Row[tuple[object, ...]], text: str | None = None) -> StoredTurn:
    said = row.text if text is None else text
    turn = Turn(role=row.role, text=said, speaker=row.speaker, session=row.session, at=row.at, ref=row.ref)
    return StoredTurn(SourceId(row.id), row.seq, turn, row.at, row.created_at)


def end(tx: Transaction) -> int:
    """The place that the next turn of the scope will have at the earliest."""
    return int(tx.execute(_NEXT, {"scope": tx.scope_id}).scalar_one_or_none() or 1)


_NEXT = select(scopes_table.c.next_seq).where(scopes_table.c.scope_id == bindparam("scope"))


def newest_sessions(tx: Transaction, limit: int, offset: int = 0) -> list[SessionInfo]:
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


def cursor_position(tx: Transaction, reader: str) -> int:
    """The last place that `reader` has consumed; 0 before the first."""
    query = select(cursors.c.seq).where(cursors.c.scope_id == tx.scope_id, cursors.c.reader == reader)
    return tx.execute(query).scalar() or 0


def advance_cursor(tx: Transaction, reader: str, seq: int) -> bool:
    """Move a reader forward to `seq`; whether it was behind. A cursor never moves back."""
    scopes.ensure(tx)
    moving = dialects.insert(tx.connection, cursors).values(scope_id=tx.scope_id, reader=reader, seq=seq)
    moved = tx.execute(
        moving.on_conflict_do_update(
            index_elements=["scope_id", "reader"],
            set_={"seq": moving.excluded.seq},
            where=cursors.c.seq < moving.excluded.seq,
        ).returning(cursors.c.seq)
    )
    return moved.one_or_none() is not None


def last_place(tx: Transaction) -> int:
    """The last place that was ever given out in the scope; no turn can still appear at or before it."""
    query = select(scopes_table.c.next_seq).where(scopes_table.c.scope_id == tx.scope_id)
    return (tx.execute(query).scalar() or 1) - 1


def add(
    tx: Transaction,
    spoken_turns: Sequence[Turn],
    source_rows: Sequence[stored_sources.SourceRow],
    prepared: stored_passages.PreparedPassages,
    *,
    unread: bool = False,
    last: bool = False,
) -> scopes.ScopeWrite:
    """Store turns with their sources and passages; `unread` ones are to be learned from.

    The `last` that a transaction does is sent together with its end.
    """
    step = scopes.advance(tx, passages=len(spoken_turns), unread=unread)
    spoken = stored_passages.in_languages(tx, prepared)
    ids = [source.id for source in source_rows]
    parts = stored_passages.new_rows(tx, spoken, step)
    parts += [stored_sources.new_rows(tx, source_rows), new_rows(tx, ids, step.first_seq, spoken_turns)]
    tx.insert_all(parts, last=last)
    return step
