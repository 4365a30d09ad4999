"""Connections of the server that end when a request does not come."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# How long the lines before a body may take.
HEAD_SECONDS = 10.0


class TimedConnection(H11Protocol):
    """A connection that is dropped while it owes a request for too long: at first, and once one has begun to come.

    Between requests uvicorn itself waits for a few seconds, and `guards.BodyLimit` for bodies.
    """

    _owed: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of the lines, where they are not all there."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._owed is None and self.conn.trailing_data[0]:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._owed = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._owed:
            self._owed.cancel()
        self._owed = None
