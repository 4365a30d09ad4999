"""The exact words that something rests on."""

from uuid import UUID

from sqlalchemy import and_, select

from nacre.domain.hits import Evidence
from nacre.domain.ids import SourceId
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import sources, turns


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
