"""Fault logs: what holds a thread up is told in one line, and not at every try."""

import logging
from collections.abc import Callable
from time import monotonic

from nacre.domain.errors import NacreError, in_full

# How long a fault is not told again, and how many are remembered.
QUIET_SECONDS, MAX_TOLD = 3_600.0, 100


class FaultLog:
    """Tells what a thread waits for, each fault once an hour."""

    def __init__(self, log: logging.Logger, thread: str, seconds: Callable[[], float] = monotonic) -> None:
        self._log, self._thread, self._seconds = log, thread, seconds
        self._told: dict[str, float] = {}

    def tell(self, error: NacreError) -> None:
        """Log a fault, unless it was told lately."""
        fault, now = in_full(error), self._seconds()
        if fault in self._told and now - self._told[fault] < QUIET_SECONDS:
            return
        if len(self._told) >= MAX_TOLD:
            self._told.clear()
        self._told[fault] = now
        self._log.warning("%s waits: %s", self._thread, fault)
