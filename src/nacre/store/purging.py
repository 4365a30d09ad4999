"""Rows removed for good. Everything else in the store only ends."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Table, delete, exists, select, update

from nacre.store import schema
from nacre.store.databases import Transaction
from nacre.store.schema import (
    feedback,
    jobs,
    links,
    memories,
    memory_sources,
    mentions,
    passages,
    recall_ledger,
    sources,
    turns,
    working,
)

# What hangs from other rows goes before them. Removing links writes their history, so that goes after them.
_IN_ORDER = sorted(
    reversed(schema.metadata.sorted_tables), key=lambda table: (table is schema.scopes, table is schema.link_history)
)


def memories_by_id(tx: Transaction, ids: Sequence[UUID]) -> int:
    """Remove entries, their passages, and the sources that nothing else rests on."""
    rests_on = select(memory_sources.c.source_id).where(
        memory_sources.c.scope_id == tx.scope_id, memory_sources.c.memory_id.in_(ids)
    )
    sources_of = list(tx.execute(rests_on).scalars())
    _remove(tx, recall_ledger, recall_ledger.c.item_id.in_(ids))
    _remove(tx, passages, passages.c.item_id.in_(ids))
    _remove_jobs(tx, {str(each) for each in ids})
    removed = _remove(tx, memories, memories.c.id.in_(ids))
    _remove_unused_sources(tx, sources_of)
    return removed


def turns_before(tx: Transaction, moment: datetime) -> int:
    """Remove what was said before a moment, unless a memory rests on it."""
    kept = exists().where(memory_sources.c.scope_id == tx.scope_id, memory_sources.c.source_id == turns.c.id)
    old = (
        select(turns.c.id)
        .join(sources, (sources.c.scope_id == turns.c.scope_id) & (sources.c.id == turns.c.id))
        .where(turns.c.scope_id == tx.scope_id, sources.c.at < moment, ~kept)
    )
    ids = list(tx.execute(old).scalars())
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        _remove(tx, recall_ledger, recall_ledger.c.item_id.in_(some))
        _remove(tx, passages, passages.c.item_id.in_(some))
        _detach(tx, some)
        _remove(tx, turns, turns.c.id.in_(some))
        _remove(tx, sources, sources.c.id.in_(some))
    return len(ids)


def working_before(tx: Transaction, moment: datetime) -> int:
    """Remove scratch entries stored before a moment."""
    return _remove(tx, working, working.c.stored_at < moment)


def feedback_before(tx: Transaction, moment: datetime) -> int:
    """Remove signals given before a moment."""
    return _remove(tx, feedback, feedback.c.at < moment)


def everything(tx: Transaction) -> dict[str, int]:
    """Remove every row of the scope, its own row last; returns how many each table held."""
    return {table.name: _remove(tx, table) for table in _IN_ORDER}


def _detach(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Let the graph no longer point at sources that are about to go."""
    _remove(tx, mentions, mentions.c.source_id.in_(ids))
    loose = {"source_id": None, "quote_start": None, "quote_end": None}
    tx.execute(update(links).where(links.c.scope_id == tx.scope_id, links.c.source_id.in_(ids)).values(loose))


def _remove(tx: Transaction, table: Table, *conditions: ColumnElement[bool]) -> int:
    return tx.execute(delete(table).where(table.c.scope_id == tx.scope_id, *conditions)).rowcount


def _remove_jobs(tx: Transaction, ids: set[str]) -> None:
    """Remove the jobs about items: the reason of a failed one may quote them."""
    rows = tx.execute(select(jobs.c.id, jobs.c.payload).where(jobs.c.scope_id == tx.scope_id))
    _remove(tx, jobs, jobs.c.id.in_([row.id for row in rows if not ids.isdisjoint(map(str, row.payload.values()))]))


def _remove_unused_sources(tx: Transaction, ids: Sequence[UUID]) -> None:
    _detach(tx, ids)
    used = [
        exists().where(table.c.scope_id == tx.scope_id, column == sources.c.id)
        for table, column in ((memory_sources, memory_sources.c.source_id), (turns, turns.c.id))
    ]
    _remove(tx, sources, sources.c.id.in_(ids), *(~each for each in used))
