"""The routes that look at a graph or a memory as a whole, and at the server itself."""

from typing import Any

import jsonschema_rs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from starlette.testclient import TestClient

from nacre import Nacre, Settings, __version__
from nacre.domain.plain import plain
from nacre.graph.reading import walks
from nacre.http.app import create_app
from nacre.recall.projections import SHOWN, plane
from nacre.store.work import jobs
from tests.cases import in_turn
from tests.http.calls import described
from tests.http.knowledge_calls import NOBODY, WHO, failure

pytestmark = pytest.mark.spec("S18")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine must not cut short what a test counts."""
    monkeypatch.setattr(walks, "IMPACT_DEADLINE_MS", 60_000)


def impact(client: Any, entity: str, **more: Any) -> Any:
    return client.post("/api/graph/impact", json={**WHO, "entityId": entity, **more})


def layers(reply: Any) -> list[tuple[int, str, list[str]]]:
    assert reply.status_code == 200, reply.text
    return [
        (each["depth"], each["label"], sorted(entity["name"] for entity in each["entities"]))
        for each in reply.json()["impact"]
    ]


def test_impact_names_what_breaks_by_distance(everywhere, nacre):
    graph = nacre.scope("a", "ana").graph
    for source, target in (("Shop", "Billing"), ("Site", "Shop"), ("Blog", "Site"), ("Feed", "Blog"), ("Shop", "Site")):
        graph.link(source, "depends_on", target)
    graph.link("Billing", "uses", "Postgres")

    upstream = impact(everywhere, "billing", direction="upstream", maxDepth=10)

    assert layers(upstream) == [
        (1, "WILL BREAK", ["Shop"]),
        (2, "LIKELY AFFECTED", ["Site"]),
        (3, "MAY NEED TESTING", ["Blog"]),
        (4, "MAY NEED TESTING", ["Feed"]),
    ]
    whole = upstream.json()
    assert whole.keys() == {"entityId", "entityName", "direction", "impact", "truncated"}
    assert (whole["entityId"], whole["entityName"]) == (str(graph.get("Billing").id), "Billing")
    assert (whole["direction"], whole["truncated"]) == ("upstream", False)
    assert whole["impact"][0]["entities"] == [
        {"id": str(graph.get("Shop").id), "name": "Shop", "type": "unknown", "via": "~depends_on"}
    ]
    assert len(layers(impact(everywhere, "billing", direction="upstream"))) == 3
    assert layers(impact(everywhere, "Billing")) == [(1, "WILL BREAK", ["Postgres"])]


def test_impact_says_when_it_was_cut_short(client, brain, monkeypatch):
    graph = brain.scope("a", "ana").graph
    for number in range(4):
        graph.link("Hub", "uses", f"Part {number}")

    assert impact(client, "hub").json()["truncated"] is False
    monkeypatch.setattr(walks, "IMPACTS_PER_NODE", 3)
    by_rows = impact(client, "hub").json()
    assert by_rows["truncated"] is True
    assert len(by_rows["impact"][0]["entities"]) == 3
    monkeypatch.setattr(walks, "IMPACT_DEADLINE_MS", 0)
    in_no_time = impact(client, "hub").json()
    assert (in_no_time["truncated"], in_no_time["impact"]) == (True, [])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, (400, "invalid", "entityId")),
        ({"entityId": " "}, (400, "invalid", "entityId")),
        ({"entityId": "hub", "direction": "sideways"}, (400, "invalid", "direction")),
        ({"entityId": "hub", "maxDepth": 11}, (400, "invalid", "max_depth")),
        ({"entityId": "hub", "maxDepth": 0}, (400, "invalid", "max_depth")),
        ({"entityId": "nobody"}, (404, "not_found", None)),
        ({"entityId": NOBODY}, (404, "not_found", None)),
        ({"entityId": "hub", "user_id": "ben"}, (404, "not_found", None)),
    ],
)
def test_an_impact_that_cannot_be_told_is_refused(client, brain, body, expected):
    brain.scope("a", "ana").graph.link("Hub", "uses", "Part")

    assert failure(client.post("/api/graph/impact", json={**WHO, **body})) == expected


def test_a_projection_places_what_means_the_same_close_together(everywhere, nacre):
    scope = nacre.scope("a", "ana")
    told = [
        scope.remember(text, category=category, importance=0.7).memory
        for text, category in (
            ("The cat sleeps on the sofa", "pets"),
            ("Kittens and cats like to sleep", "pets"),
            ("The invoice of the tax office is due", "money"),
            ("Taxes and invoices must be paid", "money"),
        )
    ]

    drawn = everywhere.get("/api/embeddings/projection", params=WHO).json()

    assert drawn.keys() == {"items", "total", "notes"}
    assert (drawn["total"], drawn["notes"]) == (4, [])
    items = {each["id"]: each for each in drawn["items"]}
    cat, kitten, invoice, taxes = (items[str(memory.id)] for memory in told)
    assert cat.keys() == {"id", "kind", "content", "x", "y", "createdAt", "category", "importance"}
    assert (cat["kind"], cat["content"], cat["category"]) == ("memory", "The cat sleeps on the sofa", "pets")
    assert (cat["importance"], cat["createdAt"]) == (0.7, "2026-05-01T09:00:00Z")

    def apart(one: Any, other: Any) -> float:
        return float(np.hypot(one["x"] - other["x"], one["y"] - other["y"]))

    assert apart(cat, kitten) < apart(cat, invoice)
    assert apart(invoice, taxes) < apart(invoice, kitten)
    assert everywhere.get("/api/embeddings/projection", params=WHO).json() == drawn


def test_a_projection_shows_turns_where_they_are_asked_for(everywhere, nacre, clock):
    scope = nacre.scope("a", "ana")
    scope.remember("Tea is hot")
    for number in range(3):
        clock.advance(minutes=1)
        scope.observe("user", f"Line {number} " + "x" * 300)

    def kinds(*asked: str, limit: int = 500) -> tuple[list[str], int]:
        drawn = everywhere.get("/api/embeddings/projection", params={**WHO, "kinds": asked, "limit": limit}).json()
        return [each["kind"] for each in drawn["items"]], drawn["total"]

    assert kinds("turn") == (["turn"] * 3, 3)
    assert kinds("memory", "turn") == (["turn"] * 3 + ["memory"], 4)
    assert kinds("turn", "memory", "turn", limit=2) == (["turn"] * 2, 4)
    newest = everywhere.get("/api/embeddings/projection", params={**WHO, "kinds": "turn"}).json()["items"][0]
    assert (len(newest["content"]), newest["content"][:6]) == (SHOWN, "Line 2")
    assert (newest["category"], newest["importance"]) == (None, None)


def test_a_projection_leaves_out_what_is_forgotten_and_what_others_keep(everywhere, nacre):
    scope = nacre.scope("a", "ana")
    kept, gone = (scope.remember(text).memory for text in ("Tea is hot", "Ice is cold"))
    nacre.scope("a", "ben").remember("Coffee is black")
    scope.forget(gone.id)

    drawn = everywhere.get("/api/embeddings/projection", params=WHO).json()

    assert [each["id"] for each in drawn["items"]] == [str(kept.id)]
    assert (drawn["items"][0]["x"], drawn["items"][0]["y"], drawn["total"]) == (0.0, 0.0, 1)


def test_a_projection_shows_the_memories_that_users_share(everywhere, nacre):
    nacre.agent("a").share(memory=True)
    nacre.scope("a", "ben").remember("Coffee is black")

    drawn = everywhere.get("/api/embeddings/projection", params={**WHO, "kinds": ["memory", "turn"]}).json()

    assert [each["content"] for each in drawn["items"]] == ["Coffee is black"]


def test_without_an_embedder_there_is_nothing_to_project(client, brain):
    brain.scope("a", "ana").remember("Tea is hot")

    drawn = client.get("/api/embeddings/projection", params=WHO).json()

    assert (drawn["items"], drawn["total"]) == ([], 0)
    assert "NACRE_EMBEDDER" in drawn["notes"][0]


@in_turn(
    ("parameters", "field"), [({"limit": 2_001}, "limit"), ({"limit": 0}, "limit"), ({"kinds": "summary"}, "kinds")]
)
def test_a_projection_that_cannot_be_drawn_is_refused(client, parameters, field):
    assert failure(client.get("/api/embeddings/projection", params={**WHO, **parameters})) == (400, "invalid", field)


@given(
    arrays.arrays(
        np.float32,
        st.tuples(st.integers(0, 12), st.integers(1, 6)),
        elements=st.floats(-1, 1, width=32),
    )
)
def test_points_stay_within_bounds_and_come_out_the_same(matrix):
    points = plane(matrix)

    assert points.shape == (len(matrix), 2)
    assert np.isfinite(points).all()
    assert np.abs(points).max(initial=0) <= 1
    assert (plane(matrix.copy()) == points).all()


def test_rows_that_are_alike_stand_on_one_point():
    assert plane(np.ones((3, 4), dtype=np.float32)).tolist() == [[0.0, 0.0]] * 3


def test_diagnostics_tell_what_the_server_runs_on(everywhere, nacre):
    with nacre.parts.database.write(nacre.scope("a").scope) as tx:
        jobs.enqueue(tx, "note", {})

    assert everywhere.get("/api/diagnostics").json() == {
        "version": __version__,
        "database": nacre.parts.database.kind,
        "embedder": nacre.diagnostics()["embedder"],
        "rerank": "off",
        "languageModel": None,
        "graph": {"enabled": True, "extractionWritesEnabled": True},
        "cache": "off",
        "jobs": {"waiting": 1, "dead": 0},
    }


def test_diagnostics_show_that_extraction_may_not_write(sqlite_url):
    settings = Settings(embedder="off", worker="off", extraction="off")
    with Nacre(sqlite_url, settings=settings) as brain:
        client = TestClient(create_app(brain), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
        told = client.get("/api/diagnostics").json()

    assert told["graph"] == {"enabled": True, "extractionWritesEnabled": False}
    assert told["embedder"] is None


def test_diagnostics_are_for_those_who_look_after_the_server(sqlite_url):
    settings = Settings(embedder="off", worker="off", auth="team")
    with Nacre(sqlite_url, settings=settings) as brain:
        client = TestClient(create_app(brain), base_url="http://127.0.0.1", client=("127.0.0.1", 1))

        def status(role: str, agent: str | None = None) -> int:
            secret = brain.tokens.issue("t", role, agent=agent).secret
            return int(client.get("/api/diagnostics", headers={"authorization": f"Bearer {secret}"}).status_code)

        assert client.get("/api/diagnostics").status_code == 401
        assert status("operator") == 200
        assert status("agent") == 403
        assert status("operator", agent="a") == 403


def test_stats_tell_how_much_of_what_is_remembered_is_covered(client, brain):
    scope = brain.scope("a", "ana")
    scope.ontology.set("Billing", "schedule/launch/date", "May 3")
    scope.remember("It rains")

    told = client.get("/api/knowledge/stats", params=WHO).json()

    assert told == {
        "entityCount": 1,
        "aspectCount": 1,
        "attributeCount": 1,
        "constraintCount": 0,
        "dependencyCount": 0,
        "memoryCount": 1,
        "unassignedMemoryCount": 1,
        "coveragePercent": 0.0,
        "feedbackUpdatedAspectCount": 0,
        "averageAspectWeight": 0.5,
        "maxWeightAspectCount": 0,
        "minWeightAspectCount": 0,
    }


def test_communities_are_listed_with_their_members(client, brain):
    scope = brain.scope("a", "ana")
    for group in ("A", "B"):
        for one, other in ((1, 2), (2, 3), (3, 1)):
            scope.graph.link(f"{group}{one}", "works_with", f"{group}{other}")
    scope.knowledge.refresh_communities()

    found = client.get("/api/knowledge/communities", params=WHO).json()

    assert found.keys() == {"items", "count", "modularity", "verdict", "refreshed_at"}
    assert found["count"] == 2
    one = found["items"][0]
    assert one.keys() >= {"id", "name", "cohesion", "member_count", "created_at", "updated_at", "members"}
    assert (one["member_count"], one["cohesion"]) == (3, 1.0)
    second = client.get("/api/knowledge/communities", params={**WHO, "limit": 1, "offset": 1}).json()
    assert [each["id"] for each in second["items"]] == [found["items"][1]["id"]]


def test_hygiene_reports_and_changes_nothing(client, brain):
    scope = brain.scope("a", "ana")
    scope.graph.add("12345", type="concept")
    scope.ontology.set("Billing", "schedule/launch/date", "May 3")
    before = plain(scope.history())

    report = client.get("/api/knowledge/hygiene", params=WHO).json()

    assert report.keys() == {
        "suspiciousEntities",
        "duplicateEntities",
        "attributeSummary",
        "safeMentionCandidates",
        "totals",
    }
    assert report["suspiciousEntities"][0].keys() == {
        "id",
        "name",
        "canonicalName",
        "entityType",
        "mentions",
        "reason",
    }
    assert report["suspiciousEntities"][0]["reason"] == "numeric_only"
    assert report["attributeSummary"] == {"missingGroupKey": 0, "missingClaimKey": 0, "missingSourceMemory": 1}
    assert plain(scope.history()) == before


def test_the_last_traversal_is_told(client, brain):
    scope = brain.scope("a", "ana")
    scope.graph.add("Billing", type="project")
    assert client.get("/api/knowledge/traversal/status", params=WHO).json() == {"status": None}
    scope.ontology.traverse(focal=["billing"])

    status = client.get("/api/knowledge/traversal/status", params=WHO).json()["status"]

    assert status.keys() == {
        "at",
        "source",
        "focalEntityIds",
        "entityCount",
        "memoryCount",
        "turnCount",
        "constraintCount",
        "timedOut",
        "tookMs",
    }
    assert (status["source"], status["entityCount"]) == ("given", 1)


def test_a_constellation_holds_all_that_a_dashboard_draws(client, brain):
    scope = brain.scope("a", "ana")
    scope.ontology.set("Billing", "schedule/launch/date", "May 3")
    scope.graph.link("Billing", "uses", "Postgres")
    envelope = {"operation": "create_entity", "payload": {"name": "Ledger", "entity_type": "project"}}
    scope.ontology.submit([envelope], propose=True)
    scope.dreams.run()

    drawn = client.get("/api/knowledge/constellation", params=WHO).json()

    # The route does not check what it sends, because there may be thousands of rows.
    schema = described()
    jsonschema_rs.validate({**schema["components"]["schemas"]["ConstellationReply"], **schema}, drawn)
    billing = next(each for each in drawn["entities"] if each["entity"]["name"] == "Billing")
    assert (billing["agentId"], billing["degree"]) == ("a", 1)
    assert billing["communityId"] == drawn["communities"][0]["id"]
    [aspect] = billing["aspects"]
    assert aspect["aspect"]["name"] == "schedule"
    assert aspect["attributes"][0]["content"] == "May 3"
    assert [each["dependencyType"] for each in drawn["dependencies"]] == ["uses"]
    [proposal] = drawn["proposals"]
    assert proposal["operation"] == "create_entity"
    assert proposal["payload"]["name"] == "Ledger"
    assert len(drawn["dreams"]) == 1
    small = client.get("/api/knowledge/constellation", params={**WHO, "limit": 1}).json()
    assert (len(small["entities"]), small["dependencies"]) == (1, [])


def test_a_constellation_can_be_large_or_without_claims_and_is_bounded(client, brain):
    brain.scope("a", "ana").ontology.set("Billing", "schedule/launch/date", "May 3")
    address = "/api/knowledge/constellation"

    bare = client.get(address, params={**WHO, "aspects": 0, "limit": 5_000, "dependencies": 20_000}).json()
    assert [each["aspects"] for each in bare["entities"]] == [[]]
    for name, most in (("limit", 5_000), ("dependencies", 20_000), ("aspects", 25), ("attributes", 250)):
        refused = client.get(address, params={**WHO, name: most + 1})
        assert failure(refused) == (400, "invalid", name)
    assert failure(client.get(address, params={**WHO, "aspects": -1})) == (400, "invalid", "aspects")


def test_a_constellation_shows_the_graphs_that_other_agents_opened(client, brain):
    brain.scope("b", "ana").graph.add("Shared thing", type="project")
    brain.scope("c", "ana").graph.add("Private thing", type="project")
    brain.agent("b").share(read_policy="shared")

    drawn = client.get("/api/knowledge/constellation", params=WHO).json()

    assert [(each["agentId"], each["entity"]["name"]) for each in drawn["entities"]] == [("b", "Shared thing")]
