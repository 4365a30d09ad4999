"""Proposals over HTTP: what waits, what it rests on, and who decides."""

from uuid import uuid4

import pytest

from tests.http.ontology_calls import URL, bearer, claim, failure, order

pytestmark = pytest.mark.spec("S8", "S18")


def propose(client, body, **more):
    return client.post(f"{URL}/proposals", json=body, **more).json()["proposal"]


def test_an_operation_is_kept_for_review(client, brain):
    reply = client.post(f"{URL}/proposals", json=claim("Tuesday", reason="They said so."))

    made = reply.json()
    assert reply.status_code == 201
    assert made.keys() == {"proposal", "result", "dryRun", "proposed"}
    assert made["proposed"]
    assert client.get(f"{URL}/proposals/{made['proposal']['id']}").json() == made["proposal"]
    assert brain.scope("assistant").graph.search(None) == []


def test_proposals_are_listed_by_status_and_in_pages(client):
    made = [propose(client, claim(day))["id"] for day in ("Monday", "Tuesday", "Friday")]
    client.post(f"{URL}/proposals/{made[0]}/reject", json={"reason": "no"})

    every = client.get(f"{URL}/proposals").json()
    page = client.get(f"{URL}/proposals", params={"limit": 1, "offset": 1, "status": "pending"}).json()

    assert [each["id"] for each in every["items"]] == made[::-1]
    assert every.keys() == {"items", "count", "limit", "offset"}
    assert [each["id"] for each in page["items"]] == [made[1]]
    assert (page["count"], page["limit"], page["offset"]) == (1, 1, 1)


def test_a_list_that_cannot_be_is_refused(client):
    for field, value in (("limit", 201), ("limit", 0), ("offset", -1), ("status", "lost")):
        assert failure(client.get(f"{URL}/proposals", params={field: value})) == (400, "invalid", field)


def test_a_batch_waits_together_or_not_at_all(client, brain):
    url = f"{URL}/proposals/batch"

    refused = client.post(url, json={"operations": [claim("a"), order("archive_entity", entity="Nobody")]})
    made = client.post(url, json={"items": [claim("a"), order("pin_entity", entity="Newsletter")]})

    assert failure(refused)[0] == 404
    assert (made.status_code, made.json()["count"]) == (201, 2)
    assert len({each["batch"] for each in made.json()["items"]}) == 1
    assert len(brain.scope("assistant").ontology.proposals.list()) == 2


def test_the_words_that_a_proposal_rests_on_are_shown_with_their_place(client, brain):
    said = brain.scope("assistant").observe("user", "As ever, out on Tuesdays", ref="m1")
    evidence = [{"quote": "out on Tuesdays", "source_id": str(said.id)}, "I know it"]
    key = propose(client, claim("Tuesday", evidence=evidence))["id"]

    shown = client.get(f"{URL}/proposals/{key}/evidence").json()

    assert shown == {
        "proposalId": key,
        "count": 2,
        "items": [
            {
                "quote": "out on Tuesdays",
                "source": str(said.id),
                "place": [9, 24],
                "kind": "turn",
                "at": shown["items"][0]["at"],
                "ref": "m1",
                "before": "As ever, ",
                "after": "",
                "session": None,
                "speaker": None,
                "role": "user",
            },
            {
                **dict.fromkeys(("source", "place", "kind", "at", "ref", "session", "speaker", "role")),
                "quote": "I know it",
                "before": "",
                "after": "",
            },
        ],
    }


def test_who_applies_a_proposal_is_the_actor_of_the_change(client, brain):
    key = propose(client, claim("Tuesday", actor="scribe"))["id"]

    done = client.post(f"{URL}/proposals/{key}/apply", headers=bearer(brain, name="reviewer")).json()

    assert (done["status"], done["createdBy"], done["appliedBy"]) == ("applied", "scribe", "reviewer")
    assert done["result"]["claims"] == 1
    assert brain.scope("assistant").history()[0].actor == "reviewer"
    assert failure(client.post(f"{URL}/proposals/{key}/apply"))[:2] == (409, "conflict")
    assert failure(client.post(f"{URL}/proposals/{key}/reject"))[:2] == (409, "conflict")


def test_a_rejection_says_why(client):
    key = propose(client, claim("Tuesday"))["id"]

    done = client.post(f"{URL}/proposals/{key}/reject", json={"actor": "ana", "reason": "Another one."}).json()

    assert (done["status"], done["rejectedBy"], done["result"]) == ("rejected", "ana", {"reason": "Another one."})
    assert done["rejectedAt"]


