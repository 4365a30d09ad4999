"""The routes that count and draw an agent's graph, and those that look for duplicates in it."""

from typing import Any

import pytest

from tests.http.kg_calls import ENTITY, KG, NOBODY, failure, put

pytestmark = pytest.mark.spec("G7")


def test_stats_count_one_users_graph_and_name_the_users(everywhere):
    put(everywhere, "John", user_id="ana")
    put(everywhere, "Alpha", user_id="ana", entity_type="project")
    put(everywhere, "Mary", user_id="ben")

    mine = everywhere.get(f"{KG}/stats", params={"user_id": "ana"}).json()
    nobodys = everywhere.get(f"{KG}/stats").json()

    assert mine == {
        "entity_count": 2,
        "relation_count": 0,
        "entity_types": {"person": 1, "project": 1},
        "user_ids": None,
    }
    assert nobodys == {"entity_count": 0, "relation_count": 0, "entity_types": {}, "user_ids": ["ana", "ben"]}
    assert everywhere.get("/v1/agents/other/kg/stats").json()["user_ids"] == []


def test_the_graph_is_drawn_in_full_and_in_short(everywhere, nacre):
    graph = nacre.scope("a").graph
    for number in range(6):
        graph.link("Hub", "knows", f"Spoke {number}")
        graph.link("Hub", "has_price", value=f"${number}")
    hub, spoke = graph.get("Hub"), graph.get("Spoke 0")

    whole = everywhere.get(f"{KG}/graph").json()
    part = everywhere.get(f"{KG}/graph", params={"limit": 2}).json()
    short = everywhere.get(f"{KG}/graph/compact", params={"limit": 3}).json()

    assert whole.keys() == {"entities", "relations"}
    assert (len(whole["entities"]), len(whole["relations"])) == (7, 6)
    assert whole["entities"][0].keys() == ENTITY
    assert {each["relation_type"] for each in whole["relations"]} == {"knows"}
    assert part["entities"][0]["name"] == "Hub"
    assert (len(part["entities"]), len(part["relations"])) == (2, 1)
    assert (short["total_nodes"], short["total_edges"]) == (7, 6)
    assert short["nodes"][0] == {"id": str(hub.id), "n": "Hub", "t": "unknown", "c": 1.0}
    assert len(short["nodes"]) == 3
    assert [edge["src"] for edge in short["edges"]] == [str(hub.id)] * 2
    everything = everywhere.get(f"{KG}/graph/compact").json()
    link = next(each for each in graph.links("Spoke 0"))
    assert {"id": str(link.id), "src": str(hub.id), "tgt": str(spoke.id), "type": "knows"} in everything["edges"]


def test_a_picture_has_three_times_as_many_relations_as_entities_at_most(client, brain):
    graph = brain.scope("a").graph
    graph.link("A", "knows", "B")
    for number in range(8):
        graph.link("A", f"likes_{number}", "B")

    drawn = client.get(f"{KG}/graph", params={"limit": 2}).json()

    assert (len(drawn["entities"]), len(drawn["relations"])) == (2, 6)


@pytest.mark.parametrize(
    ("path", "maximum"), [("graph", 500), ("graph/compact", 10_000), ("entities", 1_000), ("dedup", 1_000)]
)
def test_limits_are_those_of_the_document(client, path, maximum):
    for limit in (0, -1, maximum + 1, "x", 1.5):
        assert failure(client.get(f"{KG}/{path}", params={"limit": limit})) == (400, "invalid", "limit")
    assert client.get(f"{KG}/{path}", params={"limit": maximum}).status_code == 200


@pytest.mark.parametrize("path", ["entities", "dedup"])
def test_an_offset_is_a_place_in_a_list(client, path):
    for offset in (-1, 10**9, "x"):
        assert failure(client.get(f"{KG}/{path}", params={"offset": offset})) == (400, "invalid", "offset")
    assert client.get(f"{KG}/{path}", params={"offset": 5}).json() == []


