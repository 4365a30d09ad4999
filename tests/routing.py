"""Whether one node of a cluster can answer a statement alone.

Stricter than the guard of `tests.scoping`, which asks that every table has its scope somewhere in the statement: here
every place that names a table must say whose rows are meant, with a value or with the scope of a row beside it.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Insert, Select, Table
from sqlalchemy.sql import operators
from sqlalchemy.sql.elements import BinaryExpression, ClauseElement
from sqlalchemy.sql.selectable import Alias, AliasedReturnsRows, CompoundSelect, FromClause

from nacre.store.tables.schema import metadata
from tests.plans import Sent, nodes

Leaves = frozenset[FromClause]


def unrouted(statement: ClauseElement, outer: Leaves = frozenset()) -> Iterator[str]:
    """Every table, or name of one, whose rows could be on any node."""
    # A query may say that it means a row outside, even where it stands for a table.
    outer |= frozenset(getattr(statement, "_correlate", None) or ())
    parts, nested = _parts(statement)
    named: Leaves = frozenset(leaf for part in parts for leaf in _leaves(part))
    # What a query inside a condition names as well is the row outside, unless it names nothing else.
    own = named - outer or named
    pairs = [pair for part in parts if isinstance(part, BinaryExpression) for pair in _equal_scopes(part)]
    held = {one for one, other in pairs if other not in own}
    while more := {one for one, other in pairs if other in held} - held:
        held |= more
    # The scope is a column of every key, so an insert cannot leave it out.
    if not isinstance(statement, Insert):
        yield from sorted(_table(leaf).name for leaf in own - held)
    for each, apart in nested:
        yield from unrouted(each, frozenset() if apart else outer | own)


def shards(connection: Connection, statement: Sent) -> int:
    """How many shards of a real cluster a statement is sent to, as Citus plans it."""
    plan = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement.sql}", statement.values).scalar_one()
    queries = (node["Distributed Query"] for node in nodes(plan[0]["Plan"]) if "Distributed Query" in node)
    return sum(query["Job"]["Task Count"] for query in queries)


def _parts(statement: ClauseElement) -> tuple[list[ClauseElement], list[tuple[ClauseElement, bool]]]:
    """What a statement consists of, down to the queries inside it; and these, with whether each stands for a table."""
    parts: list[ClauseElement] = []
    nested: list[tuple[ClauseElement, bool]] = []
    waiting: list[tuple[Any, bool]] = [(part, False) for part in statement.get_children()]
    while waiting:
        part, apart = waiting.pop()
        if isinstance(part, Select | CompoundSelect):
            nested.append((part, apart))
        else:
            parts.append(part)
            if not _is_ours(part):
                waiting.extend((each, isinstance(part, AliasedReturnsRows)) for each in part.get_children())
    return parts, nested


def _leaves(part: Any) -> Iterator[FromClause]:
    """A table of ours that a part is, or that it is a column of."""
    candidates: tuple[Any, ...] = (part, getattr(part, "table", None))
    yield from (leaf for leaf in candidates if _is_ours(leaf))


def _is_ours(origin: Any) -> bool:
    table = _table(origin)
    return isinstance(table, Table) and table.metadata is metadata


def _table(origin: Any) -> Any:
    return origin.element if isinstance(origin, Alias) else origin


def _equal_scopes(part: BinaryExpression[Any]) -> Iterator[tuple[FromClause, FromClause | None]]:
    """A comparison of a scope with something: whose it is, and whose the other is, where that is one of ours."""
    if part.operator is operators.eq:
        left, right = (_scoped(side) for side in (part.left, part.right))
        if left is not None:
            yield left, right
        if right is not None:
            yield right, left


def _scoped(side: Any) -> FromClause | None:
    origin = getattr(side, "table", None)
    return origin if getattr(side, "name", "") == "scope_id" and _is_ours(origin) else None
