"""RockBot's folders, with the fields and spellings that RockBot itself writes."""

import json
from pathlib import Path
from typing import Any

import pytest

from nacre import Conflict, Invalid, Settings
from tests.transfer.histories import exported

Files = dict[str, Any]

ALICE, ROCKBOT, BOB = "a11ce0000001", "20c4b0700002", "b0b000000003"
FOLDER: Files = {
    f"knowledge-graph/entities/{ALICE}.json": {
        "id": ALICE,
        "name": "Alice",
        "entityType": 0,
        "aliases": ["Ali", "al"],
        "metadata": {"team": "core"},
        "createdAt": "2026-01-05T10:00:00.1234567+00:00",
        "lastReferencedAt": "2026-03-01T08:30:00-06:00",
    },
    f"knowledge-graph/entities/{ROCKBOT}.json": {
        "id": ROCKBOT,
        "name": "RockBot",
        "entityType": 1,
        "aliases": [],
        "metadata": None,
        "createdAt": "2026-01-05T10:00:00+00:00",
        "lastReferencedAt": None,
    },
    f"knowledge-graph/entities/{BOB}.json": {
        "id": BOB,
        "name": "Bob",
        "entityType": "Person",
        "aliases": ["Robert"],
        "metadata": {"empty": "", "rating": "5"},
        "createdAt": "2026-01-06T10:00:00+00:00",
        "lastReferencedAt": None,
        "somethingNew": [1, 2],
    },
    "knowledge-graph/triples/t1.json": {
        "id": "t1",
        "subject": ALICE.upper(),
        "predicate": "works_on",
        "object": ROCKBOT,
        "confidence": 0.9,
        "sourceEpisodeId": "episode-7",
        "createdAt": "2026-01-05T11:00:00+00:00",
    },
    "knowledge-graph/triples/t2.json": {
        "id": "t2",
        "subject": "Robert",
        "predicate": "Works On",
        "object": "RockBot",
        "confidence": 0.75,
        "sourceEpisodeId": None,
        "createdAt": "2026-01-05T11:00:00+00:00",
    },
    "knowledge-graph/triples/t3.json": {
        "id": "t3",
        "subject": ALICE,
        "predicate": "has_role",
        "object": "lead engineer, since 2024",
        "confidence": 0.6,
        "sourceEpisodeId": None,
        "createdAt": "2026-01-05T11:00:00+00:00",
    },
    "knowledge-graph/triples/t4.json": {
        "id": "t4",
        "subject": ALICE,
        "predicate": "works_on",
        "object": ROCKBOT,
        "confidence": 0.4,
        "sourceEpisodeId": None,
        "createdAt": "2026-01-09T11:00:00+00:00",
    },
    "knowledge-graph/triples/t5.json": {
        "id": "t5",
        "subject": "dead00000000",
        "predicate": "knows",
        "object": "Bob",
        "confidence": 0.3,
        "sourceEpisodeId": None,
        "createdAt": "2026-01-09T11:00:00+00:00",
    },
    "memory/user-preferences/timezone/abc123def456.json": {
        "id": "abc123def456",
        "content": "User is in Chicago (America/Chicago, UTC-6)",
        "category": "user-preferences/timezone",
        "tags": ["timezone", "location"],
        "createdAt": "2026-02-01T09:00:00+00:00",
        "updatedAt": None,
        "metadata": {"source": "inferred"},
    },
    "memory/general/0123456789ab.json": {
        "id": "0123456789ab",
        "content": "Das Passwort ist geheim. 東京 🦪",
        "category": None,
        "tags": [],
        "createdAt": "2026-02-01T09:00:00+00:00",
        "updatedAt": "2026-02-02T09:00:00+00:00",
        "metadata": None,
        "importanceScore": 0.8,
        "lastSeenAt": "2026-02-03T09:00:00+00:00",
        "reinforcementCount": 4,
        "verify": {"how": "ask"},
    },
    "memory/anti-patterns/email/fedcba987654.json": {
        "id": "fedcba987654",
        "content": "Don't send emails unasked",
        "category": "anti-patterns/email",
        "tags": ["anti-pattern"],
        "createdAt": "2026-02-01T09:00:00+00:00",
        "updatedAt": None,
        "metadata": None,
        "archivedAt": "2026-02-05T09:00:00+00:00",
        "archiveReason": "outdated",
    },
}


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


@pytest.fixture
def folder(tmp_path):
    return written(tmp_path / "agent", FOLDER)


def written(root: Path, files: Files) -> Path:
    for name, document in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document if isinstance(document, bytes) else json.dumps(document, indent=2).encode())
    return root


def read(root: Path) -> Files:
    return {path.relative_to(root).as_posix(): json.loads(path.read_text()) for path in root.rglob("*.json")}


