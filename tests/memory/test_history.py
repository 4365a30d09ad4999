"""One log over memories and graph: every change of a memory is written down and can be taken back."""

import pytest

from nacre import Conflict, NotFound, Status

pytestmark = pytest.mark.spec("N2")


def done(scope, operation):
    """The operations of one name, the last first."""
    return [each for each in scope.history() if each.operation == operation]


def test_a_new_memory_is_written_down_and_can_be_taken_back(scope):
    made = scope.remember("The code word is swordfish", tags=["secret"])
    record = done(scope, "remember")[0]

    assert record.actor == "caller"
    assert record.payload == {"memory_id": str(made.id), "outcome": "created"}
    scope.undo(record.id)

    assert list(scope.recall("swordfish")) == []
    assert scope.memories.search() == []
    with pytest.raises(NotFound):
        scope.memories.get(made.id)
    assert scope.history()[0].operation == "undo"


def test_taking_back_an_undo_brings_the_memory_back(scope):
    made = scope.remember("The code word is swordfish", tags=["secret"])
    scope.undo(done(scope, "remember")[0].id)
    scope.undo(done(scope, "undo")[0].id)

    assert scope.memories.get(made.id) == made.memory
    assert [hit.id for hit in scope.recall("swordfish")] == [made.id]
    assert [each.quote for each in scope.memories.evidence(made.id)] == ["The code word is swordfish"]


def test_an_extension_is_taken_back_to_the_words_before(scope, clock):
    made = scope.remember("Ana prefers tea in the morning", tags=["drinks"])
    clock.advance(hours=1)
    more = scope.remember("Ana prefers tea in the morning, green tea from the Azores", tags=["azores"])
    assert (more.id, more.outcome) == (made.id, "extended")
    clock.advance(hours=1)

    with pytest.raises(Conflict, match="remember"):
        scope.undo(done(scope, "remember")[1].id)
    scope.undo(done(scope, "remember")[0].id)

    assert scope.memories.get(made.id) == made.memory
    assert [hit.text for hit in scope.recall("tea in the morning")] == [made.memory.content]
    assert scope.memories.search("azores", tags=["azores"]) == []
    assert len(scope.memories.evidence(made.id)) == 1


def test_an_expansion_is_taken_back_whole(nacre, scope):
    made = scope.remember("I live in Porto. The launch of Pebble moved to May 31.")
    nacre.parts.worker.drain()
    assert len(scope.memories.search()) == 2

    scope.undo(done(scope, "expand_memory")[0].id)

    assert [match.memory.id for match in scope.memories.search()] == [made.id]
    assert scope.memories.get(made.id).status is Status.ACTIVE
    assert [hit.id for hit in scope.recall("Porto", kinds=["memory"])] == [made.id]


def test_importance_is_taken_back(scope):
    made = scope.remember("The code word is swordfish")
    scope.memories.set_importance(made.id, 0.9)
    record = done(scope, "set_importance")[0]
    assert record.payload["importance"] == 0.9

    scope.undo(record.id)

    assert scope.memories.get(made.id) == made.memory


def test_what_was_forgotten_comes_back_with_the_facts_learned_from_it(scope, clock):
    scope.observe("user", "I live in Porto and work at Acme.", session="s")
    made = scope.remember("The code word is swordfish")
    before = scope.graph.links("ana")
    clock.advance(days=1)
    report = scope.forget(everything=True)
    assert (report.memories, report.turns) == (1, 1)
    assert report.links == len(before) > 0
    with pytest.raises(NotFound):
        scope.graph.get("ana")
    assert list(scope.recall("Porto swordfish")) == []

    clock.advance(hours=1)
    scope.undo(done(scope, "forget")[0].id)

    assert scope.memories.get(made.id) == made.memory
    assert {hit.text for hit in scope.recall("Porto swordfish")} == {
        made.memory.content,
        "I live in Porto and work at Acme.",
    }
    assert {link.id for link in scope.graph.links("ana")} == {link.id for link in before}
    assert len(scope.conversations.sessions()) == 1


