"""Recall and context where memories are shared: one answer from what a user said and what all users keep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Kind, Nacre, Settings, Turn
from tests import examples
from tests.conftest import MovableClock


@pytest.fixture
def shared(nacre):
    """Two users of an agent that shares memories."""
    nacre.agent("assistant").share(memory=True)
    return nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="bob")


@pytest.mark.spec("G11")
def test_recall_joins_what_was_said_to_oneself_and_what_is_shared(shared):
    ana, bob = shared
    bob.remember("The boat Ines lies in the harbour of Porto")
    mine = ana.observe("user", "My cabin on the boat Ines leaks", session="s1")
    bob.observe("user", "I have a secret about the boat Ines", session="s1")

    found = ana.recall("the boat Ines", explain=True)

    assert {(hit.kind, hit.text) for hit in found} == {
        (Kind.MEMORY, "The boat Ines lies in the harbour of Porto"),
        (Kind.TURN, "My cabin on the boat Ines leaks"),
    }
    assert all("lexical" in hit.channels and 0 < hit.score <= 1 for hit in found)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert [hit.id for hit in ana.recall("the boat Ines", kinds=["turn"])] == [mine.id]
    assert [hit.kind for hit in ana.recall("the boat Ines", kinds=["memory"])] == [Kind.MEMORY]
    assert ana.recall("the boat Ines", kinds=[]).hits == ()
    assert [hit.id for hit in ana.recall("the boat Ines", session="s1")] == [mine.id]
    assert len(ana.recall("the boat Ines", limit=1)) == 1


@pytest.mark.spec("G11")
def test_times_filter_both_sides_alike(shared, clock):
    ana, bob = shared
    old = bob.remember("The boat Ines is green")
    ana.observe("user", "The boat Ines was repaired")
    noon = clock.advance(hours=3)
    clock.advance(hours=3)
    bob.remember("The boat Ines sails to Madeira in autumn", category="plans")
    ana.observe("user", "The boat Ines has a new cook")

    assert {hit.text for hit in ana.recall("boat Ines", until=noon)} == {
        "The boat Ines is green",
        "The boat Ines was repaired",
    }
    assert len(ana.recall("boat Ines", since=noon)) == 2
    assert len(ana.recall("boat Ines", as_of=noon)) == 2
    bob.forget(old.id)
    assert "The boat Ines is green" not in {hit.text for hit in ana.recall("boat Ines")}
    assert "The boat Ines is green" in {hit.text for hit in ana.recall("boat Ines", as_of=noon)}


@pytest.mark.spec("G11")
@pytest.mark.parametrize("few", ["memories", "turns"])
def test_neither_side_wins_by_being_small(shared, few):
    """What answers the question comes first, whichever side it is on and however much the other side holds."""
    ana, bob = shared
    many = [f"The boat in harbour {number} has {number + 100} sails" for number in range(40)]
    answer, beside = "Ines is the boat that won the regatta", "Somebody sold a boat"
    if few == "memories":
        ana.observe_many(Turn(role="user", text=text) for text in many)
        bob.remember(answer)
        bob.remember(beside, category="other")
    else:
        for number, text in enumerate(many):
            bob.remember(text, category=f"harbours/h{number}")
        ana.observe_many([Turn(role="user", text=answer), Turn(role="user", text=beside)])

    assert ana.recall("Which boat won the regatta?")[0].text == answer
    harbours = ana.recall("sails of the boat in harbour 7", limit=5)
    assert harbours[0].text == many[7]
    assert answer not in {hit.text for hit in harbours}


@pytest.mark.spec("G11")
def test_a_context_shows_shared_memories_once_a_session_and_keeps_count_for_each_user(shared):
    ana, bob = shared
    ana.remember("The boat is called Ines")

    for scope in (ana, bob):
        first = scope.context("name of the boat?", session="s1", seen="omit")
        assert [message.label for message in first.messages] == ["memory"]
        assert scope.context("name of the boat?", session="s1", seen="omit").text == ""
    assert "Ines" in bob.context("name of the boat?", session="s2", seen="omit").text
    assert "Ines" in bob.context("Qwertz?", session="s3", blocks=["recalled_memories"]).text


@pytest.mark.spec("G11")
def test_turns_sessions_and_working_memory_stay_personal(nacre, shared):
    ana, bob = shared
    nacre.agent("assistant").share(knowledge_graph=True)
    ana.observe("user", "I keep the key of the boat under the mat", session="s1")
    ana.working("session/s1").save("draft", "Dear Ines")
    ana.skills.save("release", summary="How to release", content="Tag it.")

    context = bob.context("Where is the key of the boat?", session="s1")

    assert context.text == ""
    assert bob.recall("key of the boat").hits == ()
    assert bob.conversations.last("s1") == []
    assert bob.working("session/s1").list() == []
    assert bob.skills.list() == []


@pytest.mark.spec("G11")
def test_corrections_of_one_user_teach_the_agent_for_all(shared):
    ana, bob = shared
    ana.feedback.record("correction", "answers", detail="Don't use emoji in answers")

    ana.feedback.learn()

    assert "emoji" in bob.memories.search("emoji")[0].memory.content


def test_a_purged_shared_memory_is_gone_for_every_user(shared):
    ana, bob = shared
    made = ana.remember("The boat is called Ines")
    assert bob.recall("boat Ines")
    ana.forget(made.id, purge=True)
    assert bob.recall("boat Ines").hits == ()


@examples.costly()
@given(
    said=st.lists(st.integers(0, 30), max_size=8),
    kept=st.lists(st.integers(0, 30), max_size=8, unique=True),
    limit=st.integers(1, 20),
)
def test_a_joined_answer_holds_what_both_sides_would_find(new_sqlite, said, kept, limit):
    with Nacre(new_sqlite(), settings=Settings(embedder="off", worker="off"), clock=MovableClock()) as nacre:
        nacre.agent("a").share(memory=True)
        scope = nacre.scope("a", user="u")
        scope.observe_many(Turn(role="user", text=f"The berth {each} is free", session="s") for each in said)
        for each in kept:
            scope.remember(f"The berth {each} is taken", category=f"berths/b{each}")
        every = scope.recall("berth 3", limit=100)
        alone = [scope.recall("berth 3", limit=100, kinds=[kind]) for kind in ("turn", "memory")]
        assert sorted(hit.id for hit in every) == sorted(hit.id for hits in alone for hit in hits)
        assert len(every) == len(said) + len(kept)
        assert scope.recall("berth 3", limit=limit).hits == every.hits[:limit]
        assert all(0 < hit.score <= 1 for hit in every)