@pytest.mark.spec("R5", "N5")
def test_a_folder_comes_in_and_goes_out_as_it_was(scope, folder, tmp_path):
    """Ids, aliases, types, metadata, dates, confidence, episodes, literals, tags: every field of every file."""
    report = scope.transfer.load(folder)

    scope.transfer.export(tmp_path / "out", format="rockbot")

    assert report.skipped == ()
    assert report.counts == {"entities": 4, "links": 5, "memories": 3}
    assert read(tmp_path / "out") == FOLDER


@pytest.mark.spec("R5")
def test_what_the_files_say_is_known(scope, folder):
    scope.transfer.load(folder)

    alice = scope.graph.get("Alice")
    links = {(link.predicate, link.value): link for link in scope.graph.links(alice.id)}
    assert (alice.type, set(alice.aliases)) == ("person", {"Ali", "al"})
    assert alice.properties["team"] == "core"
    assert links["works_on", None].target == scope.graph.get("RockBot").id
    # Said twice: one link, as sure as the surer of the two.
    assert links["works_on", None].confidence == 0.9
    assert links["has_role", "lead engineer, since 2024"].confidence == 0.6
    chicago = scope.recall("which timezone", limit=1)[0]
    assert chicago.text.startswith("User is in Chicago")
    memory = scope.memories.get(chicago.id)
    assert (memory.category, memory.tags) == ("user-preferences/timezone", ("timezone", "location"))
    assert memory.created_at.isoformat() == "2026-02-01T09:00:00+00:00"
    secret = scope.memories.search("geheim")[0].memory
    assert (secret.importance, secret.reinforced, secret.category) == (0.8, 4, "general")
    assert scope.memories.search("emails") == []


@pytest.mark.spec("R5")
def test_a_triple_that_names_its_ends_is_reached_as_one_that_has_their_ids(scope, folder):
    scope.transfer.load(folder)

    walk = scope.graph.walk(["Bob"], hops=2)

    reached = {reached.entity_id for reached in walk.nodes}
    assert {scope.graph.get("RockBot").id, scope.graph.get("Alice").id} <= reached


@pytest.mark.spec("R5")
def test_malformed_files_are_listed_with_a_reason_and_skipped(scope, tmp_path):
    bad: Files = {
        "knowledge-graph/entities/ok.json": {"id": "ok", "name": "Fine", "entityType": 2},
        "knowledge-graph/entities/broken.json": b'{"id": "x", ',
        "knowledge-graph/entities/list.json": [],
        "knowledge-graph/entities/nameless.json": {"id": "n", "entityType": 0},
        "knowledge-graph/entities/idless.json": {"name": "n", "entityType": 0},
        "knowledge-graph/entities/latin.json": b'{"id":"l","name":"\xe9"}',
        "knowledge-graph/triples/half.json": {"id": "h", "subject": "ok"},
        "knowledge-graph/triples/sure.json": {
            "id": "s",
            "subject": "ok",
            "predicate": "p",
            "object": "o",
            "confidence": "x",
        },
        "memory/general/dateless.json": {"id": "d", "content": "No date"},
        "memory/general/when.json": {"id": "w", "content": "Bad date", "createdAt": "soon"},
        "memory/general/tags.json": {"id": "t", "content": "T", "tags": [1], "createdAt": "2026-01-01T00:00:00Z"},
        "memory/notes.txt": b"not for us",
        "memory/.embeddings/x.json": b"binary",
    }

    report = scope.transfer.load(written(tmp_path / "agent", bad))

    assert {each.where for each in report.skipped} == {
        name for name in bad if "ok.json" not in name and name.endswith(".json") and ".embeddings" not in name
    }
    assert all(each.why for each in report.skipped)
    assert [entity.name for entity in scope.graph.search(limit=10)] == ["Fine"]


@pytest.mark.spec("R5")
@pytest.mark.parametrize("category", ["../../etc", "/etc", "a/../../b", "..", "a\\b", "C:/x", "a//b", "a/b\x00"])
def test_a_category_that_leads_out_of_the_folder_is_refused(scope, tmp_path, category):
    entry = {"id": "e", "content": "C", "category": category, "createdAt": "2026-01-01T00:00:00Z"}

    report = scope.transfer.load(written(tmp_path / "agent", {"memory/general/e.json": entry}))

    assert [each.where for each in report.skipped] == ["memory/general/e.json"]
    assert scope.memories.search(limit=10) == []


def test_no_id_leads_out_of_the_folder_that_is_written(scope, tmp_path):
    entity = {"id": "../../../evil", "name": "Eve", "entityType": 0}
    entry = {"id": "../evil", "content": "C", "createdAt": "2026-01-01T00:00:00Z"}
    files = {"knowledge-graph/entities/e.json": entity, "memory/general/e.json": entry}
    scope.transfer.load(written(tmp_path / "agent", files))

    (tmp_path / "a/b").mkdir(parents=True)
    scope.transfer.export(tmp_path / "a/b/out", format="rockbot")

    out = read(tmp_path / "a/b/out")
    assert {each["id"] for each in out.values()} == {"../../../evil", "../evil"}
    assert {name.rpartition("/")[0] for name in out} == {"knowledge-graph/entities", "memory/general"}
    assert [path.name for path in (tmp_path / "a").rglob("*evil*")] == []


