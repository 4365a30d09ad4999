"""Integrity checks: rows that point nowhere, and derived rows that are missing, left over or wrong.

A fault is a condition on the rows of one table. Faults are counted over every scope, some scopes at a time, and found
scope by scope when they are put right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    ForeignKeyConstraint,
    FromClause,
    Row,
    Table,
    and_,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)

from nacre.domain.claims import ClaimStatus
from nacre.domain.hits import Kind
from nacre.domain.jobs import READ_TURNS, JobStatus
from nacre.domain.memories import Status
from nacre.domain.scopes import Scope
from nacre.store.base import scopes as stored_scopes
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.tables.columns import Instant
from nacre.store.tables.schema import (
    aspects,
    attributes,
    audit,
    chunks,
    documents,
    entities,
    jobs,
    links,
    memories,
    mentions,
    metadata,
    passages,
    scopes,
    sources,
    summaries,
    turns,
    vectors,
    working,
)

PORTION = 500
# A job that is not due for longer was put off.
SOON = timedelta(minutes=5)
_ACTIVE = Status.ACTIVE.value
_IN_FORCE = passages.c.ended_at.is_(None)

Counts = Mapping[UUID, int]
Passage = Row[tuple[Any, ...]]
Condition = ColumnElement[bool]


@dataclass(frozen=True, slots=True)
class Fault:
    """The rows of a table that are not as they should be."""

    table: Table
    condition: Condition


@dataclass(frozen=True, slots=True)
class ScopePortion:
    """Some scopes that follow each other by id: those after one, up to another where there are more."""

    after: UUID | None
    until: UUID | None
    scopes: Sequence[Scope]


def portion(tx: AllScopes, after: UUID | None) -> ScopePortion:
    """The next scopes after one, or the first."""
    query = select(scopes.c.scope_id, *stored_scopes.NAMES).order_by(scopes.c.scope_id).limit(PORTION)
    later = query if after is None else query.where(scopes.c.scope_id > after)
    # An examination is of the whole brain; nobody is shown what is in it.
    rows = tx.execute(later.execution_options(all_scopes=True)).all()
    last = rows[-1].scope_id if len(rows) == PORTION else None
    return ScopePortion(after, last, [stored_scopes.named(row) for row in rows])


def count(tx: AllScopes, fault: Fault, within: ScopePortion) -> Counts:
    """How many rows of each scope have a fault; scopes without any are left out."""
    owner = fault.table.c.scope_id
    query = select(owner, func.count().label("held")).where(fault.condition).group_by(owner)
    if within.after is not None:
        query = query.where(owner > within.after)
    if within.until is not None:
        query = query.where(owner <= within.until)
    return {row.scope_id: row.held for row in tx.execute(query.execution_options(all_scopes=True))}


def keys(tx: Transaction, fault: Fault, limit: int) -> list[UUID]:
    """The ids of the scope's rows that have a fault."""
    mine = (fault.table.c.scope_id == tx.scope_id, fault.condition)
    return list(tx.execute(select(fault.table.c.id).where(*mine).order_by(fault.table.c.id).limit(limit)).scalars())


def remove(tx: Transaction, fault: Fault) -> int:
    """Remove the scope's rows that have a fault."""
    return tx.execute(delete(fault.table).where(fault.table.c.scope_id == tx.scope_id, fault.condition)).rowcount


def _there(
    table: FromClause, owner: Table, key: ColumnElement[Any], *conditions: Condition, by: str = "id"
) -> Condition:
    """Whether the row that `key` of `owner` names is in `table`."""
    return exists(
        select(literal(1)).where(table.c.scope_id == owner.c.scope_id, table.c[by] == key, *conditions)
    ).correlate(owner)


def _stands(owner: Table, column: str) -> Condition:
    return _there(entities, owner, owner.c[column], entities.c.status == _ACTIVE)


def _recallable(owner: Table, *conditions: Condition) -> Condition:
    return _there(passages, owner, owner.c.id, *conditions, by="item_id")


