"""`nacre hook`: what a client calls at a prompt, after a turn, and when a session starts or ends.

It never breaks its client: it ends in time and with exit code 0, and what went wrong stands in a log. It loads
little, because a person waits for it.
"""

import json
import os
import signal
import sys
from collections.abc import Sequence
from time import monotonic
from types import FrameType

from nacre import environment
from nacre.background import calls
from nacre.clients import events
from nacre.clients.events import HookEvent

# By kind, how many seconds a client waits at most. Python itself starts in 20 ms of them.
SECONDS = {events.START: 4.0, events.PROMPT: 0.27, events.TURN: 2.0, events.FLUSH: 2.0}
MOST_BYTES = 8 * 2**20
LONGEST_LOG = 2**20
PER_PROJECT = "--per-project"


class TooLate(BaseException):
    """The time of a hook is over; no handler of errors may catch it."""


def run(arguments: Sequence[str]) -> int:
    """Answer one hook; always 0."""
    began = monotonic()
    try:
        _answer(arguments, began)
    except TooLate:
        _log("Too late: the client was told nothing.")
    except Exception as error:  # noqa: BLE001 - whatever it is, the client goes on
        _log(f"{type(error).__name__}: {error}")
    return 0


def _answer(arguments: Sequence[str], began: float) -> None:
    _limit(SECONDS[events.START])
    client = next((each for each in arguments if not each.startswith("-")), "")
    event = events.read(client, json.loads(sys.stdin.buffer.read(MOST_BYTES)))
    config = environment.config_of_hook()
    if config is None:
        _log("There are no settings: run `nacre install` again.")
    if event is None or config is None:
        return
    end = began + SECONDS[event.kind]
    _limit(end - monotonic())
    request = event.request(per_project=PER_PROJECT in arguments)
    text = _told(config, event, request, end)
    _limit(0)
    sys.stdout.write(events.reply(event, text))
    sys.stdout.flush()


def _told(config: str, event: HookEvent, request: dict[str, object], end: float) -> str:
    """What the background server says to an event."""
    try:
        with open(environment.hook_address(config), encoding="utf-8") as file:
            place = str(json.load(file)["socket"])
    except (OSError, ValueError):
        place = ""
    if place:
        try:
            return _call(place, request, end)
        except calls.NoAnswer as error:
            if error.sent:
                return ""
    from nacre.clients import waiting  # noqa: PLC0415 - with a server, nobody needs it

    return waiting.told(config, event, request, end, _call)


def _call(place: str, request: dict[str, object], end: float) -> str:
    reply = calls.call(place, {"kind": "hook", "event": request}, end - monotonic())
    if "error" in reply:
        _log(str(reply["error"]))
    return str(reply.get("text", ""))


def _limit(seconds: float) -> None:
    """Have this process interrupted after so many seconds; 0 is never."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, max(0.0, seconds))


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TooLate


def _log(message: str) -> None:
    from datetime import UTC, datetime  # noqa: PLC0415 - for what goes wrong

    folder = environment.state_folder()
    file = os.path.join(folder, "hooks.log")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.path.exists(file) and os.path.getsize(file) > LONGEST_LOG:
            os.replace(file, f"{file}.old")
        handle = os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as log:
            log.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {' '.join(message.split())[:500]}\n")
    except OSError:
        # There is nowhere left to say it.
        return
