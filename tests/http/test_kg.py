"""The routes of an agent's graph: the shapes of their document, and none of its holes."""

import json
from typing import Any

import pytest

from nacre.brain.graph import Graph
from nacre.http import kg
from tests.cases import in_turn
from tests.http.kg_calls import ENTITY, KG, NOBODY, failure, names, put

pytestmark = pytest.mark.spec("G7")


def test_an_entity_has_the_fields_of_the_document(everywhere, nacre, clock):
    said = nacre.scope("a", "u").observe("user", "John Doe is on the platform team.")
    clock.advance(minutes=1)

    found = put(
        everywhere,
        "John Doe",
        user_id="u",
        description="Backend engineer",
        properties={"team": "platform"},
        confidence=0.95,
        source_id=str(said.id),
    )

    assert found.keys() == ENTITY
    assert (found["agent_id"], found["user_id"], found["external_id"]) == ("a", "u", "john-doe")
    assert (found["entity_type"], found["description"]) == ("person", "Backend engineer")
    assert found["properties"] == {"team": "platform"}
    assert found["source_id"] == str(said.id)
    assert (found["created_at"], found["updated_at"]) == (1777626000, 1777626060)


def test_an_entity_names_the_first_evidence_that_speaks_of_it(everywhere, nacre, clock):
    first = nacre.scope("a").observe("user", "Alice manages Project Alpha.")
    clock.advance(days=1)
    nacre.scope("a").observe("user", "Alice manages Project Beta.")

    assert everywhere.get(f"{KG}/entities/alice").json()["entity"]["source_id"] == str(first.id)


def test_entities_are_a_bare_list_that_can_be_searched_and_paged(client):
    for name, kind in (("John Doe", "person"), ("John's Project", "project"), ("Mary", "person")):
        put(client, name, external_id=name[:6].strip().lower(), entity_type=kind)

    assert names(client.get(f"{KG}/entities")) == ["Mary", "John's Project", "John Doe"]
    assert set(names(client.get(f"{KG}/entities", params={"q": "joh"}))) == {"John's Project", "John Doe"}
    assert names(client.get(f"{KG}/entities", params={"q": "john", "type": "project"})) == ["John's Project"]
    assert names(client.get(f"{KG}/entities", params={"type": "person"})) == ["Mary", "John Doe"]
    assert names(client.get(f"{KG}/entities", params={"limit": 1, "offset": 1})) == ["John's Project"]
    assert names(client.get(f"{KG}/entities", params={"q": "", "type": ""})) == ["Mary", "John's Project", "John Doe"]
    assert names(client.get(f"{KG}/entities", params={"q": "nobody"})) == []


def test_an_entity_comes_with_its_relations(client, brain):
    john = put(client, "John")
    brain.scope("a").graph.link("John", "works_on", "Alpha", confidence=0.9, properties={"since": "May"})
    brain.scope("a").graph.link("John", "has_price", value="$5")

    found = client.get(f"{KG}/entities/{john['id']}").json()

    assert found.keys() == {"entity", "relations"}
    priced, works = found["relations"]
    assert works.keys() == {
        "id",
        "agent_id",
        "user_id",
        "source_entity_id",
        "relation_type",
        "target_entity_id",
        "value",
        "confidence",
        "properties",
        "created_at",
    }
    alpha = client.get(f"{KG}/entities/alpha").json()["entity"]
    assert (works["source_entity_id"], works["target_entity_id"]) == (john["id"], alpha["id"])
    assert (works["relation_type"], works["confidence"], works["properties"]) == ("works_on", 0.9, {"since": "May"})
    assert isinstance(works["created_at"], int)
    assert (priced["target_entity_id"], priced["value"]) == (None, "$5")
    assert failure(client.get(f"{KG}/entities/{NOBODY}")) == (404, "not_found", None)


def test_an_upsert_adds_and_never_takes_away(client):
    first = put(client, "John Doe", properties={"team": "platform"}, confidence=0.9, description="An engineer")
    second = put(client, "J. Doe", external_id="john-doe", properties={"city": "Łódź"}, confidence=0.3)

    assert second["id"] == first["id"]
    assert second["properties"] == {"team": "platform", "city": "Łódź"}
    assert (second["confidence"], second["description"]) == (0.9, "An engineer")


