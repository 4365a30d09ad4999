"""Writes that remember: every row of the graph is changed through a journal, which keeps it before and after.

An operation is undone by putting its rows back, whatever the operation was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Table, and_, delete, insert, select, update

from nacre.domain.plain import Json
from nacre.store import schema
from nacre.store.columns import Id, Instant
from nacre.store.databases import Transaction

Values = Mapping[str, Any]
Image = dict[str, Json]

_TABLES = {table.name: table for table in schema.metadata.tables.values()}


@dataclass(frozen=True, slots=True)
class Change:
    """One row before and after; None where it was not, or is no longer, there."""

    table: str
    before: Image | None
    after: Image | None

    @property
    def row(self) -> str:
        """The row's name: its table and its key, without the scope."""
        image = self.after or self.before or {}
        return "/".join([self.table, *(str(image[name]) for name in _key_names(_TABLES[self.table]))])

    def reversed(self) -> "Change":
        """The change that takes this one back."""
        return Change(self.table, self.after, self.before)


@dataclass(slots=True)
class Journal:
    """The changes of one operation, as they are made. Rows name the proposal that led to them."""

    tx: Transaction
    actor: str
    proposal: UUID | None = None
    changes: list[Change] = field(default_factory=list)

    def insert(self, table: Table, values: Values) -> None:
        """Add a row."""
        if self.proposal and "proposal_id" in table.c:
            values = {"proposal_id": self.proposal, **values}
        self.tx.execute(insert(table).values({"scope_id": self.tx.scope_id, **values}))
        image = {column.name: _encoded(values.get(column.name)) for column in table.c if column.name != "scope_id"}
        self.changes.append(Change(table.name, None, image))

    def update(self, table: Table, key: Values, values: Values) -> None:
        """Change a row that is there."""
        before = _stored(self.tx, table, key) or {}
        after = before | {name: _encoded(value) for name, value in values.items()}
        if before != after:
            self.tx.execute(update(table).where(*_mine(self.tx, table, key)).values(values))
            self.changes.append(Change(table.name, before, after))

    def delete(self, table: Table, key: Values) -> None:
        """Remove a row that is there."""
        before = _stored(self.tx, table, key)
        self.tx.execute(delete(table).where(*_mine(self.tx, table, key)))
        self.changes.append(Change(table.name, before, None))


def holds(tx: Transaction, change: Change) -> bool:
    """Whether a row still is as a change left it."""
    table = _TABLES[change.table]
    image = change.after or change.before or {}
    return _stored(tx, table, {name: _decoded(table, name, image[name]) for name in _key_names(table)}) == change.after


def put_back(journal: Journal, changes: Sequence[Change]) -> None:
    """Take changes back, the last one first."""
    for change in reversed(changes):
        table = _TABLES[change.table]
        image = change.after or change.before or {}
        key = {name: _decoded(table, name, image[name]) for name in _key_names(table)}
        if change.before is None:
            journal.delete(table, key)
            continue
        values = {name: _decoded(table, name, value) for name, value in change.before.items()}
        if change.after is None:
            journal.insert(table, values)
        else:
            journal.update(table, key, values)


def _key_names(table: Table) -> list[str]:
    return [column.name for column in table.primary_key if column.name != "scope_id"]


def _mine(tx: Transaction, table: Table, key: Values) -> list[ColumnElement[bool]]:
    return [table.c.scope_id == tx.scope_id, and_(*(table.c[name] == key[name] for name in _key_names(table)))]


def _stored(tx: Transaction, table: Table, key: Values) -> Image | None:
    row = tx.execute(select(table).where(*_mine(tx, table, key))).one_or_none()
    if row is None:
        return None
    return {name: _encoded(value) for name, value in row._mapping.items() if name != "scope_id"}  # noqa: SLF001


def _encoded(value: Any) -> Json:
    if isinstance(value, Enum):
        return _encoded(value.value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return value  # type: ignore[no-any-return]


def _decoded(table: Table, name: str, value: Json) -> Any:
    kind = table.c[name].type
    if value is not None and isinstance(kind, Id):
        return UUID(str(value))
    if value is not None and isinstance(kind, Instant):
        return datetime.fromisoformat(str(value))
    return value
