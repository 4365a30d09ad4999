"""Hooks that find no background server: they start one, and keep what they have to tell until it is up."""

from collections.abc import Callable
from time import monotonic

from nacre.background import calls, starting, stores
from nacre.background.stores import StoreChoice
from nacre.clients import events, left_over
from nacre.clients.events import HookEvent

Call = Callable[[str, dict[str, object], float], str]
# Of the time that a client waits, what the answer itself is given.
ANSWER_SECONDS = 0.5


def told(config: str, event: HookEvent, request: dict[str, object], end: float, call: Call) -> str:
    """What is said to an event: at the start of a session by the server that is started for it, else nothing yet."""
    store = stores.choose(config)
    if store is None:
        return ""
    if not calls.possible():
        return _told_here(store, event, request)
    address = starting.alive(store)
    if address is None:
        starting.start(store)
        if event.kind == events.START:
            address = starting.wait(store, end - monotonic() - ANSWER_SECONDS)
    if address:
        return call(address.socket, request, end)
    if event.prompt or event.reply:
        left_over.keep(store, request)
    return ""


def _told_here(store: StoreChoice, event: HookEvent, request: dict[str, object]) -> str:
    """Where there can be no server, what a person does not wait for is done in this process."""
    if event.kind == events.PROMPT:
        left_over.keep(store, request)
        return ""
    from nacre.clients import capture  # noqa: PLC0415 - the whole brain

    return capture.here(store, request)
