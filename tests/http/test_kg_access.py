"""Whose graph a request reaches, as of when, and what its caller must be allowed to do."""

from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.http import kg
from nacre.http.app import create_app
from nacre.http.doors import NEEDS
from tests.http.kg_calls import KG, NOBODY, failure, names, put

pytestmark = pytest.mark.spec("G7")


def test_every_route_keeps_to_one_users_graph(client):
    """Where the document's own server ignores `user_id`, two users see and change each other's graphs."""
    mine = put(client, "Jonathan Smithson", user_id="ana")
    put(client, "Jonathan Smithsen", user_id="ana")
    client.post(f"{KG}/dedup/scan", json={"user_id": "ana"})
    [pair] = client.get(f"{KG}/dedup?user_id=ana").json()

    for who in ("?user_id=ben", ""):
        assert client.get(f"{KG}/entities{who}").json() == []
        assert client.get(f"{KG}/entities/{mine['id']}{who}").status_code == 404
        assert client.delete(f"{KG}/entities/{mine['id']}{who}").status_code == 404
        assert client.post(f"{KG}/traverse{who}", json={"entity_id": mine["id"]}).status_code == 404
        assert client.get(f"{KG}/stats{who}").json()["entity_count"] == 0
        assert client.get(f"{KG}/graph{who}").json() == {"entities": [], "relations": []}
        assert client.get(f"{KG}/graph/compact{who}").json()["total_nodes"] == 0
        assert client.post(f"{KG}/dedup/scan{who}", json={}).json() == {"candidates_found": 0}
        assert client.get(f"{KG}/dedup{who}").json() == []
        assert client.post(f"{KG}/dedup/dismiss{who}", json={"candidate_id": pair["id"]}).status_code == 404
        merge = {"target_id": mine["id"], "source_id": "jonathan-smithsen"}
        assert client.post(f"{KG}/merge{who}", json=merge).status_code == 404

    assert len(client.get(f"{KG}/entities?user_id=ana").json()) == 2
    assert client.get("/v1/agents/other/kg/entities?user_id=ana").json() == []


def test_a_user_may_be_named_in_the_address_or_the_body_but_not_two(client):
    put(client, "John", user_id="ana")
    walk = {"entity_id": "john"}

    assert client.post(f"{KG}/traverse?user_id=ana", json=walk).status_code == 200
    assert client.post(f"{KG}/traverse", json={**walk, "user_id": "ana"}).status_code == 200
    assert client.post(f"{KG}/traverse?user_id=ana", json={**walk, "user_id": "ana"}).status_code == 200
    twice = client.post(f"{KG}/traverse?user_id=ben", json={**walk, "user_id": "ana"})
    assert failure(twice) == (400, "invalid", "user_id")


def test_a_shared_graph_belongs_to_no_user(client, brain):
    brain.agent("a").share(knowledge_graph=True)
    put(client, "John", user_id="ana")

    [seen] = client.get(f"{KG}/entities?user_id=ben").json()

    assert (seen["name"], seen["agent_id"], seen["user_id"]) == ("John", "a", None)


def test_the_graph_can_be_read_as_it_was(everywhere, nacre, clock):
    put(everywhere, "John")
    then = clock.now.isoformat().replace("+00:00", "Z")
    clock.advance(days=1)
    put(everywhere, "Mary")
    nacre.scope("a").graph.link("john", "knows", "mary")
    clock.advance(days=1)
    everywhere.delete(f"{KG}/entities/john")

    assert names(everywhere.get(f"{KG}/entities")) == ["Mary"]
    assert names(everywhere.get(f"{KG}/entities", params={"as_of": then})) == ["John"]
    assert everywhere.get(f"{KG}/entities/john", params={"as_of": then}).json()["relations"] == []
    assert everywhere.get(f"{KG}/stats", params={"as_of": then}).json()["entity_count"] == 1
    assert [each["name"] for each in everywhere.get(f"{KG}/graph", params={"as_of": then}).json()["entities"]] == [
        "John"
    ]
    walk = {"entity_id": "john", "as_of": "2026-05-02T12:00:00Z"}
    assert [each["entity"]["name"] for each in everywhere.post(f"{KG}/traverse", json=walk).json()] == ["Mary"]
    assert failure(everywhere.get(f"{KG}/entities", params={"as_of": "yesterday"})) == (400, "invalid", "as_of")


