"""Hooks that find no background server: they start one, and keep what they have to tell until it is up."""

import signal
from time import monotonic
from types import FrameType

from nacre import __version__
from nacre.background import calls, starting, stores
from nacre.background.addresses import ServerAddress
from nacre.background.stores import StoreChoice
from nacre.clients import events, hook_calls, payloads, unsent_events
from nacre.clients.events import TooLate
from nacre.clients.payloads import HookEvent

# Of the time that a client waits, what the answer itself is given.
ANSWER_SECONDS = 0.5
# However late it is, so much time is left to start a server.
SHORTEST = 0.05


def send_event(config: str, client: str, payload: bytes, message: bytes, end: float, *, per_project: bool) -> bytes:
    """What is said to an event: at the start of a session by the server that is started for it, else nothing yet."""
    event = payloads.read(client, payload)
    store = stores.choose(config) if event else None
    if event is None or store is None:
        return b""
    request = event.request(per_project=per_project)
    if not calls.possible():
        return payloads.reply(event, _told_here(store, event, request)).encode()
    address = _found(store, event, end)
    reply = hook_calls.call(address.socket, message, end) if address else None
    if reply is None and (event.prompt or event.reply):
        unsent_events.keep(store, request)
    return reply or b""


def _found(store: StoreChoice, event: HookEvent, end: float) -> ServerAddress | None:
    """The server of a store, if there is one in time; where there is none, one is started for the next event."""
    _limit(max(SHORTEST, end - monotonic()))
    try:
        address = _current(starting.alive(store))
        if address is None:
            starting.start(store)
            if event.kind == events.START:
                address = _current(starting.wait(store, end - monotonic() - ANSWER_SECONDS))
    except TooLate:
        return None
    finally:
        _limit(0)
    return address


def _current(address: ServerAddress | None) -> ServerAddress | None:
    """A server of this version; one of another is asked to go, and the next hook starts its successor."""
    if address is None or address.version == __version__:
        return address
    calls.call(address.socket, {"kind": "stop"}, 1.0)
    return None


def _told_here(store: StoreChoice, event: HookEvent, request: dict[str, str]) -> str:
    """Where there can be no server, what a person does not wait for is done in this process."""
    if event.kind == events.PROMPT:
        unsent_events.keep(store, request)
        return ""
    from nacre.clients import capture  # noqa: PLC0415 - the whole brain

    return capture.here(store, request)


def _limit(seconds: float) -> None:
    """Have this process interrupted after so many seconds; 0 is never."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TooLate
