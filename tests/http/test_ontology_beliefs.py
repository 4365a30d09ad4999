"""Claims, links, names and assertions over HTTP."""

from uuid import uuid4

import pytest

from tests.http.knowledge_calls import ATTRIBUTE
from tests.http.ontology_calls import PATH, URL, bearer, failure


@pytest.fixture
def scope(brain):
    return brain.scope("assistant")


@pytest.fixture
def told(scope):
    """A claim that was set on evidence, and then anew."""
    said = scope.observe("user", "It is out on Tuesdays.", session="s1", speaker="Ana")
    first = scope.ontology.set("Newsletter", "schedule/weekday", "Tuesday", said_in=said.id, quote="out on Tuesdays")
    second = scope.ontology.set("Newsletter", "schedule/weekday", "Friday", reason="It collided")
    return said, first, second


@pytest.mark.spec("S18")
def test_every_version_of_a_claim_is_told_in_the_words_of_the_document(client, told):
    _, first, second = told

    shown = client.get(f"{URL}/claims/versions", params=PATH).json()

    assert shown.keys() == {"items", "count", "limit", "offset"}
    assert all(each.keys() == ATTRIBUTE for each in shown["items"])
    assert [(each["content"], each["status"], each["version"]) for each in shown["items"]] == [
        ("Friday", "active", 2),
        ("Tuesday", "superseded", 1),
    ]
    assert shown["items"][0]["previousAttributeId"] == shown["items"][1]["id"] == str(first.id)
    assert shown["items"][0]["versionRootId"] == shown["items"][1]["versionRootId"] == str(second.root)


@pytest.mark.spec("S18")
def test_versions_are_asked_for_by_status_kind_number_and_page(client, told):
    def asked(**more):
        return [
            each["content"] for each in client.get(f"{URL}/claims/versions", params={**PATH, **more}).json()["items"]
        ]

    assert asked(status="superseded") == ["Tuesday"]
    assert asked(status="all") == asked() == ["Friday", "Tuesday"]
    assert asked(kind="constraint") == []
    assert asked(limit=1, offset=1) == ["Tuesday"]
    assert asked(aspect="Schedule", claim="Weekday", group="General") == ["Friday", "Tuesday"]
    one = client.get(f"{URL}/claims/version", params={**PATH, "version": 1}).json()
    assert (one.keys(), one["content"]) == (ATTRIBUTE, "Tuesday")


@pytest.mark.spec("S18")
def test_what_a_claim_rests_on_is_told_word_for_word(client, told):
    said, _, _ = told

    now = client.get(f"{URL}/claims/evidence", params=PATH).json()["items"]
    before = client.get(f"{URL}/claims/evidence", params={**PATH, "status": "superseded"}).json()["items"]

    assert [(each["attribute"]["content"], each["evidence"]) for each in now] == [("Friday", [])]
    assert [each["reason"] for each in now[0]["decisions"]] == ["It collided"]
    assert before[0]["evidence"] == [
        {
            "sourceId": str(said.id),
            "quote": "out on Tuesdays",
            "start": 6,
            "end": 21,
            "ref": None,
            "session": "s1",
            "speaker": "Ana",
            "role": "user",
            "flags": [],
        }
    ]


def test_why_something_is_believed_is_told(client, told):
    _, first, second = told
    url = f"{URL}/claims/explain"

    whole = client.get(url, params={"entity": "Newsletter"}).json()
    one = client.get(url, params={"attribute_id": str(first.id)}).json()["items"][0]

    assert whole["count"] == 1
    assert whole["items"][0]["entity"]["slug"] == "newsletter"
    assert [each["id"] for each in whole["items"][0]["replaced"]] == [str(first.id)]
    assert [each["id"] for each in one["followed"]] == [str(second.id)]
    assert client.get(url, params={"entity": "Newsletter", "path": "schedule/weekday"}).json() == whole
    assert failure(client.get(url)) == (400, "invalid", "attribute_id")


def test_a_number_that_several_values_have_is_refused(client, scope):
    for value in ("PostgreSQL", "Redis"):
        scope.ontology.add("Billing", "stack/uses", value)
    where = {"entity": "Billing", "aspect": "stack", "claim": "uses", "version": 1}

    assert failure(client.get(f"{URL}/claims/version", params=where))[:2] == (409, "conflict")


