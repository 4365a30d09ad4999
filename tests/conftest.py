"""Fixtures for every test: real databases, a clock that moves, and the scope guard."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Engine, event

from nacre import Nacre, ScopedNacre, Settings
from tests import postgres, scoping

settings.register_profile(
    "nacre",
    deadline=None,
    max_examples=50,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
settings.load_profile("nacre")


class MovableClock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> datetime:
        """Move by an amount such as `minutes=5`."""
        self.now += timedelta(**amount)
        return self.now


@pytest.fixture(autouse=True, scope="session")
def scope_guard() -> Iterator[None]:
    """Every statement of every test names its scope."""
    event.listen(Engine, "before_execute", scoping.check)
    yield
    event.remove(Engine, "before_execute", scoping.check)


@pytest.fixture(scope="session")
def postgres_server(testrun_uid: str) -> Iterator[str]:
    """One PostgreSQL for the whole run."""
    with postgres.server(testrun_uid) as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """An empty PostgreSQL schema of the test's own."""
    with postgres.schema(postgres_server) as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """An SQLite file of the test's own."""
    return str(tmp_path / "brain.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The test runs on both databases."""
    fixture = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(fixture))


@pytest.fixture
def clock() -> MovableClock:
    """A clock that stands still."""
    return MovableClock()


@pytest.fixture
def nacre(database_url: str, clock: MovableClock) -> Iterator[Nacre]:
    """A brain on each database; what it leaves to the background is done when a test says so."""
    with Nacre(database_url, settings=Settings(worker="off"), clock=clock) as brain:
        yield brain


@pytest.fixture
def scope(nacre: Nacre) -> ScopedNacre:
    """One user's memory on each database."""
    return nacre.scope(agent="assistant", user="ana")
