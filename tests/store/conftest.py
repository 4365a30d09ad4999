"""Fixtures for tests of the store."""

from collections.abc import Iterator

import pytest
from redis import Redis

from nacre import Nacre
from tests.conftest import WITHOUT_WORKER, MovableClock
from tests.store.caches import World, with_cache


@pytest.fixture
def world(database_url: str, cache_url: str, clock: MovableClock) -> Iterator[World]:
    """A memory that is read with a cache and without, on each database."""
    with (
        Nacre(database_url, settings=with_cache(cache_url), clock=clock) as cached,
        Nacre(database_url, settings=WITHOUT_WORKER, clock=clock) as plain,
        Redis.from_url(cache_url) as server,
    ):
        yield World((cached, plain), clock, server)