@pytest.mark.spec("S18")
def test_a_claim_that_cannot_be_or_is_not_there(client, told):
    for route in ("versions", "version", "evidence"):
        url = f"{URL}/claims/{route}"
        where = {**PATH, "version": 1} if route == "version" else PATH
        for field in ("entity", "aspect", "claim"):
            assert failure(client.get(url, params={**where, field: None})) == (400, "invalid", field)
        assert failure(client.get(url, params={**where, "claim": "é"})) == (400, "invalid", "claim")
        assert failure(client.get(url, params={**where, "kind": "rumour"})) == (400, "invalid", "kind")
        assert failure(client.get(url, params={**where, "status": "lost"})) == (400, "invalid", "status")
        assert failure(client.get(url, params={**where, "entity": "Nobody"}))[0] == 404
        assert failure(client.get(url, params={**where, "user_id": "ana"}))[0] == 404
    assert failure(client.get(f"{URL}/claims/versions", params={**PATH, "limit": 201})) == (400, "invalid", "limit")
    assert failure(client.get(f"{URL}/claims/evidence", params={**PATH, "offset": -1})) == (400, "invalid", "offset")
    assert failure(client.get(f"{URL}/claims/version", params={**PATH, "version": 9}))[0] == 404
    assert failure(client.get(f"{URL}/claims/version", params={**PATH, "version": 0})) == (400, "invalid", "version")


@pytest.mark.spec("S18")
def test_what_a_link_rests_on(client, scope):
    said = (
        scope.observe("user", "Billing is on Redis.", role="user") if False else scope.observe("user", "ok: on Redis")
    )
    link = scope.graph.link("Billing", "uses", "Redis", said_in=said.id, quote="on Redis")

    shown = client.get(f"{URL}/links/{link.id}/evidence").json()

    assert shown.keys() == {"link", "evidence", "decisions"}
    assert (shown["link"]["source"]["name"], shown["link"]["dependencyType"], shown["link"]["target"]["name"]) == (
        "Billing",
        "uses",
        "Redis",
    )
    assert [each["quote"] for each in shown["evidence"]] == ["on Redis"]
    assert [each["operation"] for each in shown["decisions"]] == ["create_link"]
    assert failure(client.get(f"{URL}/links/{uuid4()}/evidence"))[0] == 404
    assert failure(client.get(f"{URL}/links/{link.id}/evidence", params={"agent_id": "other"}))[0] == 404
    assert failure(client.get(f"{URL}/links/nothing/evidence")) == (400, "invalid", "link")


@pytest.mark.spec("S18")
def test_other_names_come_and_go(client, scope, brain):
    ana = scope.graph.add("Ana", type="person")
    scope.graph.add("Bob", type="person")
    url = f"{URL}/entities/{ana.id}/aliases"

    added = client.post(url, json={"alias": "A. B/C", "confidence": 0.9, "source": "import"}, headers=bearer(brain))
    listed = client.get(url).json()

    assert (added.status_code, added.json()["alias"]) == (201, "A. B/C")
    assert listed == {"entityId": str(ana.id), "name": "Ana", "items": [added.json()], "count": 1}
    record = scope.history()[0]
    assert (record.actor, record.grounds["confidence"], record.grounds["origin"]["kind"]) == ("ci", 0.9, "import")
    assert failure(client.post(url, json={"alias": "bob"}))[:2] == (409, "conflict")
    assert failure(client.post(url, json={"alias": "a. b/c"}))[:2] == (409, "conflict")
    gone = client.delete(f"{url}/{added.json()['id']}")
    assert (gone.status_code, gone.json()["items"]) == (200, [])
    assert failure(client.delete(f"{url}/{added.json()['id']}"))[0] == 404


@pytest.mark.spec("S18")
def test_a_name_that_cannot_be_or_whose_owner_is_not_there(client, scope):
    ana = scope.graph.add("Ana", type="person")
    url = f"{URL}/entities/{ana.id}/aliases"

    assert failure(client.post(url, json={"alias": " "})) == (400, "invalid", "alias")
    assert failure(client.post(url, json={})) == (400, "invalid", "alias")
    assert failure(client.post(url, json={"alias": "x", "confidence": 7})) == (400, "invalid", "confidence")
    assert failure(client.delete(f"{url}/Ana"))[:2] == (409, "conflict")
    elsewhere = {"agent_id": "other"}
    replies = [
        client.get(url, params=elsewhere),
        client.post(url, json={"alias": "x", **elsewhere}),
        client.delete(f"{url}/x", params=elsewhere),
        client.get(f"{URL}/entities/nobody/aliases"),
    ]
    assert {failure(each)[0] for each in replies} == {404}


ASSERTION = {
    "id",
    "subjectEntityId",
    "claimAttributeId",
    "predicate",
    "content",
    "speaker",
    "assertedAt",
    "confidence",
    "evidence",
    "sourceId",
    "status",
    "supersedesAssertionId",
    "createdBy",
    "createdAt",
    "updatedAt",
    "archivedAt",
    "archivedBy",
    "archiveReason",
}
SAID = {"entity": "Billing", "predicate": "believes", "content": "The web team owns it", "speaker": "Bob"}


