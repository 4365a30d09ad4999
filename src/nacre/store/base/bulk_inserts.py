"""Many rows of a table at once: COPY on PostgreSQL, one INSERT with many rows elsewhere."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import JSON, Column, Null, Table, insert

from nacre.store.base.databases import AllScopes, Transaction

Rows = Sequence[Mapping[str, Any]]


def write(tx: Transaction | AllScopes, table: Table, rows: Rows) -> None:
    """Write rows that all have the same columns. A refusal is an error of the driver, or of SQLAlchemy."""
    if tx.connection.dialect.name == "postgresql":
        _copy(tx, table, rows)
    else:
        tx.execute(insert(table), [dict(row) for row in rows])


def _copy(tx: Transaction | AllScopes, table: Table, rows: Rows) -> None:
    quoted = tx.connection.dialect.identifier_preparer.quote
    columns = [table.c[name] for name in rows[0]]
    into = f"COPY {quoted(table.name)} ({', '.join(quoted(column.name) for column in columns)}) FROM STDIN"
    driver: Any = tx.connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(into) as copy:
        for row in rows:
            copy.write_row([_held(column, row[column.name]) for column in columns])


def _held(column: Column[Any], value: Any) -> Any:
    """A value as the driver takes it: no statement is there to turn JSON into text."""
    if isinstance(value, Null):
        return None
    if isinstance(column.type, JSON) and value is not None:
        return "null" if value is JSON.NULL else json.dumps(value)
    return value
