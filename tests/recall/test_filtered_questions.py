"""Questions of the documents' own form: filtered, told once, and with what the graph knows."""

from datetime import timedelta
from typing import Any

import pytest

from nacre import Invalid, Settings
from nacre.domain.answers import MemoryQuery

pytestmark = pytest.mark.spec("S18")


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


def contents(answer):
    return [each.content for each in answer.found]


@pytest.fixture
def kept(scope, clock):
    """Memories that differ in one thing each."""
    made: dict[str, Any] = {}
    wanted: dict[str, dict[str, Any]] = {
        "plain": {},
        "tagged": {"tags": ["launch", "beta"]},
        "filed": {"category": "work/plans"},
        "heavy": {"importance": 0.9},
        "hers": {"metadata": {"who": "Ana", "project": "Hermes"}},
    }
    for name, given in wanted.items():
        # Numbers keep them apart: what says the same would be one memory.
        made[name] = scope.remember(f"tea {len(made)} {name}", **given).memory
        clock.advance(hours=1)
    return made


def test_every_filter_of_memories_leaves_out_the_rest(scope, clock, kept):
    scope.observe("user", "tea turn")
    scope.memories.pin(kept["filed"].id)

    def found(**filters):
        return {text.split()[-1] for text in contents(scope.memories.look_up("tea", limit=50, **filters))}

    assert found() == {*kept, "turn"}
    assert found(type="memory") == set(kept)
    assert found(type="turn") == {"turn"}
    assert found(type="work") == found(type="work/plans") == found(pinned=True) == {"filed"}
    assert found(pinned=False) == {*kept} - {"filed"}
    assert found(tags=["beta"]) == found(tags=["beta", "launch"]) == {"tagged"}
    assert found(importance_min=0.9) == {"heavy"}
    assert found(who="Ana") == found(project="Hermes") == found(who="Ana", project="Hermes") == {"hers"}
    assert found(who="Ana", tags=["beta"]) == found(type="turn", tags=["beta"]) == set()
    assert found(since=kept["filed"].created_at, until=kept["heavy"].created_at) == {"filed", "heavy"}
    assert found(importance_min=0.0, since=kept["hers"].created_at) == {"hers"}


def test_a_session_is_told_nothing_twice_unless_it_wants_that(scope, kept):
    first = scope.memories.look_up("tea", limit=2, session="s1")
    second = scope.memories.look_up("tea", limit=50, session="s1")
    whole = scope.memories.look_up("tea", limit=50, session="s1", include_recalled=True)
    other = scope.memories.look_up("tea", limit=50, session="s2")

    assert not {*contents(first)} & {*contents(second)}
    assert {*contents(first), *contents(second)} == {*contents(whole)} == {*contents(other)}
    assert (first.held_back, second.held_back, whole.held_back) == (0, 2, 0)
    assert all(each.again for each in whole.found)
    assert not any(each.again for each in other.found)


def test_what_was_told_is_held_back_from_a_filtered_question_too(scope, kept):
    scope.memories.look_up("tea", tags=["beta"], session="s1")

    again = scope.memories.look_up("tea", tags=["beta"], session="s1")
    assert (again.found, again.held_back) == ((), 1)


def test_what_is_believed_of_the_entities_in_the_question_comes_along(scope):
    scope.ontology.set("Billing", "operations/deploy_window", "Friday", importance=0.4)
    scope.ontology.set("Billing", "operations/owner", "Ana", importance=0.9)
    scope.ontology.set("Billing", "operations/owner", "Bob", importance=0.9)
    scope.graph.add("Acme", type="organization")

    known = scope.memories.look_up("who owns billing at Acme?").entities

    assert [each.entity.name for each in known] == ["Billing", "Acme"]
    assert [(side.name, [claim.value for claim in side.attributes]) for side in known[0].aspects] == [
        ("operations", ["Bob", "Friday"])
    ]
    assert known[1].aspects == ()


def test_only_an_explained_answer_tells_of_channels(scope, kept):
    for filters in ({}, {"tags": ["beta"]}):
        plainly = scope.memories.look_up("tea", **filters).found
        explained = scope.memories.look_up("tea", explain=True, **filters).found
        assert not any(each.channels for each in plainly)
        assert all(each.channels["lexical"] > 0 for each in explained)


def test_a_pinned_memory_does_not_fade(scope, clock):
    pinned, other = (
        scope.remember(text, importance=0.5).memory.id for text in ("Rye bread at six", "Tax form 12 is due")
    )
    scope.memories.pin(pinned)
    clock.advance(days=400)
    scope.dreams.run(["decay"])

    assert scope.memories.get(pinned).importance == 0.5
    assert scope.memories.get(other).importance < 0.5
    scope.memories.unpin(pinned)
    scope.dreams.run(["decay"])
    assert scope.memories.get(pinned).importance < 0.5


def test_pinning_is_written_down_and_can_be_taken_back(scope):
    memory = scope.remember("tea").memory.id

    scope.memories.pin(memory)
    assert scope.memories.pin(memory).pinned
    assert [each.operation for each in scope.history()][:2] == ["set_pinned", "remember"]
    scope.undo(scope.history()[0].id)
    assert not scope.memories.get(memory).pinned


def test_memories_are_listed_in_pages_the_last_seen_first(scope, kept):
    every = [memory.content for memory in scope.memories.newest()]

    assert every == [memory.content for memory in reversed(kept.values())]
    assert [memory.content for memory in scope.memories.newest(limit=2, offset=1)] == every[1:3]
    assert [memory.content for memory in scope.memories.newest(category="work")] == ["tea 2 filed"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"query": " "}, "query"),
        ({"limit": 51}, "limit"),
        ({"limit": 0}, "limit"),
        ({"type": "no such/"}, "type"),
        ({"tags": "launch"}, "tags"),
        ({"importance_min": 2}, "importance_min"),
        ({"who": "a\nb"}, "who"),
        ({"session": ""}, "session"),
    ],
)
def test_what_cannot_be_asked_is_refused(given, field):
    with pytest.raises(Invalid) as refused:
        MemoryQuery(**{"query": "tea", **given})
    assert refused.value.field == field


def test_a_span_that_ends_before_it_begins_is_refused(scope, clock):
    with pytest.raises(Invalid, match="since"):
        scope.memories.look_up("tea", since=clock(), until=clock() - timedelta(days=1))
