"""The routes by which people read a graph."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from nacre import ScopedNacre
from tests.http.knowledge_calls import API, ASPECT, ATTRIBUTE, ENTITY, WHO, failure

pytestmark = pytest.mark.spec("S18")


@pytest.fixture
def ask(client: TestClient, billing: ScopedNacre) -> Any:
    """What a route answers about Ana's graph."""

    def answer(path: str, **parameters: Any) -> Any:
        reply = client.get(f"{API}/{path}", params={**WHO, **parameters})
        assert reply.status_code == 200, reply.text
        return reply.json()

    return answer


@pytest.mark.parametrize("path", ["entities", "navigation/entities"])
def test_entities_are_listed_with_their_counts(ask, path):
    page = ask(path)

    assert page.keys() == {"items", "limit", "offset"}
    assert (page["limit"], page["offset"]) == (50, 0)
    billing = next(item for item in page["items"] if item["entity"]["slug"] == "billing")
    assert billing["entity"].keys() == ENTITY
    assert {key: billing[key] for key in billing if key != "entity"} == {
        "aspectCount": 2,
        "attributeCount": 2,
        "constraintCount": 1,
        "dependencyCount": 2,
        "lastMentionedAt": None,
    }
    assert billing["entity"]["entityType"] == "project"
    assert (billing["entity"]["pinned"], billing["entity"]["pinnedAt"]) == (False, None)


def test_the_keys_of_properties_stay_as_they_are(ask):
    assert ask("entities/billing")["entity"]["properties"] == {"code_name": "Coin"}


def test_entities_are_filtered_and_paged(ask):
    def names(**filters: Any) -> list[str]:
        return [item["entity"]["name"] for item in ask("entities", **filters)["items"]]

    assert names(type="project") == ["Billing"]
    assert names(q="ost") == ["Postgres"]
    assert names(q="ost", type="project") == []
    assert len(names(limit=1)) == 1
    assert sorted(names(limit=2) + names(limit=2, offset=2)) == ["Billing", "Postgres", "Shop"]
    assert names(q="", type="") == names()


def test_an_entity_is_found_by_a_part_of_its_name(ask):
    by_name = ask("navigation/entity", name="bill")

    assert by_name == ask("entities/billing") == ask(f"entities/{by_name['entity']['id']}")
    assert by_name["structuralDensity"] == 2 + 2 + 1 + 2
    assert (by_name["incomingDependencyCount"], by_name["outgoingDependencyCount"]) == (1, 1)


def test_an_address_takes_no_part_of_a_name(client, billing):
    for path in ("", "/aspects", "/aspects/schedule/attributes", "/dependencies"):
        assert failure(client.get(f"{API}/entities/bill{path}", params=WHO)) == (404, "not_found", None)


def test_a_tree_shows_aspects_groups_and_claims(ask):
    tree = ask("navigation/tree", entity="billing")

    assert tree.keys() == {"entity", "items", "limits"}
    assert tree["limits"] == {"maxAspects": 20, "maxGroups": 20, "maxClaims": 50, "depth": 3}
    schedule = next(item for item in tree["items"] if item["aspect"]["name"] == "schedule")
    assert schedule["aspect"].keys() == ASPECT
    assert (schedule["attributeCount"], schedule["groupCount"], schedule["claimCount"]) == (2, 2, 2)
    launch = next(group for group in schedule["groups"] if group["groupKey"] == "launch")
    [claim] = launch["claims"]
    assert claim.keys() == {"claimKey", "activeCount", "supersededCount", "latestUpdatedAt", "preview"}
    assert (claim["claimKey"], claim["preview"]) == ("date", "May 5")
    assert (claim["activeCount"], claim["supersededCount"]) == (1, 1)


def test_a_tree_is_as_deep_and_wide_as_it_is_asked_for(ask):
    flat = ask("navigation/tree", entity="billing", depth=1, max_aspects=1)
    grouped = ask("navigation/tree", entity="billing", depth=2, max_groups=1)

    assert len(flat["items"]) == 1
    assert flat["items"][0]["groups"] == []
    assert {len(item["groups"]) for item in grouped["items"]} == {1}
    assert grouped["items"][0]["groups"][0]["claims"] == []


