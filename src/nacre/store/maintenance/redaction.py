"""Redaction: operations of the log that stay, without what they say of rows that are purged."""

import re
from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select, update

from nacre.domain.audits import Image, JournalEntry
from nacre.domain.plain import Json
from nacre.store.base import journals
from nacre.store.base.databases import Transaction
from nacre.store.evidence import evidence_references
from nacre.store.tables.schema import audit, audit_rows

# Columns that may quote what a row took the place of.
_QUOTING = ("reason", "decision", "archive_reason")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def redact(tx: Transaction, lines: Collection[UUID], lost: Collection[UUID]) -> None:
    """Take rows that are gone, and every pointer at them, out of operations that did something else as well."""
    gone = set(map(str, lost))
    for some in evidence_references.portions(lines):
        found = (audit.c.scope_id == tx.scope_id, audit.c.id.in_(some))
        for row in tx.execute(select(audit.c.id, audit.c.payload, audit.c.changes).where(*found)).all():
            _redact(tx, row, gone)


def _redact(tx: Transaction, row: Any, gone: set[str]) -> None:
    changes = [JournalEntry(**each) for each in row.changes]
    kept = [left for change in changes if (left := _without(tx, change, gone))]
    line = (audit.c.scope_id == tx.scope_id, audit.c.id == row.id)
    if not kept:
        tx.execute(delete(audit).where(*line))
        return
    values: dict[str, Any] = {"changes": [change.plain() for change in kept], "reason": None}
    if row.payload.get("reason"):
        values["payload"] = {**row.payload, "reason": None}
    tx.execute(update(audit).where(*line).values(values))
    rows = (audit_rows.c.scope_id == tx.scope_id, audit_rows.c.audit_id == row.id)
    tx.execute(delete(audit_rows).where(*rows, audit_rows.c.row.notin_(set(map(journals.row_name, kept)))))


def _without(tx: Transaction, change: JournalEntry, gone: set[str]) -> JournalEntry | None:
    """What a change says of a row that is still there; its other words may be those of what is purged."""
    if not _names([change.before, change.after], gone):
        return change
    if _names(journals.row_name(change), gone) or journals.now(tx, change) is None:
        return None
    return JournalEntry(change.table, _image(change.before, gone), _image(change.after, gone))


def _image(image: Image | None, gone: set[str]) -> Image | None:
    if image is None:
        return None
    return {name: None if name in _QUOTING else _value(value, gone) for name, value in image.items()}


def _value(value: Json, gone: set[str]) -> Json:
    if not _names(value, gone):
        return value
    return {key: each for key, each in value.items() if not _names(each, gone)} if isinstance(value, dict) else None


def _names(value: object, gone: set[str]) -> bool:
    return not gone.isdisjoint(_ID.findall(str(value)))
