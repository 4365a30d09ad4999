"""A scope as rows: read in one order on every database, and written into a scope that holds nothing yet."""

import base64
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Float,
    Integer,
    LargeBinary,
    Table,
    Text,
    collate,
    delete,
    func,
    insert,
    null,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError

from nacre.domain import checks
from nacre.domain.assertions import AssertionStatus
from nacre.domain.claims import Cardinality, ClaimKind, ClaimStatus
from nacre.domain.entities import EntityType
from nacre.domain.errors import Conflict, Invalid
from nacre.domain.feedback import FeedbackKind
from nacre.domain.hits import Kind
from nacre.domain.jobs import JobStatus
from nacre.domain.memories import Status
from nacre.domain.plain import Json, plain
from nacre.domain.proposals import ProposalStatus
from nacre.domain.summaries import SummaryMethod
from nacre.domain.tasks import TaskStatus
from nacre.domain.turns import Role
from nacre.domain.world import AlertStatus
from nacre.store.base import bulk_inserts, scopes
from nacre.store.base.databases import Transaction
from nacre.store.evidence.sources import SourceKind
from nacre.store.tables import schema
from nacre.store.tables.access_tables import api_keys, denials, replies
from nacre.store.tables.columns import Id, Instant

TOGETHER = 500

# The scope's own row is what a header says; tokens, denials and replies belong to the server and never leave it. Keys
# of values and segments of passages are worked out anew.
_LEFT_OUT = {
    schema.scopes,
    schema.passage_segments,
    schema.value_keys,
    schema.unkeyed_values,
    api_keys,
    denials,
    replies,
}
# A row comes after those that it hangs from. Writing links writes their history, so that comes after all of them.
TABLES: Mapping[str, Table] = {
    table.name: table
    for table in sorted(schema.metadata.sorted_tables, key=lambda each: each is schema.link_history)
    if table not in _LEFT_OUT
}
_CHOICES: Mapping[str, type[StrEnum]] = {
    "sources.kind": SourceKind,
    "passages.kind": Kind,
    "turns.role": Role,
    "memories.status": Status,
    "entities.type": EntityType,
    "entities.status": Status,
    "links.status": Status,
    "aspects.status": Status,
    "attributes.kind": ClaimKind,
    "attributes.status": ClaimStatus,
    "cardinalities.cardinality": Cardinality,
    "tasks.status": TaskStatus,
    "assertions.status": AssertionStatus,
    "proposals.status": ProposalStatus,
    "summaries.method": SummaryMethod,
    "feedback.kind": FeedbackKind,
    "jobs.status": JobStatus,
    "alerts.status": AlertStatus,
}
_KEPT_OF_SCOPE = ("revision", "next_seq", "created_at", "changed_at")
# Revisions begin below a quarter of this; a thousand times it still fits into a column.
_MOST = 10**15
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def counts(tx: Transaction) -> dict[str, int]:
    """How many rows of the scope each table holds; tables without any are left out."""
    held = {
        name: tx.execute(select(func.count()).select_from(table).where(table.c.scope_id == tx.scope_id)).scalar_one()
        for name, table in TABLES.items()
    }
    return {name: count for name, count in held.items() if count}


def state(tx: Transaction) -> dict[str, Json]:
    """How far the scope has come, as its own row says; nothing where it was never written to."""
    columns = [schema.scopes.c[name] for name in _KEPT_OF_SCOPE]
    row = tx.execute(select(*columns).where(schema.scopes.c.scope_id == tx.scope_id)).one_or_none()
    return {} if row is None else {name: plain(value) for name, value in row._mapping.items()}  # noqa: SLF001


def rows(tx: Transaction, table: Table) -> Iterator[dict[str, Json]]:
    """The scope's rows of a table as JSON holds them, by their keys, a few at a time."""
    columns = [column for column in table.c if column.name != "scope_id"]
    query = select(*columns).where(table.c.scope_id == tx.scope_id).order_by(*_order(tx, table))
    found = tx.execute(query.execution_options(yield_per=TOGETHER))
    for row in found:
        yield {column.name: _written(value) for column, value in zip(columns, row, strict=True)}


def _order(tx: Transaction, table: Table) -> list[ColumnElement[Any]]:
    keys: list[Column[Any]] = [column for column in table.primary_key if column.name != "scope_id"]
    if tx.connection.dialect.name != "postgresql":
        return list(keys)
    # Bytes, as SQLite sorts; a language's own order would differ between databases.
    return [collate(key, "C") if isinstance(key.type, Text) else key for key in keys]


def _written(value: Any) -> Json:
    return base64.b64encode(value).decode() if isinstance(value, bytes | memoryview) else plain(value)


def check_empty(tx: Transaction) -> None:
    """Hold off other writers, and refuse a scope that holds something."""
    scopes.lock(tx)
    held = counts(tx)
    if held:
        most = ", ".join(f"{count} {name}" for name, count in list(held.items())[:5])
        raise Conflict(f"`{tx.scope}` is not empty: it holds {most}. A scope is restored only into an empty one.")


