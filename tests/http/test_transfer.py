"""Export and import over HTTP."""

import json
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.http.app import create_app
from nacre.http.transfer import MEDIA_TYPES

MCP = '{"type":"entity","name":"Łukasz","entityType":"person","observations":["Drinks tea"]}\nnot json\n'


def test_a_scope_goes_out_and_comes_back_over_a_real_server(remote, brain):
    brain.scope("a", user="ana").remember("Ana likes tea 🦪")

    sent = remote.get("/v1/agents/a/export", params={"user": "ana"})
    back = remote.post("/v1/agents/a/restore", json={"user": "bo", "content": sent.text})

    assert sent.headers["content-type"].startswith("application/x-ndjson")
    assert json.loads(sent.text.splitlines()[0])["scope"] == {"agent": "a", "user": "ana"}
    assert back.status_code == 200
    assert back.json()["counts"]["memories"] == 1
    assert brain.scope("a", user="bo").recall("tea")[0].text == "Ana likes tea 🦪"


def test_a_long_export_arrives_whole(remote, brain):
    scope = brain.scope("a")
    for number in range(20):
        scope.observe("assistant", f"{number} " + "long " * 5_000)

    lines = remote.get("/v1/agents/a/export").text.split("\n")

    assert sum(json.loads(lines[0])["rows"].values()) == len(lines) - 2


@pytest.mark.parametrize("form", MEDIA_TYPES)
def test_every_format_has_its_media_type(client, brain, form):
    brain.scope("a").graph.link("Ana", "knows", "Bo")

    reply = client.get("/v1/agents/a/export", params={"format": form})

    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith(MEDIA_TYPES[form])
    assert "Ana" in reply.text
    if form == "graphml":
        ET.fromstring(reply.text)


def test_what_another_system_remembers_comes_in_and_is_taken_back(client, brain):
    reply = client.post("/v1/agents/a/import", json={"user": "ana", "format": "mcp", "content": MCP}).json()

    scope = brain.scope("a", user="ana")
    assert reply["counts"] == {"claims": 1, "entities": 1, "memories": 1}
    assert reply["skipped"] == [{"where": "line 2", "why": "`record` is not JSON."}]
    assert scope.graph.get("Łukasz").type == "person"
    scope.undo(reply["batch"])
    assert scope.graph.search(limit=10) == []


def test_a_dry_run_changes_nothing(client, brain):
    body = {"format": "mcp", "content": MCP, "dry_run": True}

    assert client.post("/v1/agents/a/import", json=body).json()["counts"]["entities"] == 1
    assert brain.scope("a").graph.search(limit=10) == []


def test_refusals_have_the_one_envelope(client, brain):
    brain.scope("a").remember("Ana likes tea")
    whole = client.get("/v1/agents/a/export").text

    full = client.post("/v1/agents/a/restore", json={"content": whole})
    cut = client.post("/v1/agents/b/restore", json={"content": whole[:-20]})
    lone = json.dumps({"content": whole.replace("Ana", "\ud800")})
    half = client.post("/v1/agents/b/restore", content=lone, headers={"content-type": "application/json"})
    odd = client.get("/v1/agents/a/export", params={"format": "mem0"})

    assert (full.status_code, full.json()["error"]["code"]) == (409, "conflict")
    assert (cut.status_code, cut.json()["error"]["code"]) == (400, "invalid")
    assert cut.json()["error"]["details"]["field"].startswith("line ")
    assert half.status_code == odd.status_code == 400
    assert brain.scope("b").recall("tea").hits == ()


def test_who_may_what(sqlite_url):
    """Whoever may change memories may import; bringing back a log of its own takes an administrator."""
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off", auth="team")) as nacre:
        nacre.scope("a", user="ana").remember("Ana likes tea")
        nacre.scope("a", user="bo").remember("Bo likes cake")
        client = TestClient(create_app(nacre), base_url="http://localhost")

        def status(method, path, role, **sent):
            token = nacre.tokens.issue(f"{role} {path}", role=role, agent="a", user="ana").secret
            return client.request(method, path, headers={"Authorization": f"Bearer {token}"}, **sent)

        mcp, whole = {"format": "mcp", "content": MCP}, {"content": "x"}
        export = {role: status("GET", "/v1/agents/a/export", role) for role in ("readonly", "agent", "admin")}
        assert [each.status_code for each in export.values()] == [403, 200, 200]
        assert "tea" in export["agent"].text
        assert "cake" not in export["agent"].text
        assert status("GET", "/v1/agents/a/export", "agent", params={"user": "bo"}).status_code == 403
        assert status("POST", "/v1/agents/a/import", "readonly", json=mcp).status_code == 403
        assert status("POST", "/v1/agents/a/import", "agent", json=mcp).status_code == 200
        assert status("POST", "/v1/agents/a/restore", "agent", json=whole).status_code == 403
        assert status("POST", "/v1/agents/a/restore", "admin", json=whole).status_code == 400