@in_turn(
    ("change", "field"),
    [
        ({"external_id": None}, "external_id"),
        ({"external_id": " "}, "external_id"),
        ({"name": ""}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "\ud800"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"entity_type": 7}, "entity_type"),
        ({"confidence": 1.1}, "confidence"),
        ({"properties": {"team": 7}}, "properties.team"),
        ({"source_id": "x"}, "source_id"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_an_entity_that_cannot_be_right_is_refused(client, change, field):
    body = {"external_id": "john", "name": "John", "entity_type": "person", **change}
    reply = client.post(f"{KG}/entities", content=json.dumps(body), headers={"content-type": "application/json"})

    assert failure(reply) == (400, "invalid", field)
    assert client.get(f"{KG}/entities").json() == []


@pytest.mark.parametrize("missing", ["external_id", "name", "entity_type"])
def test_the_fields_of_the_document_are_required(client, missing):
    body = {"external_id": "john", "name": "John", "entity_type": "person"}
    del body[missing]

    assert failure(client.post(f"{KG}/entities", json=body)) == (400, "invalid", missing)


def test_evidence_of_another_user_cannot_be_pointed_at(client, brain):
    theirs = brain.scope("a", "ben").observe("user", "John is here.")
    body = {"external_id": "john", "name": "John", "entity_type": "person", "source_id": str(theirs.id)}

    assert failure(client.post(f"{KG}/entities?user_id=ana", json=body)) == (404, "not_found", None)


def test_a_deleted_entity_goes_with_its_relations_and_can_be_brought_back(client, brain):
    john = put(client, "John")
    graph = brain.scope("a").graph
    graph.link("John", "works_on", "Alpha")

    deleted = client.delete(f"{KG}/entities/{john['id']}")

    assert (deleted.status_code, deleted.json()["status"]) == (200, "deleted")
    assert client.get(f"{KG}/entities/{john['id']}").status_code == 404
    assert client.get(f"{KG}/entities/alpha").json()["relations"] == []
    graph.undo(graph.history()[0].id)
    assert len(client.get(f"{KG}/entities/{john['id']}").json()["relations"]) == 1


def test_what_is_not_there_cannot_be_deleted(client):
    assert failure(client.delete(f"{KG}/entities/{NOBODY}"))[:2] == (404, "not_found")
    assert failure(client.delete(f"{KG}/entities/nobody"))[:2] == (404, "not_found")


def test_a_pinned_entity_is_not_deleted(client):
    put(client, "John")
    client.post("/api/knowledge/entities/john/pin?agent_id=a")

    assert failure(client.delete(f"{KG}/entities/john"))[:2] == (409, "conflict")
    assert names(client.get(f"{KG}/entities")) == ["John"]


def test_a_walk_reaches_each_entity_once_and_says_how(client, brain):
    graph = brain.scope("a").graph
    for source, predicate, target in (
        ("Alice", "manages", "Alpha"),
        ("Bob", "works_on", "Alpha"),
        ("Alpha", "uses", "GraphQL"),
        ("Bob", "knows", "Alice"),
        ("GraphQL", "part_of", "Stack"),
    ):
        graph.link(source, predicate, target)

    def walked(start: str, **more: Any) -> list[tuple[str, int, str, int]]:
        reply = client.post(f"{KG}/traverse", json={"entity_id": start, **more})
        assert reply.status_code == 200, reply.text
        assert "nacre-truncated" not in reply.headers
        return [(each["entity"]["name"], each["depth"], each["via"], len(each["path"])) for each in reply.json()]

    two = walked("alice")
    assert sorted(two) == [("Alpha", 1, "manages", 2), ("Bob", 1, "~knows", 2), ("GraphQL", 2, "uses", 3)]
    assert walked("Alice", max_depth=2) == walked(str(graph.get("Alice").id)) == two
    assert {each[0] for each in walked("alice", max_depth=1)} == {"Alpha", "Bob"}
    assert {each[0] for each in walked("alice", max_depth=5)} == {"Alpha", "Bob", "GraphQL", "Stack"}


def test_the_path_of_a_walk_is_made_of_ids(client, brain):
    graph = brain.scope("a").graph
    graph.link("Alice", "manages", "Alpha")
    graph.link("Alpha", "uses", "GraphQL")

    last = client.post(f"{KG}/traverse", json={"entity_id": "alice"}).json()[-1]

    assert last.keys() == {"entity", "depth", "path", "via"}
    assert last["path"] == [str(graph.get(name).id) for name in ("Alice", "Alpha", "GraphQL")]
    assert last["entity"].keys() == ENTITY


def test_a_walk_that_is_cut_short_says_so(client, brain):
    graph = brain.scope("a").graph
    for number in range(60):
        graph.link("Hub", "knows", f"Spoke {number}")

    reply = client.post(f"{KG}/traverse", json={"entity_id": "hub"})

    assert reply.headers["nacre-truncated"] == "true"
    assert len(reply.json()) == 50


def test_an_entity_with_very_many_relations_shows_the_newest_and_says_so(client, brain, monkeypatch):
    monkeypatch.setattr(kg, "MAX_RELATIONS", 3)
    graph = brain.scope("a").graph
    for number in range(3):
        graph.link("Hub", "knows", f"Spoke {number}")
    assert "nacre-truncated" not in client.get(f"{KG}/entities/hub").headers
    newest = graph.link("Hub", "knows", "Spoke 3")

    reply = client.get(f"{KG}/entities/hub")

    assert reply.headers["nacre-truncated"] == "true"
    assert (len(reply.json()["relations"]), reply.json()["relations"][0]["id"]) == (3, str(newest.id))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"entity_id": "nobody"}, (404, "not_found", None)),
        ({"entity_id": NOBODY}, (404, "not_found", None)),
        ({}, (400, "invalid", "entity_id")),
        ({"entity_id": " "}, (400, "invalid", "entity_id")),
        ({"entity_id": "a\x00"}, (400, "invalid", "entity_id")),
        ({"entity_id": "john", "max_depth": 6}, (400, "invalid", "max_depth")),
        ({"entity_id": "john", "max_depth": 0}, (400, "invalid", "max_depth")),
        ({"entity_id": "john", "max_depth": "2"}, (400, "invalid", "max_depth")),
    ],
)
def test_a_walk_that_cannot_begin_is_refused(client, body, expected):
    put(client, "John")

    assert failure(client.post(f"{KG}/traverse", json=body)) == expected


