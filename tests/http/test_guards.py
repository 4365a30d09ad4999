"""Who may talk to a local server, and how much."""

import asyncio
import socket

import pytest
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.domain.checks import is_loopback
from nacre.http import guards
from nacre.http.app import create_app
from nacre.http.guards import MAX_BODY

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8765", "127.1.2.3", "localhost", "LOCALHOST:80", "[::1]:8765"]
)
def test_loopback_hosts_are_answered(client, host):
    assert client.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "127.0.0.1.example.com",
        "localhost.example.com",
        "10.0.0.1",
        "0.0.0.0",
        "",
        ":8765",
        "localhost@x",
        "a b",
    ],
)
def test_other_hosts_are_denied(client, host):
    """A page may have its own name lead to 127.0.0.1; the Host header still says that name."""
    reply = client.get("/health", headers={"host": host})

    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "denied")


@pytest.mark.parametrize("origin", ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173"])
def test_loopback_origins_are_answered(client, origin):
    assert client.get("/health", headers={"origin": origin}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://127.0.0.1:8765", "sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"origin": "http://localhost:3000"}, 403),
        ({"origin": "http://127.0.0.1:8766", "sec-fetch-site": "same-site"}, 403),
        ({"origin": "http://localhost:8765"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_only_the_page_of_this_server_may_write(client, headers, status):
    reply = client.post("/v1/agents/a/recall", json={"query": "x"}, headers={"host": "127.0.0.1:8765", **headers})
    assert reply.status_code == status
    read = client.get("/health", headers={"host": "127.0.0.1:8765", **headers})
    assert (read.status_code, read.headers["x-content-type-options"]) == (200, "nosniff")


def test_a_body_that_no_longer_comes_is_given_up(remote, monkeypatch):
    monkeypatch.setattr(guards, "READ_SECONDS", 0.2)
    address = remote.base_url
    with socket.create_connection((address.host, address.port or 80), timeout=20) as slow:
        slow.sendall(b"POST /v1/agents/a/recall HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n")
        slow.sendall(b'Content-Length: 100\r\n\r\n{"query"')
        assert slow.recv(1000).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    "origin",
    ["https://example.com", "null", "", "http://localhost.example.com", "file://localhost", "http://localhost@x.com"],
)
def test_other_origins_are_denied(client, origin):
    reply = client.post("/v1/agents/a/recall", json={"query": "x"}, headers={"origin": origin})

    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "denied")


def test_configured_hosts_are_answered_too(sqlite_url):
    brain = Nacre(sqlite_url, settings=Settings(embedder="off", worker="off", hosts=["Memory.internal"]))
    client = TestClient(create_app(brain), base_url="http://memory.internal")

    assert client.get("/health", headers={"origin": "https://memory.internal"}).status_code == 200
    assert client.get("/health", headers={"host": "other.internal"}).status_code == 403


def test_a_real_server_denies_a_foreign_host(remote):
    assert remote.get("/health", headers={"host": "example.com"}).status_code == 403


def test_unknown_routes_are_denied_before_they_are_missed(client):
    assert client.get("/nowhere", headers={"host": "example.com"}).status_code == 403


def test_a_body_at_the_limit_is_read(client):
    padding = MAX_BODY - len(b'{"query": "x"}')

    reply = client.post("/v1/agents/a/recall", content=b'{"query": "x"' + b" " * padding + b"}", headers=JSON)

    assert reply.status_code == 200


def test_a_body_that_declares_too_much_is_refused_unread(remote):
    reply = remote.post("/v1/agents/a/recall", content=b" " * (MAX_BODY + 1), headers=JSON)

    assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large")


def test_a_body_that_streams_too_much_is_refused(remote):
    reply = remote.post("/v1/agents/a/recall", content=(b" " * 2**20 for _ in range(20)), headers=JSON)

    assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large")


def test_a_body_without_end_is_read_no_further_than_the_limit(brain):
    received, sent = 0, []

    async def receive():
        nonlocal received
        received += 1
        return {"type": "http.request", "body": b" " * 2**20, "more_body": True}

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/v1/agents/a/recall", "query_string": b"", "headers": headers}
    asyncio.run(create_app(brain)(scope, receive, send))

    assert sent[0]["status"] == 413
    assert received == MAX_BODY // 2**20 + 1


@pytest.mark.parametrize("name", ["0.0.0.0", "::", "10.0.0.1", "example.com", "", "localhost.example.com"])
def test_only_loopback_names_are_loopback(name):
    assert not is_loopback(name)
