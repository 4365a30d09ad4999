"""`/api/memory` in the words of its document."""

from uuid import uuid4

import pytest

from tests.cases import in_turn
from tests.http.ontology_calls import bearer, failure

pytestmark = pytest.mark.spec("S18")

URL = "/api/memory"
RESULT = {
    "id",
    "content",
    "content_length",
    "truncated",
    "score",
    "source",
    "source_id",
    "session_id",
    "source_path",
    "type",
    "tags",
    "pinned",
    "importance",
    "who",
    "project",
    "created_at",
    "visibility",
    "scope",
    "supplementary",
    "already_recalled",
}
REMEMBERED = {
    "id",
    "type",
    "tags",
    "pinned",
    "importance",
    "content",
    "embedded",
    "entities_linked",
    "hints_written",
    "structured",
    "deduped",
}


def remember(client, content, **more):
    return client.post(f"{URL}/remember", json={"content": content, **more}).json()


def recall(client, query, **more):
    return client.post(f"{URL}/recall", json={"query": query, **more}).json()


def test_what_is_remembered_is_recalled_in_the_words_of_the_document(client, brain):
    brain.scope("assistant").ontology.set("Hermes", "plan/launch_day", "May 3", importance=0.8)
    made = remember(
        client,
        "Hermes launches on May 3.",
        type="work/plans",
        tags=["launch"],
        who="Ana",
        project="Hermes",
        importance=0.7,
        sourceType="chat",
        sourceId="c1",
        sourcePath="chats/1",
        metadata={"mood": "glad"},
    )

    answer = recall(client, "when does Hermes launch", since="2020-01-01T00:00:00Z")

    assert made.keys() == REMEMBERED
    assert answer.keys() == {"results", "query", "method", "meta", "entities"}
    assert answer["meta"].keys() == {
        "totalReturned",
        "hasSupplementary",
        "noHits",
        "timings",
        "temporal",
        "dedupe",
        "notes",
    }
    (found,) = answer["results"]
    assert found.keys() == RESULT
    assert found | {"score": 1, "created_at": 1, "source_id": 1} == {
        "id": made["id"],
        "content": "Hermes launches on May 3.",
        "content_length": 25,
        "truncated": False,
        "score": 1,
        "source": "memory",
        "source_id": 1,
        "session_id": None,
        "source_path": "chats/1",
        "type": "work/plans",
        "tags": ["launch"],
        "pinned": False,
        "importance": 0.7,
        "who": "Ana",
        "project": "Hermes",
        "created_at": 1,
        "visibility": "private",
        "scope": None,
        "supplementary": False,
        "already_recalled": False,
    }
    assert (answer["query"], answer["method"]) == ("when does Hermes launch", "keyword")
    assert answer["meta"]["temporal"] == {"since": "2020-01-01T00:00:00Z", "until": None}
    assert answer["entities"] == [
        {
            "name": "Hermes",
            "type": "unknown",
            "aspects": [{"name": "plan", "attributes": [{"content": "May 3", "status": "active", "importance": 0.8}]}],
        }
    ]
    entry = client.get(f"{URL}/{made['id']}").json()
    assert entry["metadata"] == {
        "mood": "glad",
        "who": "Ana",
        "project": "Hermes",
        "source_type": "chat",
        "source_id": "c1",
        "source_path": "chats/1",
    }


def test_what_was_said_is_recalled_with_who_said_it_where(client, brain):
    brain.scope("assistant", chat="c1").observe("user", "tea at four", session="s1", speaker="Ana", ref="m1")

    (found,) = recall(client, "tea", chatId="c1")["results"]

    told = ("source", "type", "session_id", "source_path", "who", "importance", "tags", "scope")
    assert [found[name] for name in told] == ["turn", "turn", "s1", "m1", "Ana", None, [], "c1"]


def test_long_content_is_cut_and_says_so(client):
    text = "tea " + "x" * 600
    made = remember(client, text)

    (found,) = recall(client, "tea")["results"]

    assert (found["content"], found["content_length"], found["truncated"]) == (text[:500], 604, True)
    assert client.get(f"{URL}/{made['id']}").json()["content"] == text


def test_a_session_is_told_nothing_twice(client):
    remember(client, "tea at four")

    first, second = (recall(client, "tea", sessionKey="s1") for _ in range(2))
    again = recall(client, "tea", sessionKey="s1", includeRecalled=True)

    assert (first["meta"]["totalReturned"], first["meta"]["noHits"]) == (1, False)
    assert (second["results"], second["meta"]["noHits"]) == ([], True)
    assert second["meta"]["dedupe"] == {"sessionKey": "s1", "heldBack": 1}
    assert [each["already_recalled"] for each in again["results"]] == [True]


