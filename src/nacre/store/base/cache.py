"""A cache beside the database, on a Redis or Valkey server. Nothing is lost when it is empty, slow or down."""

import logging
from collections.abc import Callable
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from nacre.domain.errors import Misconfigured

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

SECONDS_KEPT = 600
# How long a caller may wait for an answer, and how long nobody asks after one did not come.
TIMEOUT, PAUSE = 0.1, 5.0
_SCHEMES = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss", "unix": "unix"}
_AT_ONCE = 500

T = TypeVar("T")


class Cache:
    """Bytes under keys, for ten minutes. It never raises: what it does not tell in time is not there.

    After a failure nobody asks for some seconds, so a server that is down costs its callers next to nothing. Then one
    caller tries again, while the others still do without.
    """

    def __init__(self, address: str, clock: Callable[[], float] = monotonic) -> None:
        self._redis = _client(address)
        self._clock = clock
        self._resumes_at = 0.0

    def get(self, key: str) -> bytes | None:
        """What is kept under a key."""
        kept = self._asked(lambda: self._redis.get(key))
        return kept if isinstance(kept, bytes) else None

    def put(self, key: str, value: bytes, group: str) -> None:
        """Keep a value, and note that it belongs to a group."""

        def sent() -> None:
            several = self._redis.pipeline(transaction=False)
            several.set(key, value, ex=SECONDS_KEPT)
            several.sadd(group, key)
            several.expire(group, SECONDS_KEPT)
            several.execute()

        self._asked(sent)

    def drop(self, group: str) -> None:
        """Let everything go that belongs to a group; that is tried even after a failure."""

        def sent() -> None:
            keys = list(self._redis.sscan_iter(group, count=_AT_ONCE))
            for start in range(0, len(keys), _AT_ONCE):
                self._redis.unlink(*keys[start : start + _AT_ONCE])
            self._redis.unlink(group)

        self._resumes_at = 0.0
        self._asked(sent)

    def answers(self) -> bool:
        """Whether the server answers just now."""
        self._resumes_at = 0.0
        return self._asked(self._redis.ping) is not None

    def close(self) -> None:
        """Give back every connection."""
        self._redis.close()

    def _asked(self, question: Callable[[], T]) -> T | None:
        from redis import RedisError, ResponseError  # noqa: PLC0415, an extra

        if self._clock() < self._resumes_at:
            return None
        failing = self._resumes_at > 0
        if failing:
            self._resumes_at = self._clock() + PAUSE
        try:
            answer = question()
        except ResponseError as error:
            # It answers, but not to this: another kind of value is under the key, or there is no room.
            log.debug("The cache refused: %s", error)
            return None
        except (RedisError, OSError) as error:
            self._resumes_at = self._clock() + PAUSE
            if not failing:
                log.warning("The cache does not answer; reads go to the database. %s", error)
            return None
        if failing:
            self._resumes_at = 0.0
            log.info("The cache answers again.")
        return answer


def _client(address: str) -> "Redis":
    if find_spec("redis") is None:
        raise Misconfigured("A cache needs redis: install `nacre[redis]`, or leave NACRE_CACHE empty.")
    from redis import Redis  # noqa: PLC0415, an extra
    from redis.backoff import NoBackoff  # noqa: PLC0415
    from redis.retry import Retry  # noqa: PLC0415

    scheme, _, rest = address.partition("://")
    # The address may hold a password, so it is not repeated.
    if scheme not in _SCHEMES or not rest:
        raise Misconfigured(f"NACRE_CACHE must begin with one of {', '.join(f'{each}://' for each in _SCHEMES)}.")
    try:
        return Redis.from_url(
            f"{_SCHEMES[scheme]}://{rest}",
            socket_timeout=TIMEOUT,
            socket_connect_timeout=TIMEOUT,
            retry=Retry(NoBackoff(), 0),
        )
    except ValueError as error:
        raise Misconfigured("NACRE_CACHE is not an address such as redis://localhost:6379/0.") from error
