"""The native routes do what the Python surface does."""

from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from nacre import Nacre, Settings
from nacre.domain.plain import plain
from nacre.settings import shown
from tests.cases import in_turn

AGENT = "/v1/agents/a"
NOBODY = "01890000-0000-7000-8000-000000000000"


@pytest.fixture
def ana(brain):
    return brain.scope("a", "ana")


@pytest.fixture
def get(client):
    """What a route answers for Ana."""

    def ask(path, **params):
        reply = client.get(f"{AGENT}{path}", params={"user": "ana", **params})
        assert reply.status_code == 200, reply.text
        return reply.json()

    return ask


@pytest.fixture
def send(client):
    """What a route answers to a body of Ana's."""

    def ask(method, path, status=200, **body):
        reply = client.request(method, f"{AGENT}{path}", json={"user": "ana", **body})
        assert reply.status_code == status, reply.text
        return reply.json()

    return ask


def test_memories_are_listed_and_searched_by_every_filter(get, ana):
    for text, category, tags in (
        ("Tea at nine", "user-preferences/drinks", ["tea"]),
        ("Coffee at ten", "user-preferences/drinks", ["coffee", "hot"]),
        ("The launch is on May 3", "project-context", []),
    ):
        ana.remember(text, category=category, tags=tags)

    def found(**filters):
        return [each["memory"]["content"] for each in get("/memories", **filters)["memories"]]

    assert set(found()) == {"Tea at nine", "Coffee at ten", "The launch is on May 3"}
    assert found(query="launch")[0] == "The launch is on May 3"
    assert set(found(category="user-preferences")) == {"Tea at nine", "Coffee at ten"}
    assert found(tags=["coffee", "hot"]) == ["Coffee at ten"]
    assert len(found(limit=1)) == 1
    assert found(until="2020-01-01T00:00:00Z") == found(as_of="2020-01-01T00:00:00Z") == []
    assert get("/memories/categories") == {"categories": {"user-preferences/drinks": 2, "project-context": 1}}


def test_a_memory_tells_its_story(get, send, ana):
    memory = ana.remember("Tea at nine").memory

    changed = send("PATCH", f"/memories/{memory.id}", importance=0.9)

    assert changed["importance"] == 0.9
    assert get(f"/memories/{memory.id}") == get(f"/memories/{memory.id.hex[-12:]}") == changed
    history = get(f"/memories/{memory.id}/history")["changes"]
    assert [each["record"]["operation"] for each in history] == ["set_importance", "remember"]
    assert [each["memory"]["importance"] for each in history] == [0.9, 0.5]
    assert [each["quote"] for each in get(f"/memories/{memory.id}/evidence")["evidence"]] == ["Tea at nine"]


def test_a_memory_that_was_replaced_says_where_it_went(get, send):
    old = send("POST", "/remember", 201, text="The rent is 1,200 euro")
    new = send("POST", "/remember", 201, text="The rent is now 1,300 euro")

    assert (old["replaced"], new["replaced"], new["proposals"]) == ([], [old["memory"]["id"]], [])
    ended = get(f"/memories/{old['memory']['id']}")
    assert (ended["status"], ended["archive_reason"]) == ("archived", "replaced")
    assert ended["replaced_by"] == [new["memory"]["id"]]
    assert [each["memory"]["id"] for each in get("/memories")["memories"]] == [new["memory"]["id"]]


def test_memories_are_forgotten_one_by_one_by_age_or_all(get, send, ana):
    first, second = (ana.remember(text).memory for text in ("Tea at nine", "The launch is on May 3"))

    assert send("POST", "/forget", memory=str(first.id))["memories"] == 1
    assert [each["memory"]["id"] for each in get("/memories")["memories"]] == [str(second.id)]
    assert send("POST", "/forget", before="2020-01-01T00:00:00Z")["memories"] == 0
    gone = send("POST", "/forget", everything=True, purge=True)
    assert (gone["memories"], gone["purged"]) == (2, True)
    assert get("/memories")["memories"] == []
    assert send("POST", "/forget", 400)["error"]["code"] == "invalid"