def test_channels_are_told_only_where_they_are_asked_for(client):
    remember(client, "tea at four")

    assert recall(client, "tea", explain=True)["results"][0]["channels"]["lexical"] > 0
    assert "channels" not in recall(client, "tea")["results"][0]


def test_a_search_in_the_address_takes_the_same_filters(client):
    remember(client, "tea at four", tags=["hot", "daily"], importance=0.9, pinned=True, who="Ana")
    remember(client, "iced tea, 3 cups")

    def found(**query):
        results = client.get(f"{URL}/search", params={"q": "tea", **query}).json()["results"]
        return {each["content"] for each in results}

    assert len(found()) == 2
    for query in ({"tags": ["hot", "daily"]}, {"importance_min": 0.9}, {"pinned": True}, {"who": "Ana"}):
        assert found(**query) == {"tea at four"}
    assert found(pinned=False) == {"iced tea, 3 cups"}
    assert found(type="turn") == found(agent_id="other") == found(since="2100-01-01T00:00:00Z") == set()
    assert len(found(limit=1)) == 1
    assert found(sessionKey="s1") == found()
    assert found(sessionKey="s1") == set()


def test_prefixes_are_tags_and_pins(client):
    tagged = remember(client, "[launch, beta]: It moved to May 3.", tags=["beta", "plan"])
    critical = remember(client, "CRITICAL: [ops]: Never delete 7 backups.")
    plain = remember(client, "[sic] critical thinking: 5 rules", importance=0.4)

    assert (tagged["content"], tagged["tags"], tagged["pinned"]) == (
        "It moved to May 3.",
        ["beta", "plan", "launch"],
        False,
    )
    assert (critical["content"], critical["tags"]) == ("Never delete 7 backups.", ["ops"])
    assert (critical["pinned"], critical["importance"]) == (True, 1.0)
    assert (plain["content"], plain["tags"], plain["importance"]) == ("[sic] critical thinking: 5 rules", [], 0.4)
    assert remember(client, "critical:")["content"] == "critical:"


def test_hints_and_structure_become_part_of_what_is_known(client, brain):
    structured = {
        "entities": [
            {"source": "Ana", "sourceType": "person", "relationship": "works at", "target": "Acme"},
            {"source": "42"},
        ],
        "aspects": [
            {"entityName": "Ana", "aspect": "taste", "attributes": [{"claimKey": "colour", "content": "blue"}]}
        ],
        "hints": ["which firm employs her"],
    }

    made = remember(client, "Ana works at Acme.", structured=structured, hints=["her line of work"])
    hinted = remember(client, "The code is 1234.", hints=["door of the office"])

    assert (made["hints_written"], made["entities_linked"]) == (2, 2)
    assert made["structured"]["applied"]["claims"] == 1
    assert [each["item"] for each in made["structured"]["refused"]] == ["entities[1]"]
    assert hinted["hints_written"] == 1
    assert recall(client, "line of work")["results"][0]["id"] == made["id"]
    assert recall(client, "door office")["results"][0]["id"] == hinted["id"]
    assert brain.scope("assistant").ontology.claims("Ana")[0].value == "blue"


def test_what_says_the_same_is_one_memory(client):
    first, second = remember(client, "I like tea"), remember(client, "I like tea")

    assert (first["deduped"], second["deduped"]) == (False, True)
    assert first["id"] == second["id"]


@in_turn(
    "field",
    ["createdAt", "occurredAt", "validFrom", "visibility", "scope", "transcript", "runtimePath", "idempotencyKey", "x"],
)
def test_what_cannot_be_kept_is_refused_by_name(client, field):
    reply = client.post(f"{URL}/remember", json={"content": "tea", field: "2026-05-01T10:00:00Z"})

    assert failure(reply) == (400, "invalid", field)
    assert client.get(URL).json()["memories"] == []