def test_what_may_work_later_stays_pending_and_what_never_can_is_marked_as_failed(client, brain):
    scope = brain.scope("assistant")
    link = scope.graph.link("Acme", "uses", "Redis")
    later = propose(client, order("pin_entity", entity="Acme"))["id"]
    never = propose(client, order("update_link", id=str(link.id), valid_from="2027-01-01T00:00:00Z"))["id"]
    scope.ontology.order(order("update_link", id=str(link.id), valid_to="2026-01-01T00:00:00Z"))
    archived = scope.graph.archive("Acme")

    assert failure(client.post(f"{URL}/proposals/{later}/apply"))[:2] == (404, "not_found")
    assert client.get(f"{URL}/proposals/{later}").json()["status"] == "pending"
    scope.undo(archived.record.id)
    assert failure(client.post(f"{URL}/proposals/{never}/apply")) == (400, "invalid", "valid_from")
    assert client.get(f"{URL}/proposals/{never}").json()["status"] == "failed"
    assert client.post(f"{URL}/proposals/{later}/apply").json()["status"] == "applied"


def test_rivals_for_a_claim_are_named(client):
    made = [propose(client, claim(day, confidence=0.5, reason="so they say"))["id"] for day in ("Tuesday", "Friday")]

    shown = client.get(f"{URL}/proposals/conflicts").json()

    assert shown["count"] == 1
    assert shown["items"][0] == {
        "entity": "Newsletter",
        "entityId": None,
        "aspect": "schedule",
        "groupKey": "general",
        "claimKey": "weekday",
        "cardinality": shown["items"][0]["cardinality"],
        "values": [
            {
                "proposalId": key,
                "value": day,
                "confidence": 0.5,
                "rationale": "so they say",
                "evidenceCount": 0,
            }
            for key, day in zip(made, ("Tuesday", "Friday"), strict=True)
        ],
        "proposalIds": made,
    }


def test_entities_of_one_name_are_planned_to_be_one(client, brain):
    scope = brain.scope("assistant")
    scope.graph.add("Mercury", type="project")
    scope.graph.add("Mercury", type="tool", slug="mercury-tool")
    url = f"{URL}/proposals/repair"

    shown = client.post(f"{url}/duplicates", json={}).json()["items"][0]
    plan = client.post(
        f"{url}/merge-plan", json={"target_entity": "mercury", "source_entities": ["mercury-tool"]}
    ).json()

    assert shown.keys() == {"target", "sources", "confidence", "risk", "impact", "proposals"}
    assert shown["impact"].keys() == {"sourceMentions", "memoryMentions", "aspects", "attributes", "dependencies"}
    assert (plan["target"]["slug"], [each["slug"] for each in plan["sources"]]) == ("mercury", ["mercury-tool"])
    assert (shown["confidence"], shown["risk"], shown["proposals"]) == (0.72, "review_required", [])
    kept = client.post(f"{url}/duplicates", json={"propose": True}).json()["items"][0]["proposals"]
    assert client.get(f"{URL}/proposals/{kept[0]}").json()["operation"] == "merge_entities"


def test_a_repair_that_cannot_be_is_refused(client):
    for route, body, field in (
        ("duplicates", {"limit": 101}, "limit"),
        ("duplicates", {"limit": "many"}, "limit"),
        ("merge-plan", {"target_entity": "a"}, "source_entities"),
        ("merge-plan", {"target_entity": "a", "source_entities": "b"}, "source_entities"),
    ):
        assert failure(client.post(f"{URL}/proposals/repair/{route}", json=body)) == (400, "invalid", field)


def test_a_proposal_that_is_not_there_or_not_yours_is_not_found(client):
    mine = propose(client, {**claim("Tuesday"), "agent_id": "a"})["id"]

    for key, agent in ((mine, "b"), (uuid4(), "a")):
        body = {"agent_id": agent}
        query = {"agent_id": agent}
        replies = [
            client.get(f"{URL}/proposals/{key}", params=query),
            client.get(f"{URL}/proposals/{key}/evidence", params=query),
            client.post(f"{URL}/proposals/{key}/apply", json=body),
            client.post(f"{URL}/proposals/{key}/reject", json=body),
        ]
        assert {failure(each)[:2] for each in replies} == {(404, "not_found")}
    assert client.get(f"{URL}/proposals", params={"agent_id": "b"}).json()["items"] == []
    assert failure(client.get(f"{URL}/proposals/nobody")) == (400, "invalid", "proposal")