def test_a_selector_that_no_database_stores_is_refused_on_both(everywhere):
    for path in ("a%00b", "x" * 201, "%20"):
        assert everywhere.get(f"{KG}/entities/{path}").status_code == 400
    surrogate = everywhere.post(
        f"{KG}/traverse", content=b'{"entity_id": "\\ud800"}', headers={"content-type": "application/json"}
    )
    assert surrogate.status_code == 400


def test_a_text_is_extracted_by_rules_where_no_model_is_named(client):
    reply = client.post(
        f"{KG}/extract", json={"text": "Alice manages Project Alpha. Bob works on Project Alpha.", "user_id": "u"}
    )

    assert reply.status_code == 200
    assert reply.json() == {
        "entities": 3,
        "relations": 2,
        "dedup_merged": 0,
        "dedup_flagged": 0,
        "method": "rules",
        "notes": [],
    }
    assert set(names(client.get(f"{KG}/entities?user_id=u"))) == {"Alice", "Bob", "Project Alpha"}
    assert names(client.get(f"{KG}/entities")) == []


@in_turn(
    ("body", "field"),
    [
        ({"text": " "}, "text"),
        ({}, "text"),
        ({"text": "Alice", "min_confidence": 2}, "min_confidence"),
        ({"text": "Alice", "provider": "nonsense", "model": "x"}, "model"),
        ({"text": "Alice", "model": "x"}, "model"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused(client, body, field):
    assert failure(client.post(f"{KG}/extract", json=body)) == (400, "invalid", field)


def test_a_pair_is_left_out_when_one_of_it_goes_between_two_looks(client, monkeypatch):
    for name in ("Jonathan Smithson", "Jonathan Smithsen"):
        put(client, name)
    client.post(f"{KG}/dedup/scan", json={})
    every = Graph.get_many
    monkeypatch.setattr(Graph, "get_many", lambda graph, keys: every(graph, keys[1:]))

    assert client.get(f"{KG}/dedup").json() == []
