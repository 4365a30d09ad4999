"""Summaries: one for each session, and which sessions need one.

A summary is derived, so it is replaced as a whole and never journalled. Its words are a source, and so is every earlier
version of them, which stays readable as of its time. Which entities it speaks of is not written down a second time: the
mentions and the speakers of its turns say so, wherever the graph is kept, and stay right when entities are merged.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, or_, select, update

from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.memories import Status
from nacre.domain.summaries import Summary, SummaryMethod, TimeSpan
from nacre.store.base.databases import Transaction
from nacre.store.evidence import passages as stored_passages
from nacre.store.evidence import sources as stored_sources
from nacre.store.evidence.evidence_references import portions
from nacre.store.evidence.passages import PreparedPassages
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.store.tables.schema import aliases, entities, mentions, passages, sources, summaries, turns
from nacre.text import names

MAX_ENTITIES = 20

_SAID = and_(passages.c.kind == Kind.TURN.value, passages.c.ended_at.is_(None))


@dataclass(frozen=True, slots=True)
class Extent:
    """What of a session is in force: how many turns, from when to when, and the place of the last."""

    turns: int
    earliest_at: datetime
    latest_at: datetime
    last_seq: int


def extent(tx: Transaction, session: str, last_seq: int | None = None) -> Extent | None:
    """What is in force of a session, up to a place where one is given; None where that is nothing."""
    row = tx.execute(
        select(
            func.count().label("held"),
            func.min(passages.c.at).label("first_at"),
            func.max(passages.c.at).label("last_at"),
            func.max(passages.c.seq).label("seq"),
        )
        .join_from(turns, passages, _beside())
        .where(turns.c.scope_id == tx.scope_id, turns.c.session == session, _SAID)
        .where(*([] if last_seq is None else [turns.c.seq <= last_seq]))
    ).one()
    return Extent(row.held, row.first_at, row.last_at, row.seq) if row.held else None


def due(tx: Transaction, quiet_since: datetime) -> list[str]:
    """The sessions that changed since they were summed up, and have been quiet since a moment; the oldest first."""
    said = (
        select(passages.c.session, func.max(passages.c.seq).label("seq"), func.count().label("held"))
        .where(passages.c.scope_id == tx.scope_id, passages.c.session.is_not(None), _SAID)
        .group_by(passages.c.session)
        .subquery()
    )
    known = and_(summaries.c.scope_id == tx.scope_id, summaries.c.session == said.c.session)
    changed = or_(summaries.c.session.is_(None), summaries.c.last_seq != said.c.seq, summaries.c.turns != said.c.held)
    # By when it came in, not by when it was said: an old talk that is being handed over goes on.
    last = and_(turns.c.scope_id == tx.scope_id, turns.c.session == said.c.session, turns.c.seq == said.c.seq)
    arrived = and_(sources.c.scope_id == turns.c.scope_id, sources.c.id == turns.c.id)
    rows = tx.execute(
        select(said.c.session)
        .join_from(said, turns, last)
        .join(sources, arrived)
        .outerjoin(summaries, known)
        .where(turns.c.scope_id == tx.scope_id, changed, sources.c.created_at <= quiet_since)
        .order_by(said.c.seq)
    )
    return list(rows.scalars())


def save(tx: Transaction, summary: Summary, prepared: PreparedPassages) -> Summary:
    """Have a summary in place of the one there was; it is searchable from now on."""
    earlier = of(tx, summary.session)
    if earlier:
        stored_passages.end(tx, [earlier.id])
        tx.execute(delete(summaries).where(summaries.c.scope_id == tx.scope_id, summaries.c.id == earlier.id))
    kept = replace(summary, created_at=earlier.created_at if earlier else summary.created_at)
    stored_passages.add(tx, prepared)
    text = SourceRow(id=kept.id, kind=SourceKind.SUMMARY, text=kept.content, at=kept.latest_at, ref=kept.session)
    stored_sources.add(tx, [text])
    names = [column.name for column in summaries.c if column.name != "scope_id"]
    values = {name: getattr(kept, name) for name in names}
    tx.execute(insert(summaries), {"scope_id": tx.scope_id, **values, "method": kept.method.value})
    return kept


def of(tx: Transaction, session: str) -> Summary | None:
    """The summary of a session."""
    return next(iter(_load(tx, summaries.c.session == session)), None)


def page(tx: Transaction, limit: int, offset: int) -> list[Summary]:
    """Summaries, the session in which something was said last first."""
    return _load(tx, limit=limit, offset=offset)


def found(
    tx: Transaction,
    span: TimeSpan,
    limit: int,
    *,
    session: str | None = None,
    entity: tuple[Transaction, UUID] | None = None,
) -> tuple[list[Summary], int]:
    """Summaries of a time, a session and an entity, and how many there are; an entity comes with its graph."""
    conditions: list[ColumnElement[bool]] = []
    if span.since:
        conditions.append(summaries.c.latest_at >= span.since)
    if span.until:
        conditions.append(summaries.c.earliest_at <= span.until)
    if session is not None:
        conditions.append(summaries.c.session == session)
    if entity:
        conditions.append(_about(tx, *entity))
    mine = select(func.count()).select_from(summaries).where(summaries.c.scope_id == tx.scope_id, *conditions)
    total: int = tx.execute(mine).scalar_one()
    return (_load(tx, *conditions, limit=limit) if total else []), total


def session_entities(tx: Transaction, graph: Transaction, sessions: Collection[str]) -> dict[str, dict[UUID, str]]:
    """Names of the entities in force that each session speaks of, or that speak in it, the most spoken of first."""
    heard: dict[str, Counter[UUID]] = defaultdict(Counter)
    # The graph may be kept in another scope, and so on another node: no statement is about both.
    said = select(turns.c.id, turns.c.session).where(turns.c.scope_id == tx.scope_id, turns.c.session.in_(sessions))
    session_of = {row.id: row.session for row in tx.execute(said)}
    for some in portions(session_of):
        mentioned = select(mentions.c.source_id, mentions.c.entity_id)
        found = mentioned.where(mentions.c.scope_id == graph.scope_id, mentions.c.source_id.in_(some))
        for row in graph.execute(found):
            heard[session_of[row.source_id]][row.entity_id] += 1
    speaking = (
        select(turns.c.session, turns.c.speaker, func.count().label("times"))
        .where(turns.c.scope_id == tx.scope_id, turns.c.session.in_(sessions), turns.c.speaker.is_not(None))
        .group_by(turns.c.session, turns.c.speaker)
    )
    voices = tx.execute(speaking).all()
    called = _called(graph, {row.speaker for row in voices})
    for row in voices:
        for entity in called[names.match_key(row.speaker)]:
            heard[row.session][entity] += row.times
    known = _names(graph, {entity for counted in heard.values() for entity in counted})
    return {session: {key: known[key] for key in _in_order(counted, known)} for session, counted in heard.items()}


def with_entities(tx: Transaction, graph: Transaction, matching_summaries: Sequence[Summary]) -> list[Summary]:
    """Summaries with the names of the entities that their sessions speak of, as a graph knows them."""
    named = session_entities(tx, graph, [each.session for each in matching_summaries])
    return [
        replace(each, entities=tuple(named.get(each.session, {}).values())[:MAX_ENTITIES])
        for each in matching_summaries
    ]


def note_synthesized(graph: Transaction, entity_ids: Collection[UUID]) -> None:
    """Note on entities that a session that speaks of them was just summed up.

    Not through a journal: the moment follows from the summary, and nobody would want to take it back alone.
    """
    for some in portions(entity_ids):
        mine = update(entities).where(entities.c.scope_id == graph.scope_id, entities.c.id.in_(some))
        graph.execute(mine.values(last_synthesized_at=graph.now))


def set_aside(tx: Transaction, turn_ids: Collection[UUID]) -> None:
    """Take the summaries of the sessions of turns that are forgotten out of force; dreaming sums up what is left."""
    for session in _sessions(tx, turn_ids):
        held = of(tx, session)
        if held:
            stored_passages.end(tx, [held.id])
            tx.execute(delete(summaries).where(summaries.c.scope_id == tx.scope_id, summaries.c.id == held.id))


def purge(tx: Transaction, turn_ids: Collection[UUID]) -> None:
    """Remove the summaries of the sessions of turns that are purged, every version of them."""
    for session in _sessions(tx, turn_ids):
        versions = select(sources.c.id).where(
            sources.c.scope_id == tx.scope_id, sources.c.kind == SourceKind.SUMMARY.value, sources.c.ref == session
        )
        ids = list(tx.execute(versions).scalars())
        tx.execute(delete(summaries).where(summaries.c.scope_id == tx.scope_id, summaries.c.session == session))
        tx.execute(delete(passages).where(passages.c.scope_id == tx.scope_id, passages.c.item_id.in_(ids)))
        tx.execute(delete(sources).where(sources.c.scope_id == tx.scope_id, sources.c.id.in_(ids)))


def _beside() -> ColumnElement[bool]:
    return and_(
        passages.c.scope_id == turns.c.scope_id, passages.c.seq == turns.c.seq, passages.c.item_id == turns.c.id
    )


def _about(tx: Transaction, graph: Transaction, entity: UUID) -> ColumnElement[bool]:
    """Whether a summary's session speaks of an entity, or the entity speaks in it."""
    mentioned = select(mentions.c.source_id).where(
        mentions.c.scope_id == graph.scope_id, mentions.c.entity_id == entity
    )
    spoken: set[str] = set()
    for some in portions(set(graph.execute(mentioned).scalars())):
        told = select(turns.c.session).where(turns.c.scope_id == tx.scope_id, turns.c.id.in_(some)).distinct()
        spoken.update(tx.execute(told.where(turns.c.session.is_not(None))).scalars())
    keys = set(
        graph.execute(
            select(aliases.c.key).where(aliases.c.scope_id == graph.scope_id, aliases.c.entity_id == entity)
        ).scalars()
    )
    speakers = tx.execute(select(turns.c.speaker).where(turns.c.scope_id == tx.scope_id).distinct()).scalars()
    voices = [speaker for speaker in speakers if speaker and names.match_key(speaker) in keys]
    speaks = select(turns.c.session).where(turns.c.scope_id == tx.scope_id, turns.c.speaker.in_(voices))
    return or_(summaries.c.session.in_(spoken), summaries.c.session.in_(speaks.where(turns.c.session.is_not(None))))