def test_a_claim_is_reached_step_by_step(ask):
    aspects = ask("navigation/aspects", entity="billing")["items"]
    groups = ask("navigation/groups", entity="billing", aspect="schedule")
    claims = ask("navigation/claims", entity="billing", aspect="schedule", group="launch")
    path = {"entity": "billing", "aspect": "schedule", "group": "launch", "claim": "date"}
    versions = ask("navigation/attributes", **path, status="all")

    assert {item["aspect"]["name"] for item in aspects} == {"schedule", "security"}
    assert groups.keys() == {"items"}
    assert {group["groupKey"] for group in groups["items"]} == {"launch", "general"}
    assert [claim["claimKey"] for claim in claims["items"]] == ["date"]
    assert versions.keys() == {"items", "limit", "offset"}
    new, old = versions["items"]
    assert new.keys() == ATTRIBUTE
    assert (new["content"], new["status"], new["version"]) == ("May 5", "active", 2)
    assert (old["content"], old["status"], old["supersededBy"]) == ("May 3", "superseded", new["id"])
    assert (new["previousAttributeId"], new["versionRootId"]) == (old["id"], old["id"])
    assert (new["groupKey"], new["claimKey"], new["aspect"]) == ("launch", "date", "schedule")
    assert [each["content"] for each in ask("navigation/attributes", **path)["items"]] == ["May 5"]


def test_the_aspects_of_an_address_are_those_of_navigation(ask):
    assert ask("entities/billing/aspects") == ask("navigation/aspects", entity="billing")


def test_the_attributes_of_an_aspect_are_filtered(ask):
    schedule = ask("navigation/aspects", entity="billing", limit=1)["items"][0]["aspect"]

    def contents(aspect: str, **filters: Any) -> set[str]:
        found = ask(f"entities/billing/aspects/{aspect}/attributes", **filters)
        return {each["content"] for each in found["items"]}

    assert contents("schedule") == {"May 5", "Ana"}
    assert contents("schedule", status="all") == {"May 3", "May 5", "Ana"}
    assert contents("schedule", status="superseded") == {"May 3"}
    assert contents("security", kind="constraint") == {"Keys never leave the vault"}
    assert contents("security", kind="attribute") == set()
    assert contents(schedule["id"]) == contents(schedule["name"])


def test_dependencies_name_both_ends(ask):
    both = ask("entities/billing/dependencies")["items"]

    assert [(each["direction"], each["dependencyType"]) for each in both] == [
        ("outgoing", "uses"),
        ("incoming", "depends_on"),
    ]
    uses = both[0]
    assert uses.keys() == {
        "id",
        "direction",
        "dependencyType",
        "strength",
        "confidence",
        "aspectId",
        "reason",
        "sourceEntityId",
        "sourceEntityName",
        "targetEntityId",
        "targetEntityName",
        "createdAt",
        "updatedAt",
    }
    assert (uses["sourceEntityName"], uses["targetEntityName"]) == ("Billing", "Postgres")
    assert (uses["strength"], uses["reason"]) == (0.9, "It stores bills")
    for direction in ("incoming", "outgoing"):
        found = ask("entities/billing/dependencies", direction=direction)["items"]
        assert [each["direction"] for each in found] == [direction]


def test_a_pinned_entity_stands_first_until_it_is_not(client, ask):
    pin = f"{API}/entities/postgres/pin"

    pinned = client.post(pin, params=WHO).json()

    assert pinned.keys() == {"pinned", "pinnedAt", "audit"}
    assert pinned["pinned"] is True
    [seen] = ask("entities/pinned")
    assert seen.keys() == {"id", "name", "pinnedAt"}
    assert (seen["name"], seen["pinnedAt"]) == ("Postgres", pinned["pinnedAt"])
    first = ask("entities")["items"][0]["entity"]
    assert (first["name"], first["pinned"], first["pinnedAt"]) == ("Postgres", True, pinned["pinnedAt"])
    assert client.post(pin, params=WHO).json()["pinnedAt"] == pinned["pinnedAt"]
    assert client.delete(pin, params=WHO).json()["pinned"] is False
    assert ask("entities/pinned") == []


