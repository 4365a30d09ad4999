"""`/mcp` stands behind the same door as every route: who calls is checked, and each tool needs its permission."""

import shutil

import httpx
import pytest
from starlette.testclient import TestClient

from nacre import Denied, Nacre, Settings
from nacre.http.app import create_app
from nacre.tools.failures import HINTS
from tests.mcp.conftest import over_http, served, talk
from tests.waits import HANGS

ACCEPT = {"accept": "application/json, text/event-stream"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def team(sqlite_pattern, tmp_path_factory):
    """A brain whose callers need a token."""
    file = shutil.copy(sqlite_pattern, tmp_path_factory.mktemp("team") / "brain.db")
    with Nacre(file, settings=Settings(embedder="off", worker="off", auth="team")) as nacre:
        yield nacre


@pytest.fixture(scope="module")
def team_url(team):
    """Where it is served."""
    with served(team) as address:
        yield address


@pytest.fixture(scope="module")
def home(sqlite_pattern, tmp_path_factory):
    """A brain that anyone on this machine may call, for the user ana."""
    file = shutil.copy(sqlite_pattern, tmp_path_factory.mktemp("home") / "brain.db")
    with Nacre(file, settings=Settings(embedder="off", worker="off", user="ana")) as nacre:
        yield nacre


@pytest.fixture(scope="module")
def home_url(home):
    """Where it is served."""
    with served(home) as address:
        yield address


@pytest.fixture(scope="module")
def local(home):
    """A client of it inside the process."""
    with TestClient(create_app(home), base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1)) as client:
        yield client


def call(url, name, given, **headers):
    """The text that a tool replies with, and whether it failed."""

    async def once(client):
        reply = await client.call_tool(name, given)
        return reply.content[0].text, bool(reply.is_error)

    return talk(over_http(url, **headers), once)


def bearer(team, role="agent", agent=None, user=None):
    return f"Bearer {team.tokens.issue('tests', role=role, agent=agent, user=user).secret}"


@pytest.mark.spec("N3")
@pytest.mark.parametrize("held", [None, "Bearer nonsense", "Bearer", "Basic YTpi", "Bearer \u00e9"])
def test_without_a_token_that_opens_the_door_nothing_is_said(team_url, held):
    headers = {**ACCEPT, **({"authorization": held.encode("latin-1")} if held else {})}
    reply = httpx.post(team_url, json=PING, headers=headers, trust_env=False, verify=False, timeout=HANGS)
    assert reply.status_code == 401
    assert reply.headers["www-authenticate"] == "Bearer"
    assert reply.json()["error"]["code"] == "unauthenticated"


@pytest.mark.spec("N3")
def test_a_token_acts_where_it_is_bound_and_nowhere_else(team, team_url):
    held = bearer(team, agent="helper", user="ana")
    assert call(team_url, "remember", {"text": "Ana plays the oboe."}, authorization=held)[1] is False
    assert team.scope("helper", "ana").recall("oboe")

    elsewhere = {"authorization": held, "x-nacre-user": "bob"}
    text, failed = call(team_url, "recall", {"query": "oboe"}, **elsewhere)
    assert failed
    assert text == f"denied: This token is for the user `ana` alone. {HINTS[Denied]}"
    assert team.tokens.denials()[0].called == "mcp recall"


@pytest.mark.spec("N3")
def test_changes_are_signed_by_the_name_of_the_token(team, team_url):
    held = bearer(team, agent="signer", user="ana")
    given = {"operation": "create_entity", "payload": {"name": "Oboe"}}
    calls = [
        ("remember", {"text": "Ana plays the oboe."}),
        ("correct", {"entity": "Ana", "what": "favourite colour", "value": "green"}),
        ("apply_operations", {"operations": [given]}),
    ]
    for name, arguments in calls:
        text, failed = call(f"{team_url}?tools=all", name, arguments, authorization=held)
        assert not failed, text

    assert {record.actor for record in team.scope("signer", "ana").history()} - {"extraction"} == {"tests"}