def test_a_memory_is_taken_back_together_with_what_came_with_it(scope):
    drinks = {"entityName": "Ana", "aspect": "taste", "attributes": [{"claimKey": "drink", "content": "tea"}]}
    scope.remember("Ana drinks tea", structured={"aspects": [drinks]})
    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["tea"]

    scope.undo(done(scope, "remember")[0].id)

    assert scope.memories.search() == []
    assert scope.graph.search() == []


def test_a_memory_is_taken_back_together_with_what_was_learned_from_it(scope):
    scope.remember("Bob lives in Braga")
    assert {entity.name for entity in scope.graph.search()} == {"Bob", "Braga"}

    scope.undo(done(scope, "remember")[0].id)

    assert (scope.memories.search(), scope.graph.search()) == ([], [])


def test_a_memory_stays_while_later_claims_rest_on_it(scope):
    drinks = {"entityName": "Ana", "aspect": "taste", "attributes": [{"claimKey": "drink", "content": "tea"}]}
    scope.remember("Ana drinks tea", structured={"aspects": [drinks]})
    scope.ontology.set("Ana", "taste/drink", "coffee", reason="she said so")

    with pytest.raises(Conflict, match="set_claim_value"):
        scope.undo(done(scope, "remember")[0].id)

    assert len(scope.memories.search()) == 1
    scope.undo(done(scope, "set_claim_value")[0].id)
    scope.undo(done(scope, "remember")[0].id)
    assert scope.memories.search() == []


def test_memories_and_graph_share_one_order(scope):
    scope.remember("The code word is swordfish")
    scope.graph.add("Ana")
    scope.remember("Bob was born in Braga")

    assert [each.operation for each in scope.history()][-2:] == ["create_entity", "remember"]
    pages, before = [], None
    while page := scope.history(limit=1, before=before):
        pages += page
        before = page[-1].id
    assert pages == scope.history()
    assert scope.graph.history() == pages


@pytest.mark.parametrize("shared", ["knowledge_graph", "memory"])
def test_the_log_covers_what_an_agent_shares(nacre, scope, clock, shared):
    nacre.agent("assistant").share(**{shared: True})
    scope.graph.add("Ana")
    clock.advance(minutes=1)
    made = scope.remember("The code word is swordfish")
    clock.advance(minutes=1)
    scope.graph.add("Bob")

    done = scope.history()
    assert [each.operation for each in done] == ["create_entity", "remember", "create_entity"]
    assert [each.id for each in scope.history(before=done[0].id)] == [each.id for each in done[1:]]
    scope.undo(done[1].id)
    scope.undo(done[2].id)

    assert [entity.name for entity in scope.graph.search()] == ["Bob"]
    with pytest.raises(NotFound):
        scope.memories.get(made.id)


def test_another_users_operation_cannot_be_taken_back(nacre, scope):
    scope.remember("The code word is swordfish")
    other = nacre.scope("assistant", user="bob")
    with pytest.raises(NotFound):
        other.undo(scope.history()[0].id)
    with pytest.raises(NotFound):
        other.history(before=scope.history()[0].id)
    assert other.history() == []


def test_an_operation_tells_its_rows_before_and_after_and_what_rests_on_it(scope):
    made = scope.remember("The code word is swordfish")
    scope.memories.set_importance(made.id, 0.9)
    rated, kept = scope.history()[0], done(scope, "remember")[0]

    [changed] = scope.inspect(rated.id).changes
    assert (changed.table, changed.before["importance"], changed.after["importance"]) == ("memories", 0.5, 0.9)
    found = scope.inspect(kept.id)
    assert (found.records, found.later) == ((kept,), (rated,))
    assert all(change.before is None for change in found.changes)
    with pytest.raises(NotFound):
        scope.inspect(made.id)
