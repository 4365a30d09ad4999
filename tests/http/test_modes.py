"""Local, team and hybrid: who is let in from where, over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.cli import listeners
from nacre.domain.errors import Invalid
from nacre.http.app import create_app

pytestmark = pytest.mark.spec("S19")

Auth = Literal["local", "team", "hybrid"]
ROUTE = "/v1/agents/a/memories"
HOME, AWAY = "127.0.0.1", "10.0.0.9"


@contextmanager
def server(address: str, auth: Auth, *, peer: str = HOME, rate_limit: int = 0) -> Iterator[tuple[TestClient, str]]:
    """A client at `peer` of a server in a mode, and a token."""
    with Nacre(address, settings=Settings(embedder="off", worker="off", auth=auth, rate_limit=rate_limit)) as nacre:
        client = TestClient(create_app(nacre), base_url="http://127.0.0.1", client=(peer, 1))
        yield client, nacre.tokens.issue("t", "readonly").secret


def ask(client, secret=None, **headers):
    bearer = {"authorization": f"Bearer {secret}"} if secret else {}
    return client.get(ROUTE, headers={**bearer, **{name.replace("_", "-"): value for name, value in headers.items()}})


@pytest.mark.parametrize(
    ("auth", "peer", "with_token", "status"),
    [
        ("local", HOME, False, 200),
        ("local", HOME, True, 200),
        ("local", "::1", False, 200),
        ("local", AWAY, False, 401),
        ("local", AWAY, True, 401),
        ("hybrid", HOME, False, 200),
        ("hybrid", HOME, True, 200),
        ("hybrid", AWAY, False, 401),
        ("hybrid", AWAY, True, 200),
        ("team", HOME, False, 401),
        ("team", HOME, True, 200),
        ("team", AWAY, False, 401),
        ("team", AWAY, True, 200),
    ],
)
def test_each_mode_answers_whom_it_should(sqlite_url, auth, peer, with_token, status):
    with server(sqlite_url, auth, peer=peer) as (client, secret):
        assert ask(client, secret if with_token else None).status_code == status


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "https://evil.example"}, {"origin": "null"}])
def test_a_page_from_elsewhere_gets_nothing_out_of_a_browser_on_this_machine(sqlite_url, headers):
    """A browser is at home, and sends no token on its own."""
    with server(sqlite_url, "local") as (client, _):
        assert ask(client, **headers).status_code == 403
    with server(sqlite_url, "hybrid") as (client, secret):
        assert ask(client, **headers).status_code == 401
        # No token is no token, whatever else stands in its place.
        for instead in ("Basic YTpi", "Bearer", "Bearer ", "bearer  ", "Token x", ""):
            assert ask(client, authorization=instead, **headers).status_code == 401
        assert ask(client, secret, **headers).status_code == 200


@pytest.mark.parametrize("header", ["forwarded", "x-forwarded-for", "x-real-ip"])
@pytest.mark.parametrize("auth", ["local", "hybrid"])
def test_who_comes_through_a_proxy_is_not_at_home(sqlite_url, auth, header):
    with server(sqlite_url, auth) as (client, _):
        assert ask(client, **{header: "10.0.0.9"}).status_code == 401


def test_a_wrong_token_is_no_better_than_none_at_home(sqlite_url):
    with server(sqlite_url, "local") as (client, _):
        assert ask(client, "nacre_0_0").status_code == 401


def test_who_calls_too_often_is_told_when_to_come_back(sqlite_url):
    with server(sqlite_url, "team", peer=AWAY, rate_limit=3) as (client, secret):
        assert [ask(client, secret).status_code for _ in range(4)] == [200, 200, 200, 429]
        refused = ask(client, secret)
        assert refused.json()["error"]["code"] == "rate_limited"
        assert int(refused.headers["retry-after"]) == refused.json()["error"]["details"]["retry_after"] > 0


def test_who_guesses_tokens_is_slowed_down_without_slowing_others(sqlite_url):
    with server(sqlite_url, "team", peer=AWAY, rate_limit=3) as (client, secret):
        assert [ask(client, f"nacre_{n}_x").status_code for n in range(5)] == [401, 401, 401, 429, 429]
        assert ask(client, secret).status_code == 200


def test_anyone_may_ask_whether_the_server_is_well_and_what_it_can_do(sqlite_url):
    with server(sqlite_url, "team", peer=AWAY) as (client, _):
        assert {client.get(path).status_code for path in ("/health", "/docs", "/openapi.json")} == {200}


@pytest.mark.parametrize("host", ["0.0.0.0", "10.0.0.9", "::"])
def test_a_local_server_does_not_listen_to_the_world(host):
    with pytest.raises(Invalid, match="loopback"), listeners.listening(host, 0):
        pass