def test_a_link_out_of_the_folder_is_not_followed(scope, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps({"id": "s", "name": "Secret", "entityType": 0}))
    root = written(tmp_path / "agent", {"knowledge-graph/entities/ok.json": {"id": "ok", "name": "Fine"}})
    (root / "knowledge-graph/entities/s.json").symlink_to(secret)

    report = scope.transfer.load(root)

    assert [each.where for each in report.skipped] == ["knowledge-graph/entities/s.json"]


def test_two_entities_of_one_name_stay_two(scope, tmp_path):
    files = {
        f"knowledge-graph/entities/{key}.json": {
            "id": key,
            "name": name,
            "entityType": 0,
            "aliases": aliases,
            "metadata": None,
            "createdAt": "2026-01-01T00:00:00Z",
            "lastReferencedAt": None,
        }
        for key, name, aliases in (("a", "Sam", ["Boss"]), ("b", "Sam", []), ("c", "Boss", []))
    }
    root = written(tmp_path / "agent", files)

    scope.transfer.load(root)
    scope.transfer.load(root)
    scope.transfer.export(tmp_path / "out", format="rockbot")

    assert len(scope.graph.search(limit=10)) == 3
    assert read(tmp_path / "out") == files


def test_an_entity_of_the_same_name_in_the_graph_is_the_same(scope, folder):
    known = scope.graph.add("Alice", type="person", properties={"eyes": "green"})

    scope.transfer.load(folder)

    assert scope.graph.get("Alice").id == known.id
    assert scope.graph.get("Alice").properties["eyes"] == "green"


def test_what_was_changed_since_is_written_as_it_is_now(scope, folder, tmp_path):
    scope.transfer.load(folder)
    scope.graph.add("Alice", aliases=["Alicia"], properties={"team": "edge"})
    entry = scope.memories.search("Chicago")[0].memory
    scope.memories.set_importance(entry.id, 0.9)

    scope.transfer.export(tmp_path / "out", format="rockbot")

    out = read(tmp_path / "out")
    alice = out[f"knowledge-graph/entities/{ALICE}.json"]
    assert set(alice["aliases"]) == {"Ali", "al", "Alicia"}
    assert alice["metadata"] == {"team": "edge"}
    assert out["memory/user-preferences/timezone/abc123def456.json"]["importanceScore"] == 0.9


def test_what_is_our_own_goes_out_and_comes_back(scope, nacre, tmp_path):
    scope.graph.add("Hostinger", type="organization", aliases=["Host"])
    scope.graph.link("Ana", "works_at", "Hostinger", confidence=0.7)
    scope.graph.link("Ana", "has_role", value="CTO")
    scope.remember("Ana likes tea", category="taste/drinks", tags=["tea"], importance=0.9)
    scope.transfer.export(tmp_path / "out", format="rockbot")
    copy = nacre.scope("copy")

    copy.transfer.load(tmp_path / "out")

    host = copy.graph.get("Host")
    assert (host.name, host.type) == ("Hostinger", "organization")
    assert {(link.predicate, link.value, link.confidence) for link in copy.graph.links("Ana")} == {
        (link.predicate, link.value, link.confidence) for link in scope.graph.links("Ana")
    }
    kept = copy.memories.search("tea")[0].memory
    assert (kept.category, kept.tags, kept.importance) == ("taste/drinks", ("tea",), 0.9)


def test_a_dry_run_changes_nothing(scope, folder):
    before = exported(scope)

    tried = scope.transfer.load(folder, dry_run=True)

    assert exported(scope) == before
    assert tried.counts == scope.transfer.load(folder).counts


def test_one_undo_takes_it_back(scope, folder):
    report = scope.transfer.load(folder)

    scope.undo(report.batch)

    assert scope.graph.search(limit=10) == []
    assert scope.memories.search(limit=10) == []


def test_a_folder_that_holds_something_is_not_written_into(scope, folder):
    with pytest.raises(Conflict, match="new or empty"):
        scope.transfer.export(folder, format="rockbot")
    assert read(folder) == FOLDER


@pytest.mark.parametrize("problem", ["a file", "nothing there", "no such layout"])
def test_what_is_no_such_folder_is_refused(scope, tmp_path, problem):
    path = tmp_path / "x"
    if problem == "a file":
        path.write_text("{}")
    if problem == "no such layout":
        path.mkdir()
    with pytest.raises(Invalid, match="path"):
        scope.transfer.load(path, format="rockbot")
