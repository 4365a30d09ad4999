"""The audit log: what was done to the graph, by whom, why, and what each row was before."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import ColumnElement, Row, insert, select, update

from nacre.domain.audits import Record
from nacre.domain.ids import AuditId
from nacre.store.databases import Transaction
from nacre.store.journals import Change
from nacre.store.schema import audit, audit_rows


def add(tx: Transaction, record: Record, changes: Sequence[Change]) -> None:
    """Write down an operation and the rows it touched."""
    tx.execute(
        insert(audit).values(
            scope_id=tx.scope_id,
            id=record.id,
            seq=record.seq,
            batch_id=record.batch,
            operation=record.operation,
            payload=record.payload,
            actor=record.actor,
            reason=record.reason,
            changes=[asdict(change) for change in changes],
            at=record.at,
            grounds=record.grounds,
            proposal_id=record.proposal,
            undoes=record.undoes,
        )
    )
    touched = dict.fromkeys(change.row for change in changes)
    if touched:
        mine = {"scope_id": tx.scope_id, "audit_id": record.id}
        tx.execute(insert(audit_rows), [{**mine, "row": row} for row in touched])


def changes(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, list[Change]]:
    """What each operation did to which rows, in order."""
    rows = tx.execute(select(audit.c.id, audit.c.changes).where(audit.c.scope_id == tx.scope_id, audit.c.id.in_(ids)))
    return {row.id: [Change(**change) for change in row.changes] for row in rows}


def by_id(tx: Transaction, key: UUID) -> list[Record]:
    """An operation, or every operation of a batch, first done first."""
    return _load(tx, (audit.c.id == key) | (audit.c.batch_id == key))


def newest(tx: Transaction, limit: int, before: int | None = None) -> list[Record]:
    """The log, the last operation first; `before` goes on from an earlier page."""
    earlier = [audit.c.seq < before] if before is not None else []
    mine = (audit.c.scope_id == tx.scope_id, *earlier)
    rows = tx.execute(select(audit).where(*mine).order_by(audit.c.seq.desc()).limit(limit))
    return [_to_record(row) for row in rows]


def later(tx: Transaction, rows: Collection[str], than: Sequence[Record]) -> list[Record]:
    """The operations in force that touched rows after some operations did."""
    ids = [record.id for record in than]
    touched = select(audit_rows.c.audit_id).where(audit_rows.c.scope_id == tx.scope_id, audit_rows.c.row.in_(rows))
    newer = audit.c.seq > min(record.seq for record in than)
    found = _load(tx, audit.c.id.in_(touched), newer, audit.c.id.notin_(ids), audit.c.undone_by.is_(None))
    return [record for record in found if record.undoes is None]


def mark_undone(tx: Transaction, ids: Collection[UUID], by: UUID) -> None:
    """Note that operations were taken back."""
    tx.execute(update(audit).where(audit.c.scope_id == tx.scope_id, audit.c.id.in_(ids)).values(undone_by=by))


def _load(tx: Transaction, *conditions: ColumnElement[bool]) -> list[Record]:
    rows = tx.execute(select(audit).where(audit.c.scope_id == tx.scope_id, *conditions).order_by(audit.c.seq))
    return [_to_record(row) for row in rows]


def _to_record(row: Row[tuple[object, ...]]) -> Record:
    return Record(
        id=AuditId(row.id),
        seq=row.seq,
        batch=row.batch_id,
        operation=row.operation,
        payload=row.payload,
        actor=row.actor,
        reason=row.reason,
        at=row.at,
        grounds=row.grounds,
        proposal=row.proposal_id,
        undoes=row.undoes,
        undone_by=row.undone_by,
    )
