"""What the knowledge routes refuse, whom they let in, and how much they give at once."""

import json
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.http import insights, knowledge
from nacre.http.app import create_app
from nacre.http.doors import NEEDS
from tests.cases import in_turn
from tests.http.knowledge_calls import API, NOBODY, WHO, failure

pytestmark = pytest.mark.spec("S18")


@in_turn(
    ("path", "body", "field"),
    [
        ("expand", {}, "entity"),
        ("expand", {"entity": " "}, "entity"),
        ("expand", {"entity": "billing", "maxTokens": 10_001}, "max_tokens"),
        ("expand", {"entity": "billing", "maxTokens": "x"}, "maxTokens"),
        ("expand/session", {}, "entityName"),
        ("expand/session", {"entityName": "billing", "timeRange": "soon"}, "time_range"),
        ("expand/session", {"entityName": "billing", "maxResults": 51}, "max_results"),
        ("expand/session", {"entityName": "\ud800"}, "entity"),
    ],
)
def test_an_expansion_that_cannot_be_right_is_refused(client, billing, path, body, field):
    sent = json.dumps({**WHO, **body})
    reply = client.post(f"{API}/{path}", content=sent, headers={"content-type": "application/json"})

    assert failure(reply) == (400, "invalid", field)


def test_what_is_unknown_cannot_be_expanded(client, billing):
    for who in (WHO, {**WHO, "user_id": "ben"}):
        entity = "nobody" if who == WHO else "billing"
        assert client.post(f"{API}/expand", json={**who, "entity": entity}).status_code == 404


@pytest.mark.parametrize(
    ("path", "missing"),
    [
        ("navigation/entity", "name"),
        ("navigation/tree", "entity"),
        ("navigation/aspects", "entity"),
        ("navigation/groups?entity=billing", "aspect"),
        ("navigation/claims?entity=billing&aspect=schedule", "group"),
        ("navigation/attributes?entity=billing&aspect=schedule&group=launch", "claim"),
    ],
)
def test_a_selector_that_is_missing_is_named(client, billing, path, missing):
    address = f"{API}/{path}{'&' if '?' in path else '?'}agent_id=a&user_id=ana"

    assert failure(client.get(address)) == (400, "invalid", missing)
    blank = client.get(f"{address}&{missing}=%20").json()["error"]
    assert blank["code"] == "invalid"


@in_turn(
    ("path", "name", "maximum"),
    [
        ("entities", "limit", 200),
        ("navigation/entities", "limit", 200),
        ("navigation/tree?entity=billing", "max_aspects", 100),
        ("navigation/tree?entity=billing", "max_groups", 100),
        ("navigation/tree?entity=billing", "max_claims", 200),
        ("navigation/tree?entity=billing", "depth", 3),
        ("navigation/aspects?entity=billing", "limit", 200),
        ("navigation/attributes?entity=billing&aspect=schedule&group=launch&claim=date", "limit", 200),
        ("entities/billing/aspects", "limit", 200),
        ("entities/billing/aspects/schedule/attributes", "limit", 200),
        ("entities/billing/dependencies", "limit", 1_000),
        ("entities/pinned", "limit", 1_000),
        ("communities", "limit", 200),
        ("hygiene", "limit", 500),
        ("hygiene", "memory_limit", 1_000),
        ("constellation", "limit", 5_000),
        ("constellation", "attributes", 250),
        ("constellation", "dependencies", 20_000),
        ("entities/billing/beliefs", "versions", 50),
        ("entities/billing/links", "limit", 1_000),
        ("entities/billing/mentions", "limit", 200),
        ("entities/billing/memories", "limit", 200),
        ("entities/billing/timeline", "limit", 200),
    ],
)
def test_limits_are_those_of_the_document(client, billing, path, name, maximum):
    address = f"{API}/{path}{'&' if '?' in path else '?'}agent_id=a&user_id=ana"

    assert client.get(f"{address}&{name}={maximum}").status_code == 200
    for value in (0, maximum + 1, "x"):
        assert failure(client.get(f"{address}&{name}={value}")) == (400, "invalid", name)


@in_turn(
    ("path", "field"),
    [
        ("entities?type=colour", "type"),
        ("entities?offset=-1", "offset"),
        ("entities/billing/dependencies?direction=sideways", "direction"),
        ("entities/billing/aspects/schedule/attributes?kind=rule", "kind"),
        ("entities/billing/aspects/schedule/attributes?status=old", "status"),
        ("entities/health?since=yesterday", "since"),
    ],
)
def test_a_filter_that_cannot_be_right_is_refused(client, billing, path, field):
    assert failure(client.get(f"{API}/{path}&agent_id=a&user_id=ana")) == (400, "invalid", field)


