"""`nacre hook`: what a client calls at a prompt, after a turn, and when a session starts or ends.

It never breaks its client: it ends in time and with exit code 0, and what went wrong stands in a log. A person waits
for it, so it hands what it is told to the background server unread, and imports no module that takes longer to load
than the server takes to answer: `json` and `socket` alone would double its time.
"""

import _socket
import os
import sys
from select import select
from time import monotonic

from nacre import __version__, environment
from nacre.clients import events
from nacre.clients.events import TooLate
from nacre.clients.hook_calls import call, log

# By kind, how many seconds a client waits at most. Python itself starts in 20 ms of them.
SECONDS = {events.START: 4.0, events.PROMPT: 0.27, events.TURN: 2.0, events.FLUSH: 2.0}
MOST_BYTES = 8 * 2**20
PER_PROJECT = "--per-project"


def main() -> None:
    """Answer the hook that this process was started for: `python -I -S -c … hook CLIENT`."""
    code = run(sys.argv[2:])
    sys.stdout.flush()
    # All is said. Taking modules apart is for programs that go on.
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Answer one hook; always 0."""
    began = monotonic()
    try:
        _answer(arguments, began)
    except TooLate:
        log("Too late: the client was told nothing.")
    except Exception as error:  # noqa: BLE001 - whatever it is, the client goes on
        log(f"{type(error).__name__}: {error}")
    return 0


def _answer(arguments: list[str], began: float) -> None:
    client = next((each for each in arguments if not each.startswith("-")), "")
    payload = _payload(began + SECONDS[events.START])
    kind = events.likely_kind(client, payload)
    end = began + SECONDS[kind or events.START]
    config = environment.config_of_hook()
    if config is None:
        log("There are no settings: run `nacre install` again.")
        return
    per_project = PER_PROJECT in arguments
    message = b'{"kind": "hook", "client": "%s", "per_project": %s, "bytes": %d}\n' % (
        client.encode() if kind else b"",
        b"true" if per_project else b"false",
        len(payload),
    )
    message += payload
    reply = call(_server(config), message, end) if kind else None
    if reply is None:
        from nacre.clients import server_starts  # noqa: PLC0415 - with a server, nobody needs it

        reply = server_starts.send_event(config, client, payload, message, end, per_project=per_project)
    sys.stdout.write(reply.decode())
    sys.stdout.flush()


def _payload(end: float) -> bytes:
    """What the client says on standard input, if it has said all of it in time."""
    if not hasattr(_socket, "AF_UNIX"):
        # Nor can such a system wait for standard input.
        return sys.stdin.buffer.read(MOST_BYTES)
    file, parts, size = sys.stdin.fileno(), [b""], 0
    while size < MOST_BYTES and select([file], [], [], max(0.0, end - monotonic()))[0]:
        part = os.read(file, 2**16)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
    raise TooLate


def _server(config: str) -> str:
    """The socket of the server that answers hooks with these settings; empty where there is none."""
    try:
        with open(environment.hook_address(config, __version__), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
