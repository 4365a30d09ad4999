"""The server that `nacre serve` runs; imported by that command alone."""

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from nacre.brain import Nacre, loading  # noqa: F401 - before the first caller
from nacre.http.app import create_app
from nacre.settings import Settings
from nacre.telemetry import logs, metrics

# How long an event loop needs to give a connection its protocol, or a closed one its end.
SETTLING_SECONDS = 0.05
# How soon a thread that computes hands on Python's lock: a call asks for it again after every statement.
SWITCH_SECONDS = 0.0005


def alone(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> bool:
    """Answer requests in this process until told to stop; `ready` is called before the first."""
    if settings.metrics == "on" and settings.metrics_dir:
        metrics.tidy(settings.metrics_dir)
    # Being told to stop is the ordinary end, even before the server is there to hear of it. What a script starts in the
    # background would be deaf to interrupts.
    before = {number: signal.signal(number, signal.default_int_handler) for number in (signal.SIGINT, signal.SIGTERM)}
    with suppress(KeyboardInterrupt), Nacre(settings=settings) as nacre:
        logs.install(settings)
        serve(nacre, listener, ready)
    for number, handler in before.items():
        signal.signal(number, handler)
    return True


def serve(nacre: Nacre, listener: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Answer requests, and do background work, until told to stop; `ready` is called before the first."""
    sys.setswitchinterval(SWITCH_SECONDS)
    answering = server(nacre)
    # Whoever reads that the server is ready may tell it to stop at once.
    with answering.capture_signals():
        ready()
        nacre.parts.follow_ups.work_later()
        answering.run(sockets=[listener])


class Server(uvicorn.Server):
    """A server that ends when it is told to, and tells the application so at once."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take no more connections; streams end, and what is in flight is finished."""
        self.config.app.state.stopping.set()  # type: ignore[union-attr]
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish what is in flight and close every connection, those included that were accepted a moment ago."""
        for each in self.servers:
            each.close()
        # uvicorn asks the connections that it has by now to end, and would wait for the others in vain.
        await asyncio.sleep(SETTLING_SECONDS)
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(SETTLING_SECONDS)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Hear signals while serving; uvicorn would raise them again, and end the process before it has tidied up."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        heard = [each for each in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(each) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self.handle_exit) for number in heard}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def server(nacre: Nacre) -> Server:
    """A server for a brain; `run(sockets=[…])` answers requests until it is told to stop."""
    config = uvicorn.Config(
        create_app(nacre),
        http=TimedConnection,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=nacre.parts.settings.shutdown_seconds,
    )
    return Server(config)


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
