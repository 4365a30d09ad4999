"""One log over memories, graph and ontology, wherever a scope keeps them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from heapq import merge
from itertools import islice
from uuid import UUID

from nacre.domain.audits import AuditRecord, Inspection, JournalEntry, RowChange
from nacre.domain.errors import Conflict, NotFound
from nacre.domain.hits import Kind
from nacre.domain.memories import Status
from nacre.domain.operation_results import OperationResult
from nacre.domain.scopes import Scope
from nacre.graph.operations import path
from nacre.memory import changing, duplicates
from nacre.models.embedders import Embedder
from nacre.store.base import audits, sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories, passages
from nacre.store.tables import schema as tables


def newest(tx: Transaction, limit: int, before: UUID | None) -> list[AuditRecord]:
    """The operations of the transaction's scope, the last first; those before one of them, where that is given."""
    places = _places(tx)
    known = [(place, record) for place in places for record in _records(place, before)]
    if before is not None and not known:
        raise NotFound("operation", str(before))
    pages = [_page(place, limit, known) for place in places]
    return list(islice(merge(*pages, key=lambda record: (record.at, record.seq), reverse=True), limit))


def inspect(tx: Transaction, key: UUID) -> Inspection:
    """What an operation or a batch changed, and what would have to be taken back before it."""
    inspections: list[Inspection] = []
    for place in _places(tx):
        if records := audits.by_id(place, key):
            done = audits.changes(place, [record.id for record in records])
            changes = [change for record in records for change in done[record.id]]
            later = audits.later(place, audits.rows_resting_on(place, changes), records)
            later += [record for record in _repeats(place, records, changes) if record not in later]
            rows = tuple(RowChange(table=each.table, before=each.before, after=each.after) for each in changes)
            inspections.append(Inspection(records=tuple(records), changes=rows, later=tuple(later)))
    if not inspections:
        raise NotFound("operation", str(key))
    return Inspection(
        records=tuple(record for each in inspections for record in each.records),
        changes=tuple(change for each in inspections for change in each.changes),
        later=tuple(record for each in inspections for record in each.later),
    )


def undo(tx: Transaction, key: UUID, actor: str, embedder: Embedder | None) -> OperationResult:
    """Take back an operation or a batch, in every place that the scope keeps something in, or in none.

    What was learned from a memory, or forgotten with it, is taken back with it.
    """
    places, asked = _places(tx), key
    named = [record for place in places for record in _records(place, key)]
    if named and named[0].operation in (changing.REMEMBER, changing.EXPAND_MEMORY, changing.FORGET):
        key = named[0].batch
    held = [place for place in places if any(each.undone_by is None for each in audits.by_id(place, key))]
    if not held:
        raise NotFound("operation that is in force", str(asked))
    done = [undo_in(place, tx.scope, key, actor, embedder) for place in held]
    summary = " ".join(each.outcome.summary for each in done)
    changes = tuple(change for each in done for change in each.changes)
    return replace(done[0], outcome=replace(done[0].outcome, summary=summary), changes=changes)


def undo_in(tx: Transaction, scope: Scope, key: UUID, actor: str, embedder: Embedder | None) -> OperationResult:
    """Take back an operation or a batch in one of the places of a scope."""
    records = [record for record in audits.by_id(tx, key) if record.undone_by is None]
    done = audits.changes(tx, [record.id for record in records])
    repeats = _repeats(tx, records, [change for record in records for change in done[record.id]])
    if repeats:
        named = ", ".join(f"{each.operation} `{each.id}` by {each.actor}" for each in repeats[:5])
        raise Conflict(f"The same was remembered again since; take these back first: {named}.")
    graph = sharing.of(tx).graph_home(scope)
    after = partial(changing.put_right, graph=graph, embedder=embedder)
    return path.undo(tx, key, actor=actor, after=after)


def _repeats(tx: Transaction, records: Sequence[AuditRecord], changes: Sequence[JournalEntry]) -> list[AuditRecord]:
    """The later operations that made an entry with the words of one which would come back."""
    ended = [
        UUID(str(change.before["id"]))
        for change in changes
        if change.table == tables.memories.name and change.before and change.after
    ]
    last = max((record.seq for record in records), default=0)
    found: dict[UUID, AuditRecord] = {}
    for entry in memories.by_id(tx, ended).values() if ended else ():
        if entry.status is Status.ACTIVE or duplicates.stands_apart(entry.category):
            continue
        for twin in passages.in_force(tx, passages.digest(entry.searchable), Kind.MEMORY):
            made = next(iter(audits.touching(tx, tables.memories.name, twin)), None)
            if made and made.seq > last and made.undone_by is None:
                found[made.id] = made
    return list(found.values())


def _places(tx: Transaction) -> list[Transaction]:
    """The graph's home first: what rests on a memory is taken back before the memory is."""
    shared = sharing.of(tx)
    homes = (shared.graph_home(tx.scope), shared.memory_home(tx.scope), tx.scope)
    return [sharing.moved(tx, place) for place in dict.fromkeys(homes)]


def newest_here(tx: Transaction, limit: int, before: int | None) -> list[AuditRecord]:
    """The operations of the transaction's scope alone, the last first."""
    return audits.newest(tx, limit, before)


def _records(tx: Transaction, key: UUID | None) -> list[AuditRecord]:
    return [record for record in audits.by_id(tx, key) if record.id == key] if key else []


def _page(tx: Transaction, limit: int, newest_known: list[tuple[Transaction, AuditRecord]]) -> list[AuditRecord]:
    if not newest_known:
        return audits.newest(tx, limit)
    place, record = newest_known[0]
    if place is tx:
        return audits.newest(tx, limit, record.seq)
    # Places count on their own; between them, time decides.
    return audits.newest(tx, limit, until=(record.at, record.seq))
