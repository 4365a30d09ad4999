"""Reading texts for the ontology, and putting proposals in order, over HTTP."""

import pytest

from tests.http.ontology_calls import URL, bearer, claim, failure
from tests.http.test_ontology_operations import PROPOSAL

pytestmark = pytest.mark.spec("S18")


def test_what_a_text_says_is_shown_as_operations_that_a_batch_takes(client, brain):
    shown = client.post(f"{URL}/extract", json={"text": "Kim works at Acme."}).json()

    assert shown.keys() == {
        "sources",
        "method",
        "operations",
        "count",
        "proposals",
        "assertions",
        "notes",
        "inputTokens",
        "outputTokens",
    }
    assert (shown["method"], shown["count"], shown["proposals"], shown["assertions"]) == ("rules", 3, [], [])
    assert shown["operations"][0].keys() == {"operation", "payload", "reason", "evidence", "confidence"}
    assert brain.scope("assistant").history() == []
    # The text was only shown, so nothing may rest on it.
    orders = [{**each, "evidence": None} for each in shown["operations"]]
    assert client.post(f"{URL}/operations/batch", json={"operations": orders}).status_code == 200
    assert brain.scope("assistant").graph.links("Kim")[0].predicate == "works_at"


def test_what_a_session_says_is_kept_for_review_and_written_down(client, brain):
    scope = brain.scope("assistant")
    scope.observe("user", "Kim works at Acme.", session="s1", speaker="Bob")
    scope.undo(scope.history()[0].batch)
    body = {"from": "session:s1", "write_proposals": True, "write_assertions": True}

    shown = client.post(f"{URL}/extract", json=body, headers=bearer(brain)).json()

    assert {frozenset(each) for each in shown["proposals"]} == {frozenset(PROPOSAL)}
    assert {each["createdBy"] for each in shown["proposals"] + shown["assertions"]} == {"ci"}
    assert [(each["speaker"], each["content"]) for each in shown["assertions"]] == [("Bob", "Kim works at Acme")]
    kept = client.get(f"{URL}/proposals", params={"status": "pending"}).json()["items"]
    assert {each["id"] for each in kept} == {each["id"] for each in shown["proposals"]}
    evidence = client.get(f"{URL}/proposals/{shown['proposals'][-1]['id']}/evidence").json()["items"]
    assert [each["quote"] for each in evidence] == ["Kim works at Acme"]


def test_every_way_to_name_a_text(client, brain):
    turn = brain.scope("assistant").observe("user", "Hello there.", session="s:1")

    for place in ("session:s:1", "transcript:s:1", f"source:{turn.id}", f"artifact:{turn.id}"):
        assert client.post(f"{URL}/extract", json={"from": place}).json()["sources"] == [str(turn.id)]
    assert failure(client.post(f"{URL}/extract", json={"from": f"source:{turn.id}", "agent_id": "other"}))[0] == 404
    assert failure(client.post(f"{URL}/extract", json={"from": "session:none"}))[0] == 404


def test_a_text_that_cannot_be_read_is_refused(client):
    for body, field in (
        ({}, "text"),
        ({"text": "a", "from": "session:s"}, "text"),
        ({"text": " "}, "text"),
        ({"from": "s1"}, "from"),
        ({"from": "moon:s1"}, "from"),
        ({"from": "source:x"}, "source"),
        ({"text": "a", "limit": 501}, "limit"),
        ({"text": "a", "use_provider": True}, "use_provider"),
        ({"text": "a", "provider_timeout_ms": 5}, "provider_timeout_ms"),
        ({"text": "a", "write_proposals": "yes"}, "write_proposals"),
    ):
        assert failure(client.post(f"{URL}/extract", json=body)) == (400, "invalid", field)


def test_proposals_are_put_in_order(client):
    keys = [
        client.post(f"{URL}/proposals", json=claim(day)).json()["proposal"]["id"]
        for day in ("Tuesday", "Tuesday", "Friday")
    ]

    tried = client.post(f"{URL}/consolidate", json={"dry_run": True}).json()
    done = client.post(f"{URL}/consolidate", json={}).json()

    assert tried == {**done, "dryRun": True}
    assert done.keys() == {"examined", "repeated", "conflicts", "notes", "dryRun"}
    assert done["repeated"] == [{"kept": keys[0], "rejected": [keys[1]]}]
    assert [each["value"] for each in done["conflicts"][0]["values"]] == ["Tuesday", "Friday"]
    assert done["conflicts"][0]["advice"] is None
    assert client.get(f"{URL}/proposals/{keys[1]}").json()["status"] == "rejected"
    for body, field in (({"limit": 201}, "limit"), ({"use_provider": True}, "use_provider"), ({"x": 1}, "x")):
        assert failure(client.post(f"{URL}/consolidate", json=body)) == (400, "invalid", field)
