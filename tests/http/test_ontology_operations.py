"""Operations over HTTP: three modes, one path, all or none."""

import json

import pytest

from tests.http.ontology_calls import PATH, URL, bearer, claim, failure, order

PROPOSAL = {
    "id",
    "agentId",
    "batch",
    "operation",
    "status",
    "payload",
    "confidence",
    "rationale",
    "evidence",
    "risk",
    "sourceKind",
    "sourceId",
    "sourcePath",
    "sourceRoot",
    "createdBy",
    "appliedBy",
    "rejectedBy",
    "result",
    "audit",
    "createdAt",
    "updatedAt",
    "appliedAt",
    "rejectedAt",
}


def apply(client, body, **more):
    return client.post(f"{URL}/operations/apply", json=body, **more)


def batch(client, operations, **more):
    return client.post(f"{URL}/operations/batch", json={"operations": operations, **more})


def values(brain, agent="assistant"):
    return [each.value for each in brain.scope(agent).ontology.claims("Newsletter")]


@pytest.mark.spec("S18")
def test_an_operation_is_carried_out_and_shown_as_it_was_written_down(client, brain):
    said = brain.scope("assistant").observe("user", "Out on Tuesdays, as ever.")
    grounds = {
        "rationale": "They said so.",
        "evidence": [{"quote": "Out on Tuesdays", "source_id": str(said.id)}],
        "confidence": 0.9,
        "risk": "low",
        "source_kind": "mail",
        "source_id": "m1",
        "source_path": "inbox/1",
        "source_root": "inbox",
        "actor": "scribe",
    }

    reply = apply(client, claim("Tuesday", **grounds))

    done = reply.json()
    assert reply.status_code == 200
    assert done.keys() == {"proposal", "result", "dryRun", "proposed"}
    assert (done["dryRun"], done["proposed"]) == (False, False)
    shown = done["proposal"]
    assert shown.keys() == PROPOSAL
    assert (shown["status"], shown["agentId"], shown["createdBy"], shown["appliedBy"]) == (
        "applied",
        "assistant",
        "scribe",
        "scribe",
    )
    assert [shown[f"source{part}"] for part in ("Kind", "Id", "Path", "Root")] == ["mail", "m1", "inbox/1", "inbox"]
    assert shown["evidence"] == [{"quote": "Out on Tuesdays", "source": str(said.id)}]
    assert (shown["rationale"], shown["confidence"], shown["risk"]) == ("They said so.", 0.9, "low")
    assert shown["result"] == done["result"]
    held = brain.scope("assistant").ontology.claims("Newsletter")[0]
    assert done["result"]["claim"] == str(held.id)
    brain.scope("assistant").undo(shown["audit"])
    assert brain.scope("assistant").graph.search("Newsletter") == []


@pytest.mark.spec("S18")
def test_a_dry_run_tells_what_would_come_of_it_and_keeps_nothing(client, brain):
    done = apply(client, claim("Tuesday", dry_run=True)).json()

    assert (done["proposal"], done["dryRun"], done["proposed"]) == (None, True, False)
    assert done["result"]["summary"] == "Newsletter: schedule/general/weekday = Tuesday"
    assert brain.scope("assistant").history() == []
    assert brain.scope("assistant").graph.search("Newsletter") == []


@pytest.mark.spec("S18")
def test_a_proposal_waits_until_it_is_applied(client, brain):
    done = apply(client, claim("Tuesday", propose=True)).json()

    assert (done["result"], done["dryRun"], done["proposed"]) == (None, False, True)
    assert done["proposal"].keys() == PROPOSAL
    assert done["proposal"]["status"] == "pending"
    assert brain.scope("assistant").graph.search("Newsletter") == []
    client.post(f"{URL}/proposals/{done['proposal']['id']}/apply")
    assert values(brain) == ["Tuesday"]


BOB = order("create_entity", name="Bob")
WRONG = [
    (order("create_entty", name="Bob"), "operation"),
    (order("create_entity"), "payload"),
    (order("create_entity", nam="Bob"), "nam"),
    ({"operation": "create_entity"}, "payload"),
    ({"payload": {"name": "Bob"}}, "operation"),
    ({**BOB, "confidence": 2}, "confidence"),
    ({**BOB, "risk": "huge"}, "risk"),
    ({**BOB, "reason": "a", "rationale": "b"}, "rationale"),
    ({**BOB, "evidence": [{"quote": "x", "page": 1}]}, "page"),
    ({**BOB, "evidence": [5]}, "evidence"),
    ({**BOB, "actor": " "}, "actor"),
    ({**BOB, "colour": "red"}, "colour"),
    (order("create_entity", name="a\x00b"), "name"),
]


@pytest.mark.spec("S7", "S18")
@pytest.mark.parametrize("mode", [{}, {"dry_run": True}, {"propose": True}])
def test_what_cannot_be_right_is_refused_in_every_mode(client, brain, mode):
    for body, field in WRONG:
        assert failure(apply(client, {**body, **mode})) == (400, "invalid", field)
    assert brain.scope("assistant").history() == []
    assert brain.scope("assistant").ontology.proposals.list() == []


