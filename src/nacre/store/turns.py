"""Turns: what was said in conversations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Row, and_, insert, select

from nacre.domain.ids import SourceId
from nacre.domain.turns import Turn
from nacre.store.databases import Transaction
from nacre.store.schema import sources, turns


@dataclass(frozen=True, slots=True)
class Said:
    """A stored turn: its evidence id, its place in the scope, and the turn itself."""

    id: SourceId
    seq: int
    turn: Turn
    at: datetime


def add(tx: Transaction, ids: Sequence[UUID], seqs: Sequence[int], said: Sequence[Turn]) -> None:
    """Store turns whose sources were stored under `ids`."""
    tx.execute(
        insert(turns),
        [
            {
                "scope_id": tx.scope_id,
                "id": key,
                "seq": seq,
                "role": turn.role,
                "speaker": turn.speaker,
                "session": turn.session,
            }
            for key, seq, turn in zip(ids, seqs, said, strict=True)
        ],
    )


_SAID = select(
    turns.c.id, turns.c.seq, turns.c.role, turns.c.speaker, turns.c.session, sources.c.text, sources.c.ref, sources.c.at
).join(sources, and_(sources.c.scope_id == turns.c.scope_id, sources.c.id == turns.c.id))


def by_id(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, Said]:
    """The turns stored under `ids`."""
    rows = tx.execute(_SAID.where(turns.c.scope_id == tx.scope_id, turns.c.id.in_(ids)))
    return {row.id: _to_said(row) for row in rows}


def last(tx: Transaction, session: str, limit: int) -> list[Said]:
    """The last turns of a session, oldest first."""
    in_session = _SAID.where(turns.c.scope_id == tx.scope_id, turns.c.session == session)
    rows = tx.execute(in_session.order_by(turns.c.seq.desc()).limit(limit)).all()
    return [_to_said(row) for row in reversed(rows)]


def _to_said(row: Row[tuple[object, ...]]) -> Said:
    turn = Turn(role=row.role, text=row.text, speaker=row.speaker, session=row.session, at=row.at, ref=row.ref)
    return Said(SourceId(row.id), row.seq, turn, row.at)
