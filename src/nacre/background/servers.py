"""The background server: one for each store of a user, which ends by itself when nobody calls it for a while."""

import json
import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import IO, Any

from nacre.background import addresses, calls
from nacre.background.addresses import ServerAddress
from nacre.background.stores import StoreChoice
from nacre.domain.errors import Conflict, NacreError, Unavailable

log = logging.getLogger(__name__)

# What a request gets: a reply, as an object or word for word, and what is to be done once the caller has it.
Reply = tuple[dict[str, Any] | bytes, Callable[[], None] | None]
Answer = Callable[[dict[str, Any]], Reply]
POLL_SECONDS = 0.5


class BackgroundServer:
    """Answers calls on a socket of this user, until it is told to stop or nobody has called for a while."""

    def __init__(self, listener: socket.socket, answer: Answer, idle_seconds: float) -> None:
        self._listener = listener
        self._answer = answer
        self._idle_seconds = idle_seconds
        self._stopping = Event()
        self._lock = Lock()
        self._busy = 0
        self._last = monotonic()

    def stop(self) -> None:
        """Take no more calls; those that are being answered are finished."""
        self._stopping.set()

    def run(self) -> None:
        """Answer until the end."""
        self._listener.settimeout(POLL_SECONDS)
        threads: list[Thread] = []
        while not self._stopping.is_set() and not self._idle():
            threads = [each for each in threads if each.is_alive()]
            with suppress(TimeoutError):
                line, _ = self._listener.accept()
                thread = Thread(target=self._serve, args=(line,), daemon=True)
                thread.start()
                threads.append(thread)
        for thread in threads:
            thread.join(5.0)

    def _idle(self) -> bool:
        with self._lock:
            quiet = monotonic() - self._last
            return bool(self._idle_seconds) and not self._busy and quiet > self._idle_seconds

    def _serve(self, line: socket.socket) -> None:
        with self._lock:
            self._busy += 1
        try:
            with line:
                line.settimeout(10.0)
                later = self._reply(line)
            if later:
                later()
        except Exception:
            # A caller that hung up, or a fault of ours: the next call is answered all the same.
            log.exception("A call failed.")
        finally:
            with self._lock:
                self._busy -= 1
                self._last = monotonic()

    def _reply(self, line: socket.socket) -> Callable[[], None] | None:
        with line.makefile("rb") as file:
            request = json.loads(file.readline(calls.MOST_BYTES))
            if "bytes" in request:
                request["payload"] = file.read(min(int(request["bytes"]), calls.MOST_BYTES))
        later: Callable[[], None] | None = None
        match request["kind"]:
            case "ping":
                reply: dict[str, Any] | bytes = {}
            case "stop":
                reply = {}
                later = self.stop
            case _:
                try:
                    reply, later = self._answer(request)
                except NacreError as error:
                    reply = {"error": str(error)}
        with suppress(OSError):
            line.sendall(reply if isinstance(reply, bytes) else json.dumps(reply).encode() + b"\n")
        return later


@contextmanager
def listening(store: StoreChoice, version: str) -> Iterator[socket.socket]:
    """The socket of the only server of a store; `Conflict` where there is one already.

    Its address is known for as long as this lasts.
    """
    if not calls.possible():
        raise Unavailable("This system has no local sockets; commands work without a background server.")
    with addresses.lock_of(store).open("a") as lock:
        _hold(lock, store)
        place = addresses.socket_place(store)
        place.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(place))
            place.chmod(0o600)
            listener.listen(64)
            try:
                with addresses.known(store, _address(store, place, version)):
                    yield listener
            finally:
                place.unlink(missing_ok=True)


def _address(store: StoreChoice, place: Path, version: str) -> ServerAddress:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return ServerAddress(str(place), os.getpid(), version, store.shown, store.digest, now)


def _hold(lock: IO[str], store: StoreChoice) -> None:
    import fcntl  # noqa: PLC0415 - Windows has none, and no sockets of this kind

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Conflict(f"A background server answers for `{store.shown}` already.") from error
