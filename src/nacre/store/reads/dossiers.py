"""Dossier rows: all there is about one entity, for a page of its own."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, or_, select

from nacre.domain.dossiers import Citation
from nacre.domain.ids import SourceId
from nacre.domain.links import Link
from nacre.domain.memories import Memory, Status
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories
from nacre.store.evidence.evidence_references import portions
from nacre.store.graph import links
from nacre.store.tables.schema import (
    aliases,
    aspects,
    attributes,
    audit,
    audit_rows,
    memory_sources,
    mentions,
    sources,
    turns,
)
from nacre.store.tables.schema import links as links_table
from nacre.store.tables.schema import memories as memories_table

Place = tuple[UUID, int, int]

# So much of a source is shown on either side of a quote.
AROUND = 300
# Of a hub's links and claims, only so many are looked through for what was done to them.
MAX_ROWS = 5_000


def cite(tx: Transaction, places: Iterable[Place | None]) -> dict[Place, Citation]:
    """The words at places in sources; what is not there is left out."""
    wanted = {place for place in places if place is not None}
    rows_by_id: dict[UUID, Row[Any]] = {}
    beside = and_(turns.c.scope_id == sources.c.scope_id, turns.c.id == sources.c.id)
    for some in portions({place[0] for place in wanted}):
        rows = tx.execute(
            select(sources.c.id, sources.c.kind, sources.c.text, sources.c.ref, sources.c.at, sources.c.flags)
            .add_columns(turns.c.session, turns.c.speaker, turns.c.role)
            .join(turns, beside, isouter=True)
            .where(sources.c.scope_id == tx.scope_id, sources.c.id.in_(some))
        )
        rows_by_id |= {row.id: row for row in rows}
    return {place: _citation(rows_by_id[place[0]], place) for place in wanted if place[0] in rows_by_id}


def _citation(row: Row[Any], place: Place) -> Citation:
    _, start, end = place
    return Citation(
        source=SourceId(row.id),
        kind=row.kind,
        quote=row.text[start:end],
        before=row.text[max(0, start - AROUND) : start],
        after=row.text[end : end + AROUND],
        start=start,
        end=end,
        at=row.at,
        ref=row.ref,
        session=row.session,
        speaker=row.speaker,
        role=row.role,
        flags=tuple(row.flags or ()),
    )


def connections(
    tx: Transaction, entity: UUID, directions: Collection[str], part: slice, as_of: datetime | None
) -> list[Link]:
    """The links at an entity, in force or at a moment, the strongest first; those to plain values lead out of it."""
    ends = {"outgoing": links_table.c.source_entity == entity, "incoming": links_table.c.target_entity == entity}
    rows = tx.execute(
        select(links_table)
        .where(
            links_table.c.scope_id == tx.scope_id,
            or_(*(ends[each] for each in directions)),
            links.in_force(tx, as_of),
        )
        .order_by((links_table.c.strength * links_table.c.confidence).desc(), links_table.c.updated_at.desc())
        .order_by(links_table.c.id)
        .slice(part.start, part.stop)
    )
    return [links.to_link(row) for row in rows]


def entity_mentions(tx: Transaction, entity: UUID, limit: int, offset: int) -> list[Place]:
    """Where an entity is spoken of, the last said first; ids of sources sort by time."""
    rows = tx.execute(
        select(mentions.c.source_id, mentions.c.quote_start, mentions.c.quote_end)
        .where(mentions.c.scope_id == tx.scope_id, mentions.c.entity_id == entity)
        .order_by(mentions.c.source_id.desc(), mentions.c.quote_start)
        .limit(limit)
        .offset(offset)
    )
    return [(row.source_id, row.quote_start, row.quote_end) for row in rows]


def resting_on(tx: Transaction, told: Transaction, entity: UUID, limit: int, offset: int) -> list[Memory]:
    """The memories in force that speak of an entity or that claims about it rest on, the last seen first."""
    mine = (attributes.c.scope_id == tx.scope_id, attributes.c.entity_id == entity)
    claimed = select(attributes.c.memory_id).where(*mine, attributes.c.memory_id.isnot(None))
    cited = select(attributes.c.source_id).where(*mine, attributes.c.source_id.isnot(None))
    speaking = select(mentions.c.source_id).where(mentions.c.scope_id == tx.scope_id, mentions.c.entity_id == entity)
    source = memory_sources.c.source_id
    resting = select(memory_sources.c.memory_id).where(
        memory_sources.c.scope_id == told.scope_id, or_(source.in_(cited), source.in_(speaking))
    )
    key = memories_table.c.id
    rows = told.execute(
        select(key)
        .where(memories_table.c.scope_id == told.scope_id, memories_table.c.status == Status.ACTIVE.value)
        .where(or_(key.in_(claimed), key.in_(resting)))
        .order_by(memories_table.c.last_seen_at.desc(), key)
        .limit(limit)
        .offset(offset)
    )
    keys = list(rows.scalars())
    known = memories.by_id(told, keys)
    return [known[each] for each in keys]


def touching(
    tx: Transaction, entity: UUID, without: Sequence[str], before: int | None, limit: int
) -> Mapping[UUID, set[str]]:
    """The operations that touched an entity, its names, aspects, claims or links, the last first: in which tables."""
    touched: dict[UUID, set[str]] = defaultdict(set)
    places: dict[UUID, int] = {}
    earlier: list[ColumnElement[bool]] = [] if before is None else [audit.c.seq < before]
    same = and_(audit.c.scope_id == audit_rows.c.scope_id, audit.c.id == audit_rows.c.audit_id)
    for some in portions(list(_rows(tx, entity))):
        found = tx.execute(
            select(audit.c.id, audit.c.seq, audit_rows.c.row)
            .join_from(audit_rows, audit, same)
            .where(audit_rows.c.scope_id == tx.scope_id, audit_rows.c.row.in_(some), *earlier)
            .where(audit.c.operation.not_in(without))
            .order_by(audit.c.seq.desc())
        )
        for row in found:
            places[row.id] = row.seq
            touched[row.id].add(row.row.partition("/")[0])
    last = sorted(places, key=lambda key: -places[key])[:limit]
    return {key: touched[key] for key in last}


def _rows(tx: Transaction, entity: UUID) -> Iterator[str]:
    """The rows of an entity, by the names that the log has for them."""
    yield f"entities/{entity}"
    named = select(aliases.c.key).where(aliases.c.scope_id == tx.scope_id, aliases.c.entity_id == entity)
    yield from (f"aliases/{key}/{entity}" for key in tx.execute(named).scalars())
    for table in (aspects, attributes):
        held = select(table.c.id).where(table.c.scope_id == tx.scope_id, table.c.entity_id == entity)
        newest = held.order_by(table.c.updated_at.desc()).limit(MAX_ROWS)
        yield from (f"{table.name}/{key}" for key in tx.execute(newest).scalars())
    ends = or_(links_table.c.source_entity == entity, links_table.c.target_entity == entity)
    linked = select(links_table.c.id).where(links_table.c.scope_id == tx.scope_id, ends)
    newest = linked.order_by(links_table.c.updated_at.desc()).limit(MAX_ROWS)
    yield from (f"links/{key}" for key in tx.execute(newest).scalars())
