"""Prepared statements: compiled once for a database, then run on the driver's own cursor.

SQLAlchemy takes several times as long around a look-up as SQLite takes to answer it. A statement that is built once and
run again and again is compiled once, together with what its values and its rows go through. Whoever listens to an
engine hears of it as of any other statement.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Delete, Dialect, Executable, Insert, Select, Update
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler

Values = Mapping[str, Any] | Sequence[Mapping[str, Any]]
Processor = Callable[[Any], Any] | None

# Statements that are built for one call never come back as often as this.
_RUNS_BEFORE = 2
# A list of values has a text of its own for each length; some lists may have any.
_MOST_LENGTHS = 64
_KINDS = (Select, Insert, Update, Delete)
_OPTIONS = {"all_scopes"}


class Rows(IteratorResult[Any]):
    """The rows of a prepared statement, and how many it changed."""

    def __init__(self, metadata: SimpleResultMetaData, rows: Sequence[Any], rowcount: int) -> None:
        super().__init__(metadata, iter(rows))
        self.rowcount = rowcount


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of a prepared statement, as listeners of an engine are told of it."""

    invoked_statement: Executable
    compiled: SQLCompiler
    compiled_parameters: Sequence[Mapping[str, Any]]
    executemany: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """The words of a statement, its values in order with what they go through, and the names of a list's members."""

    sql: str
    values: Sequence[tuple[str, Processor]]
    members: Mapping[str, Sequence[str]]


class Prepared:
    """A statement compiled for one kind of database."""

    def __init__(self, compiled: SQLCompiler, dialect: Dialect) -> None:
        self._compiled = compiled
        self._error: type[Exception] = dialect.loaded_dbapi.Error
        binds = {name: bind for bind, name in compiled.bind_names.items()}
        self._fixed = {name: bind.value for name, bind in binds.items() if not bind.required}
        self._processors = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect) for name, bind in binds.items()
        }
        self._lists = tuple(compiled.bind_names[bind] for bind in compiled.post_compile_params)
        self._texts: dict[tuple[int, ...], _Text] = {}
        columns = compiled._result_columns  # noqa: SLF001 - nothing else names them as they are rendered
        made = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
        self._metadata = SimpleResultMetaData([column.keyname for column in columns], _processors=made)
        # Neither rows nor lists can be had of several sets of values at once.
        self.takes_many = not columns and not self._lists

    def run(self, connection: Connection, statement: Executable, values: Values | None) -> Rows:
        """Run the statement once, or once for each of several sets of values."""
        sets = _sets(values)
        if self._fixed:
            sets = [{**self._fixed, **each} for each in sets]
        text = self._text(sets[0])
        if text.members:
            sets = [_spread(text, each) for each in sets]
        many = len(sets) > 1
        rows = [
            tuple([process(each[name]) if process else each[name] for name, process in text.values]) for each in sets
        ]
        sql, given = text.sql, rows if many else rows[0]
        cursor = connection.connection.driver_connection.cursor()  # type: ignore[union-attr]
        for listener in connection.dispatch.before_cursor_execute:
            told = Execution(statement, self._compiled, sets, many)
            sql, given = listener(connection, cursor, sql, given, told, many)
        try:
            (cursor.executemany if many else cursor.execute)(sql, given)
            return Rows(self._metadata, cursor.fetchall() if cursor.description else (), cursor.rowcount)
        except self._error as error:
            raise DBAPIError.instance(sql, given, error, self._error, dialect=connection.dialect) from error

    def _text(self, values: Mapping[str, Any]) -> _Text:
        lengths = tuple([len(values[name]) for name in self._lists])
        found = self._texts.get(lengths)
        if found is None:
            if len(self._texts) >= _MOST_LENGTHS:
                self._texts.clear()
            found = self._texts[lengths] = self._make_text(values)
        return found

    def _make_text(self, values: Mapping[str, Any]) -> _Text:
        if not self._lists:
            names = self._compiled.positiontup or ()
            return _Text(self._compiled.string, [(name, self._processors[name]) for name in names], {})
        state = self._compiled.construct_expanded_state(values)
        members = state.parameter_expansion
        processors = self._processors | {
            member: self._processors[name] for name, each in members.items() for member in each
        }
        return _Text(state.statement, [(name, processors[name]) for name in state.positiontup or ()], members)


def _spread(text: _Text, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Values with a name for each member of a list."""
    flat = dict(values)
    for name, members in text.members.items():
        flat.update(zip(members, values[name], strict=True))
    return flat


class _Uses:
    """How often a statement was run, and what it was compiled to, by the columns that it is given values for."""

    __slots__ = ("compiled", "runs")

    def __init__(self) -> None:
        self.runs = 0
        self.compiled: dict[tuple[str, ...], Prepared | None] = {}


# Not on the statement itself: one that is made of it would take that along.
_USES: WeakKeyDictionary[Executable, _Uses] = WeakKeyDictionary()


def find(connection: Connection, statement: Executable, values: Values | None) -> Prepared | None:
    """The statement as it was prepared, or None where SQLAlchemy has to run it."""
    if connection.dialect.name != "sqlite" or not isinstance(statement, _KINDS):
        return None
    uses = _USES.get(statement)
    if uses is None:
        uses = _USES[statement] = _Uses()
    if uses.runs < _RUNS_BEFORE:
        uses.runs += 1
        return None
    # A column that is given a value is written, so what a change is compiled to depends on them.
    sets = _sets(values)
    names = () if isinstance(statement, Select) else tuple(sets[0])
    try:
        found = uses.compiled[names]
    except KeyError:
        found = uses.compiled[names] = _prepare(statement, connection.dialect, names)
    if found is None or (len(sets) > 1 and not found.takes_many) or connection.dispatch.before_execute:
        return None
    return found


def _sets(values: Values | None) -> Sequence[Mapping[str, Any]]:
    """The sets of values that a statement is given; one that is given none has one without any."""
    # Lists are asked for first, and not mappings: that takes a tenth of the time.
    return (values or ({},)) if isinstance(values, list | tuple) else (values or {},)


def _prepare(statement: Any, dialect: Dialect, names: Sequence[str]) -> Prepared | None:
    if not statement.get_execution_options().keys() <= _OPTIONS:
        return None
    compiled = statement.compile(dialect=dialect, column_keys=list(names) or None, for_executemany=True)
    odd = (
        compiled.literal_execute_params,
        compiled.escaped_bind_names,
        compiled.insert_prefetch,
        compiled.update_prefetch,
        [bind for bind in compiled.bind_names if bind.callable or bind.type._is_tuple_type],  # noqa: SLF001
    )
    return None if any(odd) else Prepared(compiled, dialect)
