"""The audit log: what was done to the graph, by whom, why, and what each row was before."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, or_, select, update
from sqlalchemy import Row as StoredRow

from nacre.domain.audits import AuditRecord, JournalEntry
from nacre.domain.ids import AuditId
from nacre.store.base.databases import Transaction
from nacre.store.base.journals import row_name
from nacre.store.base.row_inserts import NewRows, Row, RowInsert
from nacre.store.tables.columns import Id
from nacre.store.tables.schema import audit, audit_rows, metadata

# Built once: everything that is heard writes them.
_ADD, _ADD_ROWS = RowInsert(audit), RowInsert(audit_rows)
# Columns that hold the key of another row, which cannot go before theirs: the table, the column, and whose row it is.
_REFERRING = tuple(
    (table, element.parent, element.column.table.name)
    for table in metadata.tables.values()
    if "id" in table.c
    for constraint in table.foreign_key_constraints
    if constraint.ondelete is None
    for element in constraint.elements
    if element.column.name == "id"
)


def add(tx: Transaction, done: Sequence[tuple[AuditRecord, Sequence[JournalEntry]]]) -> None:
    """Write down operations and the rows each touched."""
    touched = [
        (tx.scope_id, row, record.id) for record, changes in done for row in dict.fromkeys(map(row_name, changes))
    ]
    tx.insert_all([NewRows(_ADD, [_row(tx, *each) for each in done]), NewRows(_ADD_ROWS, touched)])


def place(revision: int, index: int = 0) -> int:
    """Where an operation stands in the log: revisions rise with every write, and a batch is shorter than this."""
    return revision * 1_000 + index


def _row(tx: Transaction, record: AuditRecord, changes: Sequence[JournalEntry]) -> Row:
    return (
        tx.scope_id,
        record.id,
        record.seq,
        record.batch,
        record.operation,
        record.payload,
        record.actor,
        record.reason,
        [change.plain() for change in changes],
        record.grounds,
        record.proposal,
        record.at,
        record.undoes,
        None,
    )


def changes(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, list[JournalEntry]]:
    """What each operation did to which rows, in order."""
    rows = tx.execute(_CHANGES, {"scope": tx.scope_id, "ids": list(ids)})
    return {row.id: [JournalEntry(**change) for change in row.changes] for row in rows}


def by_id(tx: Transaction, key: UUID) -> list[AuditRecord]:
    """An operation, or every operation of a batch, first done first."""
    rows = tx.execute(_BY_ID, {"scope": tx.scope_id, "key": key})
    return [_to_record(row) for row in rows]


# Built once: whatever is remembered looks at what was learned from it.
_MINE = audit.c.scope_id == bindparam("scope")
_KEY = bindparam("key", type_=Id)
_BY_ID = select(audit).where(_MINE, (audit.c.id == _KEY) | (audit.c.batch_id == _KEY)).order_by(audit.c.seq)
_CHANGES = select(audit.c.id, audit.c.changes).where(_MINE, audit.c.id.in_(bindparam("ids", expanding=True)))


def some(tx: Transaction, keys: Collection[UUID]) -> list[AuditRecord]:
    """Operations by their ids, first done first."""
    return _load(tx, audit.c.id.in_(keys))


def newest(
    tx: Transaction, limit: int, before: int | None = None, until: tuple[datetime, int] | None = None
) -> list[AuditRecord]:
    """The log, the last operation first; `before` goes on from an earlier page, `until` from that of another scope."""
    earlier: list[ColumnElement[bool]] = [audit.c.seq < before] if before is not None else []
    if until is not None:
        at, seq = until
        earlier.append(or_(audit.c.at < at, and_(audit.c.at == at, audit.c.seq < seq)))
    mine = (audit.c.scope_id == tx.scope_id, *earlier)
    rows = tx.execute(select(audit).where(*mine).order_by(audit.c.seq.desc()).limit(limit))
    return [_to_record(row) for row in rows]


def touching(tx: Transaction, table: str, key: UUID) -> list[AuditRecord]:
    """The operations that changed a row, first done first."""
    row = f"{table}/{key}"
    touched = select(audit_rows.c.audit_id).where(audit_rows.c.scope_id == tx.scope_id, audit_rows.c.row == row)
    return _load(tx, audit.c.id.in_(touched))


def since(
    tx: Transaction, rows: Collection[str], moment: datetime | None
) -> list[tuple[AuditRecord, list[JournalEntry]]]:
    """The operations that touched rows after a moment, or ever, with all that they changed, the last first."""
    touched = select(audit_rows.c.audit_id).where(audit_rows.c.scope_id == tx.scope_id, audit_rows.c.row.in_(rows))
    newer = [] if moment is None else [audit.c.at > moment]
    mine = (audit.c.scope_id == tx.scope_id, audit.c.id.in_(touched), *newer)
    found = tx.execute(select(audit).where(*mine).order_by(audit.c.seq.desc()))
    return [(_to_record(row), [JournalEntry(**change) for change in row.changes]) for row in found]


def later(tx: Transaction, rows: Collection[str], than: Sequence[AuditRecord]) -> list[AuditRecord]:
    """The operations in force that touched rows after some operations did."""
    ids, every = {record.id for record in than}, sorted(rows)
    newer = audit.c.seq > min(record.seq for record in than)
    records_by_id: dict[UUID, AuditRecord] = {}
    for start in range(0, len(every), 500):
        some = audit_rows.c.row.in_(every[start : start + 500])
        touched = select(audit_rows.c.audit_id).where(audit_rows.c.scope_id == tx.scope_id, some)
        held = _load(tx, audit.c.id.in_(touched), newer, audit.c.undone_by.is_(None))
        records_by_id |= {record.id: record for record in held if record.undoes is None and record.id not in ids}
    return sorted(records_by_id.values(), key=lambda record: record.seq)


def rows_resting_on(tx: Transaction, changes: Sequence[JournalEntry]) -> set[str]:
    """The rows that changes touched, and those that refer to a row which would go if they were undone."""
    made: dict[str, list[UUID]] = {}
    for change in changes:
        if change.before is None and change.after and "id" in change.after:
            made.setdefault(change.table, []).append(UUID(str(change.after["id"])))
    rows = set(map(row_name, changes))
    for table, column, owner in _REFERRING:
        keys = made.get(owner, [])
        for start in range(0, len(keys), 500):
            some = (table.c.scope_id == tx.scope_id, column.in_(keys[start : start + 500]))
            rows |= {f"{table.name}/{row.id}" for row in tx.execute(select(table.c.id).where(*some))}
    return rows


def mark_undone(tx: Transaction, ids: Collection[UUID], by: UUID) -> None:
    """Note that operations were taken back."""
    tx.execute(update(audit).where(audit.c.scope_id == tx.scope_id, audit.c.id.in_(ids)).values(undone_by=by))


def _load(tx: Transaction, *conditions: ColumnElement[bool]) -> list[AuditRecord]:
    rows = tx.execute(select(audit).where(audit.c.scope_id == tx.scope_id, *conditions).order_by(audit.c.seq))
    return [_to_record(row) for row in rows]


def _to_record(row: StoredRow[tuple[object, ...]]) -> AuditRecord:
    return AuditRecord(
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
