"""Rows stored as tuples: an INSERT is compiled once for each kind of database, and several are sent together.

What is observed is stored by four of them. A dictionary for each row, and the way of each statement through SQLAlchemy,
took longer than SQLite takes to store the rows. Whoever listens to an engine hears of them as of any other statement.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, Table, insert
from sqlalchemy.sql.compiler import SQLCompiler

from nacre.store.base import dialects, prepared_statements
from nacre.store.base.prepared_statements import Execution

Row = tuple[Any, ...]


class RowInsert:
    """An INSERT into all columns of a table; `missing` ones leave a row alone whose key is there already."""

    def __init__(self, table: Table, *, missing: bool = False) -> None:
        self.names = tuple(table.c.keys())
        self._table = table
        self._missing = missing
        self._compiled: dict[str, _CompiledInsert] = {}

    def compiled(self, dialect: Dialect) -> "_CompiledInsert":
        """The statement for one kind of database."""
        found = self._compiled.get(dialect.name)
        if found is None:
            statement = dialects.insert_missing(dialect.name, self._table) if self._missing else insert(self._table)
            found = self._compiled[dialect.name] = _compile(statement, dialect, self.names)
        return found


class NewRows(NamedTuple):
    """Rows of a table, each with a value for every column in the table's order."""

    into: RowInsert
    rows: Sequence[Row]


class _CompiledInsert(NamedTuple):
    """An INSERT as a driver takes it, and what each of its values goes through."""

    statement: Any
    compiled: SQLCompiler
    sql: str
    processors: Sequence[Callable[[Any], Any] | None]
    # None for a driver that takes values by their places.
    names: tuple[str, ...] | None

    def given(self, rows: Sequence[Row]) -> list[Any]:
        """Rows as the driver takes them."""
        # Column by column: each has one thing that is done to its values.
        columns = zip(self.processors, zip(*rows, strict=True), strict=True)
        made = zip(*[map(do, values) if do else values for do, values in columns], strict=True)
        return list(made) if self.names is None else [dict(zip(self.names, row, strict=True)) for row in made]


def _compile(statement: Any, dialect: Dialect, names: tuple[str, ...]) -> _CompiledInsert:
    compiled = statement.compile(dialect=dialect, column_keys=list(names), for_executemany=True)
    types = {name: bind.type for bind, name in compiled.bind_names.items()}
    processors = [dialects.bind_processor(dialect, types[name]) for name in names]
    return _CompiledInsert(statement, compiled, compiled.string, processors, None if compiled.positional else names)


def add(connection: Connection, parts: Sequence[NewRows], *, last: bool = False) -> None:
    """Store rows of several tables, in order; see `Transaction.insert_all`."""
    dialect = connection.dialect
    driver: Any = connection.connection.driver_connection
    heard = prepared_statements.is_heard(connection)
    try:
        with dialects.together(driver, several=True):
            cursor = driver.cursor()
            for into, rows in parts:
                if rows:
                    _send(connection, cursor, into.compiled(dialect), into.names, rows, heard=heard)
            if last:
                dialects.send_commit(driver)
    except dialect.loaded_dbapi.Error as error:
        raise prepared_statements.wrapped(connection, None, None, error) from error


def _send(
    connection: Connection,
    cursor: Any,
    made: _CompiledInsert,
    names: tuple[str, ...],
    rows: Sequence[Row],
    *,
    heard: bool,
) -> None:
    sql, given = made.sql, made.given(rows)
    many = len(given) > 1
    values: Any = given if many else given[0]
    if heard:
        told = Execution(made.statement, made.compiled, _named(names, rows), many)
        for listener in connection.dispatch.before_cursor_execute:
            sql, values = listener(connection, cursor, sql, values, told, many)
    (cursor.executemany if many else cursor.execute)(sql, values)


def _named(names: Sequence[str], rows: Sequence[Row]) -> list[Mapping[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]
