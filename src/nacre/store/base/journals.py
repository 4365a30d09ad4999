"""Writes that remember: every row of the graph is changed through a journal, which keeps it before and after.

A row that is made or removed is kept whole; of one that is changed, its key and the columns that changed. An operation
is undone by putting its rows back, whatever the operation was.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Delete,
    Insert,
    Row,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from nacre.domain.audits import Image, JournalEntry
from nacre.domain.entities import Entity
from nacre.domain.plain import Json
from nacre.store.base.databases import Transaction
from nacre.store.tables import schema
from nacre.store.tables.columns import Id, Instant

Values = Mapping[str, Any]


_TOGETHER = 500
# What an entity is read from, and which column says whose it is.
_OF_ENTITIES = {schema.entities: "id", schema.aliases: "entity_id"}
_TABLES = {table.name: table for table in schema.metadata.tables.values()}


@dataclass(slots=True)
class Journal:
    """The changes of one operation, as they are made. Rows name the proposal that led to them.

    `known` holds entities that the operations of one batch have read, and `images` entity rows as they left them; one
    that changes in another way is read anew.
    """

    tx: Transaction
    actor: str
    proposal: UUID | None = None
    known: dict[UUID, Entity] = field(default_factory=dict)
    images: dict[UUID, Image] = field(default_factory=dict)
    changes: list[JournalEntry] = field(default_factory=list)

    def insert(self, table: Table, values: Values) -> None:
        """Add a row."""
        self.insert_many(table, [values])

    def insert_many(self, table: Table, rows: Sequence[Values]) -> None:
        """Add rows, each with the same columns."""
        if self.proposal and "proposal_id" in table.c:
            rows = [{"proposal_id": self.proposal, **values} for values in rows]
        self.tx.execute(_insert_into(table), [{"scope_id": self.tx.scope_id, **values} for values in rows])
        for values in rows:
            self._forget(table, values)
            image = {column.name: _encoded(values.get(column.name)) for column in table.c if column.name != "scope_id"}
            self.changes.append(JournalEntry(table.name, None, image))

    def update(self, table: Table, key: Values, values: Values) -> None:
        """Change a row that is there."""
        before = _stored(self.tx, table, key) or {}
        after = before | {name: _encoded(value) for name, value in values.items()}
        if before != after:
            self.tx.execute(_update_of(table, tuple(values)), _at(self.tx, table, key) | _new(values))
            self._forget(table, key)
            self._note(table, before, after)

    def update_many(self, table: Table, ids: Sequence[UUID], values: Values) -> None:
        """Give the rows under `ids` the same values."""
        encoded = {name: _encoded(value) for name, value in values.items()}
        for start in range(0, len(ids), _TOGETHER):
            some = [table.c.scope_id == self.tx.scope_id, table.c.id.in_(ids[start : start + _TOGETHER])]
            for row in self.tx.execute(select(table).where(*some).order_by(table.c.id)):
                before = _image(row)
                self._note(table, before, before | encoded)
                self._forget(table, {"id": row.id})
            self.tx.execute(update(table).where(*some).values(values))

    def update_each(self, table: Table, values: Mapping[UUID, Values]) -> None:
        """Give rows under their ids values of their own, each the same columns."""
        for key, before in self._rows(table, values):
            after = before | {name: _encoded(value) for name, value in values[key].items()}
            self._note(table, before, after)
            self._forget(table, {"id": key})
            if table is schema.entities:
                self.images[key] = after
        one = _update_of(table, tuple(next(iter(values.values()))))
        self.tx.execute(one, [_at(self.tx, table, {"id": key}) | _new(given) for key, given in values.items()])

    def _rows(self, table: Table, ids: Collection[UUID]) -> list[tuple[UUID, Image]]:
        """Rows under their ids as they are, in the order of the ids."""
        found = {key: self.images[key] for key in ids if key in self.images} if table is schema.entities else {}
        missing = set(ids) - found.keys()
        if missing and table is schema.entities:
            # What is known of is likely to change next.
            self.images.update(rows_of(self.tx, table, {*missing, *self.known} - self.images.keys()))
            found |= {key: self.images[key] for key in missing if key in self.images}
        elif missing:
            found |= rows_of(self.tx, table, missing)
        return sorted(found.items())

    def delete(self, table: Table, key: Values) -> None:
        """Remove a row that is there."""
        before = _stored(self.tx, table, key)
        self.tx.execute(_delete_from(table), _at(self.tx, table, key))
        self._forget(table, key)
        self.changes.append(JournalEntry(table.name, before, None))

    def _note(self, table: Table, before: Image, after: Image) -> None:
        keys = _key_names(table)
        names = [name for name in after if name in keys or before.get(name) != after[name]]
        told = ({name: image.get(name) for name in names} for image in (before, after))
        self.changes.append(JournalEntry(table.name, *told))

    def _forget(self, table: Table, values: Values) -> None:
        """Read an entity anew whose row or whose names change."""
        name = _OF_ENTITIES.get(table)
        if name:
            self.known.pop(values[name], None)
            self.images.pop(values[name], None)


def row_name(change: JournalEntry) -> str:
    """The name of a changed row: its table and its key, without the scope."""
    image = change.after or change.before or {}
    return "/".join([change.table, *(str(image[name]) for name in _key_names(_TABLES[change.table]))])


def now(tx: Transaction, change: JournalEntry) -> Image | None:
    """The row of a change as it is now."""
    return _stored(tx, _TABLES[change.table], _key(change))


def holds(tx: Transaction, change: JournalEntry) -> bool:
    """Whether a row still is as a change left it."""
    image = now(tx, change)
    if image is None or change.after is None:
        return image is change.after
    return all(image[name] == value for name, value in change.after.items())


def earlier(image: Image | None, change: JournalEntry) -> Image | None:
    """A whole row as it was before a change, of the row as it was after it."""
    if change.before is None or change.after is None:
        return change.before
    return None if image is None else image | change.before


def whole(tx: Transaction, changes: Sequence[JournalEntry]) -> list[JournalEntry]:
    """Changes with the columns that they left alone, which later changes must not have touched either."""
    images: dict[str, Image | None] = {}
    found = []
    for change in reversed(changes):
        after, row = change.after, row_name(change)
        if change.before is not None and change.after is not None:
            after = images[row] if row in images else now(tx, change)
        images[row] = earlier(after, change)
        found.append(JournalEntry(change.table, images[row], after))
    return found[::-1]


def rows_of(tx: Transaction, table: Table, ids: Collection[UUID]) -> dict[UUID, Image]:
    """The rows under ids as they are."""
    rows = tx.execute(_rows_of(table), {"scope": tx.scope_id, "ids": list(ids)})
    return {row.id: _image(row) for row in rows}


def give(journal: Journal, change: JournalEntry, image: Image) -> None:
    """Let some columns of the row of a change be as in an image."""
    table = _TABLES[change.table]
    journal.update(table, _key(change), {name: _decoded(table, name, value) for name, value in image.items()})


def _key(change: JournalEntry) -> Values:
    table = _TABLES[change.table]
    image = change.after or change.before or {}
    return {name: _decoded(table, name, image[name]) for name in _key_names(table)}


def put_back(journal: Journal, changes: Sequence[JournalEntry]) -> None:
    """Take changes back, the last one first."""
    for change in reversed(changes):
        table, key = _TABLES[change.table], _key(change)
        if change.before is None:
            journal.delete(table, key)
            continue
        values = {name: _decoded(table, name, value) for name, value in change.before.items()}
        if change.after is None:
            journal.insert(table, values)
        else:
            journal.update(table, key, values)


@cache
def _key_names(table: Table) -> list[str]:
    return [column.name for column in table.primary_key if column.name != "scope_id"]


def _at(tx: Transaction, table: Table, key: Values) -> dict[str, Any]:
    """What a statement for one row takes."""
    return {"the_scope_id": tx.scope_id, **{f"the_{name}": key[name] for name in _key_names(table)}}


# Built once for each table: whatever is heard changes rows, and building a statement takes longer than running it.


def _this(table: Table) -> ColumnElement[bool]:
    return and_(*(column == bindparam(f"the_{column.name}") for column in table.primary_key))


@cache
def _row_of(table: Table) -> Select[tuple[Any, ...]]:
    return select(table).where(_this(table))


@cache
def _rows_of(table: Table) -> Select[tuple[Any, ...]]:
    mine = (table.c.scope_id == bindparam("scope"), table.c.id.in_(bindparam("ids", expanding=True)))
    return select(table).where(*mine)


@cache
def _insert_into(table: Table) -> Insert:
    return insert(table)


@cache
def _update_of(table: Table, names: tuple[str, ...]) -> Update:
    return update(table).where(_this(table)).values({name: bindparam(f"new_{name}") for name in names})


@cache
def _delete_from(table: Table) -> Delete:
    return delete(table).where(_this(table))


def _new(values: Values) -> dict[str, Any]:
    return {f"new_{name}": value for name, value in values.items()}


def _stored(tx: Transaction, table: Table, key: Values) -> Image | None:
    row = tx.execute(_row_of(table), _at(tx, table, key)).one_or_none()
    return None if row is None else _image(row)


def _image(row: Row[tuple[Any, ...]]) -> Image:
    return {name: _encoded(value) for name, value in row._mapping.items() if name != "scope_id"}  # noqa: SLF001


def _encoded(value: Any) -> Json:
    if isinstance(value, Enum):
        return _encoded(value.value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return value  # type: ignore[no-any-return]


def decoded(table: Table, image: Image) -> dict[str, Any]:
    """An image's values as the table's columns hold them."""
    return {name: _decoded(table, name, value) for name, value in image.items()}


def _decoded(table: Table, name: str, value: Json) -> Any:
    kind = table.c[name].type
    if value is not None and isinstance(kind, Id):
        return UUID(str(value))
    if value is not None and isinstance(kind, Instant):
        return datetime.fromisoformat(str(value))
    return value
