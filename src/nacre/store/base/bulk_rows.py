"""All rows of a statement, a portion at a time and as the driver gives them: for reading a whole scope into arrays."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Select
from sqlalchemy.exc import DBAPIError

from nacre.store.base.databases import Transaction

# Few enough that a portion is worked on while it is in the processor's cache.
PORTION = 2_000

Rows = Sequence[tuple[Any, ...]]


def read(tx: Transaction, statement: Select[Any], values: Mapping[str, Any]) -> Iterator[Rows]:
    """The rows as plain tuples: making an object of each takes as long as reading it."""
    found = tx.connection.execute(statement, values)
    error: type[Exception] = tx.connection.dialect.loaded_dbapi.Error
    try:
        while rows := found.cursor.fetchmany(PORTION):
            yield rows
    except error as failure:
        raise DBAPIError.instance(str(statement), dict(values), failure, error) from failure
    finally:
        found.close()
