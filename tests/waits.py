"""Waits that have a deadline. It only says that something hangs: a slow machine that many share never comes near it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from subprocess import Popen
from threading import Timer

HANGS = 120.0


def eventually(claim: Callable[[], bool], seconds: float = HANGS) -> bool:
    """Whether the claim comes true in time."""
    end = time.monotonic() + seconds
    while not claim() and time.monotonic() < end:
        time.sleep(0.02)
    return claim()


@contextmanager
def heard(process: Popen[str]) -> Iterator[None]:
    """Read what a process says: one that says nothing for too long is killed, and whoever reads finds the end."""
    timer = Timer(HANGS, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
