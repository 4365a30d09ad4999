"""Who said what of entities."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, exists, or_, select, update

from nacre.domain.assertions import Assertion, AssertionFilter, AssertionStatus, Stance
from nacre.domain.commands import Quotation
from nacre.domain.ids import AssertionId, ClaimId, EntityId, SourceId
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import assertions


def by_id(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, Assertion]:
    """The assertions stored under `ids`, in force or not."""
    return {each.id: each for each in load(tx, assertions.c.id.in_(ids))}


def of_entities(tx: Transaction, entities: Collection[UUID], *conditions: ColumnElement[bool]) -> list[Assertion]:
    """What was said of entities, whatever became of it."""
    return load(tx, assertions.c.entity_id.in_(entities), *conditions)


def rests_on(tx: Transaction, source: UUID, quote: tuple[int, int]) -> bool:
    """Whether anything that was written down rests on just these words, whatever became of it."""
    words = (assertions.c.source_id == source, assertions.c.quote_start == quote[0], assertions.c.quote_end == quote[1])
    held = tx.execute(select(assertions.c.id).where(assertions.c.scope_id == tx.scope_id, *words).limit(1))
    return held.first() is not None


def listed(tx: Transaction, assertion_filter: AssertionFilter, *, limit: int, offset: int = 0) -> list[Assertion]:
    """The assertions that pass a filter, the last said first."""
    return load(tx, *_wanted(tx, assertion_filter), limit=limit, offset=offset)


def _wanted(tx: Transaction, assertion_filter: AssertionFilter) -> list[ColumnElement[bool]]:
    given = [
        (assertions.c.entity_id, assertion_filter.entity),
        (assertions.c.predicate, assertion_filter.predicate),
        (assertions.c.speaker, assertion_filter.speaker),
        (assertions.c.attribute_id, assertion_filter.claim),
    ]
    conditions = [column == value for column, value in given if value is not None]
    if assertion_filter.as_of is not None:
        conditions.append(assertions.c.asserted_at <= assertion_filter.as_of)
    if assertion_filter.status is AssertionStatus.ACTIVE and assertion_filter.as_of is not None:
        conditions.append(_in_force(tx, assertion_filter.as_of))
    elif assertion_filter.status is not None:
        conditions.append(assertions.c.status == assertion_filter.status.value)
    return conditions


def _in_force(tx: Transaction, moment: datetime) -> ColumnElement[bool]:
    """Neither archived by then, nor in the place of which something had been said by then."""
    later = assertions.alias()
    replaced = exists().where(
        later.c.scope_id == tx.scope_id, later.c.supersedes_id == assertions.c.id, later.c.asserted_at <= moment
    )
    return and_(or_(assertions.c.archived_at.is_(None), assertions.c.archived_at > moment), ~replaced)


def forget_sources(tx: Transaction, ids: Collection[UUID]) -> None:
    """Let assertions no longer rest on sources, nor quote them: they are about to go."""
    gone = {str(each) for each in ids}
    mine = assertions.c.scope_id == tx.scope_id
    for row in tx.execute(select(assertions.c.id, assertions.c.evidence).where(mine)):
        kept = [entry for entry in row.evidence if entry["source"] not in gone]
        if kept != row.evidence:
            tx.execute(update(assertions).where(mine, assertions.c.id == row.id).values(evidence=kept))
    loose = {"source_id": None, "quote_start": None, "quote_end": None}
    tx.execute(update(assertions).where(mine, assertions.c.source_id.in_(ids)).values(loose))


def load(
    tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None, offset: int | None = None
) -> list[Assertion]:
    """The scope's assertions that pass, the last said first."""
    rows = tx.execute(
        select(assertions)
        .where(assertions.c.scope_id == tx.scope_id, *conditions)
        .order_by(assertions.c.asserted_at.desc(), assertions.c.id.desc())
        .limit(limit)
        .offset(offset)
    )
    return [to_assertion(row) for row in rows]


def to_assertion(row: Row[tuple[object, ...]]) -> Assertion:
    """A row as an assertion."""
    return Assertion(
        id=AssertionId(row.id),
        entity=EntityId(row.entity_id),
        predicate=Stance(row.predicate),
        content=row.content,
        speaker=row.speaker,
        asserted_at=row.asserted_at,
        confidence=row.confidence,
        evidence=tuple(_to_evidence(entry) for entry in row.evidence),
        source=None if row.source_id is None else SourceId(row.source_id),
        quote=None if row.quote_start is None else (row.quote_start, row.quote_end),
        claim=None if row.attribute_id is None else ClaimId(row.attribute_id),
        status=AssertionStatus(row.status),
        supersedes=None if row.supersedes_id is None else AssertionId(row.supersedes_id),
        archived_at=row.archived_at,
        archived_by=row.archived_by,
        archive_reason=row.archive_reason,
        created_by=row.created_by,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _to_evidence(entry: dict[str, Any]) -> Quotation:
    return Quotation(quote=entry["quote"], source=UUID(entry["source"]) if entry["source"] else None)