# Links in force that lead from or to an entity that is archived or gone.
DANGLING = Fault(
    links,
    and_(
        links.c.status == _ACTIVE,
        or_(
            ~_stands(links, "source_entity"),
            and_(links.c.target_entity.is_not(None), ~_stands(links, "target_entity")),
        ),
    ),
)
# Claims in force of an entity or an aspect that is archived or gone.
UNFOUNDED = Fault(
    attributes,
    and_(
        attributes.c.status == ClaimStatus.ACTIVE.value,
        or_(
            ~_stands(attributes, "entity_id"),
            ~_there(aspects, attributes, attributes.c.aspect_id, aspects.c.status == _ACTIVE),
        ),
    ),
)
# A piece of a document as it is now; one of blanks alone has nothing to be found by.
_BLANKS = " \t\n\v\f\r\u00a0"
_CURRENT = _there(
    documents,
    chunks,
    chunks.c.document_id,
    documents.c.status == _ACTIVE,
    documents.c.source_id == chunks.c.source_id,
)
_WORDS = func.trim(func.substr(sources.c.text, chunks.c.start + 1, chunks.c.end - chunks.c.start), _BLANKS)
_TELLING = _there(sources, chunks, chunks.c.source_id, _WORDS != "")
# What should be found by recall and is not. A turn that was forgotten still has the passage that ended.
UNHEARD: Mapping[Kind, Fault] = {
    Kind.TURN: Fault(turns, ~_recallable(turns)),
    Kind.MEMORY: Fault(memories, and_(memories.c.status == _ACTIVE, ~_recallable(memories, _IN_FORCE))),
    Kind.SUMMARY: Fault(summaries, ~_recallable(summaries, _IN_FORCE)),
    Kind.DOCUMENT: Fault(chunks, and_(_CURRENT, _TELLING, ~_recallable(chunks, _IN_FORCE))),
}


def _without(items: Mapping[Kind, Condition]) -> Fault:
    """Passages in force whose item does not meet the condition of its kind."""
    return Fault(
        passages, and_(_IN_FORCE, or_(*(and_(passages.c.kind == kind.value, ~held) for kind, held in items.items())))
    )


_ITEM = passages.c.item_id
# What recall finds though it is gone, or out of force; and what of it is gone altogether.
LEFT_OVER = _without(
    {
        Kind.TURN: _there(turns, passages, _ITEM),
        Kind.DOCUMENT: _there(chunks, passages, _ITEM, _CURRENT),
        Kind.MEMORY: _there(memories, passages, _ITEM, memories.c.status == _ACTIVE),
        Kind.SUMMARY: _there(summaries, passages, _ITEM),
    }
)
GONE = _without(
    {
        Kind.TURN: _there(turns, passages, _ITEM),
        Kind.DOCUMENT: _there(chunks, passages, _ITEM),
        Kind.MEMORY: _there(memories, passages, _ITEM),
        Kind.SUMMARY: _there(sources, passages, _ITEM),
    }
)
_MENTIONED = (
    select(func.count())
    .where(mentions.c.scope_id == entities.c.scope_id, mentions.c.entity_id == entities.c.id)
    .correlate(entities)
    .scalar_subquery()
)
# Merges add counts up, and two entities may have been named in one place; so only fewer than known are wrong.
MISCOUNTED = Fault(entities, entities.c.mentions < _MENTIONED)
# Operations that were taken back by one that is not in the log.
UNDONE_BY_NOBODY = Fault(
    audit, and_(audit.c.undone_by.is_not(None), ~_there(audit.alias("undo"), audit, audit.c.undone_by))
)
_LAST_SEQ, _LAST_REVISION = (
    select(func.max(column)).where(passages.c.scope_id == scopes.c.scope_id).correlate(scopes).scalar_subquery()
    for column in (passages.c.seq, passages.c.revision)
)
# Scopes whose next passage would take a number that is taken, or whose indexes would miss passages.
BEHIND = Fault(
    scopes,
    or_(
        scopes.c.next_seq <= _LAST_SEQ,
        scopes.c.revision < _LAST_REVISION,
        scopes.c.revision < scopes.c.purged_revision,
    ),
)
DEAD = Fault(jobs, jobs.c.status == JobStatus.DEAD.value)


def unasked(now: datetime) -> Fault:
    """Jobs that wait for a language model because it failed, or because its budget is spent."""
    late = or_(jobs.c.attempts > 0, jobs.c.run_at > literal(now + SOON, Instant))
    return Fault(jobs, and_(jobs.c.kind == READ_TURNS, jobs.c.status == JobStatus.WAITING.value, late))


def stuck(now: datetime) -> Fault:
    """Jobs whose worker died with them, and that no other has taken over."""
    over = or_(jobs.c.leased_until.is_(None), jobs.c.leased_until <= literal(now, Instant))
    return Fault(jobs, and_(jobs.c.status == JobStatus.RUNNING.value, over))


