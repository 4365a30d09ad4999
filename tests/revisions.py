"""The guard that every test runs under: no transaction may change a graph and leave its scope's revision as it was.

Other processes tell by the revision that what they keep of a graph is out of date: see nacre.store.reads.nodes.
Rows that a test writes by itself are its own affair.
"""

import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Delete, Engine, Insert, Update, event
from sqlalchemy.engine import ExecutionContext

from nacre.store.base import databases, prepared_statements
from nacre.store.tables.schema import aliases, entities, links, scopes

_GRAPH = (entities, aliases, links)
# Columns that readers take from the row itself.
_NOTED = {"last_referenced_at", "last_synthesized_at"}
_TESTS = str(Path(__file__).parent)
_RUNNING = (databases.__file__, prepared_statements.__file__)
_SET = re.compile(r"\b(\w+)=")


def listen() -> None:
    """Look at every statement from now on."""
    event.listen(Engine, "begin", _begun)
    event.listen(Engine, "before_cursor_execute", _executed)
    event.listen(Engine, "commit", _committed)


def leave() -> None:
    """Look away again."""
    event.remove(Engine, "begin", _begun)
    event.remove(Engine, "before_cursor_execute", _executed)
    event.remove(Engine, "commit", _committed)


def _begun(connection: Connection) -> None:
    connection.info["changed"], connection.info["advanced"] = set(), set()


def _executed(connection: Any, _cursor: Any, sql: str, _values: Any, context: ExecutionContext, _many: Any) -> None:
    statement = context.invoked_statement
    if not isinstance(statement, Insert | Update | Delete):
        return
    columns = set(_SET.findall(sql.partition(" WHERE ")[0])) if isinstance(statement, Update) else set()
    if statement.table in _GRAPH and not (columns and columns <= _NOTED) and not _by_a_test():
        connection.info["changed"] |= _scopes(context)
    elif statement.table is scopes and (isinstance(statement, Delete) or "revision" in columns):
        connection.info["advanced"] |= _scopes(context)


def _by_a_test() -> bool:
    """Whether the function that had the statement run, past SQLAlchemy and the transaction, belongs to a test."""
    frame: FrameType | None = sys._getframe(2)
    while frame and (frame.f_code.co_filename in _RUNNING or "sqlalchemy" in frame.f_code.co_filename):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_TESTS)


def _scopes(context: Any) -> set[UUID]:
    given = context.compiled_parameters
    return {value for values in given for name, value in values.items() if "scope" in name and value is not None}


def _committed(connection: Connection) -> None:
    if connection.info["changed"] - connection.info["advanced"]:
        # SQLAlchemy takes the transaction for committed when this is called, and would leave it open.
        connection.connection.rollback()
        raise AssertionError("A graph was changed without a new revision of its scope.")
