"""Prepared statements: compiled once for a database, then run on the driver's own cursor.

SQLAlchemy takes several times as long around a look-up as SQLite takes to answer it. A statement that is built once and
run again and again is compiled once, together with what its values and its rows go through. Whoever listens to an
engine hears of it as of any other statement.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import CompoundSelect, Connection, Delete, Dialect, Executable, Insert, Row, Select, Update
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler

from nacre.store.base import dialects

Values = Mapping[str, Any] | Sequence[Mapping[str, Any]]
Call = tuple[Executable, Values | None]
Processor = Callable[[Any], Any] | None

# Statements that are built for one call never come back as often as this.
_RUNS_BEFORE = 2
# A list of values has a text of its own for each length; some lists may have any.
_MOST_LENGTHS = 64
_MOST_PADDED = 512
_READS = (Select, CompoundSelect)
_KINDS = (*_READS, Insert, Update, Delete)
_OPTIONS = {"all_scopes"}


class PreparedRows(IteratorResult[Any]):
    """The rows of a prepared statement, and how many it changed.

    What is asked of nearly every result is answered from a list: SQLAlchemy's way to a row takes longer than SQLite's.
    """

    def __init__(self, metadata: SimpleResultMetaData, rows: Sequence[Any], rowcount: int) -> None:
        super().__init__(metadata, iter(rows))
        self._plain = rows
        self.rowcount = rowcount

    def all(self) -> list[Row[Any]]:
        """Every row."""
        metadata: Any = self._metadata
        processors, index = metadata._effective_processors, metadata._key_to_index  # noqa: SLF001 - as Result has them
        return [Row(metadata, processors, index, row) for row in self._plain]

    def __iter__(self) -> Iterator[Row[Any]]:
        return iter(self.all())

    def one_or_none(self) -> Row[Any] | None:
        """The only row, if there is one."""
        return super().one_or_none() if len(self._plain) > 1 else next(iter(self.all()), None)


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of a prepared statement, as listeners of an engine are told of it."""

    invoked_statement: Executable
    compiled: SQLCompiler
    compiled_parameters: Sequence[Mapping[str, Any]]
    executemany: bool


@dataclass(frozen=True, slots=True)
class _StatementText:
    """The words of a statement, its values in order with what they go through, and the names of a list's members.

    A list is one of the `values`.
    """

    sql: str
    values: Sequence[tuple[str, Processor]]
    members: Mapping[str, Sequence[str]]


