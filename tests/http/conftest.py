"""A brain on a real file, behind the application and behind a real server."""

from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from nacre import Nacre, ScopedNacre, Settings
from nacre.cli import listeners
from nacre.cli.addresses import Address
from nacre.http.app import create_app
from tests.serving import answering
from tests.waits import HANGS


@pytest.fixture
def brain(sqlite_url: str) -> Iterator[Nacre]:
    """A brain that ranks by words alone."""
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off")) as nacre:
        yield nacre


@pytest.fixture(scope="session")
def application() -> Iterator[FastAPI]:
    """An application that is built once, because its routes take half a second to build."""
    with Nacre(":memory:", settings=Settings(embedder="off", worker="off")) as nacre:
        yield create_app(nacre)


@pytest.fixture
def client(application: FastAPI, brain: Nacre) -> TestClient:
    """A client inside the process, for what needs no network."""
    application.state.nacre = brain
    return TestClient(
        application, base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1), raise_server_exceptions=False
    )


@pytest.fixture
def remote(brain: Nacre) -> Iterator[httpx.Client]:
    """A client of a real server on a loopback port."""
    with (
        listeners.listening("127.0.0.1", 0) as listener,
        answering(brain, listener),
        httpx.Client(base_url=Address.of(listener, "a").url, timeout=HANGS, trust_env=False, verify=False) as client,
    ):
        yield client


@pytest.fixture
def everywhere(application: FastAPI, nacre: Nacre) -> TestClient:
    """As `client`, on each database."""
    application.state.nacre = nacre
    return TestClient(application, base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1))


@pytest.fixture
def billing(brain: Nacre) -> ScopedNacre:
    """A graph around Billing: two aspects, two claims, a constraint and two links."""
    scope = brain.scope("a", "ana")
    scope.graph.add("Billing", type="project", description="Bills people", properties={"code_name": "Coin"})
    scope.ontology.set("Billing", "schedule/launch/date", "May 3")
    scope.ontology.set("Billing", "schedule/launch/date", "May 5")
    scope.ontology.set("Billing", "schedule/general/owner", "Ana")
    scope.ontology.set("Billing", "security/general/keys", "Keys never leave the vault", kind="constraint")
    scope.graph.link("Billing", "uses", "Postgres", strength=0.9, reason="It stores bills")
    scope.graph.link("Shop", "depends_on", "Billing", strength=0.5)
    return scope
