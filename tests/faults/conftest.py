"""A PostgreSQL and a Valkey that tests may stop."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from bench.clusters import Cluster

# Nothing survives a power cut here, but all that was committed survives a crash.
QUICK = {"shared_buffers": "64MB", "fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of the module's own."""
    with closing(Cluster(settings=QUICK)) as made:
        yield made