def test_possible_duplicates_are_found_listed_and_dismissed_for_good(everywhere, nacre):
    put(everywhere, "Jonathan Smithson", user_id="u")
    put(everywhere, "Jonathan Smithsen", user_id="u")
    body = {"user_id": "u", "threshold": 0.9, "limit": 100}

    assert everywhere.post(f"{KG}/dedup/scan", json=body).json() == {"candidates_found": 1}
    [pair] = everywhere.get(f"{KG}/dedup", params={"user_id": "u"}).json()
    assert pair.keys() == {"id", "entity_a", "entity_b", "similarity", "status", "created_at"}
    assert {pair["entity_a"]["name"], pair["entity_b"]["name"]} == {"Jonathan Smithson", "Jonathan Smithsen"}
    assert pair["entity_a"].keys() == ENTITY
    assert (pair["status"], pair["created_at"]) == ("pending", 1777626000)
    assert 0.9 <= pair["similarity"] <= 1

    decision = {"candidate_id": pair["id"], "user_id": "u"}
    dismissed = everywhere.post(f"{KG}/dedup/dismiss", json=decision).json()
    assert dismissed["status"] == "dismissed"
    assert failure(everywhere.post(f"{KG}/dedup/dismiss", json=decision)) == (404, "not_found", None)
    assert everywhere.post(f"{KG}/dedup/scan", json=body).json() == {"candidates_found": 0}
    assert everywhere.get(f"{KG}/dedup", params={"user_id": "u"}).json() == []
    [decided] = everywhere.get(f"{KG}/dedup", params={"user_id": "u", "status": "dismissed"}).json()
    assert (decided["id"], decided["status"]) == (pair["id"], "dismissed")

    undone = everywhere.post("/v1/agents/a/undo", json={"user": "u", "operation": dismissed["audit"]})
    assert undone.status_code == 200
    assert [each["id"] for each in everywhere.get(f"{KG}/dedup", params={"user_id": "u"}).json()] == [pair["id"]]


def test_a_pair_that_does_not_wait_cannot_be_dismissed(client):
    assert failure(client.post(f"{KG}/dedup/dismiss", json={"candidate_id": NOBODY})) == (404, "not_found", None)
    assert failure(client.post(f"{KG}/dedup/dismiss", json={"candidate_id": "x"})) == (400, "invalid", "candidate_id")
    assert failure(client.post(f"{KG}/dedup/dismiss", json={})) == (400, "invalid", "candidate_id")


def test_a_scan_takes_a_threshold_and_a_limit(client):
    assert client.post(f"{KG}/dedup/scan", json={}).json() == {"candidates_found": 0}
    assert failure(client.post(f"{KG}/dedup/scan", json={"threshold": 2})) == (400, "invalid", "threshold")
    assert failure(client.post(f"{KG}/dedup/scan", json={"limit": 1001})) == (400, "invalid", "limit")


def test_a_merge_gives_the_target_all_that_the_source_has(client, brain):
    put(client, "John Doe", properties={"team": "platform"})
    other = put(client, "J. Doe", external_id="j-doe", properties={"city": "Oslo"}, description="An engineer")
    brain.scope("a").graph.link("j-doe", "works_on", "Alpha")
    brain.scope("a").graph.link("j-doe", "knows", "john-doe")

    merged = client.post(f"{KG}/merge", json={"target_id": "john-doe", "source_id": other["id"]})

    assert (merged.status_code, merged.json()["status"]) == (200, "merged")
    whole = client.get(f"{KG}/entities/john-doe").json()
    assert whole["entity"]["properties"] == {"team": "platform", "city": "Oslo"}
    assert whole["entity"]["description"] == "An engineer"
    assert [each["relation_type"] for each in whole["relations"]] == ["works_on"]
    assert client.get(f"{KG}/entities/{other['id']}").status_code == 404

    assert client.post("/v1/agents/a/undo", json={"operation": merged.json()["audit"]}).status_code == 200
    assert client.get(f"{KG}/entities/{other['id']}").status_code == 200


def test_a_merge_that_makes_no_sense_is_refused(client):
    put(client, "John")
    put(client, "Alpha", entity_type="project")

    def merged(target: str, source: str, **more: Any) -> int:
        return int(client.post(f"{KG}/merge", json={"target_id": target, "source_id": source, **more}).status_code)

    assert merged("john", "nobody") == merged("nobody", "john") == 404
    assert merged("john", "john") in (400, 409)
    assert merged("john", "alpha") == 409
    assert merged("john", "alpha", force=True) == 200
    assert failure(client.post(f"{KG}/merge", json={"target_id": "john"})) == (400, "invalid", "source_id")
    assert failure(client.post(f"{KG}/merge", json={"target_id": "", "source_id": "x"})) == (
        400,
        "invalid",
        "target_id",
    )
