"""Passages as hits: the text a caller sees, and the evidence behind it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, func, select

from nacre.domain import replacements
from nacre.domain.hits import Evidence, Kind
from nacre.domain.ids import SourceId
from nacre.domain.memories import HINTS, Memory
from nacre.domain.replacements import Doubt
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import documents as stored_documents
from nacre.store.evidence import memories as stored_memories
from nacre.store.evidence import turns as stored_turns
from nacre.store.graph import row_history
from nacre.store.tables.schema import chunks, memories, memory_sources, passages, sources


class HitRow(NamedTuple):
    """What a passage says and where it comes from."""

    id: UUID
    kind: Kind
    text: str
    at: datetime
    source: Evidence
    # Words that a memory is to be found by, and what it may replace.
    hints: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def load(
    tx: Transaction, seqs_by_kind: Mapping[Kind, Sequence[int]], as_of: datetime | None = None
) -> dict[Kind, dict[int, HitRow]]:
    """Some passages by kind and sequence number; memories say what they said at `as_of`."""
    now = [kind for kind in seqs_by_kind if as_of is None or kind is not Kind.MEMORY]
    results = tx.execute_all([(_LOADERS[kind][0], {"scope": tx.scope_id, "seqs": seqs_by_kind[kind]}) for kind in now])
    found: dict[Kind, dict[int, HitRow]] = {}
    for kind, rows in zip(now, results, strict=True):
        read = _LOADERS[kind][1]
        found[kind] = {row[0]: read(row) for row in rows}
    if as_of is not None and Kind.MEMORY in seqs_by_kind:
        found[Kind.MEMORY] = _memories_then(tx, seqs_by_kind[Kind.MEMORY], as_of)
    return found


def load_items(tx: Transaction, items: Collection[UUID]) -> dict[int, HitRow]:
    """The first passage of each of some turns and memories, by sequence number."""
    first: dict[UUID, tuple[int, HitRow]] = {}
    for rows, (_, read) in zip(tx.execute_all(item_calls(tx, items)), _ITEM_LOADERS, strict=True):
        for seq, each in ((row[0], read(row)) for row in rows):
            if each.id not in first or seq < first[each.id][0]:
                first[each.id] = (seq, each)
    return dict(sorted(first.values(), key=itemgetter(0)))


def item_calls(tx: Transaction, items: Collection[UUID]) -> list[Call]:
    """What `load_items` reads."""
    return [(statement, {"scope": tx.scope_id, "items": list(items)}) for statement, _ in _ITEM_LOADERS]


def _memories_then(tx: Transaction, seqs: Sequence[int], as_of: datetime) -> dict[int, HitRow]:
    then = _memories_at(tx, seqs, as_of)
    wanted = (sources.c.scope_id == tx.scope_id, sources.c.id.in_([memory.source for memory in then.values()]))
    said = {
        row.id: row
        for row in tx.execute(select(sources.c.id, sources.c.text, sources.c.ref, sources.c.flags).where(*wanted))
    }
    found = {}
    for seq, memory in then.items():
        start, end = memory.quote
        words = said[memory.source]
        evidence = Evidence(
            id=memory.source,
            quote=words.text[start:end],
            start=start,
            end=end,
            ref=words.ref,
            flags=tuple(words.flags or ()),
        )
        found[seq] = HitRow(id=memory.id, kind=Kind.MEMORY, text=memory.content, at=memory.updated_at, source=evidence)
    return found


def _memories_at(tx: Transaction, seqs: Sequence[int], as_of: datetime) -> dict[int, Memory]:
    rows = tx.execute(
        select(passages.c.seq, passages.c.item_id).where(passages.c.scope_id == tx.scope_id, passages.c.seq.in_(seqs))
    ).all()
    found = row_history.memories_at(tx, [row.item_id for row in rows], as_of)
    return {row.seq: found[row.item_id] for row in rows if row.item_id in found}


@dataclass(frozen=True, slots=True)
class MemoryWeight:
    """What the rank of a long-term memory goes by, beside its words."""

    id: UUID
    importance: float
    metadata: Mapping[str, str]


def weights_of(tx: Transaction, seqs: Sequence[int]) -> dict[int, MemoryWeight]:
    """The weights of the long-term memories that passages belong to, by sequence number."""
    rows = tx.execute(_WEIGHTS, {"scope": tx.scope_id, "seqs": seqs})
    return {row.seq: MemoryWeight(row.id, row.importance, row.metadata) for row in rows}


def evidence_of(tx: Transaction, memory_id: UUID) -> list[Evidence]:
    """What a long-term memory rests on, first said first."""
    beside = _same((memory_sources.c.scope_id, sources.c.scope_id), (memory_sources.c.source_id, sources.c.id))
    rows = tx.execute(
        select(sources.c.id, sources.c.text, sources.c.ref, sources.c.flags)
        .add_columns(memory_sources.c.quote_start, memory_sources.c.quote_end)
        .join(memory_sources, beside)
        .where(memory_sources.c.scope_id == tx.scope_id, memory_sources.c.memory_id == memory_id)
        .order_by(sources.c.at, sources.c.id)
    )
    return [
        Evidence(
            id=SourceId(row.id),
            quote=row.text[row.quote_start : row.quote_end],
            start=row.quote_start,
            end=row.quote_end,
            ref=row.ref,
            flags=tuple(row.flags or ()),
        )
        for row in rows
    ]


def searchable(tx: Transaction, seqs: Sequence[int]) -> dict[int, str]:
    """The text of each passage as search sees it, by sequence number."""
    rows = tx.execute(
        select(passages.c.seq, passages.c.kind, passages.c.item_id)
        .where(passages.c.scope_id == tx.scope_id, passages.c.seq.in_(seqs))
        .order_by(passages.c.seq)
    ).all()
    said = stored_turns.by_id(tx, [row.item_id for row in rows if row.kind == Kind.TURN])
    kept = stored_memories.by_id(tx, [row.item_id for row in rows if row.kind == Kind.MEMORY])
    texts = {key: each.turn.searchable for key, each in said.items()}
    texts |= {key: memory.searchable for key, memory in kept.items()}
    texts |= _words(tx, [row.item_id for row in rows if row.kind == Kind.SUMMARY])
    texts |= stored_documents.searchable(tx, [row.item_id for row in rows if row.kind == Kind.DOCUMENT])
    return {row.seq: texts[row.item_id] for row in rows}


def _words(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = tx.execute(
        select(sources.c.id, sources.c.text).where(sources.c.scope_id == tx.scope_id, sources.c.id.in_(ids))
    )
    return {row.id: row.text for row in rows} if ids else {}


def _same(*pairs: tuple[ColumnElement[object], ColumnElement[object]]) -> ColumnElement[bool]:
    return and_(*(left == right for left, right in pairs))


# Built once: every recall runs one of these.
_WANTED = and_(passages.c.scope_id == bindparam("scope"), passages.c.seq.in_(bindparam("seqs", expanding=True)))

_OF_ITEMS = and_(passages.c.scope_id == bindparam("scope"), passages.c.item_id.in_(bindparam("items", expanding=True)))

# Who spoke in which session stands beside what recall searches, so the turn itself is not read.
_TURN_ROWS = (
    select(passages.c.seq, passages.c.item_id, passages.c.role, passages.c.speaker, passages.c.session)
    .add_columns(sources.c.text, sources.c.ref, sources.c.at, sources.c.flags)
    .join(sources, _same((sources.c.scope_id, passages.c.scope_id), (sources.c.id, passages.c.item_id)))
)

_OF_MEMORY = _same((memories.c.scope_id, passages.c.scope_id), (memories.c.id, passages.c.item_id))
_WEIGHTS = (
    select(passages.c.seq, memories.c.id, memories.c.importance, memories.c.metadata)
    .join(memories, _OF_MEMORY)
    .where(_WANTED)
)

_MEMORY_ROWS = (
    select(passages.c.seq, memories.c.updated_at.label("at"), memories.c.id, memories.c.content, memories.c.source_id)
    .add_columns(memories.c.quote_start, memories.c.quote_end, sources.c.text, sources.c.ref, sources.c.flags)
    .add_columns(memories.c.metadata)
    .join(memories, _OF_MEMORY)
    .join(sources, _same((sources.c.scope_id, memories.c.scope_id), (sources.c.id, memories.c.source_id)))
)

# A summary is evidence of its own; its source's `ref` is the session that it sums up.
_SUMMARIES = (
    select(passages.c.seq, passages.c.at, sources.c.id, sources.c.text, sources.c.ref)
    .join(sources, _same((sources.c.scope_id, passages.c.scope_id), (sources.c.id, passages.c.item_id)))
    .where(_WANTED)
)

# Of a document that may be long, only the piece is read.
_DOCUMENTS = (
    select(passages.c.seq, passages.c.at, chunks.c.id, chunks.c.source_id, chunks.c.start, chunks.c.end, sources.c.ref)
    .add_columns(func.substr(sources.c.text, chunks.c.start + 1, chunks.c.end - chunks.c.start).label("text"))
    .add_columns(sources.c.flags)
    .join(chunks, _same((chunks.c.scope_id, passages.c.scope_id), (chunks.c.id, passages.c.item_id)))
    .join(sources, _same((sources.c.scope_id, chunks.c.scope_id), (sources.c.id, chunks.c.source_id)))
    .where(_WANTED)
)


def _to_turn(row: Any) -> HitRow:
    # In one go: of these a context loads scores, and asking a row for each by name takes as long as reading it.
    _, key, role, speaker, session, text, ref, at, flags = row
    evidence = Evidence(
        id=key,
        quote=text,
        start=0,
        end=len(text),
        ref=ref,
        session=session,
        speaker=speaker,
        role=role,
        flags=tuple(flags) if flags else (),
    )
    return HitRow(key, Kind.TURN, text, at, evidence)


def _to_memory(row: Row[tuple[object, ...]]) -> HitRow:
    start, end = row.quote_start, row.quote_end
    evidence = Evidence(
        id=SourceId(row.source_id),
        quote=row.text[start:end],
        start=start,
        end=end,
        ref=row.ref,
        flags=tuple(row.flags or ()),
    )
    return HitRow(
        id=row.id,
        kind=Kind.MEMORY,
        text=row.content,
        at=row.at,
        source=evidence,
        hints=(*row.metadata.get(HINTS, "").splitlines(), *replacements.names(row.metadata)),
        doubts=tuple(replacements.doubts(row.metadata)),
    )


def _to_summary(row: Row[tuple[object, ...]]) -> HitRow:
    evidence = Evidence(id=SourceId(row.id), quote=row.text, start=0, end=len(row.text), session=row.ref)
    return HitRow(id=row.id, kind=Kind.SUMMARY, text=row.text, at=row.at, source=evidence)


def _to_document(row: Row[tuple[object, ...]]) -> HitRow:
    evidence = Evidence(
        id=SourceId(row.source_id),
        quote=row.text,
        start=row.start,
        end=row.end,
        ref=row.ref,
        flags=tuple(row.flags or ()),
    )
    return HitRow(id=row.id, kind=Kind.DOCUMENT, text=row.text, at=row.at, source=evidence)


Loader = tuple[Select[tuple[object, ...]], Callable[[Row[tuple[object, ...]]], HitRow]]
_LOADERS: dict[Kind, Loader] = {
    Kind.TURN: (_TURN_ROWS.where(_WANTED), _to_turn),
    Kind.MEMORY: (_MEMORY_ROWS.where(_WANTED), _to_memory),
    Kind.SUMMARY: (_SUMMARIES, _to_summary),
    Kind.DOCUMENT: (_DOCUMENTS, _to_document),
}
_ITEM_LOADERS: tuple[Loader, ...] = (
    (_TURN_ROWS.where(_OF_ITEMS), _to_turn),
    (_MEMORY_ROWS.where(_OF_ITEMS), _to_memory),
)