@pytest.mark.spec("S10", "S18")
def test_who_said_what_is_written_down(client, scope):
    turn = scope.observe("user", "I think the web team owns it.", speaker="Bob")
    body = {
        **SAID,
        "asserted_at": "2026-05-01T10:00:00+02:00",
        "confidence": 0.6,
        "evidence": [{"quote": "the web team owns it", "source_id": str(turn.id)}, "everybody knows"],
        "source_kind": "chat",
        "created_by": "scribe",
    }

    made = client.post(f"{URL}/assertions", json=body)

    shown = made.json()
    assert (made.status_code, shown.keys()) == (201, ASSERTION)
    assert (shown["assertedAt"], shown["confidence"], shown["createdBy"]) == ("2026-05-01T08:00:00Z", 0.6, "scribe")
    assert shown["evidence"] == [
        {"quote": "the web team owns it", "source": str(turn.id)},
        {"quote": "everybody knows", "source": None},
    ]
    assert shown["sourceId"] == str(turn.id)
    assert scope.history()[0].grounds["origin"]["kind"] == "chat"
    assert client.get(f"{URL}/assertions/{shown['id']}").json() == shown


@pytest.mark.spec("S10", "S18")
def test_an_assertion_lives_and_leaves_the_claim_alone(client, scope):
    claim = scope.ontology.set("Billing", "ownership/service_owner", "platform team")
    key = client.post(f"{URL}/assertions", json=SAID).json()["id"]
    url = f"{URL}/assertions/{key}"

    linked = client.post(f"{url}/link-claim", json={"attribute_id": str(claim.id), "actor": "ana"}).json()
    replaced = client.post(f"{url}/supersede", json={"content": "The platform team owns it", "predicate": "claims"})
    gone = client.post(f"{URL}/assertions/{replaced.json()['id']}/archive", json={"reason": "a rumour", "actor": "ana"})

    assert linked["claimAttributeId"] == str(claim.id)
    assert (replaced.status_code, replaced.json()["supersedesAssertionId"]) == (201, key)
    assert (gone.json()["status"], gone.json()["archivedBy"], gone.json()["archiveReason"]) == (
        "archived",
        "ana",
        "a rumour",
    )
    assert client.get(url).json()["status"] == "superseded"
    assert [each.value for each in scope.ontology.claims("Billing")] == ["platform team"]
    assert failure(client.post(f"{url}/archive"))[:2] == (409, "conflict")


@pytest.mark.spec("S10", "S18")
def test_assertions_are_listed_by_every_filter(client):
    bodies = [SAID, {**SAID, "speaker": "Ana", "predicate": "denies"}, {**SAID, "entity": "Shop"}]
    first, second, third = (client.post(f"{URL}/assertions", json=body).json()["id"] for body in bodies)
    client.post(f"{URL}/assertions/{third}/archive")

    def listed(**query):
        return {each["id"] for each in client.get(f"{URL}/assertions", params=query).json()["items"]}

    assert listed() == {first, second}
    assert listed(status="all") == {first, second, third}
    assert listed(status="archived") == {third}
    assert listed(speaker="Ana") == listed(predicate="denies") == {second}
    assert listed(entity="Shop", status="all") == {third}
    assert listed(agent_id="other") == set()
    assert len(listed(limit=1)) == len(listed(limit=1, offset=1)) == 1


@pytest.mark.spec("S10", "S18")
def test_an_assertion_that_cannot_be_or_is_not_yours(client):
    url = f"{URL}/assertions"
    for change, field in (
        ({"predicate": "shouts"}, "predicate"),
        ({"content": " "}, "content"),
        ({"entity": None}, "entity"),
        ({"entity_id": "Billing"}, "entity"),
        ({"asserted_at": "2026-05-01T10:00:00"}, "asserted_at"),
        ({"confidence": -1}, "confidence"),
        ({"evidence": [{"page": 3}]}, "evidence"),
        ({"claim_attribute_id": "x"}, "claim_attribute_id"),
        ({"evidence": [5]}, "evidence"),
        ({"actor": "a", "created_by": "b"}, "created_by"),
        ({"actor": ""}, "actor"),
        ({"reason": "a\x00"}, "reason"),
        ({"mood": "angry"}, "mood"),
    ):
        assert failure(client.post(url, json={**SAID, **change})) == (400, "invalid", field)
    key = client.post(url, json=SAID).json()["id"]
    other = {"agent_id": "other"}
    replies = [
        client.get(f"{url}/{key}", params=other),
        client.post(f"{url}/{key}/archive", json=other),
        client.post(f"{url}/{key}/supersede", json={"content": "x", **other}),
        client.post(f"{url}/{key}/link-claim", json={"attribute_id": str(uuid4()), **other}),
        client.get(f"{url}/{uuid4()}"),
    ]
    assert {failure(each)[0] for each in replies} == {404}
    assert failure(client.get(url, params={"status": "lost"})) == (400, "invalid", "status")
    assert failure(client.get(url, params={"limit": 1_001})) == (400, "invalid", "limit")