def test_working_memory_is_kept_found_and_removed(get, send):
    draft = {"namespace": "session/s1", "key": "mail/draft", "data": "Dear John", "tags": ["mail"], "ttl": 600}
    saved = send("PUT", "/working", **draft)
    send("PUT", "/working", **{**draft, "namespace": "patrol/news", "key": "found", "category": "news"})

    assert saved["key"] == "session/s1/mail/draft"
    lived = datetime.fromisoformat(saved["expires_at"]) - datetime.fromisoformat(saved["stored_at"])
    assert lived.total_seconds() == 600
    own = {"namespace": "session/s1"}
    assert get("/working/entry", key="mail/draft", **own) == saved
    assert [each["key"] for each in get("/working", **own)["entries"]] == ["session/s1/mail/draft"]
    assert [each["key"] for each in get("/working", below="patrol", query="john", **own)["entries"]] == [
        "patrol/news/found"
    ]
    assert get("/working", category="news", tags=["mail"], below="patrol", **own)["entries"][0]["category"] == "news"
    assert "session/s1/mail/draft" in get("/working/inventory", **own)["text"]
    assert "Dear John" not in get("/working/inventory", **own)["text"]


def test_an_entry_is_removed_once(client, ana):
    ana.working("session/s1").save("draft", "x")
    params = {"user": "ana", "namespace": "session/s1", "key": "draft"}

    removed = [client.delete(f"{AGENT}/working/entry", params=params).json()["removed"] for _ in range(2)]

    assert removed == [True, False]
    assert client.get(f"{AGENT}/working/entry", params=params).status_code == 404


@in_turn(
    ("body", "status", "field"),
    [
        ({"ttl": 0}, 400, "ttl"),
        ({"ttl": 10**30}, 400, "ttl"),
        ({"ttl": 1e300}, 400, "ttl"),
        ({"ttl": "5"}, 400, "ttl"),
        ({"namespace": "session"}, 400, "namespace"),
        ({"key": "a//b"}, 400, "key"),
        ({"key": "session/other/draft"}, 403, None),
    ],
)
def test_an_entry_that_cannot_be_right_is_refused(client, body, status, field):
    whole = {"namespace": "session/s1", "key": "draft", "data": "x", **body}
    reply = client.put(f"{AGENT}/working", json=whole)

    assert (reply.status_code, reply.json()["error"]["details"].get("field")) == (status, field)