def _called(graph: Transaction, speakers: Collection[str]) -> dict[str, list[UUID]]:
    """The entities that go by the names of speakers, by the key of the name."""
    item_ids_by_name: dict[str, list[UUID]] = defaultdict(list)
    keys = {names.match_key(speaker) for speaker in speakers}
    mine = select(aliases.c.key, aliases.c.entity_id).where(aliases.c.scope_id == graph.scope_id)
    for row in graph.execute(mine.where(aliases.c.key.in_(keys))):
        item_ids_by_name[row.key].append(row.entity_id)
    return item_ids_by_name


def _names(graph: Transaction, ids: Collection[UUID]) -> dict[UUID, str]:
    """Those of `ids` that are entities in force, and their names."""
    names_by_id: dict[UUID, str] = {}
    for some in portions(ids):
        mine = (entities.c.scope_id == graph.scope_id, entities.c.id.in_(some))
        rows = graph.execute(select(entities.c.id, entities.c.name, entities.c.status).where(*mine))
        names_by_id |= {row.id: row.name for row in rows if row.status == Status.ACTIVE.value}
    return names_by_id


def _in_order(counted: Counter[UUID], names_by_id: Mapping[UUID, str]) -> list[UUID]:
    return sorted(counted.keys() & names_by_id.keys(), key=lambda key: (-counted[key], names_by_id[key], key))


def _sessions(tx: Transaction, turn_ids: Collection[UUID]) -> list[str]:
    sessions: set[str] = set()
    for some in portions(turn_ids):
        mine = (turns.c.scope_id == tx.scope_id, turns.c.id.in_(some), turns.c.session.is_not(None))
        sessions.update(tx.execute(select(turns.c.session).where(*mine)).scalars())
    return sorted(sessions)


def _load(
    tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None, offset: int | None = None
) -> list[Summary]:
    newest = (summaries.c.latest_at.desc(), summaries.c.last_seq.desc())
    mine = select(summaries).where(summaries.c.scope_id == tx.scope_id, *conditions)
    return list(_to_summaries(tx.execute(mine.order_by(*newest).limit(limit).offset(offset))))


def _to_summaries(rows: Iterable[Row[Any]]) -> Iterable[Summary]:
    for row in rows:
        yield Summary(
            id=SourceId(row.id),
            session=row.session,
            content=row.content,
            method=SummaryMethod(row.method),
            earliest_at=row.earliest_at,
            latest_at=row.latest_at,
            turns=row.turns,
            last_seq=row.last_seq,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
