"""What a database does to answer the statements that were really sent."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import CompoundSelect, Delete, Engine, Insert, Select, Update, event
from sqlalchemy.engine import Connection, ExecutionContext

from nacre.store.tables.schema import metadata

_SHARD = re.compile(r"_\d{6,}$")


@dataclass(frozen=True)
class Sent:
    """A statement: as it was built, as the driver got it, and one set of its values."""

    built: Any
    sql: str
    values: Any


@contextmanager
def collected() -> Iterator[dict[str, Sent]]:
    """Every statement on tables of ours that any engine sends meanwhile, by its text."""
    sent: dict[str, Sent] = {}

    def note(_connection: Any, _cursor: Any, sql: str, values: Any, context: ExecutionContext, many: bool) -> None:
        built = context.invoked_statement
        if isinstance(built, Select | CompoundSelect | Insert | Update | Delete):
            sent.setdefault(sql, Sent(built, sql, values[0] if many else values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def read_whole(connection: Connection, statement: Sent) -> set[str]:
    """The tables that a statement has the database read from beginning to end."""
    return (_on_postgresql if connection.dialect.name == "postgresql" else _on_sqlite)(connection, statement)


def _on_postgresql(connection: Connection, statement: Sent) -> set[str]:
    # A plan that still reads a whole table, or a whole index, has no other way, however many rows there are.
    # What a transaction sets is set on the nodes of a cluster as well; elsewhere this means nothing.
    connection.exec_driver_sql("SET LOCAL citus.propagate_set_commands TO local")
    for unwanted in ("seqscan", "hashjoin", "mergejoin"):
        connection.exec_driver_sql(f"SET LOCAL enable_{unwanted} = off")
    plan = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement.sql}", statement.values).scalar_one()
    return {_table(node) for node in nodes(plan[0]["Plan"]) if _reads_all(node)}


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan and all its parts, those on the nodes of a cluster among them."""
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)
    for task in plan.get("Distributed Query", {}).get("Job", {}).get("Tasks", ()):
        for (part,) in task["Remote Plan"]:
            yield from nodes(part["Plan"])


def index_of(node: dict[str, Any]) -> str:
    """The index that a part of a plan reads; a shard's has the number of the shard after its name."""
    return _SHARD.sub("", str(node.get("Index Name", "")))


def _reads_all(node: dict[str, Any]) -> bool:
    kind = node["Node Type"]
    # An index that hands out rows by how near they are is read only as far as they are asked for.
    return kind == "Seq Scan" or ("Index" in kind and "Index Cond" not in node and "Order By" not in node)


def _table(node: dict[str, Any]) -> str:
    return _SHARD.sub("", str(node.get("Relation Name") or node["Index Name"]))


def _on_sqlite(connection: Connection, statement: Sent) -> set[str]:
    found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement.sql}", statement.values)
    steps = [str(row.detail) for row in found]
    scanned = [step.split()[1] for step in steps if step.startswith("SCAN") and "VIRTUAL TABLE INDEX" not in step]
    # What else is scanned is the result of a subquery; a table that is joined twice has a number.
    return {name for name in scanned if name in metadata.tables or re.sub(r"_\d+$", "", name) in metadata.tables}
