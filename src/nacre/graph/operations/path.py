"""The one path of every change: checked, carried out, written down, and undoable.

A dry run is the same path with another last step: what was done is taken back before anyone sees it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from nacre.domain import ids
from nacre.domain.audits import AuditRecord, Image, JournalEntry
from nacre.domain.commands import MAX_BATCH, Command, Operation, command, payload
from nacre.domain.entities import Entity
from nacre.domain.errors import Conflict, Invalid, NacreError, NotFound
from nacre.domain.ids import AuditId, SourceId
from nacre.domain.operation_results import Effect, OperationResult
from nacre.domain.operations import MergeEntities, SourceQuote
from nacre.domain.plain import Json, plain
from nacre.domain.scopes import Scope
from nacre.graph.operations import handlers, merge_handlers
from nacre.store.base import audits, journals, scopes, sharing
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import Journal
from nacre.store.evidence import sources
from nacre.store.graph import candidates, entities, proposals

# What follows from rows that were put back, in the same transaction.
After = Callable[[Transaction, Sequence[AuditRecord], Sequence[JournalEntry]], None]

UNDO = "undo"


def apply(
    tx: Transaction,
    orders: Sequence[Operation | Command],
    *,
    actor: str,
    proposal: UUID | None = None,
    batch: UUID | None = None,
    names: Sequence[str] = (),
    read: "ReadCache | None" = None,
) -> list[OperationResult]:
    """Carry out operations in order, all or none, and write each down; `batch` goes on with one begun before.

    The error of one among several says which: by `names`, what the caller calls them, or by its place. `read` is
    what the caller has read in this transaction already.
    """
    commands = _checked(orders)
    together = _begun(tx, actor, proposal, batch, read)
    applied = []
    for place, each in enumerate(commands):
        try:
            applied.append(together.carry_out(each, place))
        except NacreError as error:
            if names or len(commands) > 1:
                where = names[place] if names else f"operations[{place}]"
                error.args = (f"{where} ({each.operation.operation}): {error}",)
            raise
    audits.add(tx, together.done)
    return applied


def rehearse(
    tx: Transaction, orders: Sequence[Operation | Command], *, actor: str
) -> list[OperationResult | NacreError]:
    """What each operation would come to, or why it cannot be: one that fails does not stop the rest. Nothing stays."""
    commands = _checked(orders)
    done: list[OperationResult | NacreError] = []
    with tx.tried():
        together = _begun(tx, actor)
        for place, each in enumerate(commands):
            try:
                with tx.connection.begin_nested():
                    done.append(replace(together.carry_out(each, place), record=None))
            except NacreError as error:
                # What it had read or made went with it.
                together.read.entities.clear()
                together.read.images.clear()
                done.append(error)
    return done


def dry_run(tx: Transaction, orders: Sequence[Operation | Command], *, actor: str) -> list[OperationResult]:
    """What operations would come to. Nothing of it stays."""
    with tx.tried():
        applied = apply(tx, orders, actor=actor)
    return [replace(each, record=None) for each in applied]


def cited(orders: Sequence[Operation | Command]) -> list[UUID]:
    """The sources that orders rest on."""
    held = [each for order in map(command, orders) for each in (order, order.operation)]
    given = [getattr(each, "evidence", None) for each in held]
    entries = [entry for each in given for entry in (each if isinstance(each, tuple) else [each])]
    return [entry.source for entry in entries if entry and entry.source]


def bring_evidence(tx: Transaction, orders: Sequence[Operation | Command], scope: Scope) -> None:
    """Have the evidence that orders of a scope cite where the transaction is, too: what they say rests on it."""
    sharing.bring(tx, cited(orders), scope)


def _checked(orders: Sequence[Operation | Command]) -> list[Command]:
    if not 1 <= len(orders) <= MAX_BATCH:
        raise Invalid("operations", f"must be from 1 to {MAX_BATCH}, not {len(orders)}")
    return [command(order) for order in orders]


def _begun(
    tx: Transaction,
    actor: str,
    proposal: UUID | None = None,
    batch: UUID | None = None,
    read: "ReadCache | None" = None,
) -> "_Batch":
    # Taking a revision locks the scope's row, so that operations of a scope take turns.
    revision = scopes.advance(tx).revision
    return _Batch(
        tx=tx, actor=actor, id=batch or ids.new(tx.now), revision=revision, proposal=proposal, read=read or ReadCache()
    )


@dataclass(frozen=True, slots=True)
class ReadCache:
    """What operations need not read again: the texts of sources, entities as they are, and rows of entities.

    `keys` are those of the names that operations gave.
    """

    texts: dict[UUID, str] = field(default_factory=dict)
    entities: dict[UUID, Entity] = field(default_factory=dict)
    images: dict[UUID, Image] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Operations that are done together."""

    tx: Transaction
    actor: str
    id: UUID
    revision: int
    proposal: UUID | None = None
    read: ReadCache
    # What is to be written down in the end.
    done: list[tuple[AuditRecord, list[JournalEntry]]] = field(default_factory=list)

    def carry_out(self, given: Command, place: int) -> OperationResult:
        order = _grounded(self.tx, given, self.read.texts)
        held = self.read
        journal = Journal(self.tx, order.actor or self.actor, self.proposal, held.entities, held.images)
        outcome = handlers.handle(journal, order.operation)
        held.keys.update(entities.written_keys(journal.changes))
        record = _record(self.tx, order, journal, seq=audits.place(self.revision, place), batch=self.id)
        self.done.append((record, journal.changes))
        return OperationResult(outcome=outcome, changes=tuple(journal.changes), record=record)


