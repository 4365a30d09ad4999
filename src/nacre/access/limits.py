"""How often a caller may call."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from nacre.domain.errors import RateLimited

MINUTE = 60.0
REMEMBERED = 100_000


class Limiter:
    """Lets each caller through so many times a minute, in bursts of as many. Every process counts on its own."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / MINUTE
        self._burst = float(per_minute)
        self._now = now
        self._lock = Lock()
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, caller: Hashable) -> None:
        """Count one call; `RateLimited` when there were too many. A rate of 0 lets everything through."""
        if not self._rate:
            return
        now = self._now()
        with self._lock:
            left, at = self._left.get(caller, (self._burst, now))
            left = min(self._burst, left + (now - at) * self._rate)
            allowed = left >= 1
            self._left[caller] = (left - 1 if allowed else left, now)
            self._left.move_to_end(caller)
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
        if not allowed:
            raise RateLimited((1 - left) / self._rate)
