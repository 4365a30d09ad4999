"""Calls of a hook to the background server, and the log of what went wrong. A hook waits for this module to load."""

import _socket
import os
from time import monotonic

from nacre import environment
from nacre.clients.events import TooLate

LONGEST_LOG = 2**20


def call(place: str, message: bytes, end: float) -> bytes | None:
    """What the server at a socket has a hook print; nothing where it has not heard all of the message."""
    if not place or not hasattr(_socket, "AF_UNIX"):
        return None
    line, sent = _socket.socket(_socket.AF_UNIX), False
    try:
        line.settimeout(max(0.001, end - monotonic()))
        line.connect(place)
        line.sendall(message)
        sent, parts = True, [b""]
        while not parts[-1].endswith(b"\n"):
            line.settimeout(max(0.001, end - monotonic()))
            part = line.recv(2**16)
            if not part:
                log("The server hung up: see `server.log`.")
                return b""
            parts.append(part)
        return b"".join(parts).rstrip(b"\n")
    except TimeoutError as error:
        raise TooLate from error
    except OSError:
        return b"" if sent else None
    finally:
        line.close()


def log(message: str) -> None:
    """Write down what went wrong, where only this user can read it."""
    from datetime import UTC, datetime  # noqa: PLC0415 - for what goes wrong

    folder = environment.state_folder()
    file = os.path.join(folder, "hooks.log")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.path.exists(file) and os.path.getsize(file) > LONGEST_LOG:
            os.replace(file, f"{file}.old")
        handle = os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as opened:
            opened.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {' '.join(message.split())[:500]}\n")
    except OSError:
        # There is nowhere left to say it.
        return