@pytest.mark.spec("S7", "S18")
def test_a_dry_run_and_a_proposal_exclude_each_other(client):
    both = {"dry_run": True, "propose": True}
    replies = [
        apply(client, {**claim("Tuesday"), **both}),
        batch(client, [claim("Tuesday")], **both),
        client.post(f"{URL}/operations/stream", params=both, content=json.dumps(claim("Tuesday"))),
    ]

    assert {failure(each) for each in replies} == {(400, "invalid", "propose")}


def test_what_is_not_there_or_in_the_way_has_a_status_of_its_own(client, brain):
    scope = brain.scope("assistant")
    scope.graph.add("Mercury", type="project")
    scope.graph.add("Mercury", type="tool", slug="mercury-tool")
    scope.ontology.set("Billing", "rules/backups", "never delete", kind="constraint")
    change = {"entity": "Billing", "aspect": "rules", "claim": "backups", "value": "delete"}

    assert failure(apply(client, order("archive_entity", entity="Nobody")))[:2] == (404, "not_found")
    assert failure(apply(client, order("archive_entity", entity="Mercury", dry_run=True)))[0] == 400
    assert failure(apply(client, order("pin_entity", entity="Mercury")))[:2] == (409, "ambiguous")
    assert failure(apply(client, order("set_claim_value", **change)))[:2] == (409, "slot_constrained")
    assert apply(client, order("set_claim_value", **change, force=True)).status_code == 200


def test_a_merge_of_several_is_summed_up(client, brain):
    scope = brain.scope("assistant")
    for name in ("Ana", "Anna", "Hannah"):
        scope.graph.add(name, type="person")

    done = apply(client, order("merge_entities", target_entity="Ana", source_entities=["Anna", "Hannah"])).json()

    assert done["result"]["entities"] == 2
    assert [each.name for each in scope.graph.search(None)] == ["Ana"]
    scope.undo(done["proposal"]["batch"])
    assert len(scope.graph.search(None)) == 3


@pytest.mark.spec("S7", "S18")
def test_a_batch_is_carried_out_together(client, brain):
    done = batch(client, [claim("Tuesday"), order("pin_entity", entity="Newsletter")], source_kind="import").json()

    assert done.keys() == {"items", "errors", "count", "dryRun", "proposed"}
    assert (done["count"], done["errors"], done["dryRun"], done["proposed"]) == (2, [], False, False)
    assert [each.keys() for each in done["items"]] == [{"proposal", "result"}] * 2
    assert {each["proposal"]["sourceKind"] for each in done["items"]} == {"import"}
    assert len({each["proposal"]["batch"] for each in done["items"]}) == 1


@pytest.mark.spec("S7", "S18")
def test_what_an_operation_says_of_its_source_counts_more_than_what_the_batch_says(client):
    operations = [claim("Tuesday", source_id="own"), claim("Friday")]

    items = client.post(
        f"{URL}/operations/batch", json={"items": operations, "source_kind": "k", "source_id": "batch"}
    ).json()["items"]

    assert [(each["proposal"]["sourceKind"], each["proposal"]["sourceId"]) for each in items] == [
        ("k", "own"),
        ("k", "batch"),
    ]


@pytest.mark.spec("S7", "S18")
@pytest.mark.parametrize("propose", [False, True])
def test_one_that_fails_leaves_nothing_of_the_batch(client, brain, propose):
    operations = [claim("Tuesday"), order("create_entity", name="Acme"), order("archive_entity", entity="Nobody")]

    reply = batch(client, operations, propose=propose)

    assert failure(reply)[:2] == (404, "not_found")
    assert "operations[2] (archive_entity)" in reply.json()["error"]["message"]
    scope = brain.scope("assistant")
    assert (scope.history(), scope.ontology.proposals.list(), scope.graph.search(None)) == ([], [], [])


@pytest.mark.spec("S7", "S18")
def test_a_dry_run_of_a_batch_tells_every_error_with_its_status(client, brain):
    operations = [
        claim("Tuesday"),
        order("create_entty", name="Bob"),
        order("archive_entity", entity="Nobody"),
        {"no": "operation"},
    ]

    done = batch(client, operations, dry_run=True).json()

    assert (done["count"], len(done["items"]), done["dryRun"]) == (4, 1, True)
    assert done["items"][0]["proposal"] is None
    assert all(each.keys() == {"index", "line", "operation", "error", "code", "status"} for each in done["errors"])
    assert [(each["index"], each["operation"], each["code"], each["status"]) for each in done["errors"]] == [
        (1, "create_entty", "invalid", 400),
        (2, "archive_entity", "not_found", 404),
        (3, None, "invalid", 400),
    ]
    assert brain.scope("assistant").history() == []


