"""The vault over HTTP: the same service, behind the door."""

import base64

import pytest
from starlette.testclient import TestClient

from nacre import Nacre, Settings
from nacre.domain.plain import plain
from nacre.http import vault
from nacre.http.app import create_app
from tests.cases import in_turn

VAULT = "/v1/agents/a/vault"
NOTE = {"user": "ana", "path": "notes/launch.md", "content": "# Launch\n\nThe ferry leaves on May 3, see [[Budget]]."}


@pytest.mark.spec("G14")
def test_a_document_is_saved_read_searched_and_removed(remote, brain):
    saved = remote.post(f"{VAULT}/documents", json=NOTE)
    again = remote.post(f"{VAULT}/documents", json=NOTE).json()
    who = {"user": "ana", "document": "notes/launch.md"}

    scope = brain.scope("a", user="ana")
    assert (saved.status_code, saved.json()["outcome"], again["outcome"]) == (201, "created", "unchanged")
    assert saved.json()["document"] == plain(scope.vault.list()[0])
    assert remote.get(f"{VAULT}/document", params=who).json() == plain(scope.vault.get("notes/launch.md"))
    assert remote.get(f"{VAULT}/documents", params={"user": "ana"}).json()["documents"] == plain(scope.vault.list())
    assert remote.get(f"{VAULT}/links", params=who).json() == plain(scope.vault.links("notes/launch.md"))
    assert [link["target"] for link in remote.get(f"{VAULT}/broken", params={"user": "ana"}).json()["links"]] == [
        "Budget"
    ]
    asked = {"user": "ana", "query": "when does the ferry leave", "origins": ["vault"], "prefix": "notes"}
    assert remote.post(f"{VAULT}/search", json=asked).json() == plain(
        scope.vault.search("when does the ferry leave", origins=["vault"], prefix="notes")
    )
    hit = remote.post("/v1/agents/a/recall", json={"user": "ana", "query": "ferry"}).json()["hits"][0]
    assert (hit["kind"], hit["source"]["ref"]) == ("document", "notes/launch.md")
    assert remote.post(f"{VAULT}/archive", json=who).json()["status"] == "archived"
    assert remote.get(f"{VAULT}/documents", params={"user": "ana", "archived": True}).json()["documents"]
    assert remote.post(f"{VAULT}/restore", json=who).json()["outcome"] == "restored"
    assert remote.delete(f"{VAULT}/document", params=who).json()["documents"] == 1
    assert remote.get(f"{VAULT}/document", params=who).status_code == 404


@in_turn(
    ("body", "field"),
    [
        ({"path": "../up.md", "content": "x"}, "path"),
        ({"path": "a.md", "content": " "}, "content"),
        ({"path": "a.md", "content": "x", "visibility": "secret"}, "visibility"),
        ({"path": "a.md", "content": "x", "visibility": "team"}, "team"),
        ({"path": "a.md", "content": "x", "visibility": "shared", "team": "t"}, "team"),
        ({"path": "a.md"}, "content"),
        ({"path": "a.md", "content": "x", "title": "y"}, "title"),
    ],
)
def test_what_cannot_be_right_is_refused_by_name(client, body, field):
    reply = client.post(f"{VAULT}/documents", json={"user": "ana", **body})

    assert (reply.status_code, reply.json()["error"]["details"]["field"]) == (400, field)


def test_there_is_no_way_to_read_the_servers_folders():
    assert not any("sync" in repr(route) or "folder" in repr(route) for route in vault.router.routes)


@pytest.fixture
def guarded(sqlite_url):
    """A server that wants tokens, and headers of four callers."""
    with Nacre(sqlite_url, settings=Settings(embedder="off", worker="off", auth="team")) as nacre:
        nacre.agent("a").teams.set("platform", ["ana"])
        tokens = {
            "ana": nacre.tokens.issue("ana", "agent", agent="a", user="ana"),
            "ben": nacre.tokens.issue("ben", "agent", agent="a", user="ben"),
            "reader": nacre.tokens.issue("reader", "readonly", agent="a", user="ana"),
            "admin": nacre.tokens.issue("admin", "admin"),
        }
        headers = {name: {"Authorization": f"Bearer {each.secret}"} for name, each in tokens.items()}
        with TestClient(create_app(nacre), base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1)) as client:
            yield client, headers


def test_tokens_keep_readers_from_writing_and_users_from_each_other(guarded):
    client, headers = guarded
    document = {"path": "plan.md", "content": "The ferry leaves on Monday."}

    def post(who: str, **body: str) -> int:
        return int(client.post(f"{VAULT}/documents", json={**document, **body}, headers=headers[who]).status_code)

    def seen(who: str) -> list[str]:
        listed = client.get(f"{VAULT}/documents", headers=headers[who]).json()["documents"]
        return sorted(each["visibility"] for each in listed)

    assert post("ana") == 201
    assert post("ana", team="platform") == 201
    assert post("ben", team="platform") == 403
    assert post("ben", visibility="shared") == 201
    assert post("ben", user="ana") == 403
    assert post("reader") == 403
    assert (seen("ana"), seen("reader"), seen("ben")) == (
        ["personal", "shared", "team"],
        ["personal", "shared", "team"],
        ["shared"],
    )
    gone = {"document": "plan.md", "visibility": "personal"}
    assert client.delete(f"{VAULT}/document", params=gone, headers=headers["reader"]).status_code == 403
    assert client.delete(f"{VAULT}/document", params=gone, headers=headers["ben"]).status_code == 404
    assert client.get(f"{VAULT}/document", params=gone).status_code == 401


def test_only_an_administrator_says_who_is_in_a_team(guarded):
    client, headers = guarded
    change = {"url": f"{VAULT}/teams/platform", "json": {"members": ["ben", "ana"]}}

    assert client.put(**change, headers=headers["ana"]).status_code == 403
    assert client.get(f"{VAULT}/teams", headers=headers["ben"]).status_code == 403
    assert client.put(**change, headers=headers["admin"]).json() == {"teams": {"platform": ["ana", "ben"]}}
    assert client.get(f"{VAULT}/teams", headers=headers["admin"]).json() == {"teams": {"platform": ["ana", "ben"]}}
    assert client.put(**{**change, "json": {"members": []}}, headers=headers["admin"]).json() == {"teams": {}}


def test_a_file_is_kept_as_a_document(remote):
    """What cannot be read is refused with the reason."""
    page = {"user": "ana", "path": "books/harbour.txt", "data": base64.b64encode(b"# Harbour\n\nAna steers.").decode()}

    saved = remote.post(f"{VAULT}/files", json=page)
    refused = [remote.post(f"{VAULT}/files", json={**page, **odd}) for odd in ({"data": "?!?!"}, {"name": "a.exe"})]

    assert (saved.status_code, saved.json()["document"]["title"]) == (201, "Harbour")
    assert [reply.status_code for reply in refused] == [400, 400]
    assert "must be base64" in refused[0].text