class PreparedStatement:
    """A statement compiled for one kind of database."""

    def __init__(self, compiled: SQLCompiler, dialect: Dialect) -> None:
        self._compiled = compiled
        self._dialect = dialect
        self._error: Any = dialect.loaded_dbapi.Error
        binds = {name: bind for bind, name in compiled.bind_names.items()}
        self._fixed = {name: bind.value for name, bind in binds.items() if not bind.required}
        self._processors = {name: dialects.bind_processor(dialect, bind.type) for name, bind in binds.items()}
        self._lists = tuple(compiled.bind_names[bind] for bind in compiled.post_compile_params)
        self._texts: dict[tuple[int, ...], _StatementText] = {}
        self._columns = compiled._result_columns  # noqa: SLF001 - nothing else names them as they are rendered
        self._metadata: SimpleResultMetaData | None = None
        # Neither rows nor lists can be had of several sets of values at once.
        self.takes_many = not self._columns and not self._lists

    def run(self, connection: Connection, statement: Executable, values: Values | None) -> PreparedRows:
        """Run the statement once, or once for each of several sets of values."""
        driver: Any = connection.connection.driver_connection
        try:
            with dialects.together(driver):
                cursor = self.send(connection, driver, statement, values)
            return self.received(cursor)
        except self._error as error:
            raise wrapped(connection, self._compiled.string, values, error) from error

    def send(self, connection: Connection, driver: Any, statement: Executable, values: Values | None) -> Any:
        """Give the statement to the driver; what it holds then is for `received`."""
        sets = _sets(values)
        if self._fixed:
            sets = [{**self._fixed, **each} for each in sets]
        if self._lists:
            sets = [{**each, **{name: _padded(each[name]) for name in self._lists}} for each in sets]
        text = self._text(sets[0])
        many = len(sets) > 1
        sql, given = text.sql, self._given(text, sets) if many else self._given(text, sets)[0]
        cursor = driver.cursor()
        if is_heard(connection):
            told = Execution(statement, self._compiled, [_spread(text, each) for each in sets], many)
            for listener in connection.dispatch.before_cursor_execute:
                sql, given = listener(connection, cursor, sql, given, told, many)
        (cursor.executemany if many else cursor.execute)(sql, given)
        return cursor

    def received(self, cursor: Any) -> PreparedRows:
        """What came back for a statement that was sent."""
        rows = cursor.fetchall() if self._columns else ()
        return PreparedRows(self._metadata or self._described(cursor), rows, cursor.rowcount)

    def _given(self, text: _StatementText, sets: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Sets of values as the driver takes them."""
        if self._compiled.positional:
            if text.members:
                return [_in_order(text, each) for each in sets]
            return [tuple([do(each[name]) if do else each[name] for name, do in text.values]) for each in sets]
        return [self._by_name(text, each) for each in sets]

    def _by_name(self, text: _StatementText, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values by their names, those of a list by the names of its members."""
        given: dict[str, Any] = {}
        for name, do in text.values:
            if name in text.members:
                members = map(do, values[name]) if do else values[name]
                given.update(zip(text.members[name], members, strict=True))
            else:
                given[name] = do(values[name]) if do else values[name]
        return given

    def _text(self, values: Mapping[str, Any]) -> _StatementText:
        lengths = tuple([len(values[name]) for name in self._lists])
        found = self._texts.get(lengths)
        if found is None:
            if len(self._texts) >= _MOST_LENGTHS:
                self._texts.clear()
            found = self._texts[lengths] = self._make_text(values)
        return found

    def _make_text(self, values: Mapping[str, Any]) -> _StatementText:
        compiled = self._compiled
        names: Sequence[str]
        if not self._lists:
            names = compiled.positiontup or list(compiled.bind_names.values())
            return _StatementText(compiled.string, [(name, self._processors[name]) for name in names], {})
        state = compiled.construct_expanded_state(values)
        members = state.parameter_expansion
        # A list stands where its first member does: taken as a whole, its values are handed over several times faster.
        firsts = {each[0]: name for name, each in members.items() if each}
        others = {member for each in members.values() for member in each[1:]}
        names = [firsts.get(name, name) for name in state.positiontup or self._processors if name not in others]
        return _StatementText(state.statement, [(name, self._processors[name]) for name in names], members)

    def _described(self, cursor: Any) -> SimpleResultMetaData:
        """What the columns of the rows are called and go through, now that the driver has told their types."""
        kinds = [column[1] for column in cursor.description or ()]
        made = [
            column.type.dialect_impl(self._dialect).result_processor(self._dialect, kind)
            for column, kind in zip(self._columns, kinds, strict=True)
        ]
        self._metadata = SimpleResultMetaData([column.keyname for column in self._columns], _processors=made)
        return self._metadata


def run_all(connection: Connection, calls: Sequence[Call], *, last: bool = False) -> list[PreparedRows] | None:
    """Run statements in one round trip where the driver can; None where SQLAlchemy has to run any of them.

    The end of the transaction goes out with its `last` ones.
    """
    found = [find(connection, *call) for call in calls]
    made = [each for each in found if each]
    if len(made) < len(found):
        return None
    driver: Any = connection.connection.driver_connection
    try:
        with dialects.together(driver, several=True):
            cursors = [each.send(connection, driver, *call) for each, call in zip(made, calls, strict=True)]
            if last:
                dialects.send_commit(driver)
        return [each.received(cursor) for each, cursor in zip(made, cursors, strict=True)]
    except connection.dialect.loaded_dbapi.Error as error:
        raise wrapped(connection, None, None, error) from error


def wrapped(connection: Connection, sql: str | None, given: Any, error: Any) -> Any:
    """The error that SQLAlchemy would have raised for a driver's; a connection that is gone is not used again."""
    dialect = connection.dialect
    gone = dialect.is_disconnect(error, connection.connection.driver_connection, None)
    if gone:
        connection.invalidate(error)
    known = dialect.loaded_dbapi.Error
    return DBAPIError.instance(sql, given, error, known, connection_invalidated=gone, dialect=dialect)


def _padded(members: Collection[Any]) -> Sequence[Any]:
    """The members of a list, the last of them repeated: lists of nearly the same length share the words of a statement.

    Whatever is among some values is so however often each is named.
    """
    some, length = list(members), len(members)
    if 2 < length <= _MOST_PADDED:
        some += some[-1:] * ((1 << (length - 1).bit_length()) - length)
    return some


def _in_order(text: _StatementText, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """Values in their places, with the members of each list one after another."""
    given: list[Any] = []
    for name, do in text.values:
        if name in text.members:
            given += map(do, values[name]) if do else values[name]
        else:
            given.append(do(values[name]) if do else values[name])
    return tuple(given)


def _spread(text: _StatementText, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Values with a name for each member of a list."""
    if not text.members:
        return values
    flat = dict(values)
    for name, members in text.members.items():
        flat.update(zip(members, values[name], strict=True))
    return flat


class _Uses:
    """How often a statement was run, and what it was compiled to, by database and the columns that it is given."""

    __slots__ = ("compiled", "runs")

    def __init__(self) -> None:
        self.runs = 0
        self.compiled: dict[tuple[str, ...], PreparedStatement | None] = {}


# Not on the statement itself: one that is made of it would take that along.
_USES: WeakKeyDictionary[Executable, _Uses] = WeakKeyDictionary()


def find(connection: Connection, statement: Executable, values: Values | None) -> PreparedStatement | None:
    """The statement as it was prepared, or None where SQLAlchemy has to run it."""
    uses = _USES.get(statement)
    if uses is None:
        if not isinstance(statement, _KINDS):
            return None
        uses = _USES[statement] = _Uses()
    if uses.runs < _RUNS_BEFORE:
        uses.runs += 1
        return None
    # A column that is given a value is written, so what a change is compiled to depends on them.
    sets = _sets(values)
    dialect = connection.dialect
    key = (dialect.name,) if isinstance(statement, _READS) else (dialect.name, *sets[0])
    try:
        found = uses.compiled[key]
    except KeyError:
        found = uses.compiled[key] = _prepare(statement, dialect, key[1:])
    if found is None or (len(sets) > 1 and not found.takes_many):
        return None
    return None if is_heard(connection) and connection.dispatch.before_execute else found


def is_heard(connection: Connection) -> bool:
    """Whether anybody may listen to what is run: asking for listeners takes as long as many a statement."""
    return connection._has_events or connection.engine._has_events  # noqa: SLF001 - as SQLAlchemy asks before each


def _sets(values: Values | None) -> Sequence[Mapping[str, Any]]:
    """The sets of values that a statement is given; one that is given none has one without any."""
    # Lists are asked for first, and not mappings: that takes a tenth of the time.
    return (values or ({},)) if isinstance(values, list | tuple) else (values or {},)


def _prepare(statement: Any, dialect: Dialect, names: Sequence[str]) -> PreparedStatement | None:
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
    return None if any(odd) else PreparedStatement(compiled, dialect)