def test_what_cannot_be_asked_is_refused_by_name(client):
    for field in ("keywordQuery", "time", "scope", "expand", "sourceOnly", "aggregate", "aggregateBudget"):
        reply = client.post(f"{URL}/recall", json={"query": "tea", field: "x"})
        assert failure(reply) == (400, "invalid", field)
        assert failure(client.get(f"{URL}/search", params={"q": "tea", field: "x"})) == (400, "invalid", field)
    for field, value in (
        ("query", " "),
        ("query", 7),
        ("limit", 51),
        ("limit", 0),
        ("limit", "5"),
        ("type", "no/such/"),
        ("tags", "launch"),
        ("importance_min", 2),
        ("pinned", "yes"),
        ("since", "2026-05-01T10:00:00"),
        ("since", 5),
        ("includeRecalled", 1),
        ("sessionKey", "a\nb"),
    ):
        shown = failure(client.post(f"{URL}/recall", json={"query": "tea", field: value}))
        assert shown == (400, "invalid", field)
    assert failure(client.get(f"{URL}/search")) == failure(client.get(f"{URL}/search?q=+")) == (400, "invalid", "q")


def test_what_cannot_be_remembered_is_refused_by_name(client):
    for field, value in (
        ("content", ""),
        ("content", "a\x00"),
        ("type", "no such"),
        ("tags", ["\n"]),
        ("importance", 3),
        ("hints", ["no"]),
        ("metadata", {"a": 1}),
        ("structured", {"entities": 7}),
    ):
        shown = failure(client.post(f"{URL}/remember", json={"content": "tea", field: value}))
        assert shown[:2] == (400, "invalid")
        assert str(shown[2]).startswith("entities" if field == "structured" else field)
    assert client.get(URL).json()["memories"] == []


def test_memories_are_listed_read_pinned_and_forgotten(client):
    keys = [remember(client, f"tea {number} a day", type=f"work/t{number}")["id"] for number in range(3)]

    listed = client.get(URL, params={"limit": 2, "offset": 1}).json()
    assert listed.keys() == {"memories", "count", "limit", "offset"}
    assert [each["id"] for each in listed["memories"]] == [keys[1], keys[0]]
    assert [each["id"] for each in client.get(URL, params={"type": "work/t2"}).json()["memories"]] == [keys[2]]
    assert client.post(f"{URL}/{keys[0]}/pin").json()["pinned"]
    assert not client.delete(f"{URL}/{keys[0]}/pin").json()["pinned"]
    assert client.delete(f"{URL}/{keys[0]}").json() == {"id": keys[0], "forgotten": True, "purged": False}
    assert client.get(f"{URL}/{keys[0]}").json()["status"] == "archived"
    assert client.delete(f"{URL}/{keys[1]}", params={"purge": True}).json()["purged"]
    assert failure(client.get(f"{URL}/{keys[1]}"))[0] == 404
    assert [each["id"] for each in recall(client, "tea")["results"]] == [keys[2]]
    assert failure(client.get(URL, params={"limit": 201})) == (400, "invalid", "limit")


def test_a_memory_that_was_replaced_says_where_it_went(client):
    old, new = (remember(client, text)["id"] for text in ("The rent is 1,200 euro", "The rent is now 1,300 euro"))

    ended = client.get(f"{URL}/{old}").json()
    assert (ended["status"], ended["archive_reason"], ended["replaced_by"]) == ("archived", "replaced", [new])
    assert [each["id"] for each in client.get(URL).json()["memories"]] == [new]


def test_nobody_reaches_the_memories_of_others(client, brain):
    mine = remember(client, "tea for one", agentId="a", userId="ana")["id"]

    for query in ({"agent_id": "a", "user_id": "ben"}, {"agent_id": "a"}, {"agent_id": "b", "user_id": "ana"}):
        replies = [
            client.get(f"{URL}/{mine}", params=query),
            client.delete(f"{URL}/{mine}", params=query),
            client.post(f"{URL}/{mine}/pin", params=query),
            client.get(f"{URL}/{uuid4()}", params=query),
        ]
        assert {failure(each)[0] for each in replies} == {404}
        assert client.get(f"{URL}/search", params={"q": "tea", **query}).json()["results"] == []
    assert recall(client, "tea", agentId="a", userId="ana")["meta"]["totalReturned"] == 1
    reader = bearer(brain, "readonly")
    assert failure(client.post(f"{URL}/remember", json={"content": "x"}, headers=reader))[0] == 403
    assert failure(client.delete(f"{URL}/{mine}", headers=reader))[0] == 403
    assert client.post(f"{URL}/recall", json={"query": "x"}, headers=reader).status_code == 200


def test_shared_memories_are_global(client, brain):
    brain.agent("a").share(memory=True)
    remember(client, "tea for all", agentId="a", userId="ana")

    (found,) = recall(client, "tea", agentId="a", userId="ben")["results"]

    assert found["visibility"] == "global"
