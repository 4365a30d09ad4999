"""Short calls under way in this process, and long work that gives way to them.

Who wants Python's lock gets it 5 ms after asking for it, and a call asks for it after every statement to its database:
beside a thread that computes, ten statements take 50 ms longer. So whoever works through a long text waits between two
pieces of it while calls are under way, and never while it holds a transaction that they may wait for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event
from time import monotonic

# A call that takes longer than this is not short, and nobody gives way to it any more.
SHORT_SECONDS = 0.1
# How long a piece of long work waits at most: it goes on, however many calls there are.
MOMENT_SECONDS = 0.02


# The call that is under way here: a request is answered by several threads.
_own: ContextVar[object] = ContextVar("own_call", default=None)


class ShortCalls:
    """The calls of all threads, by when each began. Safe for threads."""

    def __init__(self) -> None:
        self._begun: dict[object, float] = {}
        self._ended = Event()

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call, for as long as it is under way; what it calls is part of it."""
        if _own.get() is not None:
            yield
            return
        own = object()
        token = _own.set(own)
        self._begun[own] = monotonic()
        try:
            yield
        finally:
            _own.reset(token)
            self._begun.pop(own, None)
            self._ended.set()

    def give_way(self) -> None:
        """Wait a moment where others' short calls are under way. Who asks works for long, and is no short call."""
        if not self._begun:
            return
        self._begun.pop(_own.get(), None)
        until = monotonic() + MOMENT_SECONDS
        while (now := monotonic()) < until and self._are_under_way(now):
            self._ended.clear()
            self._ended.wait(until - now)

    def _are_under_way(self, now: float) -> bool:
        # A copy, made at once: other threads come and go.
        return any(now - begun < SHORT_SECONDS for begun in list(self._begun.values()))


CALLS = ShortCalls()
