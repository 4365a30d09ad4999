"""Addresses: names with any sign, methods, and pages of lists."""

from urllib.parse import quote

import pytest

AGENT = "/v1/agents/a"


@pytest.mark.parametrize("name", ["team/ana", "a%2Fb", "a//b", "/", "ana?b#c", "\u00e9/\u4e2d"])
def test_names_with_any_sign_are_reachable(client, name):
    """Agents, users and entities; `%2F` that is meant as such stays what it is."""
    sent = quote(name, safe="")
    told = {"user": name, "text": "Tea at nine."}
    assert client.post(f"/v1/agents/{sent}/remember", json=told).status_code == 201
    thing = {"external_id": "tcp", "name": f"TCP {name} IP", "entity_type": "technology"}
    assert client.post(f"/v1/agents/{sent}/kg/entities", json=thing).status_code == 200
    entity = client.get(f"/v1/agents/{sent}/kg/entities/{quote(thing['name'], safe='')}")
    assert entity.status_code == 200, entity.text
    gone = client.delete(f"/v1/agents/{sent}/users/{sent}")
    assert (gone.status_code, gone.json()["memories"]) == (200, 1)


def test_head_says_what_get_would(client):
    whole, head = (client.request(method, "/health") for method in ("GET", "HEAD"))

    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert client.head("/v1/agents/a/memories/nobody").status_code == 400
    assert client.head("/v1/agents/a/recall").status_code == 405


def test_lists_go_on_where_the_page_before_ended(client, brain):
    ana = brain.scope("a", "ana")

    def get(path, **params):
        reply = client.get(f"{AGENT}{path}", params={"user": "ana", **params})
        assert reply.status_code == 200, reply.text
        return reply.json()

    for number in range(5):
        ana.remember(f"Box {number} is in drawer {7 * number + 1}.")

    def page(path, name, **params):
        return [str(each) for each in get(path, limit=2, **params)[name]]

    for path, name, params in (
        ("/memories", "memories", {}),
        ("/memories", "memories", {"query": "box drawer"}),
        ("/jobs", "jobs", {}),
    ):
        whole = [str(each) for each in get(path, limit=100, **params)[name]]
        assert page(path, name, offset=2, **params) == whole[2:4]
    for path in ("memories", "jobs", "dreams", "vault/broken", "world/alerts", "sessions", "skills"):
        for offset in (-1, 1_000_001):
            reply = client.get(f"{AGENT}/{path}", params={"offset": offset})
            assert (reply.status_code, reply.json()["error"]["details"]["field"]) == (400, "offset"), path
