"""Connections by thread, so that an interrupted call gives its own back at once.

An interrupt can come between any two instructions: after a transaction has begun, and before the block is entered that
would end it. What is left then would be given back when somebody collects garbage, and keep everybody from writing
until that.
"""

from contextlib import suppress
from threading import get_ident
from typing import Any, Protocol

from sqlalchemy import Connection


class OwnedLock(Protocol):
    """A lock that knows which thread holds it."""

    def acquire(self, blocking: bool = ..., timeout: float = ...) -> bool:
        """Wait for it, and take it."""
        ...

    def release(self) -> None:
        """Give it back; `RuntimeError` where the thread does not hold it."""
        ...


class ThreadConnection:
    """A connection with a transaction, and a place in the line of those who write."""

    def __init__(self, line: OwnedLock | None) -> None:
        self._line = line
        self.connection: Connection | None = None
        self.is_over = False

    def wait(self, seconds: float) -> None:
        """Stand in line; who has stood for too long asks the database, which tells whoever wrote too long."""
        if self._line is not None:
            self._line.acquire(timeout=seconds)

    def end(self) -> None:
        """Leave the line, once."""
        if not self.is_over:
            self.is_over = True
            if self._line is not None:
                # Nobody knows whether an interrupted wait came to its end.
                with suppress(RuntimeError):
                    self._line.release()

    def give_up(self) -> None:
        """End what an interrupt left open."""
        if self.connection is not None:
            try:
                _take_back(self.connection)
            except Exception:  # noqa: BLE001 - whatever state it was left in: it is closed for good
                with suppress(Exception):
                    self.connection.invalidate()
            with suppress(Exception):
                self.connection.close()
        self.end()


def _take_back(connection: Connection) -> None:
    driver: Any = None if connection.closed else connection.connection.driver_connection
    if driver is not None:
        driver.rollback()


class ThreadConnections:
    """All that the threads of a process hold of one database."""

    def __init__(self) -> None:
        self._held: dict[int, list[ThreadConnection]] = {}

    def add(self, line: OwnedLock | None) -> ThreadConnection:
        """Note that the calling thread is about to hold something."""
        holding = ThreadConnection(line)
        self._held.setdefault(get_ident(), []).append(holding)
        return holding

    def remove(self, holding: ThreadConnection) -> None:
        """Note that it holds it no more."""
        mine = self._held.get(get_ident(), [])
        # Garbage may be collected by any thread, and long after it was given up.
        if holding in mine:
            mine.remove(holding)
        if not mine:
            self._held.pop(get_ident(), None)

    def give_up(self) -> None:
        """Give back all that the calling thread holds: what it was doing was interrupted."""
        for holding in reversed(self._held.pop(get_ident(), [])):
            holding.give_up()
