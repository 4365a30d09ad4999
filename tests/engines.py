"""What makes every engine of the tests quick, without the product knowing."""

import os
import select
from contextlib import closing
from typing import Any

from psycopg import Error
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Dialect
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg


class Compiled(dict[Any, Any]):
    """Compiled statements, whichever engine compiled them.

    SQLAlchemy keeps them for each engine, and each test has an engine of its own: the same statements were compiled
    for test after test. All engines of a kind are made alike, so the first part of the key, the dialect, may go.
    """

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(key[1:], default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(key[1:], compiled)


_COMPILED = {"sqlite": Compiled(), "postgresql": Compiled()}


def hurry(connection: Connection) -> None:
    """Let a connection use what others compiled, and let SQLite forget everything in a power cut."""
    connection.execution_options(compiled_cache=_COMPILED[connection.dialect.name])
    if connection.dialect.name == "sqlite" and "hurried" not in connection.info:
        with closing(connection.connection.cursor()) as cursor:
            cursor.execute("PRAGMA synchronous = OFF")
        connection.info["hurried"] = True


class Returned:
    """Connections to one PostgreSQL database that engines of this process closed, as good as new, for the next ones.

    A connection costs more than most tests do with it: the server starts a process for each, which knows nothing of the
    tables yet. Whoever opens one is given one that was opened with the same words.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._kept: list[Any] = []

    def take(self, words: dict[str, Any]) -> Any:
        """One that was opened with these words, and that the server has not ended meanwhile; or nothing."""
        for connection in self._kept if os.getpid() == self._process else ():
            if connection.opened_with == _compared(words):
                self._kept.remove(connection)
                if not _has_been_told_something(connection):
                    return connection
                connection.close()
        return None

    def give(self, connection: Any) -> bool:
        """Keep one that is closed; false when something is under way on it."""
        if os.getpid() != self._process or connection.closed:
            return False
        if connection.info.transaction_status != TransactionStatus.IDLE:
            return False
        try:
            connection.autocommit = True
            # The driver would notice by itself only the first time.
            connection._prepared.clear()
            # Settings, prepared statements, temporary tables, locks, and whatever is listened to.
            connection.execute("DISCARD ALL")
            connection.autocommit = False
        except Error:
            return False
        connection.isolation_level = connection.read_only = connection.deferrable = None
        self._kept.append(connection)
        return True

    @property
    def processes(self) -> list[int]:
        """The server's processes behind them."""
        return [connection.info.backend_pid for connection in self._kept]

    def close(self) -> None:
        """Close them all."""
        while self._kept:
            self._kept.pop().close()


# By the name of a database that one test has after another: no other is opened again.
RETURNED: dict[str, Returned] = {}


def opened(dialect: Dialect, _record: Any, arguments: list[Any], words: dict[str, Any]) -> Any:
    """Give an engine a connection that another one closed, or a new one to a database for which they are kept."""
    returned = RETURNED.get(words.get("dbname", ""))
    if returned is None:
        return None
    connection = returned.take(words)
    if connection is None:
        connection = dialect.connect(*arguments, **words)
        connection.opened_with = _compared(words)
    return connection


def closed(_dialect: PGDialect_psycopg, connection: Any) -> None:
    """Keep a connection that an engine closes, or close it."""
    words = getattr(connection, "opened_with", {})
    returned = RETURNED.get(words.get("dbname", ""))
    if returned is None or not returned.give(connection):
        connection.close()


def _compared(words: dict[str, Any]) -> dict[str, Any]:
    """The words of a connection without how it reads and writes values: of that each engine makes the same anew."""
    return {name: value for name, value in words.items() if name != "context"}


def _has_been_told_something(connection: Any) -> bool:
    """Whether a server has said something to a connection that nobody used: it has ended it, as a rule."""
    if connection.closed:
        return True
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return bool(waiting.poll(0))
