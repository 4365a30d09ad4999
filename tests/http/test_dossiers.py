"""The routes of a page about one entity, and those that say who calls and whose memories there are."""

import pytest
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.http.app import create_app
from tests.http.knowledge_calls import API, WHO, failure

pytestmark = pytest.mark.spec("S18")


def test_a_page_shows_what_is_believed_with_its_words(everywhere, nacre):
    scope = nacre.scope("a", "ana")
    said = scope.observe("user", "Note: the launch is on May 3.", speaker="Tom", session="s1")
    scope.ontology.set("Billing", "schedule/launch/date", "May 3", said_in=said.id, quote="the launch is on May 3")

    page = everywhere.get(f"{API}/entities/billing/beliefs", params=WHO).json()

    assert (page["entity"]["name"], page["asOf"]) == ("Billing", None)
    [claim] = page["aspects"][0]["groups"][0]["claims"]
    [version] = claim["versions"]
    assert (claim["claimKey"], claim["path"], claim["total"]) == ("date", "schedule/launch/date", 1)
    assert (version["holds"], version["attribute"]["content"]) == (True, "May 3")
    assert {"aspect", "groupKey", "claimKey", "id", "version"} <= version["attribute"].keys()
    words = version["citation"]
    assert (words["before"], words["quote"], words["speaker"]) == ("Note: ", "the launch is on May 3", "Tom")


def test_a_page_shows_links_mentions_memories_and_a_timeline(everywhere, nacre):
    scope = nacre.scope("a", "ana")
    scope.graph.link("Billing", "uses", "Postgres")
    scope.remember("Billing is late.", structured={"entities": [{"source": "Billing"}]})

    def get(part):
        return everywhere.get(f"{API}/entities/billing/{part}", params=WHO).json()

    [link] = get("links")["items"]
    assert (link["direction"], link["link"]["target"]["name"], link["citation"]) == ("outgoing", "Postgres", None)
    assert get("mentions")["items"][0]["after"] == " is late."
    assert [each["content"] for each in get("memories")["items"]] == ["Billing is late."]
    events = get("timeline")["items"]
    assert events[-1]["record"]["operation"] == "create_link"
    assert events[-1]["touched"] == ["aliases", "entities", "links"]


def test_a_proposal_can_be_edited_while_it_waits(everywhere, nacre):
    nacre.scope("a", "ana").graph.add("Billing", type="project")
    order = {"entity": "Billing", "aspect": "schedule", "claim_key": "date", "value": "May 3"}
    made = everywhere.post("/api/ontology/proposals", json={**WHO, "operation": "set_claim_value", "payload": order})
    address = f"/api/ontology/proposals/{made.json()['proposal']['id']}"

    edited = everywhere.patch(address, json={**WHO, "payload": {**order, "value": "May 9"}, "rationale": "It moved."})

    assert (edited.status_code, edited.json()["status"]) == (200, "pending")
    assert (edited.json()["payload"]["value"], edited.json()["rationale"]) == ("May 9", "It moved.")
    wrong = everywhere.patch(address, json={**WHO, "payload": {**order, "claim_key": "x"}})
    assert wrong.status_code == 400
    assert failure(everywhere.patch(address, json=WHO)) == (400, "invalid", "payload")
    applied = everywhere.post(f"{address}/apply", json=WHO).json()
    assert nacre.scope("a", "ana").ontology.claims("Billing")[0].value == "May 9"
    assert everywhere.patch(address, json={**WHO, "confidence": 0.5}).status_code == 409
    assert everywhere.post("/v1/agents/a/undo", json={"user": "ana", "operation": applied["audit"]}).status_code == 200


def test_pinning_tells_what_an_undo_takes(client, billing):
    pinned = client.post(f"{API}/entities/billing/pin", params=WHO).json()

    assert client.post("/v1/agents/a/undo", json={"user": "ana", "operation": pinned["audit"]}).status_code == 200
    assert client.get(f"{API}/entities/billing", params=WHO).json()["entity"]["pinned"] is False


def test_the_scopes_of_an_agent_are_listed_for_who_may_see_them(everywhere, nacre):
    for user, chat in ((None, None), ("ana", None), ("ana", "c1"), ("ben", None)):
        nacre.scope("a", user, chat).observe("user", "hello")
    nacre.scope("b").observe("user", "hello")

    found = everywhere.get("/v1/agents/a/scopes").json()

    assert [(each["user"], each["chat"]) for each in found["scopes"]] == [
        (None, None),
        ("ana", None),
        ("ana", "c1"),
        ("ben", None),
    ]
    assert all(each["changed_at"] for each in found["scopes"])
    page = everywhere.get("/v1/agents/a/scopes", params={"limit": 1, "offset": 1}).json()
    assert [each["user"] for each in page["scopes"]] == ["ana"]


def test_a_user_is_forgotten_in_every_chat_and_nobody_else_is(everywhere, nacre):
    for user, chat in (("ana", None), ("ana", "c1"), ("ben", None)):
        nacre.scope("a", user, chat).observe("user", "I like tea.")

    gone = everywhere.delete("/v1/agents/a/users/ana", params={"purge": True}).json()

    assert (gone["turns"], gone["purged"]) == (2, True)
    assert not nacre.scope("a", "ana", "c1").recall("tea")
    assert nacre.scope("a", "ben").recall("tea")


def test_a_caller_learns_who_it_is(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(auth="team", agent="x", embedder="off", worker="off")) as nacre:
        client = TestClient(create_app(nacre), client=("10.0.0.9", 1))
        secret = nacre.tokens.issue("laptop", "readonly", agent="a", user="ana").secret
        told = client.get("/v1/me", headers={"authorization": f"Bearer {secret}"}).json()

    assert (told["name"], told["local"], told["role"]) == ("laptop", False, "readonly")
    assert (told["agent"], told["user"], told["bound_agent"], told["bound_user"]) == ("a", "ana", "a", "ana")
    assert "recall" in told["permissions"]
    assert "admin" not in told["permissions"]


def test_memories_are_signed_with_the_name_of_the_token(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(auth="team", embedder="off", worker="off", extraction="off")) as nacre:
        client = TestClient(create_app(nacre), client=("10.0.0.9", 1))
        client.headers["authorization"] = f"Bearer {nacre.tokens.issue('laptop', 'admin').secret}"
        kept = client.post("/v1/agents/a/remember", json={"text": "Tea."}).json()["memory"]["id"]
        client.patch(f"/v1/agents/a/memories/{kept}", json={"importance": 0.9})
        client.post(f"/api/memory/{kept}/pin", params={"agent_id": "a"})
        client.delete(f"/api/memory/{kept}/pin", params={"agent_id": "a"})
        client.post("/v1/agents/a/forget", json={"memory": kept})
        signed = [(each.operation, each.actor) for each in nacre.scope("a").history()]

    assert {actor for _, actor in signed} == {"laptop"}
    assert len(signed) == 5
