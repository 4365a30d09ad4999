"""Brains that nobody closed: what they hold is given back once nobody can use them any more."""

import atexit
import contextlib
import weakref
from collections.abc import Callable, Sequence
from threading import Thread

from nacre.domain.errors import NacreError

# How long one waits for a thread to finish what it is at. That takes a moment unless the machine is overloaded, and a
# thread that is left inside a model takes the program down when the interpreter goes.
STOP_SECONDS = 30.0

# How everything ends that nobody has closed yet.
_open: dict[int, Sequence[Callable[[], object]]] = {}


def end_with(owner: object, ends: Sequence[Callable[[], object]]) -> Callable[[], None]:
    """Have everything ended when `owner` is gone, when the program ends, or when what comes back is called.

    None of it may hold `owner`.
    """
    finalizer = weakref.finalize(owner, _end_later, ends)
    finalizer.atexit = False
    _open[id(ends)] = ends

    def end() -> None:
        finalizer.detach()
        _open.pop(id(ends), None)
        for each in ends:
            each()

    return end


@atexit.register
def _end_all() -> None:
    """End what is open while there still is an interpreter."""
    for ends in list(_open.values()):
        _end(ends)


def _end_later(ends: Sequence[Callable[[], object]]) -> None:
    """In a thread: whoever collects garbage holds locks, and may be one of those that are to end."""
    Thread(target=_end, args=(ends,), name="nacre-ending", daemon=True).start()


def _end(ends: Sequence[Callable[[], object]]) -> None:
    _open.pop(id(ends), None)
    for each in ends:
        with contextlib.suppress(NacreError):
            each()
