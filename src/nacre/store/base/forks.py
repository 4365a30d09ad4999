"""A gate that the threads of a process stay out of while the process is forked.

A fork copies every lock as it is at that instant, and only the thread that forks goes on. A lock that another thread
holds then is held for ever in the child: one inside SQLite, or that of a module or a model that is being loaded. So
whoever uses a database or works in the background is inside, and a fork waits until nobody is.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, get_ident

# How long a fork waits for the other threads of this process to come out.
FORK_SECONDS = 5.0
_LOOKS_AGAIN_SECONDS = 0.001


class ForkGate:
    """Lets every thread in, but for the moment of a fork."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Be as new, with nobody inside: in a child there is one thread, and locks may be held by nobody."""
        self._open = Event()
        self._open.set()
        # How often each thread is inside.
        self._inside: dict[int, int] = {}

    def enter(self) -> None:
        """Go in, once no fork is under way; who is inside already does not wait."""
        thread = get_ident()
        deep = self._inside.get(thread, 0)
        # Whoever forks looks who is inside after it has closed the gate, so this is noted before the gate is looked at.
        self._inside[thread] = deep + 1
        while not deep and not self._open.is_set():
            del self._inside[thread]
            self._open.wait(FORK_SECONDS)
            self._inside[thread] = 1

    def leave(self) -> None:
        """Come out again."""
        thread = get_ident()
        deep = self._inside.get(thread, 0)
        if deep > 1:
            self._inside[thread] = deep - 1
        else:
            self._inside.pop(thread, None)

    def __enter__(self) -> None:
        self.enter()

    def __exit__(self, *_: object) -> None:
        self.leave()

    def step_aside(self) -> None:
        """Let a fork come between two steps of long work."""
        self.leave()
        self.enter()

    @contextmanager
    def stepped_out(self) -> Iterator[None]:
        """Let a fork come while the calling thread waits for somebody else; one that is in deeper stays where it is."""
        if self._inside.get(get_ident()) != 1:
            yield
            return
        self.leave()
        try:
            yield
        finally:
            self.enter()

    def forget(self) -> None:
        """Take the calling thread for one that is outside: what it was doing was interrupted."""
        self._inside.pop(get_ident(), None)

    def shut(self) -> None:
        """Let nobody in, and wait until the other threads are out."""
        self._open.clear()
        until = time.monotonic() + FORK_SECONDS
        while self._others() and time.monotonic() < until:
            time.sleep(_LOOKS_AGAIN_SECONDS)

    def reopen(self) -> None:
        """Let everybody in again."""
        self._open.set()

    def _others(self) -> set[int]:
        return set(self._inside) - {get_ident()}


GATE = ForkGate()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=GATE.shut, after_in_parent=GATE.reopen, after_in_child=GATE.renew)
