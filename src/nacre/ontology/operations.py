"""The one path of every change: checked, carried out, written down, and undoable.

A dry run is the same path with another last step: what was done is taken back before anyone sees it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from nacre.domain import ids
from nacre.domain.audits import Record
from nacre.domain.commands import Command, Operation, command
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.ids import AuditId
from nacre.domain.operations import MergeEntities, Quoted
from nacre.domain.plain import Json, plain
from nacre.graph.handlers import Outcome
from nacre.ontology import handlers, merging
from nacre.store import audits, candidates, journals, scopes, sources
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


def apply(
    tx: Transaction, orders: Sequence[Operation | Command], *, actor: str, proposal: UUID | None = None
) -> list[Applied]:
    """Carry out operations in order, all or none, and write each down."""
    if not 1 <= len(orders) <= MAX_BATCH:
        raise Invalid("operations", f"must be from 1 to {MAX_BATCH}, not {len(orders)}")
    commands = [command(order) for order in orders]
    scopes.lock(tx)
    revision, batch = scopes.advance(tx).revision, ids.new(tx.now)
    texts: dict[UUID, str] = {}
    applied = []
    for place, each in enumerate(commands):
        _check_quotes(tx, each, texts)
        journal = Journal(tx, each.actor or actor, proposal)
        outcome = handlers.handle(journal, each.operation)
        record = _record(tx, each, journal, seq=_seq(revision, place), batch=batch)
        audits.add(tx, record, journal.changes)
        applied.append(Applied(outcome=outcome, changes=tuple(journal.changes), record=record))
    return applied


def _check_quotes(tx: Transaction, order: Command, texts: dict[UUID, str]) -> None:
    """Refuse evidence that is not in its source, word for word."""
    quoted = getattr(order.operation, "evidence", None)
    if isinstance(quoted, Quoted):
        start, end = quoted.quote
        if not 0 <= start < end <= len(_text(tx, quoted.source, texts)):
            raise Invalid("evidence", f"must lie within its source, not at {start} to {end}")
    for each in order.evidence:
        if each.source and each.quote not in _text(tx, each.source, texts):
            raise Invalid("evidence", f"is not in its source word for word: {each.quote[:100]!r}")


def _text(tx: Transaction, source: UUID, texts: dict[UUID, str]) -> str:
    if source not in texts:
        texts[source] = sources.text_of(tx, source)
    return texts[source]


def dry_run(tx: Transaction, orders: Sequence[Operation | Command], *, actor: str) -> list[Applied]:
    """What operations would come to. Nothing of it stays."""
    with tx.tried():
        applied = apply(tx, orders, actor=actor)
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
    seq = _seq(scopes.advance(tx).revision, 0)
    journal = Journal(tx, actor)
    journals.put_back(journal, changes)
    record = Record(
        id=AuditId(ids.new(tx.now)),
        seq=seq,
        batch=ids.new(tx.now),
        operation=UNDO,
        payload={"undoes": str(key)},
        actor=actor,
        at=tx.now,
        undoes=key,
    )
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


def payload(operation: Operation) -> dict[str, Json]:
    """An operation's fields as JSON holds them."""
    held: Any = operation
    return {field.name: plain(getattr(held, field.name)) for field in fields(held)}


def _record(tx: Transaction, order: Command, journal: Journal, *, seq: int, batch: UUID) -> Record:
    return Record(
        id=AuditId(ids.new(tx.now)),
        seq=seq,
        batch=batch,
        operation=order.operation.operation,
        payload=payload(order.operation),
        actor=journal.actor,
        reason=order.reason or getattr(order.operation, "reason", None),
        grounds=_grounds(order),
        proposal=journal.proposal,
        at=tx.now,
    )


def _grounds(order: Command) -> dict[str, Json] | None:
    given = {name: plain(getattr(order, name)) for name in ("evidence", "confidence", "risk", "origin")}
    return {name: value for name, value in given.items() if value} or None
