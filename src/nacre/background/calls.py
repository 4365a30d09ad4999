"""Calls of a background server: one line of JSON there, one line back."""

import json
import socket
import sys
from time import monotonic, sleep
from typing import Any

from nacre import environment
from nacre.background import addresses
from nacre.background.addresses import ServerAddress
from nacre.environment import Surroundings

# A reply that is longer is no reply of ours.
MOST_BYTES = 64 * 2**20
WAIT_STEP = 0.02


class NoAnswer(Exception):
    """A server that is not there or says nothing in time; `sent` is whether it has heard the whole call."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__("The background server did not answer.")
        self.sent = sent


def possible() -> bool:
    """Whether this system has the sockets that a background server answers on."""
    return hasattr(socket, "AF_UNIX")


def call(address: ServerAddress, request: dict[str, Any], seconds: float) -> dict[str, Any]:
    """What a server says to a request, within so many seconds."""
    end = monotonic() + seconds
    sent = False
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(max(0.001, seconds))
            line.connect(address.socket)
            line.sendall(json.dumps(request).encode() + b"\n")
            sent = True
            reply = json.loads(_received(line, end))
    except (OSError, ValueError) as error:
        raise NoAnswer(sent=sent) from error
    if not isinstance(reply, dict):
        raise NoAnswer(sent=True)
    return reply


def _received(line: socket.socket, end: float) -> bytes:
    parts: list[bytes] = []
    size = 0
    while not parts or not parts[-1].endswith(b"\n"):
        line.settimeout(max(0.001, end - monotonic()))
        part = line.recv(2**16)
        size += len(part)
        if not part or size > MOST_BYTES:
            raise ConnectionError
        parts.append(part)
    return b"".join(parts)


def alive(store: Surroundings) -> ServerAddress | None:
    """The server of a store, if it answers."""
    address = addresses.read(store) if possible() else None
    if address is None:
        return None
    try:
        call(address, {"kind": "ping"}, 1.0)
    except NoAnswer:
        return None
    return address


def start(store: Surroundings) -> None:
    """Start a server for a store in the background; it ends at once where there is one already."""
    import subprocess  # noqa: PLC0415 - most calls find a server

    log = environment.state_folder() / "server.log"
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    config = ["--config", str(store.config)] if store.config else []
    command = [sys.executable, "-m", "nacre", *config, "up", "--foreground"]
    with log.open("ab") as written:
        log.chmod(0o600)
        subprocess.Popen(  # noqa: S603 - this program itself
            command,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
            # A folder that is not in anybody's way, and holds no file of settings.
            cwd=addresses.folder(),
            env=environment.handed_down(store),
        )


def wait(store: Surroundings, seconds: float) -> ServerAddress | None:
    """The server of a store once it answers, if it does within so many seconds."""
    end = monotonic() + seconds
    while (address := alive(store)) is None and monotonic() < end:
        sleep(WAIT_STEP)
    return address