@pytest.mark.spec("S7", "S18")
def test_a_batch_that_is_none_is_refused(client, brain):
    for body, field in (
        ({}, "operations"),
        ({"operations": []}, "operations"),
        ({"operations": [claim("a")], "items": [claim("b")]}, "operations"),
        ({"operations": [order("create_entity", name=f"e{number}") for number in range(501)]}, "operations"),
        ({"operations": "all"}, "operations"),
        ({"operations": [1]}, "operations[0]"),
        ({"operations": [{**claim("a"), "dry_run": True}]}, "dry_run"),
    ):
        assert failure(client.post(f"{URL}/operations/batch", json=body)) == (400, "invalid", field)
    assert brain.scope("assistant").history() == []


@pytest.mark.spec("S7", "S18")
def test_a_stream_is_a_batch_in_lines(client, brain):
    operations = [claim("火曜日"), order("pin_entity", entity="Newsletter")]
    lines = "\n\n".join(json.dumps(each, ensure_ascii=False) for each in operations)

    for media_type in ("text/plain", "application/x-ndjson"):
        reply = client.post(f"{URL}/operations/stream", content=lines.encode(), headers={"content-type": media_type})
        assert (reply.status_code, reply.json()["count"]) == (200, 2)
    assert values(brain) == ["火曜日"]


@pytest.mark.spec("S7", "S18")
def test_a_stream_names_the_line_that_is_wrong(client, brain):
    lines = f"{json.dumps(claim('Tuesday'))}\n\n{{not json\n"
    url = f"{URL}/operations/stream"

    tried = client.post(f"{url}?dry_run=true", content=lines).json()
    refused = client.post(url, content=lines)

    assert [(each["line"], each["status"]) for each in tried["errors"]] == [(3, 400)]
    assert failure(refused)[:2] == (400, "invalid")
    assert refused.json()["error"]["message"].startswith("line 3: ")
    assert brain.scope("assistant").history() == []
    proposed = client.post(f"{url}?propose=true&agent_id=other", content=json.dumps(claim("Tuesday"))).json()
    assert proposed["items"][0]["proposal"]["agentId"] == "other"


def test_a_stream_that_is_none_is_refused(client):
    for content in (b"", b"\n \n", b"\xff\xfe", b"[" * 100_000):
        reply = client.post(f"{URL}/operations/stream", content=content, headers={"content-type": "text/plain"})
        assert failure(reply)[:2] == (400, "invalid")


@pytest.mark.spec("S18")
def test_a_token_signs_with_its_own_name(client, brain):
    headers = bearer(brain, name="ci")

    shown = apply(client, claim("Tuesday"), headers=headers).json()["proposal"]
    assert (shown["createdBy"], shown["appliedBy"]) == ("ci", "ci")
    assert apply(client, claim("Friday", actor="ci"), headers=headers).status_code == 200
    assert {each.actor for each in brain.scope("assistant").history()} == {"ci"}


@pytest.mark.spec("S18")
def test_a_token_cannot_write_another_name_into_the_log(client, brain):
    headers = bearer(brain, name="ci")
    before = brain.scope("assistant").history()
    forged = claim("Tuesday", actor="ana")

    replies = [
        apply(client, forged, headers=headers),
        client.post(f"{URL}/operations/batch", json={"operations": [forged]}, headers=headers),
        client.post(f"{URL}/operations/batch", json={"operations": [claim("a")], "actor": "ana"}, headers=headers),
        client.post(f"{URL}/operations/stream", content=json.dumps(forged), headers=headers),
        client.post(f"{URL}/operations/stream?actor=ana", content=json.dumps(claim("a")), headers=headers),
        client.post(f"{URL}/operations/stream?dry_run=true", content=json.dumps(forged), headers=headers),
        client.post(f"{URL}/proposals", json=forged, headers=headers),
        client.post(f"{URL}/proposals/batch", json={"items": [forged]}, headers=headers),
        client.post(
            f"{URL}/assertions",
            json={"entity": "Ana", "predicate": "claims", "content": "x", "created_by": "ana"},
            headers=headers,
        ),
    ]

    assert {failure(each)[:2] for each in replies} == {(403, "denied")}
    assert brain.scope("assistant").history() == before


@pytest.mark.spec("S18")
def test_two_agents_have_nothing_in_common(client, brain):
    apply(client, claim("Tuesday", agent_id="a"))
    apply(client, claim("Friday", agent_id="a", user_id="ana"))
    link = apply(
        client, {**order("create_link", source_entity="x", link_type="uses", target_entity="y"), "agent_id": "a"}
    ).json()["result"]["link"]

    assert values(brain, "a") == ["Tuesday"]
    assert client.get(f"{URL}/claims/versions", params={**PATH, "agent_id": "b"}).status_code == 404
    assert failure(apply(client, {**order("archive_link", id=link), "agent_id": "b"}))[:2] == (404, "not_found")
    bound = bearer(brain, agent="b")
    assert failure(apply(client, claim("x", agent_id="a"), headers=bound))[:2] == (403, "denied")
