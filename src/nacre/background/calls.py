"""Calls of a background server: one line of JSON there, one line back. A hook waits for this module to load."""

import json
import socket
from time import monotonic

# A reply that is longer is no reply of ours.
MOST_BYTES = 64 * 2**20


class NoAnswer(Exception):
    """A server that is not there or says nothing in time; `sent` is whether it has heard the whole call."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__("The background server did not answer.")
        self.sent = sent


def possible() -> bool:
    """Whether this system has the sockets that a background server answers on."""
    return hasattr(socket, "AF_UNIX")


def call(place: str, request: dict[str, object], seconds: float) -> dict[str, object]:
    """What the server at a socket says to a request, within so many seconds."""
    end = monotonic() + seconds
    sent = False
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(max(0.001, seconds))
            line.connect(place)
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