def expired(before: datetime) -> Fault:
    """Working memory that should have been swept away by now."""
    return Fault(working, working.c.expires_at <= literal(before, Instant))


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key; rows that break it go with what they hung from, or stand for themselves."""

    name: str
    fault: Fault
    goes_along: bool


@cache
def references() -> tuple[Reference, ...]:
    """Every foreign key of the schema."""
    return tuple(
        _reference(table, constraint)
        for table in metadata.sorted_tables
        for constraint in sorted(table.foreign_key_constraints, key=lambda each: list(each.column_keys))
    )


def _reference(table: Table, constraint: ForeignKeyConstraint) -> Reference:
    parent = constraint.referred_table
    pairs = [(element.parent, element.column) for element in constraint.elements]
    there = exists(select(literal(1)).where(*(theirs == ours for ours, theirs in pairs))).correlate(table)
    given = [ours.is_not(None) for ours, _ in pairs if ours.nullable]
    name = f"{table.name}.{constraint.column_keys[-1]} to {parent.name}"
    return Reference(name, Fault(table, and_(*given, ~there)), constraint.ondelete == "CASCADE")


def left_over(tx: Transaction) -> list[UUID]:
    """The items of the scope's passages that recall should not find."""
    mine = (passages.c.scope_id == tx.scope_id, LEFT_OVER.condition)
    return list(tx.execute(select(passages.c.item_id).where(*mine)).scalars())


def requeue(tx: Transaction, now: datetime) -> int:
    """Let stuck jobs wait for another attempt."""
    fault = stuck(now)
    mine = update(jobs).where(jobs.c.scope_id == tx.scope_id, fault.condition)
    return tx.execute(mine.values(status=JobStatus.WAITING.value, run_at=now, leased_until=None)).rowcount


def catch_up(tx: Transaction) -> None:
    """Put a scope's counters past all that it holds, and have its indexes loaded anew."""
    last = select(func.max(passages.c.seq).label("seq"), func.max(passages.c.revision).label("revision"))
    row = tx.execute(last.where(passages.c.scope_id == tx.scope_id)).one()
    held = tx.execute(
        select(scopes.c.next_seq, scopes.c.revision, scopes.c.purged_revision).where(scopes.c.scope_id == tx.scope_id)
    ).one()
    values = {
        "next_seq": max(held.next_seq, (row.seq or 0) + 1),
        "revision": max(held.revision, held.purged_revision, row.revision or 0),
    }
    tx.execute(update(scopes).where(scopes.c.scope_id == tx.scope_id).values(values))
    stored_scopes.purged(tx)


@dataclass(frozen=True, slots=True)
class Size:
    """How many vectors of a space have how many bytes in a scope."""

    scope_id: UUID
    space: str
    size: int
    count: int


def vector_sizes(tx: AllScopes) -> list[Size]:
    """The sizes of all vectors."""
    size = func.length(vectors.c.data)
    grouped = select(vectors.c.scope_id, vectors.c.embedder, size.label("size"), func.count().label("held"))
    rows = tx.execute(grouped.group_by(vectors.c.scope_id, vectors.c.embedder, size).execution_options(all_scopes=True))
    return [Size(row.scope_id, row.embedder, row.size, row.held) for row in rows]


def remove_vectors(tx: Transaction, space: str, size: int) -> int:
    """Remove the scope's vectors of a space that have another size."""
    odd = (vectors.c.embedder == space, func.length(vectors.c.data) != size)
    return tx.execute(delete(vectors).where(vectors.c.scope_id == tx.scope_id, *odd)).rowcount


def without_vector(tx: AllScopes, space: str, within: ScopePortion) -> Counts:
    """How many passages in force of each scope have no vector of a space."""
    has = exists(
        select(literal(1)).where(
            vectors.c.scope_id == passages.c.scope_id, vectors.c.embedder == space, vectors.c.seq == passages.c.seq
        )
    ).correlate(passages)
    return count(tx, Fault(passages, and_(_IN_FORCE, ~has)), within)


def page(tx: Transaction, after: int, limit: int) -> Sequence[Passage]:
    """The next passages in force whose item is there, by sequence number."""
    mine = (passages.c.scope_id == tx.scope_id, passages.c.seq > after, _IN_FORCE, ~LEFT_OVER.condition)
    return tx.execute(select(passages).where(*mine).order_by(passages.c.seq).limit(limit)).all()
