"""What makes every engine of the tests quick, without the product knowing."""

import os
import select
import sqlite3
from contextlib import closing
from threading import Lock
from typing import Any

from psycopg import Error
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Dialect


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


class KeptConnection(sqlite3.Connection):
    """A connection to an SQLite file that says how it was opened, as those of psycopg can."""


class Returned:
    """Connections to one database that engines of this process closed, as good as new, for the next ones.

    A connection costs more than most tests do with it: PostgreSQL starts a process for each, which knows nothing of the
    tables yet, and SQLite reads what they are. Whoever opens one is given one that was opened with the same words.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._kept: list[Any] = []
        self._in_use = 0
        # Threads of one test open and close connections at the same time.
        self._lock = Lock()

    @property
    def all_back(self) -> bool:
        """Whether every connection that was opened has been closed."""
        return self._in_use == 0

    def take(self, dialect: Dialect, arguments: list[Any], words: dict[str, Any]) -> Any:
        """One that was opened with these words, and that the server has not ended meanwhile; or a new one."""
        with self._lock:
            self._in_use += 1
        while (connection := self._alike(words)) is not None:
            if not _has_been_told_something(connection):
                return connection
            connection.close()
        more = {"factory": KeptConnection} if dialect.name == "sqlite" else {}
        connection = dialect.connect(*arguments, **words, **more)
        connection.opened_with, connection.returned = _compared(words), self
        return connection

    def _alike(self, words: dict[str, Any]) -> Any:
        """One of those that are kept, which was opened with these words."""
        if os.getpid() != self._process:
            return None
        with self._lock:
            place = next((at for at, each in enumerate(self._kept) if each.opened_with == _compared(words)), None)
            return None if place is None else self._kept.pop(place)

    def give(self, connection: Any) -> None:
        """Keep one that is closed, unless something is under way on it."""
        with self._lock:
            self._in_use -= 1
        if os.getpid() == self._process and _renewed(connection):
            self._kept.append(connection)
        else:
            connection.close()

    @property
    def processes(self) -> list[int]:
        """The server's processes behind them."""
        return [connection.info.backend_pid for connection in self._kept]

    def close(self) -> None:
        """Close them all."""
        while self._kept:
            self._kept.pop().close()


# By the name of a database, or the path of a file, that one test has after another: no other is opened again.
RETURNED: dict[str, Returned] = {}


def opened(dialect: Dialect, _record: Any, arguments: list[Any], words: dict[str, Any]) -> Any:
    """Give an engine a connection that another one closed, or a new one to a database for which they are kept."""
    returned = RETURNED.get(arguments[0] if arguments else words.get("dbname", ""))
    return returned and returned.take(dialect, arguments, words)


def closed(_dialect: Dialect, connection: Any) -> None:
    """Keep a connection that an engine closes, or close it."""
    returned = getattr(connection, "returned", None)
    if returned and returned in RETURNED.values():
        returned.give(connection)
    else:
        connection.close()


def _compared(words: dict[str, Any]) -> dict[str, Any]:
    """The words of a connection without how it reads and writes values: of that each engine makes the same anew."""
    return {name: value for name, value in words.items() if name != "context"}


def _renewed(connection: Any) -> bool:
    """Whether a connection is as good as new, having forgotten what it was told."""
    if isinstance(connection, sqlite3.Connection):
        # It forgets as it is opened again: each setting is made anew.
        return not connection.in_transaction
    if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
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
    return True


def _has_been_told_something(connection: Any) -> bool:
    """Whether a server has said something to a connection that nobody used: it has ended it, as a rule."""
    if isinstance(connection, sqlite3.Connection):
        return False
    if connection.closed:
        return True
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return bool(waiting.poll(0))