def decoded(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of JSON as the table's columns hold it; what cannot be there is refused."""
    unknown = [name for name in row if name not in table.c or name == "scope_id"]
    if unknown:
        raise Invalid(table.name, f"has no column {unknown[0][:100]!r}")
    return {column.name: _read(column, row.get(column.name)) for column in table.c if column.name != "scope_id"}


def _read(column: Column[Any], value: Any) -> Any:
    name = f"{column.table.name}.{column.name}"
    kind = next(kind for kind in READERS if isinstance(column.type, kind))
    if value is None and not isinstance(column.type, JSON):
        if not column.nullable:
            raise Invalid(name, "must be there")
        return None
    if name in _CHOICES:
        checks.choice(name, value, list(_CHOICES[name]))
    if value is None:
        # Left alone, a None becomes the JSON text `null` here.
        return null() if column.nullable else JSON.NULL
    try:
        return READERS[kind](value)
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise Invalid(name, f"cannot be {str(value)[:100]!r}") from error


def _text(value: Any) -> str:
    if not isinstance(value, str) or _UNSTORABLE.search(value):
        raise ValueError
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError
    return value


def _whole(bits: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            raise ValueError
        return value

    return read


def _instant(value: Any) -> datetime:
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError
    return moment.astimezone(UTC)


def _json(value: Any) -> Any:
    for each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        for part in each:
            _json(part)
    if isinstance(value, str):
        _text(value)
    if isinstance(value, float):
        _number(value)
    return value


# The first that fits: a BigInteger is an Integer, and an Id and an Instant say more than what they are stored as.
READERS: Mapping[type, Callable[[Any], Any]] = {
    Id: lambda value: UUID(_text(value)),
    Instant: _instant,
    JSON: _json,
    LargeBinary: lambda value: base64.b64decode(_text(value), validate=True),
    Boolean: _truth,
    BigInteger: _whole(64),
    Integer: _whole(32),
    Float: _number,
    Text: _text,
}


class Writer:
    """Writes rows of one scope, several of a table at once. An error names the row that it is about."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._table: Table | None = None
        self._waiting: list[tuple[str, dict[str, Any]]] = []

    def add(self, table: Table, where: str, row: Mapping[str, Any]) -> None:
        """Take a row of JSON; `where` says where it comes from. Tables come in the order of `TABLES`."""
        values = {"scope_id": self._tx.scope_id, **decoded(table, row)}
        if self._table is not table or len(self._waiting) == TOGETHER:
            self._flush()
        if table is schema.link_history and self._table is not table:
            self._forget_noted()
        self._table = table
        self._waiting.append((where, values))

    def finish(self) -> None:
        """Write what is left."""
        self._flush()
        if self._table is not schema.link_history:
            self._forget_noted()

    def _forget_noted(self) -> None:
        """Remove what the database noted when the links were written: it is not when that happened."""
        noted = schema.link_history
        self._tx.execute(delete(noted).where(noted.c.scope_id == self._tx.scope_id))

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if self._table is None or not waiting:
            return
        try:
            with self._tx.part():
                bulk_inserts.write(self._tx, self._table, [values for _, values in waiting])
        except (DBAPIError, self._tx.connection.dialect.loaded_dbapi.Error):
            self._write_each(self._table, waiting)

    def _write_each(self, table: Table, waiting: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Write rows one at a time, so that the one at fault can be named."""
        for where, values in waiting:
            try:
                with self._tx.part():
                    self._tx.execute(insert(table), [values])
            except IntegrityError as error:
                why = "repeats a key, or hangs from a row that is not there"
                raise Invalid(where, f"cannot be written: its row of `{table.name}` {why}") from error


def read_state(given: Mapping[str, Any]) -> dict[str, Any]:
    """How far an exported scope had come, checked."""
    read = {name: _read(schema.scopes.c[name], given.get(name)) for name in _KEPT_OF_SCOPE}
    for name in ("revision", "next_seq"):
        if not 0 <= read[name] <= _MOST:
            raise Invalid(f"scopes.{name}", f"cannot be {read[name]}")
    return read


def settle(tx: Transaction, given: Mapping[str, Any]) -> None:
    """Let the scope go on from where the exported one was, and every index of it be loaded anew.

    Its revision is later than all that is written in it, and than that of the scope as it was here.
    """
    mine = schema.scopes.c.scope_id == tx.scope_id
    now = tx.execute(select(schema.scopes).where(mine)).one()
    numbered = (schema.passages.c.revision, schema.vectors.c.revision, schema.audit.c.seq, schema.passages.c.seq)
    passages, vectors, audits, seq = (_highest(tx, column) for column in numbered)
    values = {
        "revision": max(now.revision, given["revision"], passages, vectors, audits // 1_000),
        "next_seq": max(now.next_seq, given["next_seq"], seq + 1),
        "created_at": given["created_at"],
    }
    if values["revision"] > _MOST:
        raise Invalid("revision", f"is beyond what can be counted: {values['revision']}")
    tx.execute(update(schema.scopes).where(mine).values(values))
    scopes.purged(tx)


def _highest(tx: Transaction, column: Column[Any]) -> int:
    found = select(func.max(column)).where(column.table.c.scope_id == tx.scope_id)
    return int(tx.execute(found).scalar() or 0)


def origins(tx: Transaction, prefix: str) -> set[str]:
    """What entries that came from elsewhere are called there: the `ref` of their source, where it begins so."""
    held, said = schema.memories, schema.sources
    beside = (said.c.scope_id == held.c.scope_id) & (said.c.id == held.c.source_id)
    mine = (held.c.scope_id == tx.scope_id, said.c.ref.startswith(prefix, autoescape=True))
    return set(tx.execute(select(said.c.ref).join_from(held, said, beside).where(*mine)).scalars())


def texts(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, str]:
    """The words of some evidence."""
    texts_by_id: dict[UUID, str] = {}
    every = sorted(ids)
    for start in range(0, len(every), TOGETHER):
        wanted = schema.sources.c.id.in_(every[start : start + TOGETHER])
        query = select(schema.sources.c.id, schema.sources.c.text)
        rows = tx.execute(query.where(schema.sources.c.scope_id == tx.scope_id, wanted))
        texts_by_id |= {row.id: row.text for row in rows}
    return texts_by_id
