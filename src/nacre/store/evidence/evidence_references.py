"""References to evidence: the rows that point at it, and the operations of the log that name it."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import JSON, ColumnElement, Row, Table, Text, and_, cast, select

from nacre.domain.audits import CALLER, AuditRecord
from nacre.domain.ids import SourceId
from nacre.domain.operations import AddAlias, SourceQuote, UpsertEntity
from nacre.store.base import audits
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import (
    aspects,
    assertions,
    attributes,
    audit,
    audit_rows,
    entities,
    links,
    memory_sources,
    mentions,
    proposals,
    tasks,
    turns,
)

TOGETHER = 500
Key = TypeVar("Key", UUID, str)
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class LogMention:
    """An operation of the log that names what was asked for: in what was asked of it, or only in its rows.

    One that is `bare` was asked for something without naming any id.
    """

    id: UUID
    seq: int
    batch: UUID
    asked: bool
    undone: bool
    bare: bool


def portions(ids: Collection[Key]) -> Iterator[list[Key]]:
    """The ids, as many at a time as a statement takes."""
    every = list(ids)
    return (every[start : start + TOGETHER] for start in range(0, len(every), TOGETHER))


def lines(tx: Transaction, ids: Collection[UUID]) -> list[LogMention]:
    """The operations whose payload, grounds or rows name any of `ids`. Reads the whole log."""
    wanted = set(map(str, ids))
    columns = (*_PLACE, audit.c.payload, audit.c.grounds, audit.c.changes)
    found = []
    for row in tx.execute(_as_text(tx, audit, *columns)):
        named = _ids(row[4:6])
        asked = not wanted.isdisjoint(named)
        if asked or not wanted.isdisjoint(_ids(row[6:])):
            found.append(LogMention(row.id, row.seq, row.batch_id, asked, row.undone_by is not None, not named))
    return found


_PLACE = (audit.c.seq, audit.c.batch_id, audit.c.undone_by)


def proposals_naming(tx: Transaction, ids: Collection[UUID]) -> list[UUID]:
    """The proposals that name any of `ids`."""
    wanted = set(map(str, ids))
    columns = (proposals.c.payload, proposals.c.evidence, proposals.c.result, proposals.c.source_id)
    return [row.id for row in tx.execute(_as_text(tx, proposals, *columns)) if not wanted.isdisjoint(_ids(row[1:]))]


def _as_text(tx: Transaction, table: Table, *columns: ColumnElement[Any]) -> Any:
    read = [cast(each, Text) if isinstance(each.type, JSON) else each for each in columns]
    return select(table.c.id, *read).where(table.c.scope_id == tx.scope_id)


def _ids(texts: Iterable[str | None]) -> set[str]:
    return {found for text in texts if text for found in _ID.findall(text)}


def unfounded(tx: Transaction, batches: Collection[UUID]) -> list[LogMention]:
    """The operations of batches that made entities and names, and give no evidence: they rest on what the rest did."""
    made = audit.c.operation.in_([UpsertEntity.operation, AddAlias.operation])
    found = []
    for some in portions(batches):
        rows = tx.execute(select(audit).where(audit.c.scope_id == tx.scope_id, audit.c.batch_id.in_(some), made))
        bare = [row for row in rows if not row.payload.get("evidence")]
        found += [LogMention(row.id, row.seq, row.batch_id, True, row.undone_by is not None, True) for row in bare]
    return found


def pointing(
    tx: Transaction, table: Table, sources: Collection[UUID], memories: Collection[UUID] = ()
) -> dict[UUID, Row[Any]]:
    """The rows of a table that rest on sources, or on memories and on no source at all."""
    rows_by_id: dict[UUID, Row[Any]] = {}
    for some in portions(sources):
        rows_by_id |= {row.id: row for row in _rows(tx, table, table.c.source_id.in_(some))}
    for some in portions(memories) if "memory_id" in table.c else ():
        alone = and_(table.c.memory_id.in_(some), table.c.source_id.is_(None))
        rows_by_id |= {row.id: row for row in _rows(tx, table, alone)}
    return rows_by_id


def stated_before(tx: Transaction, table: Table, moment: datetime) -> dict[UUID, Row[Any]]:
    """The rows of a table that somebody set before a moment and that rest on nothing else."""
    bare = [table.c[name].is_(None) for name in ("source_id", "memory_id") if name in table.c]
    return {row.id: row for row in _rows(tx, table, table.c.created_at < moment, *bare)}


def made_before(tx: Transaction, moment: datetime) -> set[UUID]:
    """The entities that there were before a moment."""
    return {row.id for row in _rows(tx, entities, entities.c.created_at < moment)}


def _rows(tx: Transaction, table: Table, *conditions: ColumnElement[bool]) -> Sequence[Row[Any]]:
    return tx.execute(select(table).where(table.c.scope_id == tx.scope_id, *conditions)).all()


def restated(tx: Transaction, table: Table, ids: Collection[UUID], gone: Collection[UUID]) -> dict[UUID, SourceQuote]:
    """Those of some rows that evidence which is not about to go says as well, and where it does."""
    lost = set(gone)
    quotes_by_id: dict[UUID, SourceQuote] = {}
    for some in portions(ids):
        named = [f"{table.name}/{each}" for each in some]
        touched = (audit_rows.c.scope_id == tx.scope_id, audit_rows.c.row.in_(named))
        beside = and_(audit.c.scope_id == audit_rows.c.scope_id, audit.c.id == audit_rows.c.audit_id)
        for row in tx.execute(
            select(audit_rows.c.row, audit.c.payload)
            .join(audit, beside)
            .where(*touched, audit.c.undone_by.is_(None))
            .order_by(audit.c.seq.desc())
        ):
            evidence = row.payload.get("evidence")
            if isinstance(evidence, dict) and UUID(evidence["source"]) not in lost:
                start, end = evidence["quote"]
                place = SourceQuote(source=SourceId(UUID(evidence["source"])), quote=(start, end))
                quotes_by_id[UUID(row.row.rsplit("/", 1)[1])] = place
    return quotes_by_id


def mentioned_entities(tx: Transaction, sources: Collection[UUID]) -> set[UUID]:
    """The entities that sources speak of."""
    item_ids: set[UUID] = set()
    for some in portions(sources):
        mine = (mentions.c.scope_id == tx.scope_id, mentions.c.source_id.in_(some))
        item_ids |= set(tx.execute(select(mentions.c.entity_id).where(*mine)).scalars())
    return item_ids


def unsupported(
    tx: Transaction,
    candidates: Collection[UUID],
    gone: Collection[UUID],
    *,
    active: bool,
    asked_for: Collection[UUID] = (),
) -> list[UUID]:
    """Those of some entities that nothing else speaks of, that nobody pinned, and that no caller asked for as such.

    With `active`, what is out of force does not keep an entity; nor does it keep those of `asked_for` that somebody
    asked for them.
    """
    left: set[UUID] = set()
    for some in portions(candidates):
        rows = _rows(tx, entities, entities.c.id.in_(some), entities.c.pinned_at.is_(None))
        left |= {row.id for row in rows if not active or row.status == "active"}
    for table, column in _KEEPERS:
        for some in portions(left):
            kept = (table.c.scope_id == tx.scope_id, column.in_(some))
            held = [table.c.status == "active"] if active and "status" in table.c and table is not tasks else []
            left -= set(tx.execute(select(column).where(*kept, *held)).scalars())
    silent = sorted(left - _mentioned_besides(tx, left, gone))
    return [each for each in silent if each in asked_for or _is_found(tx, each, gone)]


_KEEPERS = (
    (links, links.c.source_entity),
    (links, links.c.target_entity),
    (attributes, attributes.c.entity_id),
    (assertions, assertions.c.entity_id),
    (tasks, tasks.c.entity_id),
)


def _mentioned_besides(tx: Transaction, ids: Collection[UUID], gone: Collection[UUID]) -> set[UUID]:
    lost, kept = set(gone), set()
    for some in portions(ids):
        mine = (mentions.c.scope_id == tx.scope_id, mentions.c.entity_id.in_(some))
        for row in tx.execute(select(mentions.c.entity_id, mentions.c.source_id).where(*mine)):
            if row.source_id not in lost:
                kept.add(row.entity_id)
    return kept


def _is_found(tx: Transaction, entity: UUID, gone: Collection[UUID]) -> bool:
    """Whether an entity was found in what was said, and not asked for."""
    touched = audits.touching(tx, entities.name, entity)
    return not touched or touched[0].actor != CALLER or _evidence(touched[0]) in set(gone)


def _evidence(record: AuditRecord) -> UUID | None:
    evidence = record.payload.get("evidence")
    return UUID(str(evidence["source"])) if isinstance(evidence, dict) else None


def empty_aspects(tx: Transaction, ids: Collection[UUID]) -> list[UUID]:
    """The aspects of entities that no claim belongs to."""
    item_ids: list[UUID] = []
    for some in portions(ids):
        held = select(attributes.c.aspect_id).where(attributes.c.scope_id == tx.scope_id)
        mine = (aspects.c.scope_id == tx.scope_id, aspects.c.entity_id.in_(some), aspects.c.id.notin_(held))
        item_ids += tx.execute(select(aspects.c.id).where(*mine)).scalars()
    return item_ids


def in_use(tx: Transaction, ids: Collection[UUID]) -> set[UUID]:
    """Those of some sources that were said as turns, or that a memory rests on."""
    used: set[UUID] = set()
    for some in portions(ids):
        for table, column in ((turns, turns.c.id), (memory_sources, memory_sources.c.source_id)):
            mine = (table.c.scope_id == tx.scope_id, column.in_(some))
            used |= set(tx.execute(select(column).where(*mine)).scalars())
    return used


def ends(rows: Iterable[Row[Any]]) -> set[UUID]:
    """The entities that links, claims and assertions are about."""
    named = ("source_entity", "target_entity", "entity_id")
    return {row._mapping[name] for row in rows for name in named if row._mapping.get(name)}  # noqa: SLF001
