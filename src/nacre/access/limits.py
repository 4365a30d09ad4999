"""How often a caller may call."""

import mmap
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from threading import Lock

from nacre.domain.errors import RateLimited

MINUTE = 60.0
REMEMBERED = 100_000


class Limiter:
    """Lets each caller through so many times a minute, in bursts of as many. It counts in this process."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._bucket = _Bucket(per_minute)
        self._now = now
        self._lock = Lock()
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, caller: Hashable) -> None:
        """Count one call; `RateLimited` when there were too many. A rate of 0 lets everything through."""
        if not self._bucket.rate:
            return
        now = self._now()
        with self._lock:
            left, allowed = self._bucket.spent(self._left.get(caller), now)
            self._left[caller] = (left, now)
            self._left.move_to_end(caller)
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
        if not allowed:
            raise RateLimited(self._bucket.wait(left))


class SharedLimiter:
    """As `Limiter`, for the processes of one server: what is left to a caller stands in a file that all of them map.

    A caller has a place among the few rows that its digest points to, and takes that of whoever called least lately.
    Who holds those rows is known to the system, so a process that dies holds nobody up.
    """

    ROW = Struct("<Qdd")
    ROWS, GROUPS = 8, 8_192
    WIDTH = ROW.size * ROWS

    def __init__(self, per_minute: int, file: Path, now: Callable[[], float] = time.monotonic) -> None:
        # Windows has none, and no server there has several processes.
        import fcntl  # noqa: PLC0415

        self._locking = fcntl
        self._bucket = _Bucket(per_minute)
        self._now = now
        self._lock = Lock()
        self._file = file.open("r+b")
        self._rows = mmap.mmap(self._file.fileno(), self.WIDTH * self.GROUPS)

    @classmethod
    def prepare(cls, file: Path) -> None:
        """Make the file, with nobody in it."""
        file.write_bytes(bytes(cls.WIDTH * cls.GROUPS))

    def take(self, caller: Hashable) -> None:
        """Count one call; `RateLimited` when there were too many. A rate of 0 lets everything through."""
        if not self._bucket.rate:
            return
        # 0 is a row that nobody has.
        key = int.from_bytes(blake2b(repr(caller).encode(), digest_size=8).digest()) or 1
        with self._group(key % self.GROUPS) as start:
            now = self._now()
            rows = {
                start + place * self.ROW.size: self._row(start + place * self.ROW.size) for place in range(self.ROWS)
            }
            own = next((place for place, row in rows.items() if row[0] == key), None)
            left, allowed = self._bucket.spent(rows[own][1:] if own is not None else None, now)
            place = own if own is not None else min(rows, key=lambda each: (rows[each][0] != 0, rows[each][2]))
            self.ROW.pack_into(self._rows, place, key, left, now)
        if not allowed:
            raise RateLimited(self._bucket.wait(left))

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()
        self._file.close()

    def _row(self, place: int) -> tuple[int, float, float]:
        key, left, at = self.ROW.unpack_from(self._rows, place)
        return key, left, at

    @contextmanager
    def _group(self, number: int) -> Iterator[int]:
        """Where the rows of a group begin, held against threads and processes."""
        start = number * self.WIDTH
        with self._lock:
            self._locking.lockf(self._file, self._locking.LOCK_EX, self.WIDTH, start)
            try:
                yield start
            finally:
                self._locking.lockf(self._file, self._locking.LOCK_UN, self.WIDTH, start)


class _Bucket:
    """What a caller has left: it fills evenly, up to a minute's worth."""

    def __init__(self, per_minute: int) -> None:
        self.rate = per_minute / MINUTE
        self._burst = float(per_minute)

    def spent(self, held: tuple[float, float] | None, now: float) -> tuple[float, bool]:
        """What is left after one more call, and whether that call is allowed; `held` is what was left, and when."""
        left, at = held or (self._burst, now)
        left = min(self._burst, left + (now - at) * self.rate)
        return (left - 1, True) if left >= 1 else (left, False)

    def wait(self, left: float) -> float:
        """How many seconds it takes until another call is allowed."""
        return (1 - left) / self.rate