def test_what_is_unknown_is_not_found(client, billing):
    for path in (
        f"entities/{NOBODY}",
        "entities/nobody/aspects",
        "entities/nobody/dependencies",
        "entities/billing/aspects/nothing/attributes",
        f"entities/billing/aspects/{NOBODY}/attributes",
        "navigation/entity?name=nobody",
        "navigation/groups?entity=billing&aspect=nothing",
    ):
        address = f"{API}/{path}{'&' if '?' in path else '?'}agent_id=a&user_id=ana"
        assert failure(client.get(address)) == (404, "not_found", None), path


def test_every_route_keeps_to_one_users_graph(client, billing):
    billing = str(billing.graph.get("billing").id)
    for who in ("agent_id=a&user_id=ben", "agent_id=a", "agent_id=b&user_id=ana", "agent_id=a&user_id=ana&chat_id=c"):
        assert client.get(f"{API}/entities?{who}").json()["items"] == []
        assert client.get(f"{API}/entities/{billing}?{who}").status_code == 404
        assert client.get(f"{API}/navigation/tree?entity=billing&{who}").status_code == 404
        assert client.get(f"{API}/stats?{who}").json()["entityCount"] == 0
        assert client.get(f"{API}/constellation?{who}").json()["entities"] == []
        assert client.get(f"{API}/hygiene?{who}").json()["totals"]["entities"] == 0


def test_the_servers_own_agent_is_meant_where_none_is_named(client, brain):
    brain.scope(brain.parts.settings.agent).graph.add("Home", type="place")

    assert [item["entity"]["name"] for item in client.get(f"{API}/entities").json()["items"]] == ["Home"]


def test_every_route_says_what_its_caller_needs():
    said = {
        (method, route.path): (route.openapi_extra or {})[NEEDS]
        for family in (knowledge, insights)
        for route in family.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    changing = {("POST", f"{API}/entities/{{entity}}/pin"), ("DELETE", f"{API}/entities/{{entity}}/pin")}
    assert {each for each, needed in said.items() if needed == "modify"} == changing
    assert {each for each, needed in said.items() if needed == "diagnostics"} == {("GET", "/api/diagnostics")}
    assert {needed for each, needed in said.items()} == {"recall", "modify", "diagnostics"}


def test_a_token_reads_its_own_users_graph_alone(sqlite_url):
    settings = Settings(embedder="off", worker="off", auth="team")
    with Nacre(sqlite_url, settings=settings) as brain:
        brain.scope("a", "ana").graph.add("Billing", type="project")
        client = TestClient(create_app(brain), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
        secret = brain.tokens.issue("reader", "readonly", agent="a", user="ana").secret
        token = {"authorization": f"Bearer {secret}"}

        def status(method: str, path: str, **more: Any) -> int:
            return int(client.request(method, f"{API}/{path}", **more).status_code)

        assert status("GET", "entities") == 401
        own = client.get(f"{API}/entities", headers=token).json()
        assert [item["entity"]["name"] for item in own["items"]] == ["Billing"]
        for who in ("?agent_id=a&user_id=ben", "?agent_id=b"):
            assert status("GET", f"entities{who}", headers=token) == 403
        assert status("POST", "expand", headers=token, json={"entity": "billing", "agent_id": "b"}) == 403
        assert status("POST", "expand", headers=token, json={"entity": "billing"}) == 200
        assert status("POST", "entities/billing/pin", headers=token) == 403
        assert status("DELETE", "entities/billing/pin", headers=token) == 403


def test_reading_works_on_both_databases(nacre):
    scope = nacre.scope("a", "ana")
    scope.ontology.set("Billing", "schedule/launch/date", "May 3")
    scope.graph.link("Billing", "uses", "Postgres")
    client = TestClient(create_app(nacre), base_url="http://127.0.0.1", client=("127.0.0.1", 1))

    for path in (
        "entities",
        "navigation/entity?name=bill",
        "navigation/tree?entity=billing",
        "navigation/attributes?entity=billing&aspect=schedule&group=launch&claim=date",
        "entities/billing/dependencies",
        "stats",
        "communities",
        "hygiene",
        "constellation",
    ):
        address = f"{API}/{path}{'&' if '?' in path else '?'}agent_id=a&user_id=ana"
        assert client.get(address).status_code == 200, path
