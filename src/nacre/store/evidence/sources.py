"""Evidence: what was said or handed over, kept as it was, and the exact words that something rests on."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import and_, select

from nacre.domain.errors import NotFound
from nacre.domain.hits import Evidence
from nacre.domain.ids import SourceId
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.base.row_inserts import NewRows, RowInsert
from nacre.store.tables.schema import scopes as scopes_table
from nacre.store.tables.schema import sources, turns


class SourceKind(StrEnum):
    """How a source came in."""

    TURN = "turn"
    NOTE = "note"
    STRUCTURED = "structured"
    DOCUMENT = "document"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """One piece of evidence; never changed once written."""

    id: UUID
    kind: SourceKind
    text: str
    at: datetime
    ref: str | None = None
    flags: tuple[str, ...] = ()


_ADD = RowInsert(sources)


def add(tx: Transaction, items: Sequence[SourceRow]) -> None:
    """Keep new evidence."""
    tx.insert_all([new_rows(tx, items)])


def new_rows(tx: Transaction, items: Sequence[SourceRow]) -> NewRows:
    """The rows of new evidence."""
    scope_id, now = tx.scope_id, tx.now
    rows = [
        (scope_id, item.id, item.kind.value, item.text, item.ref, item.at, now, list(item.flags) or None)
        for item in items
    ]
    return NewRows(_ADD, rows)


def text_of(tx: Transaction, source_id: UUID) -> str:
    """The words of a piece of evidence."""
    found = tx.execute(
        select(sources.c.text).where(sources.c.scope_id == tx.scope_id, sources.c.id == source_id)
    ).scalar_one_or_none()
    if found is None:
        raise NotFound("source", str(source_id))
    return str(found)


def times(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, datetime]:
    """When pieces of evidence were said or handed over."""
    if not ids:
        return {}
    rows = tx.execute(
        select(sources.c.id, sources.c.at).where(sources.c.scope_id == tx.scope_id, sources.c.id.in_(ids))
    )
    return {row.id: row.at for row in rows}


def holders(tx: Transaction, ids: Collection[UUID]) -> list[Scope]:
    """The other scopes that hold copies of a scope's evidence, in a fixed order."""
    scopes_by_id: dict[UUID, Scope] = {}
    every = list(ids)
    for start in range(0, len(every), 500):
        here = (sources.c.id.in_(every[start : start + 500]), sources.c.scope_id != tx.scope_id)
        rows = tx.execute(
            select(scopes_table)
            .where(scopes_table.c.agent == tx.scope.agent)
            .where(scopes_table.c.scope_id.in_(select(sources.c.scope_id).where(*here)))
            # What is copied must be found wherever it was copied to; nothing of it is shown.
            .execution_options(all_scopes=True)
        )
        scopes_by_id |= {row.scope_id: scopes.named(row) for row in rows}
    # Copies lie between an agent's own scope and those of its users; the same ids elsewhere are a restored scope's.
    whole = Scope(agent=tx.scope.agent)
    return [scopes_by_id[key] for key in sorted(scopes_by_id) if whole in (tx.scope, scopes_by_id[key])]


def every(tx: Transaction) -> list[UUID]:
    """All the evidence of the scope."""
    return list(tx.execute(select(sources.c.id).where(sources.c.scope_id == tx.scope_id)).scalars())


def copy(tx: Transaction, ids: Collection[UUID], origin: Scope) -> None:
    """Keep evidence that another scope holds here, too, under the same ids."""
    mine = (sources.c.scope_id == origin.id, sources.c.id.in_(ids))
    rows = [{**row, "scope_id": tx.scope_id} for row in tx.execute(select(sources).where(*mine)).mappings()]
    if rows:
        scopes.ensure(tx)
        tx.insert_missing(sources, rows)


def cite(tx: Transaction, source: UUID | None, quote: tuple[int, int] | None) -> Evidence | None:
    """The words at a place in a source, and who said them when it was a turn."""
    if source is None:
        return None
    beside = and_(turns.c.scope_id == sources.c.scope_id, turns.c.id == sources.c.id)
    row = tx.execute(
        select(sources.c.id, sources.c.text, sources.c.ref, sources.c.flags)
        .add_columns(turns.c.session, turns.c.speaker, turns.c.role)
        .join(turns, beside, isouter=True)
        .where(sources.c.scope_id == tx.scope_id, sources.c.id == source)
    ).one_or_none()
    if row is None:
        return None
    start, end = quote or (0, len(row.text))
    return Evidence(
        id=SourceId(row.id),
        quote=row.text[start:end],
        start=start,
        end=end,
        ref=row.ref,
        session=row.session,
        speaker=row.speaker,
        role=row.role,
        flags=tuple(row.flags or ()),
    )
