"""Rows removed for good. Everything else in the store only ends."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Table, delete, select

from nacre.domain.sharing import own_scope
from nacre.store.base.databases import Transaction
from nacre.store.evidence import documents as stored_documents
from nacre.store.evidence import evidence_references, statement_keys
from nacre.store.evidence import summaries as stored_summaries
from nacre.store.evidence.documents import DocumentRows
from nacre.store.maintenance import derivations
from nacre.store.maintenance.derivations import RemovedCounts
from nacre.store.tables import schema
from nacre.store.tables.access_tables import SERVER, SPENT
from nacre.store.tables.schema import (
    alerts,
    chunks,
    documents,
    dreams,
    feedback,
    gates,
    jobs,
    likely_successors,
    memories,
    memory_sources,
    observations,
    offers,
    outdated,
    passages,
    recall_ledger,
    replies,
    sources,
    tasks,
    turns,
    watches,
    working,
)

_NAMED = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# What hangs from other rows goes before them. Removing links writes their history, so that goes after them.
_LEAVES_FIRST = list(reversed(schema.metadata.sorted_tables))
_IN_ORDER = sorted(_LEAVES_FIRST, key=lambda table: (table is schema.scopes, table is schema.link_history))


@dataclass(frozen=True, slots=True)
class PurgeSelection:
    """Entries, turns and documents that are to go, and the sources that go with them: all that nothing else rests on.

    Among `chunks` may be pieces of what a document that stays was before.
    """

    memories: Sequence[UUID] = ()
    turns: Sequence[UUID] = ()
    sources: Sequence[UUID] = ()
    documents: Sequence[UUID] = ()
    chunks: Sequence[UUID] = ()
    # What was set by hand before it goes as well.
    before: datetime | None = None


def condemn(tx: Transaction, entries: Sequence[UUID], moment: datetime | None = None) -> PurgeSelection:
    """What goes when entries go, and with `moment` all that was said before it, unless a kept memory rests on it."""
    rests_on: set[UUID] = set()
    for some in evidence_references.portions(entries):
        mine = (memory_sources.c.scope_id == tx.scope_id, memory_sources.c.memory_id.in_(some))
        rests_on |= set(tx.execute(select(memory_sources.c.source_id).where(*mine)).scalars())
    said = set() if moment is None else _said_before(tx, moment)
    shared = _resting_on(tx, rests_on | said, entries)
    spoken = set() if moment is None else said - shared
    notes = rests_on - shared - _turns_among(tx, rests_on)
    filed = (
        DocumentRows() if moment is None else stored_documents.rows_of(tx, stored_documents.before(tx, moment), moment)
    )
    gone = sorted({*notes, *spoken, *filed.sources})
    return PurgeSelection(list(entries), sorted(spoken), gone, filed.documents, filed.chunks, moment)


def condemn_documents(tx: Transaction, keys: Sequence[UUID]) -> PurgeSelection:
    """What goes when documents go: all that they ever were."""
    rows = stored_documents.rows_of(tx, keys)
    return PurgeSelection(sources=rows.sources, documents=rows.documents, chunks=rows.chunks)


def carry_out(tx: Transaction, condemned: PurgeSelection) -> RemovedCounts:
    """Remove what is condemned and all that rests on it alone, the lines of the log about it included."""
    lost = [*condemned.memories, *condemned.sources, *condemned.chunks, *condemned.documents]
    _remove_replies(tx)
    if condemned.before:
        _remove(tx, tasks, tasks.c.created_at < condemned.before)
    gone = derivations.remove(tx, [*condemned.sources, *condemned.documents], condemned.memories, condemned.before)
    _remove_jobs(tx, set(map(str, lost)))
    _remove_dreams(tx, set(map(str, lost)))
    stored_summaries.purge(tx, condemned.turns)
    statement_keys.remove(tx, lost)
    for table, column in ((recall_ledger, recall_ledger.c.item_id), (passages, passages.c.item_id)):
        _remove_each(tx, table, column, lost)
    _remove_each(tx, offers, offers.c.item_id, lost)
    for table in (outdated, likely_successors):
        for column in (table.c.item_id, table.c.newer_id):
            _remove_each(tx, table, column, lost)
    _remove_each(tx, memories, memories.c.id, condemned.memories)
    _remove_each(tx, turns, turns.c.id, condemned.turns)
    _remove_each(tx, chunks, chunks.c.id, condemned.chunks)
    _remove_each(tx, documents, documents.c.id, condemned.documents)
    _remove_each(tx, sources, sources.c.id, condemned.sources)
    return gone


def copies(tx: Transaction, ids: Sequence[UUID]) -> RemovedCounts:
    """Remove copies of sources that another scope holds, and all that rests on them alone."""
    kept = evidence_references.in_use(tx, ids)
    lost = [each for each in ids if each not in kept]
    _remove_replies(tx)
    gone = derivations.remove(tx, lost, ())
    _remove_each(tx, offers, offers.c.item_id, lost)
    _remove_each(tx, sources, sources.c.id, lost)
    return gone


def working_before(tx: Transaction, moment: datetime) -> int:
    """Remove scratch entries stored before a moment."""
    return _remove(tx, working, working.c.stored_at < moment)


def feedback_before(tx: Transaction, moment: datetime) -> int:
    """Remove signals given before a moment."""
    return _remove(tx, feedback, feedback.c.at < moment)


def watches_before(tx: Transaction, moment: datetime) -> int:
    """Remove what was asked to be watched before a moment."""
    return _remove(tx, watches, watches.c.created_at < moment)


def world_before(tx: Transaction, moment: datetime) -> None:
    """Remove readings and alerts from before a moment."""
    _remove(tx, observations, observations.c.at < moment)
    _remove(tx, alerts, alerts.c.at < moment)


def everything(tx: Transaction) -> dict[str, int]:
    """Remove every row of the scope, its own row last; returns how many each table held."""
    _remove_replies(tx)
    return {table.name: _remove(tx, table) for table in _IN_ORDER}


def _said_before(tx: Transaction, moment: datetime) -> set[UUID]:
    beside = (sources.c.scope_id == turns.c.scope_id) & (sources.c.id == turns.c.id)
    old = select(turns.c.id).join(sources, beside).where(turns.c.scope_id == tx.scope_id, sources.c.at < moment)
    return set(tx.execute(old).scalars())


def _resting_on(tx: Transaction, ids: Collection[UUID], but: Collection[UUID]) -> set[UUID]:
    """Those of some sources that other entries rest on, too."""
    leaving, found = set(but), set()
    for some in evidence_references.portions(ids):
        mine = (memory_sources.c.scope_id == tx.scope_id, memory_sources.c.source_id.in_(some))
        for row in tx.execute(select(memory_sources.c.source_id, memory_sources.c.memory_id).where(*mine)):
            if row.memory_id not in leaving:
                found.add(row.source_id)
    return found


def _turns_among(tx: Transaction, ids: Collection[UUID]) -> set[UUID]:
    item_ids: set[UUID] = set()
    for some in evidence_references.portions(ids):
        mine = (turns.c.scope_id == tx.scope_id, turns.c.id.in_(some))
        item_ids |= set(tx.execute(select(turns.c.id).where(*mine)).scalars())
    return item_ids


def _remove_dreams(tx: Transaction, ids: set[str]) -> None:
    """Remove the reports and marks of nights that looked at items: a report quotes them."""
    nights = tx.execute(select(dreams.c.id, dreams.c.report).where(dreams.c.scope_id == tx.scope_id))
    told = [row.id for row in nights if not ids.isdisjoint(_NAMED.findall(json.dumps(row.report)))]
    _remove_each(tx, dreams, dreams.c.id, told)
    marks = tx.execute(select(gates.c["pass"]).where(gates.c.scope_id == tx.scope_id)).scalars()
    looked = [mark for mark in marks if not ids.isdisjoint(_NAMED.findall(mark))]
    for mark in looked:
        _remove(tx, gates, gates.c["pass"] == mark)


def _remove_jobs(tx: Transaction, ids: set[str]) -> None:
    """Remove the jobs about items: the reason of a failed one may quote them."""
    rows = tx.execute(select(jobs.c.id, jobs.c.payload).where(jobs.c.scope_id == tx.scope_id))
    _remove(tx, jobs, jobs.c.id.in_([row.id for row in rows if not ids.isdisjoint(map(str, row.payload.values()))]))


def _remove_replies(tx: Transaction) -> None:
    """Remove what was answered about the scope under idempotency keys.

    What belongs to an agent or a team may have been quoted to anyone; keys are cheap, so all of them go then.
    """
    shared = tx.scope.team or tx.scope == own_scope(tx.scope.agent)
    about = replies.c.call != SPENT if shared else replies.c.about == tx.scope_id
    tx.execute(delete(replies).where(replies.c.scope_id == SERVER, about))


def _remove(tx: Transaction, table: Table, *conditions: ColumnElement[bool]) -> int:
    return tx.execute(delete(table).where(table.c.scope_id == tx.scope_id, *conditions)).rowcount


def _remove_each(tx: Transaction, table: Table, column: ColumnElement[UUID], ids: Collection[UUID]) -> None:
    for some in evidence_references.portions(ids):
        _remove(tx, table, column.in_(some))