def _grounded(tx: Transaction, order: Command, texts: dict[UUID, str]) -> Command:
    """Refuse evidence that is not in its source, word for word; rows rest on the first that names one."""
    quoted = getattr(order.operation, "evidence", ())
    if isinstance(quoted, SourceQuote):
        start, end = quoted.quote
        if not 0 <= start < end <= len(_text(tx, quoted.source, texts)):
            raise Invalid("evidence", f"must lie within its source, not at {start} to {end}")
    for each in order.evidence:
        if each.source and each.quote not in _text(tx, each.source, texts):
            raise Invalid("evidence", f"is not in its source word for word: {each.quote[:100]!r}")
    named = next((each for each in order.evidence if each.source), None)
    if quoted is not None or named is None or named.source is None:
        return order
    start = texts[named.source].index(named.quote)
    place = SourceQuote(source=SourceId(named.source), quote=(start, start + len(named.quote)))
    operation: Any = order.operation
    return replace(order, operation=replace(operation, evidence=place))


def _text(tx: Transaction, source: UUID, texts: dict[UUID, str]) -> str:
    if source not in texts:
        texts[source] = sources.text_of(tx, source)
    return texts[source]


def undo(
    tx: Transaction, key: UUID, *, actor: str, after: After | None = None, reason: str | None = None
) -> OperationResult:
    """Take back an operation, or a whole batch, unless something later rests on it: then the error names that.

    `after` is told what was taken back and which rows that changed, for what is derived from them.
    """
    scopes.lock(tx)
    records = [record for record in audits.by_id(tx, key) if record.undone_by is None]
    if not records:
        raise NotFound("operation that is in force", str(key))
    done = audits.changes(tx, [record.id for record in records])
    changes = [change for record in records for change in done[record.id]]
    _check_nothing_later(tx, records, changes)
    seq = audits.place(scopes.advance(tx).revision)
    journal = Journal(tx, actor)
    journals.put_back(journal, changes)
    record = AuditRecord(
        id=AuditId(ids.new(tx.now)),
        seq=seq,
        batch=ids.new(tx.now),
        operation=UNDO,
        payload={"undoes": str(key)},
        actor=actor,
        at=tx.now,
        reason=reason,
        proposal=records[0].proposal,
        undoes=key,
    )
    audits.add(tx, [(record, journal.changes)])
    audits.mark_undone(tx, [each.id for each in records], record.id)
    for each in records:
        if each.proposal:
            proposals.note_undone(tx, each.proposal, record.id)
        if each.operation == MergeEntities.operation and each.actor == merge_handlers.BY_ITSELF:
            candidates.keep_apart(tx, UUID(str(each.payload["target"])), UUID(str(each.payload["source"])))
    if after:
        after(tx, records, journal.changes)
    outcome = Effect(summary=f"Took back {len(records)} operation(s).")
    return OperationResult(outcome=outcome, changes=tuple(journal.changes), record=record)


def _check_nothing_later(tx: Transaction, records: Sequence[AuditRecord], changes: Sequence[JournalEntry]) -> None:
    later = audits.later(tx, audits.rows_resting_on(tx, changes), records)
    if later:
        named = ", ".join(f"{each.operation} `{each.id}` by {each.actor}" for each in later[:5])
        raise Conflict(f"Later operations rest on it; take these back first: {named}.")
    last = {journals.row_name(change): change for change in changes}
    moved = [row for row, change in last.items() if not journals.holds(tx, change)]
    if moved:
        raise Conflict(f"These rows were changed since, outside the log: {', '.join(sorted(moved)[:5])}.")


def _record(tx: Transaction, order: Command, journal: Journal, *, seq: int, batch: UUID) -> AuditRecord:
    return AuditRecord(
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
    return {name: value for name, value in given.items() if value not in (None, [])} or None
