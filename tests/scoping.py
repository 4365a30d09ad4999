"""The guard that every test runs under: no statement may touch a scoped table without its scope, or be about two."""

from collections.abc import Iterable, Mapping
from typing import Any
from weakref import WeakSet

from sqlalchemy import Delete, Insert, Select, Table, Update
from sqlalchemy.engine import ExecutionContext
from sqlalchemy.sql import visitors
from sqlalchemy.sql.elements import BinaryExpression
from sqlalchemy.sql.operators import eq

from nacre.store.tables.schema import metadata

# Compiled statements that were found to name their scope. The same statement with other values is compiled once.
_sound: WeakSet[Any] = WeakSet()


def guard(_connection: Any, _cursor: Any, _sql: Any, _values: Any, context: ExecutionContext, _many: Any) -> None:
    """Check a statement that is about to run."""
    statement = context.invoked_statement
    if statement is None or statement.get_execution_options().get("all_scopes"):
        return
    if context.compiled is not None and not isinstance(statement, Insert):
        check_values(statement, getattr(context, "compiled_parameters", ()))
    if context.compiled in _sound:
        return
    check(statement)
    _sound.add(context.compiled)


def check(statement: Any) -> None:
    """Fail when `statement` reads or writes rows of unnamed scopes."""
    if isinstance(statement, Insert):
        # The scope is a NOT NULL key column, so an insert cannot leave it out.
        return
    if isinstance(statement, Select | Update | Delete):
        unbound = tables(statement) - bound(statement)
        assert not unbound, f"No scope for {', '.join(sorted(t.name for t in unbound))} in:\n{statement}"


def check_values(statement: Any, sets: Iterable[Mapping[str, Any]]) -> None:
    """Fail when `statement` names two scopes at once: their rows may be on two nodes of a cluster."""
    for values in sets:
        named = {str(value) for name, value in values.items() if "scope" in name and value is not None}
        assert len(named) < 2, f"Two scopes in:\n{statement}"


def tables(statement: Any) -> set[Table]:
    """The tables of ours that a statement touches."""
    return {part for part in visitors.iterate(statement) if isinstance(part, Table) and part.metadata is metadata}


def bound(statement: Any) -> set[Table]:
    """The tables whose `scope_id` is compared with a value, or with the scope of a table that is."""
    pairs = list(_comparisons(statement))
    held = {left for left, right in pairs if right is None}
    both_ways = [(a, b) for left, right in pairs if right is not None for a, b in ((left, right), (right, left))]
    while True:
        more = {a for a, b in both_ways if b in held} - held
        if not more:
            return held
        held |= more


def _comparisons(statement: Any) -> Iterable[tuple[Table, Table | None]]:
    """Each comparison of a `scope_id`: its table, and the other side's table where that is a `scope_id` too."""
    for part in visitors.iterate(statement):
        if isinstance(part, BinaryExpression) and part.operator is eq:
            left, right = (_scoped_table(side) for side in (part.left, part.right))
            if left is not None:
                yield left, right
            elif right is not None:
                yield right, None


def _scoped_table(side: Any) -> Table | None:
    table = getattr(side, "table", None)
    return table if isinstance(table, Table) and getattr(side, "name", "") == "scope_id" else None