def test_names_in_any_alphabet_come_back_as_they_were_sent(client):
    put(client, "山田太郎", external_id="山田-太郎", properties={"役職": "部長"})

    found = client.get(f"{KG}/entities/山田-太郎").json()["entity"]

    assert (found["name"], found["properties"]) == ("山田太郎", {"役職": "部長"})
    assert names(client.get(f"{KG}/entities", params={"q": "山田"})) == ["山田太郎"]


PERMISSIONS = {
    ("GET", "/entities"): "recall",
    ("GET", "/entities/{entity}"): "recall",
    ("POST", "/entities"): "modify",
    ("DELETE", "/entities/{entity}"): "forget",
    ("POST", "/traverse"): "recall",
    ("POST", "/extract"): "remember",
    ("GET", "/stats"): "recall",
    ("GET", "/graph"): "recall",
    ("GET", "/graph/compact"): "recall",
    ("POST", "/dedup/scan"): "modify",
    ("GET", "/dedup"): "recall",
    ("POST", "/merge"): "modify",
    ("POST", "/dedup/dismiss"): "modify",
}
BODIES: dict[str, dict[str, Any]] = {
    "/entities": {"external_id": "x", "name": "X", "entity_type": "person"},
    "/traverse": {"entity_id": "x"},
    "/extract": {"text": "X"},
    "/merge": {"target_id": "x", "source_id": "y"},
    "/dedup/dismiss": {"candidate_id": NOBODY},
}


def test_every_route_says_what_its_caller_needs():
    said = {
        (method, route.path.removeprefix(kg.router.prefix)): (route.openapi_extra or {})[NEEDS]
        for route in kg.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert said == PERMISSIONS


def test_a_token_opens_the_routes_of_its_role_agent_and_user_alone(sqlite_url):
    settings = Settings(embedder="off", worker="off", auth="team")
    with Nacre(sqlite_url, settings=settings) as brain:
        client = TestClient(create_app(brain), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
        issue = brain.tokens.issue
        reader = issue("reader", "readonly", agent="a", user="ana").secret
        agent = issue("agent", "agent", agent="a", user="ana").secret

        def status(method: str, path: str, secret: str | None, user: str = "ana", of: str = "a") -> int:
            address = f"/v1/agents/{of}/kg{path}".replace("{entity}", "x")
            headers = {"authorization": f"Bearer {secret}"} if secret else {}
            body = BODIES.get(path, {}) if method == "POST" else None
            return int(
                client.request(method, address, params={"user_id": user}, json=body, headers=headers).status_code
            )

        for (method, path), permission in PERMISSIONS.items():
            assert status(method, path, None) == 401
            assert (status(method, path, reader) == 403) == (permission != "recall")
            assert status(method, path, agent, user="ben") == 403
            assert status(method, path, agent, of="b") == 403
            assert status(method, path, agent) in (200, 404)


def test_changes_are_signed_by_the_token(sqlite_url):
    settings = Settings(embedder="off", worker="off", auth="team")
    with Nacre(sqlite_url, settings=settings) as brain:
        client = TestClient(create_app(brain), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
        client.headers["authorization"] = f"Bearer {brain.tokens.issue('gardener', 'agent').secret}"
        put(client, "John")
        put(client, "Jon")
        client.post(f"{KG}/merge", json={"target_id": "john", "source_id": "jon"})
        client.delete(f"{KG}/entities/john")

        signed = [record.actor for record in brain.scope("a").graph.history()]

    assert signed == ["gardener"] * 4