@pytest.mark.spec("N3")
def test_headers_choose_the_scope_of_a_token_that_is_free(team, team_url):
    chosen = {"x-nacre-agent": "helper", "x-nacre-user": "%E6%9D%B1", "x-nacre-chat": "c1"}
    call(team_url, "remember", {"text": "The code word is heron."}, authorization=bearer(team), **chosen)
    assert team.scope("helper", "東", "c1").recall("heron")
    assert call(team_url, "recall", {"query": "heron"}, authorization=bearer(team))[0] == "Nothing is known about that."


@pytest.mark.spec("N3")
def test_a_role_sees_and_calls_only_what_it_may(team, team_url):
    held = bearer(team, role="readonly", agent="helper")

    async def listed(client):
        return [tool.name for tool in (await client.list_tools()).tools]

    assert talk(over_http(team_url, authorization=held), listed) == [
        "recall",
        "context",
        "explain",
        "knowledge_graph_search",
    ]
    text, failed = call(team_url, "remember", {"text": "Let me in."}, authorization=held)
    assert failed
    assert text.startswith("denied: The role `readonly` has no permission `remember`.")


@pytest.mark.spec("N3")
def test_a_revoked_token_opens_nothing(team, team_url):
    issued = team.tokens.issue("tests", role="agent")
    team.tokens.revoke(issued.token.id)
    headers = {**ACCEPT, "authorization": f"Bearer {issued.secret}"}
    reply = httpx.post(team_url, json=PING, headers=headers, trust_env=False, verify=False, timeout=HANGS)
    assert reply.status_code == 401


def test_who_calls_too_often_waits(sqlite_url):
    settings = Settings(embedder="off", worker="off", auth="team", rate_limit=3)
    with Nacre(sqlite_url, settings=settings) as nacre:
        client = TestClient(create_app(nacre), headers={**ACCEPT, "authorization": bearer(nacre)})
        statuses = [client.post("/mcp", json=PING).status_code for _ in range(5)]
    assert (statuses[0], statuses[-1]) == (200, 429)


@pytest.mark.spec("N3")
def test_at_home_the_settings_choose_the_scope(home, home_url):
    call(home_url, "remember", {"text": "Ana plays the oboe."})
    assert home.scope("assistant", "ana").recall("oboe")


@pytest.mark.spec("N3")
def test_all_tools_are_asked_for_in_the_address(home_url):
    async def counted(client):
        return len((await client.list_tools()).tools)

    assert talk(over_http(home_url), counted) == 8
    assert talk(over_http(f"{home_url}?tools=all"), counted) >= 28


def test_working_memory_is_kept_by_the_session_of_the_header(home_url):
    given = {"key": "todo", "data": "tune it"}
    text, _ = call(f"{home_url}?tools=all", "save_to_working_memory", given, **{"x-nacre-session": "desk"})
    assert text.startswith("Stored session/desk/todo until ")


def test_pages_of_other_origins_are_refused(local):
    reply = local.post("/mcp", json=PING, headers={**ACCEPT, "origin": "https://evil.example"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "denied")


def test_unknown_hosts_are_refused(local):
    assert local.post("/mcp", json=PING, headers={**ACCEPT, "host": "evil.example"}).status_code == 403


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_are_no_sessions_to_listen_to_or_to_end(local, method):
    assert local.request(method, "/mcp", headers=ACCEPT).status_code == 405


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b'{"jsonrpc": "2.0"}', b"\xff\xfe"])
def test_what_is_not_a_message_is_refused(local, body):
    reply = local.post("/mcp", content=body, headers={**ACCEPT, "content-type": "application/json"})
    assert 400 <= reply.status_code < 500


def test_a_body_that_is_too_large_is_refused_whatever_length_it_claims(local):
    def chunks():
        yield from (b"x" * 2**20 for _ in range(10))

    headers = {**ACCEPT, "content-type": "application/json"}
    assert local.post("/mcp", content=b"x" * (9 * 2**20), headers=headers).status_code == 413
    assert local.post("/mcp", content=chunks(), headers=headers).status_code == 413


def test_a_ping_is_answered(local):
    reply = local.post("/mcp", json=PING, headers=ACCEPT)
    assert (reply.status_code, reply.json()) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