def test_a_full_namespace_says_so(client, ana):
    own = ana.working("session/s1")
    for number in range(50):
        own.save(f"k{number}", "x")

    reply = client.put(f"{AGENT}/working", json={"user": "ana", "namespace": "session/s1", "key": "one", "data": "x"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (409, "namespace_full")


def test_feedback_is_given_and_listed(get, send):
    given = send("POST", "/feedback", 201, kind="correction", subject="Dates", detail="Day first", session="s1")

    assert get("/feedback")["signals"] == [given]
    assert send("POST", "/feedback", 400, kind="shrug", subject="x")["error"]["details"]["field"] == "kind"


def test_skills_are_kept_found_and_deleted(get, send, client):
    saved = send("PUT", "/skills/email/reply", summary="Answer mail.", content="Greet.", see_also=["email/sign"])
    send("PUT", "/skills/plan-trip", summary="Plan a trip.", content="Book.")

    assert get("/skills/email/reply") == saved
    assert saved["missing"] == ["email/sign"]
    assert [each["name"] for each in get("/skills")["skills"]] == ["email/reply", "plan-trip"]
    assert [each["name"] for each in get("/skills", limit=1, offset=1)["skills"]] == ["plan-trip"]
    assert get("/skills", query="mail")["skills"][0]["name"] == "email/reply"
    gone = [client.delete(f"{AGENT}/skills/email/reply", params={"user": "ana"}).json() for _ in range(2)]
    assert gone == [{"removed": True}, {"removed": False}]


def test_a_session_is_read_page_by_page(get, ana):
    for number in range(5):
        ana.observe("user", f"Line {number}", session="Büro/1")
    ana.observe("user", "Elsewhere", session="s2")

    assert [each["session"] for each in get("/sessions")["sessions"]] == ["s2", "Büro/1"]
    assert [each["turns"] for each in get("/sessions", offset=1)["sessions"]] == [5]
    pages = [get("/sessions/Büro/1/turns", limit=2)]
    while pages[-1]["before"]:
        pages.append(get("/sessions/Büro/1/turns", limit=2, before=pages[-1]["before"]))
    said = [[turn["text"] for turn in page["turns"]] for page in pages]
    assert said == [["Line 3", "Line 4"], ["Line 1", "Line 2"], ["Line 0"]]


def test_turns_and_sessions_are_paged_on_both_databases(scope):
    for number in range(4):
        scope.observe("user", f"Line {number}", session=f"s{number % 2}")

    last = scope.conversations.last("s1", limit=1)
    assert [said.turn.text for said in scope.conversations.last("s1", before=last[0].seq)] == ["Line 1"]
    assert [each.session for each in scope.conversations.sessions(limit=1, offset=1)] == ["s0"]


def test_a_session_is_summed_up(get, send, ana, client):
    ana.observe("user", "The launch of Pebble moved to May 31.", session="s1")
    assert client.get(f"{AGENT}/sessions/s1/summary", params={"user": "ana"}).status_code == 404

    made = send("POST", "/sessions/s1/summary")

    assert made["summary"]["content"]
    assert get("/sessions/s1/summary") == made["summary"]
    assert get("/summaries")["summaries"] == [made["summary"]]


def test_a_dry_dream_changes_nothing_and_a_real_one_is_on_record(get, send, ana):
    ana.remember("Tea at nine")

    dry = send("POST", "/dream", passes=["decay"], dry_run=True)
    assert ([each["name"] for each in dry["passes"]], dry["dry_run"]) == (["decay"], True)
    assert get("/dreams")["dreams"] == []
    real = send("POST", "/dream")
    assert [each["id"] for each in get("/dreams")["dreams"]] == [real["id"]]
    assert send("POST", "/dreams/reset", name="decay") == {"reset": False}
    assert send("POST", "/dream", 400, passes=["nap"])["error"]["details"]["field"] == "passes[0]"


def test_jobs_are_listed_shown_and_tried_again(get, send, ana, brain):
    ana.remember("I live in Porto. The launch moved to May 31.")

    [job] = get("/jobs")["jobs"]
    assert get(f"/jobs/{job['id']}") == job
    assert (job["status"], get("/jobs", status="dead")["jobs"]) == ("waiting", [])
    assert send("POST", "/jobs/replay") == {"replayed": 0}
    assert send("POST", "/jobs/replay", 404, job=NOBODY)["error"]["code"] == "not_found"


def test_embeddings_tell_how_far_they_are(get, ana):
    ana.observe("user", "tea")

    assert get("/embeddings") == {"done": 0, "total": 0, "complete": True}


def test_the_log_is_read_page_by_page_and_what_it_says_is_undone(get, send, ana):
    memories = [ana.remember(f"Fact number {number} about tea {number}").memory for number in range(3)]

    first = get("/audit", limit=2)["records"]
    rest = get("/audit", limit=10, before=first[-1]["id"])["records"]
    assert [each["id"] for each in first + rest] == [str(record.id) for record in ana.history()]
    undone = send("POST", "/undo", operation=first[0]["id"])
    assert (undone["record"]["operation"], undone["record"]["actor"]) == ("undo", "caller")
    assert undone["rows"] > 0
    assert {each["memory"]["id"] for each in get("/memories")["memories"]} == {str(each.id) for each in memories[:2]}
    assert send("POST", "/undo", 404, operation=NOBODY)["error"]["code"] == "not_found"


def test_a_change_tells_its_rows_and_how_many_there_are_in_all(get, ana):
    ana.remember("Tea is served at five", tags=["tea", "five"])
    [record] = get("/audit")["records"]

    found = get(f"/audit/{record['id']}", limit=1)
    assert (found["records"], found["later"], found["operations"]) == ([record], [], 1)
    assert [(row["table"], row["before"], row["after"]["content"]) for row in found["changes"]] == [
        ("memories", None, "Tea is served at five")
    ]
    assert found["rows"] == len(ana.inspect(record["id"]).changes) > 1


def test_what_an_agent_shares_is_read_and_changed(client, brain):
    route = f"{AGENT}/sharing"
    assert client.get(route).json() == {
        "share_knowledge_graph": False,
        "share_memory": False,
        "read_policy": "isolated",
    }

    changed = client.patch(route, json={"share_memory": True, "read_policy": "shared"}).json()

    assert changed == client.get(route).json() == plain(brain.agent("a").sharing())
    assert (changed["share_knowledge_graph"], changed["share_memory"]) == (False, True)
    assert client.patch(route, json={"read_policy": "open"}).status_code == 400


def test_agents_are_listed_by_name(client, brain):
    for agent in ("b", "a", "c"):
        brain.scope(agent).observe("user", "tea")

    assert client.get("/v1/agents").json() == {"agents": ["a", "b", "c"]}
    assert client.get("/v1/agents", params={"limit": 1, "offset": 1}).json() == {"agents": ["b"]}


def test_tokens_are_issued_listed_and_revoked(client):
    issued = client.post("/v1/tokens", json={"name": "ci", "role": "readonly", "agent": "a", "user": "ana"})
    secret, key = issued.json()["secret"], issued.json()["token"]["id"]
    bearer = {"authorization": f"Bearer {secret}"}

    assert (issued.status_code, issued.headers["cache-control"]) == (201, "no-store")
    assert client.get(f"{AGENT}/memories", headers=bearer).status_code == 200
    assert client.get(f"{AGENT}/memories", params={"user": "ben"}, headers=bearer).status_code == 403
    listed = client.get("/v1/tokens")
    assert [each["id"] for each in listed.json()["tokens"]] == [key]
    assert secret not in listed.text
    assert client.delete(f"/v1/tokens/{key}").json()["revoked_at"]
    assert client.get(f"{AGENT}/memories", headers=bearer).status_code == 401
    assert client.delete(f"/v1/tokens/{NOBODY}").status_code == 404


def test_denials_are_listed_newest_first(client, brain):
    secret = brain.tokens.issue("t", "readonly").secret
    for path in ("/v1/tokens", "/v1/settings"):
        client.get(path, headers={"authorization": f"Bearer {secret}"})

    denied = client.get("/v1/denials").json()["denials"]
    assert [each["called"] for each in denied] == ["GET /v1/settings", "GET /v1/tokens"]
    assert denied[0]["permission"] == "admin"
    assert client.get("/v1/denials", params={"before": denied[1]["at"]}).json() == {"denials": []}


def test_settings_are_shown_without_their_secrets(sqlite_url):
    settings = Settings(
        database="postgresql://nacre:hunter2@db:5432/brain?password=hunter2",
        llm_api_key=SecretStr("hunter2"),
        embedding_endpoint="https://key:hunter2@models.internal/v1?key=hunter2",
        hosts=["memory.internal"],
    )

    told = shown(settings)

    assert "hunter2" not in str(told)
    assert told.keys() == Settings.model_fields.keys()
    assert (told["llm_api_key"], told["embedding_api_key"]) == ("set", None)
    assert told["database"] == "postgresql://db:5432/brain"
    assert told["embedding_endpoint"] == "https://models.internal/v1"


def test_settings_are_read_over_http(client):
    told = client.get("/v1/settings").json()["settings"]

    assert (told["embedder"], told["auth"]) == ("off", "local")


@in_turn("path", ["/memories?usr=ana", "/memories?user=ana&Chat=c", "/audit?agent=b", "/sessions?limit=5&page=2"])
def test_a_parameter_that_no_route_knows_is_refused(client, path):
    """A misspelt `user` would read what belongs to no user in particular."""
    reply = client.get(f"{AGENT}{path}")

    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid")


@in_turn(
    ("path", "field"),
    [
        ("/memories?limit=0", "limit"),
        ("/memories?limit=1001", "limit"),
        ("/memories?limit=" + "9" * 5_000, "limit"),
        ("/memories?query=%20", "query"),
        ("/memories?query=a%00b", "query"),
        ("/memories?tags=%00", "tags"),
        ("/memories?since=yesterday", "since"),
        ("/memories?since=2026-05-01T00:00:00", "since"),
        ("/memories?category=a%20b", "category"),
        ("/memories?user=", "user"),
        ("/memories/nonsense", "memory"),
        ("/memories/" + "0" * 12, None),
        ("/sessions?offset=-1", "offset"),
        ("/sessions/s1/turns?before=0", "before"),
        ("/sessions/s1/turns?before=" + "9" * 30, "before"),
        ("/sessions/%07/turns", "session"),
        ("/jobs?status=lost", "status"),
        ("/jobs/nonsense", "job"),
        ("/audit?before=nonsense", "before"),
        (f"/audit?before={NOBODY}", None),
        ("/skills/a..b", "name"),
    ],
)
def test_a_wrong_address_names_what_is_wrong(client, path, field):
    reply = client.get(f"{AGENT}{path}")

    assert reply.status_code == (400 if field else 404)
    assert reply.json()["error"]["details"].get("field") == field


def test_what_another_process_wrote_is_read(client, sqlite_url):
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off")) as other:
        other.scope("a", "ana").observe("user", "tea", session="s1", at=datetime(2026, 5, 1, tzinfo=UTC))

    turns = client.get(f"{AGENT}/sessions/s1/turns", params={"user": "ana"}).json()["turns"]
    assert [turn["at"] for turn in turns] == ["2026-05-01T00:00:00Z"]


@pytest.mark.spec("N12")
def test_a_caller_hears_whether_what_was_observed_is_learned(client, get, ana):
    said = str(ana.observe("user", "Maya lives in Rome.").id)

    asked = {"unread_by_model": 0, "notes": []}
    assert get("/learning", observation=said) == {"unread": 1, "done": False, **asked}
    assert get("/learning", observation=said, seconds=5, model=True) == {"unread": 0, "done": True, **asked}
    nobody = client.get("/v1/agents/a/learning", params={"user": "nobody", "observation": said})
    assert nobody.status_code == 404
    refused = client.get("/v1/agents/a/learning", params={"user": "ana", "seconds": 31})
    assert (refused.status_code, refused.json()["error"]["details"]["field"]) == (400, "seconds")
