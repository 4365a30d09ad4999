"""The one path of every change: checked, carried out, written down, and undoable.

A dry run is the same path with another last step: what was done is taken back before anyone sees it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from uuid import UUID

from nacre.domain import ids
from nacre.domain.audits import Record
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.ids import AuditId
from nacre.domain.operations import MergeEntities, Operation
from nacre.domain.plain import Json, plain
from nacre.graph import handlers, merging
from nacre.graph.handlers import Outcome
from nacre.store import audits, candidates, journals, scopes
from nacre.store.databases import Transaction
from nacre.store.journals import Change, Journal

MAX_BATCH = 500
UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What an operation came to; `record` is None for a dry run."""

    outcome: Outcome
    changes: tuple[Change, ...]
    record: Record | None


def apply(tx: Transaction, operations: Sequence[Operation], *, actor: str) -> list[Applied]:
    """Carry out operations in order, all or none, and write each down."""
    if not 1 <= len(operations) <= MAX_BATCH:
        raise Invalid("operations", f"must be from 1 to {MAX_BATCH}, not {len(operations)}")
    scopes.lock(tx)
    revision, batch = scopes.advance(tx).revision, ids.new(tx.now)
    applied = []
    for place, operation in enumerate(operations):
        journal = Journal(tx)
        outcome = handlers.handle(journal, operation, actor)
        record = _record(tx, operation.operation, _payload(operation), actor, seq=_seq(revision, place), batch=batch)
        audits.add(tx, record, journal.changes)
        applied.append(Applied(outcome=outcome, changes=tuple(journal.changes), record=record))
    return applied


def dry_run(tx: Transaction, operations: Sequence[Operation], *, actor: str) -> list[Applied]:
    """What operations would come to. Nothing of it stays."""
    with tx.tried():
        applied = apply(tx, operations, actor=actor)
    return [Applied(outcome=each.outcome, changes=each.changes, record=None) for each in applied]


def undo(tx: Transaction, key: UUID, *, actor: str) -> Applied:
    """Take back an operation, or a whole batch, unless something later rests on it: then the error names that."""
    scopes.lock(tx)
    records = [record for record in audits.by_id(tx, key) if record.undone_by is None]
    if not records:
        raise NotFound("operation that is in force", str(key))
    done = audits.changes(tx, [record.id for record in records])
    changes = [change for record in records for change in done[record.id]]
    _check_nothing_later(tx, records, changes)
    journal = Journal(tx)
    journals.put_back(journal, changes)
    seq = _seq(scopes.advance(tx).revision, 0)
    record = _record(tx, UNDO, {"undoes": str(key)}, actor, seq=seq, batch=ids.new(tx.now), undoes=key)
    audits.add(tx, record, journal.changes)
    audits.mark_undone(tx, [each.id for each in records], record.id)
    for each in records:
        if each.operation == MergeEntities.operation and each.actor == merging.BY_ITSELF:
            candidates.keep_apart(tx, UUID(str(each.payload["target"])), UUID(str(each.payload["source"])))
    outcome = Outcome(summary=f"Took back {len(records)} operation(s).")
    return Applied(outcome=outcome, changes=tuple(journal.changes), record=record)


def _check_nothing_later(tx: Transaction, records: Sequence[Record], changes: Sequence[Change]) -> None:
    later = audits.later(tx, {change.row for change in changes}, records)
    if later:
        named = ", ".join(f"{each.operation} `{each.id}` by {each.actor}" for each in later[:5])
        raise Conflict(f"Later operations rest on it; take these back first: {named}.")
    last = {change.row: change for change in changes}
    moved = [row for row, change in last.items() if not journals.holds(tx, change)]
    if moved:
        raise Conflict(f"These rows were changed since, outside the log: {', '.join(sorted(moved)[:5])}.")


def _seq(revision: int, place: int) -> int:
    # Revisions rise with every write of the scope, and a batch is shorter than this.
    return revision * 1_000 + place


def _payload(operation: Operation) -> dict[str, Json]:
    return {field.name: plain(getattr(operation, field.name)) for field in fields(operation)}


def _record(
    tx: Transaction,
    operation: str,
    payload: dict[str, Json],
    actor: str,
    *,
    seq: int,
    batch: UUID,
    undoes: UUID | None = None,
) -> Record:
    reason = payload.get("reason")
    return Record(
        id=AuditId(ids.new(tx.now)),
        seq=seq,
        batch=batch,
        operation=operation,
        payload=payload,
        actor=actor,
        reason=reason if isinstance(reason, str) else None,
        at=tx.now,
        undoes=undoes,
    )