def test_what_is_not_there_is_neither_pinned_nor_unpinned(client, billing):
    for method in ("POST", "DELETE"):
        for who in ({**WHO, "user_id": "ben"}, {"agent_id": "b"}, {"agent_id": "a"}):
            found = client.request(method, f"{API}/entities/billing/pin", params=who)
            assert failure(found) == (404, "not_found", None)


def test_health_tells_how_well_what_is_offered_serves(ask, billing):
    for number in range(3):
        said = billing.observe("user", f"Billing is ready, take {number}.", session=f"s{number}")
        billing.graph.add("Billing", type="project", said_in=said.id)
        found = billing.ontology.traverse(focal=["billing"])
        billing.ontology.offers.offer(f"s{number}", found)
        billing.ontology.offers.used(f"s{number}", [said.id])

    [health] = ask("entities/health")

    assert health.keys() == {"entityId", "entityName", "comparisonCount", "winRate", "avgMargin", "trend"}
    assert (health["entityName"], health["comparisonCount"], health["winRate"]) == ("Billing", 3, 1.0)
    assert health["trend"] in ("improving", "stable", "declining")
    assert ask("entities/health", min_comparisons=4) == []
    assert ask("entities/health", since="2100-01-01T00:00:00Z") == []


def test_an_entity_is_expanded_within_a_budget(client, billing):
    told = billing.remember(
        "Billing launches on May 5",
        structured={
            "aspects": [
                {
                    "entityName": "Billing",
                    "aspect": "news",
                    "attributes": [{"claimKey": "talk", "content": "It launches"}],
                }
            ]
        },
    ).memory
    body = {"agent_id": "a", "user_id": "ana", "entity": "billing"}

    whole = client.post(f"{API}/expand", json=body).json()
    part = client.post(f"{API}/expand", json={**body, "aspect": "schedule", "maxTokens": 5}).json()

    assert whole.keys() == {
        "entity",
        "constraints",
        "aspects",
        "dependencies",
        "memoryCount",
        "memories",
        "turnCount",
        "turns",
    }
    assert whole["entity"]["name"] == "Billing"
    assert [each["content"] for each in whole["constraints"]] == ["Keys never leave the vault"]
    assert {each["name"] for each in whole["aspects"]} == {"schedule", "security", "news"}
    assert {(each["target"], each["type"], each["incoming"]) for each in whole["dependencies"]} >= {
        ("Postgres", "uses", False),
        ("Shop", "depends_on", True),
    }
    assert whole["memories"] == [{"id": str(told.id), "content": "Billing launches on May 5"}]
    assert whole["memoryCount"] == 1
    assert [each["name"] for each in part["aspects"]] == ["schedule"]
    assert part["memories"] == []


def test_the_sessions_of_an_entity_are_expanded(client, billing):
    for session in ("s1", "s2"):
        said = billing.observe("user", "Billing is delayed because of taxes.", session=session)
        billing.graph.add("Billing", type="project", said_in=said.id)
        billing.summaries.summarize(session)
    body = {"agentId": "a", "userId": "ana", "entityName": "billing"}

    def found(**more: Any) -> Any:
        reply = client.post(f"{API}/expand/session", json={**body, **more})
        assert reply.status_code == 200, reply.text
        return reply.json()

    both = found()
    assert both.keys() == {"entityName", "summaries", "total"}
    assert (both["entityName"], both["total"]) == ("Billing", 2)
    assert both["summaries"][0].keys() == {"id", "sessionKey", "harness", "earliestAt", "latestAt", "content"}
    assert [each["sessionKey"] for each in found(sessionId="s1")["summaries"]] == ["s1"]
    one = found(maxResults=1)
    assert (len(one["summaries"]), one["total"]) == (1, 2)
    assert found(timeRange="last_week")["total"] == 2
    assert found(timeRange="2100-01-01")["total"] == 0
    assert found(entityName="nobody") == {"entityName": "nobody", "summaries": [], "total": 0}
