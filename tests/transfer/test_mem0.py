"""What mem0's `get_all` and its exports hold."""

import json
from datetime import UTC, datetime

import pytest

from nacre import Invalid, Settings
from tests.cases import in_turn

MEMORIES = [
    {
        "id": "f38b689d-6b24-45b7-bced-17fbb4d8bac7",
        "memory": "Alex drinks oat milk",
        "hash": "62bc074f56d1f909f1b4c2b639f56f6a",
        "metadata": {"topic": "food", "score": 3, "nested": {"a": [1]}, "nothing": None, "empty": ""},
        "created_at": "2024-07-25T23:57:00.108347-07:00",
        "updated_at": None,
        "user_id": "alex",
        "categories": ["food preferences", "health"],
    },
    {
        "id": "b29a2572",
        "memory": "Alex works at TechCorp",
        "created_at": "2024-07-26T10:00:00",
        "updated_at": "2024-08-01T10:00:00Z",
        "user_id": "alex",
        "agent_id": "helper",
        "relations": [{"source": "alex", "relationship": "works_at", "target": "techcorp"}],
    },
]


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


def load(scope, value, **options):
    return scope.transfer.load(json.dumps(value).encode(), format="mem0", **options)


@pytest.mark.spec("N5")
@pytest.mark.parametrize("shape", [lambda each: each, lambda each: {"results": each}, lambda each: {"memories": each}])
def test_memories_come_in_with_their_dates(scope, shape):
    report = load(scope, shape(MEMORIES))

    found = {match.memory.content: match.memory for match in scope.memories.search(limit=10)}
    assert report.skipped == ()
    assert report.counts == {"entities": 2, "links": 1, "memories": 2}
    milk, work = found["Alex drinks oat milk"], found["Alex works at TechCorp"]
    assert milk.created_at == milk.updated_at == datetime(2024, 7, 26, 6, 57, 0, 108347, tzinfo=UTC)
    assert work.updated_at == datetime(2024, 8, 1, 10, tzinfo=UTC)
    assert milk.tags == ("food preferences", "health")
    assert milk.metadata == {
        "topic": "food",
        "score": "3",
        "nested": '{"a":[1]}',
        "mem0_id": "f38b689d-6b24-45b7-bced-17fbb4d8bac7",
        "mem0_hash": "62bc074f56d1f909f1b4c2b639f56f6a",
        "mem0_user_id": "alex",
    }
    assert scope.recall("oat milk", limit=1)[0].id == milk.id


@pytest.mark.spec("N5")
def test_relations_become_links(scope):
    load(
        scope,
        {"results": MEMORIES[:1], "relations": [{"source": "alex", "relationship": "likes", "destination": "milk"}]},
    )

    assert [link.predicate for link in scope.graph.links("alex")] == ["likes"]


def test_one_undo_takes_it_back_and_it_can_come_in_again(scope):
    report = load(scope, MEMORIES)
    scope.undo(report.batch)

    assert scope.memories.search(limit=10) == []
    assert scope.recall("oat milk").hits == ()
    assert load(scope, MEMORIES).counts["memories"] == 2


def test_the_same_file_twice_comes_in_once(scope):
    load(scope, MEMORIES)
    again = load(scope, MEMORIES)

    assert again.counts["already_there"] == 2
    assert len(scope.memories.search(limit=10)) == 2


def test_two_memories_of_the_same_words_stay_two(scope):
    twins = [{"id": str(number), "memory": "Alex likes tea"} for number in range(2)]

    assert load(scope, twins).counts == {"memories": 2}
    assert len(scope.memories.search("tea")) == 2


@pytest.mark.spec("N5")
def test_of_a_file_of_several_users_only_ones_own_memories_come_in(nacre):
    """An export of a whole project must not put everybody's memories before one user."""
    mixed = [{"id": user, "memory": f"{user} likes tea", "user_id": user} for user in ("ana", "bo", "cy")]
    ana, nobody = nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="dee")

    report = load(ana, {"results": mixed, "relations": [{"source": "bo", "relationship": "likes", "target": "tea"}]})

    assert [match.memory.content for match in ana.memories.search(limit=10)] == ["ana likes tea"]
    assert [each.where for each in report.skipped] == ["[1]", "[2]", "relations[0]"]
    assert report.notes == ("The file holds memories of 3 users; only those of `ana` come in.",)
    assert load(nobody, mixed).counts == {}


def test_what_cannot_be_read_is_listed_and_the_rest_comes_in(scope):
    entries = [
        7,
        {},
        {"id": "1", "memory": "   "},
        {"id": "2", "memory": "Bad date", "created_at": "yesterday"},
        {"id": "3", "memory": "Bad tags", "categories": "food"},
        {"id": "4", "memory": "Fine", "metadata": "odd", "relations": [{"source": "a"}, 3]},
    ]

    report = load(scope, entries)

    assert [each.where for each in report.skipped] == [
        *("[0]", "[1]", "[2]", "[3]", "[4]"),
        *("[5] relations[0]", "[5] relations[1]"),
    ]
    assert [match.memory.content for match in scope.memories.search(limit=10)] == ["Fine"]


@in_turn("data", [b"", b"{", b"3", b"{}", b'{"results": 3}', b"\xff", b"[" * 100_000])
def test_what_is_no_such_file_is_refused(scope, data):
    with pytest.raises(Invalid):
        scope.transfer.load(data, format="mem0")
    assert scope.memories.search(limit=10) == []
