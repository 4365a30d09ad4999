"""A brain on a real file, behind the application and behind a real server."""

from collections.abc import Iterator
from threading import Thread

import httpx
import pytest
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.cli import serving
from nacre.cli.addresses import Address
from nacre.http.app import create_app


@pytest.fixture
def brain(sqlite_url: str) -> Iterator[Nacre]:
    """A brain that ranks by words alone."""
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off")) as nacre:
        yield nacre


@pytest.fixture
def client(brain: Nacre) -> Iterator[TestClient]:
    """A client inside the process, for what needs no network."""
    with TestClient(
        create_app(brain), base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1), raise_server_exceptions=False
    ) as client:
        yield client


@pytest.fixture
def remote(brain: Nacre) -> Iterator[httpx.Client]:
    """A client of a real server on a loopback port."""
    server = serving.server(brain)
    with serving.listening("127.0.0.1", 0) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        with httpx.Client(base_url=Address.of(listener, "a").url, timeout=30, trust_env=False) as client:
            yield client
        server.should_exit = True
        thread.join()
