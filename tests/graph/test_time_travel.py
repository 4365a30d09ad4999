"""What was believed at a moment, and why."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid, Nacre, NotFound, Settings
from nacre.domain.claim_operations import SupersedeClaimValue
from tests import examples
from tests.conftest import MovableClock

pytestmark = pytest.mark.spec("N1")


def test_what_was_believed_then_and_why(scope, clock):
    first = scope.observe("user", "For the record: Ruth lives in Braga, near the river.", session="s")
    old = scope.ontology.set(
        "Ruth", "home/city", "Braga", said_in=first.id, quote="Ruth lives in Braga", reason="she said so"
    )
    on_may_first = clock.now
    clock.advance(days=10)
    second = scope.observe("user", "Ruth has moved to Porto.", session="s")
    new = scope.ontology.set(
        "Ruth", "home/city", "Porto", said_in=second.id, quote="moved to Porto", reason="she moved"
    )
    clock.advance(days=1)

    then = scope.ontology.explain(entity="Ruth", path="home/city", as_of=on_may_first)
    now = scope.ontology.explain(entity="Ruth", path="home/city")

    assert [(each.claim.value, each.since, each.until) for each in then] == [
        ("Braga", on_may_first, on_may_first + timedelta(days=10))
    ]
    assert (then[0].evidence.quote, then[0].evidence.id, then[0].evidence.session) == (
        "Ruth lives in Braga",
        first.id,
        "s",
    )
    assert then[0].evidence.start == len("For the record: ")
    assert then[0].replaced == ()
    assert [claim.id for claim in then[0].followed] == [new.id]
    assert [(each.operation, each.actor, each.reason) for each in then[0].decisions] == [
        ("set_claim_value", "caller", "she said so"),
        ("set_claim_value", "caller", "she moved"),
    ]
    assert [(each.claim.value, each.evidence.quote) for each in now] == [("Porto", "moved to Porto")]
    assert [claim.id for claim in now[0].replaced] == [old.id]
    assert [each.claim.value for each in scope.ontology.explain(entity="Ruth", as_of=on_may_first)] == ["Braga"]
    assert scope.ontology.explain(entity="Ruth", path="home/street") == []


def test_a_value_that_took_over_holds_from_the_day_that_was_told(scope, clock):
    scope.ontology.set("Ana", "home/gate_code", "4471")
    told = clock.advance(days=5)
    clock.advance(days=5)
    scope.ontology.apply(
        [
            SupersedeClaimValue(
                entity="Ana", aspect="home", claim="gate_code", old_value="4471", new_value="4499", valid_from=told
            )
        ]
    )

    def codes(day):
        return [each.claim.value for each in scope.ontology.explain(entity="Ana", path="home/gate_code", as_of=day)]

    assert codes(told - timedelta(days=1)) == ["4471"]
    assert codes(told + timedelta(days=1)) == ["4499"]


def test_a_link_explains_itself_after_it_was_taken_out(scope, clock):
    said = scope.observe("user", "It is known that Ruth works at Acme since spring.", session="s")
    link = scope.graph.link("Ruth", "works_on", "Acme", said_in=said.id, quote="Ruth works at Acme", reason="heard")
    clock.advance(days=1)
    scope.graph.archive_link(link.id, reason="she left")

    why = scope.ontology.explain_link(link.id)

    assert (why.source.name, why.target.name, why.evidence.quote) == ("Ruth", "Acme", "Ruth works at Acme")
    assert [each.operation for each in why.decisions] == ["create_link", "archive_link"]
    assert [each.reason for each in why.decisions] == ["heard", "she left"]
    with pytest.raises(NotFound):
        scope.ontology.explain_link(said.id)


def test_an_entity_is_shown_as_it_was(scope, clock):
    scope.graph.add("Acme", type="organization", description="a startup")
    scope.graph.link("Ruth", "works_on", "Acme")
    start = clock.now
    clock.advance(days=1)
    scope.graph.add("Acme", description="a large company", properties={"size": "large"})
    scope.graph.add("Later")
    grown = clock.now
    clock.advance(days=1)
    scope.graph.archive("Acme", reason="it closed")
    clock.advance(days=1)

    with pytest.raises(NotFound):
        scope.graph.get("Acme")
    assert scope.graph.get("Acme", as_of=start).description == "a startup"
    assert dict(scope.graph.get("acme", as_of=start).properties) == {}
    assert scope.graph.get("Acme", as_of=grown).description == "a large company"
    assert [each.description for each in scope.graph.search("Acme", as_of=start)] == ["a startup"]
    assert {each.name for each in scope.graph.search(as_of=start)} == {"Acme", "Ruth"}
    assert {each.name for each in scope.graph.search()} == {"Ruth", "Later"}
    assert [link.predicate for link in scope.graph.links("Acme", as_of=grown)] == ["works_on"]
    assert "a startup" in scope.graph.profile(as_of=start)
    assert "Acme" not in scope.graph.profile()
    with pytest.raises(NotFound):
        scope.graph.get("Later", as_of=start)
    with pytest.raises(NotFound):
        scope.graph.get("Acme", as_of=start - timedelta(seconds=1))


def test_the_graph_is_counted_and_drawn_as_it_was(scope, clock):
    scope.graph.link("Ruth", "works_on", "Acme")
    start = clock.now
    clock.advance(days=1)
    scope.graph.archive("Acme")
    scope.graph.add("Later")

    assert (scope.graph.stats(as_of=start).entity_count, scope.graph.stats(as_of=start).relation_count) == (2, 1)
    assert (scope.graph.stats().entity_count, scope.graph.stats().relation_count) == (2, 0)
    then = scope.graph.picture(as_of=start)
    assert ({each.name for each in then.entities}, len(then.relations)) == ({"Ruth", "Acme"}, 1)
    assert {node.entity_id for node in scope.graph.walk(["Ruth"], as_of=start).nodes} == {
        each.id for each in then.entities if each.name == "Acme"
    }
    assert scope.graph.stats(as_of=start - timedelta(days=1)).entity_count == 0


def test_what_was_archived_for_a_while_was_not_in_force_meanwhile(scope, clock):
    scope.graph.add("Acme")
    start = clock.now
    clock.advance(days=1)
    gone = scope.graph.archive("Acme")
    between = clock.now
    clock.advance(days=1)
    scope.undo(gone.record.id)

    assert scope.graph.get("Acme").id == scope.graph.get("Acme", as_of=start).id
    with pytest.raises(NotFound):
        scope.graph.get("Acme", as_of=between)


def test_claims_of_an_archived_entity_were_believed_until_then(scope, clock):
    scope.ontology.set("Ruth", "home/city", "Braga")
    start = clock.now
    clock.advance(days=1)
    scope.graph.archive("Ruth")

    assert [claim.value for claim in scope.ontology.claims("Ruth", as_of=start)] == ["Braga"]
    assert [each.claim.value for each in scope.ontology.explain(entity="Ruth", as_of=start)] == ["Braga"]
    with pytest.raises(NotFound):
        scope.ontology.claims("Ruth")


def test_a_memory_says_what_it_said_then(scope, clock):
    made = scope.remember("Ana prefers tea in the morning", tags=["drinks"], category="food/drinks")
    first = clock.now
    clock.advance(days=1)
    scope.remember("Ana prefers tea in the morning, green tea from the Azores", tags=["azores"], category="food/drinks")
    second = clock.now
    clock.advance(days=1)
    scope.memories.set_importance(made.id, 0.9)
    scope.forget(made.id)
    clock.advance(days=1)

    assert scope.memories.get(made.id, as_of=first) == made.memory
    assert scope.memories.get(made.memory.short, as_of=second).tags == ("drinks", "azores")
    assert [hit.text for hit in scope.recall("tea", as_of=first)] == ["Ana prefers tea in the morning"]
    assert [hit.source.quote for hit in scope.recall("tea", as_of=first)] == ["Ana prefers tea in the morning"]
    assert [hit.text[-6:] for hit in scope.recall("tea", as_of=second)] == ["Azores"]
    assert [match.memory for match in scope.memories.search("tea", as_of=first)] == [made.memory]
    assert [match.memory for match in scope.memories.search(as_of=first, category="food")] == [made.memory]
    assert scope.memories.search(as_of=first, tags=["azores"]) == []
    assert len(scope.memories.search("tea", as_of=second, tags=["azores"])) == 1
    assert scope.memories.search("tea") == scope.memories.search() == []
    before = first - timedelta(seconds=1)
    assert scope.memories.search(as_of=before) == scope.memories.search("tea", as_of=before) == []
    with pytest.raises(NotFound):
        scope.memories.get(made.id, as_of=before)


def test_the_history_of_a_memory_names_every_step(scope, clock):
    made = scope.remember("Ana prefers tea in the morning")
    clock.advance(days=1)
    scope.remember("Ana prefers tea in the morning, green tea from the Azores")
    clock.advance(days=1)
    scope.forget(made.id)

    steps = scope.memories.history(made.id)

    assert [(step.record.operation, step.memory.status) for step in steps] == [
        ("forget", "archived"),
        ("remember", "active"),
        ("remember", "active"),
    ]
    assert [step.memory.content for step in steps[1:]] == [
        "Ana prefers tea in the morning, green tea from the Azores",
        "Ana prefers tea in the morning",
    ]
    assert steps[0].memory == scope.memories.get(made.id)
    with pytest.raises(NotFound):
        scope.memories.history(scope.history()[0].id)


def test_a_memory_that_was_taken_back_was_believed_until_then(scope, clock):
    made = scope.remember("The code word is swordfish")
    start = clock.now
    clock.advance(days=1)
    scope.undo(next(each for each in scope.history() if each.operation == "remember").id)

    assert [hit.text for hit in scope.recall("swordfish", as_of=start)] == ["The code word is swordfish"]
    assert [match.memory for match in scope.memories.search("swordfish", as_of=start)] == [made.memory]
    assert scope.memories.get(made.id, as_of=start) == made.memory
    assert scope.memories.history(made.id)[0].memory is None
    assert list(scope.recall("swordfish")) == []


def test_a_time_without_a_zone_is_refused(scope, clock):
    scope.graph.add("Acme")
    naive = clock.now.replace(tzinfo=None)
    asking = [
        lambda: scope.graph.get("Acme", as_of=naive),
        lambda: scope.graph.search(as_of=naive),
        lambda: scope.graph.links("Acme", as_of=naive),
        lambda: scope.graph.stats(as_of=naive),
        lambda: scope.graph.picture(as_of=naive),
        lambda: scope.graph.profile(as_of=naive),
        lambda: scope.memories.search(as_of=naive),
        lambda: scope.memories.get("0" * 12, as_of=naive),
        lambda: scope.recall("Acme", as_of=naive),
    ]
    for ask in asking:
        with pytest.raises(Invalid):
            ask()


STEPS = st.lists(st.sampled_from(["say", "more", "matter", "forget", "undo"]), min_size=1, max_size=8)


@examples.costly()
@given(steps=STEPS)
def test_the_past_does_not_change(new_sqlite, steps):
    """Whatever is done later, each moment shows what it showed when it was the present."""
    clock = MovableClock()
    with Nacre(new_sqlite(), settings=Settings(worker="off", embedder="off"), clock=clock) as nacre:
        scope = nacre.scope("a", user="u")
        seen = []
        for count, step in enumerate(steps):
            clock.advance(minutes=1)
            act(scope, step, count)
            shown = [match.memory for match in scope.memories.search(limit=100)]
            seen.append((clock.now, shown, {hit.text for hit in scope.recall("violet", kinds=["memory"])}))
        clock.advance(minutes=1)
        for moment, shown, hits in seen:
            assert [match.memory for match in scope.memories.search(limit=100, as_of=moment)] == shown
            assert {hit.text for hit in scope.recall("violet", kinds=["memory"], as_of=moment)} == hits


def act(scope, step, count):
    """One change of memories."""
    held = [match.memory for match in scope.memories.search(limit=100)]
    if step == "say":
        scope.remember(f"violet {'abcdefgh'[count] * 7} {count}", tags=[f"t{count}"], category=f"kind{count}")
    elif step == "more" and held:
        scope.remember(f"{held[0].content}, and moreover item {count}", tags=[f"t{count}"], category=held[0].category)
    elif step == "matter" and held:
        scope.memories.set_importance(held[0].id, count / 10)
    elif step == "forget" and held:
        scope.forget(held[-1].id)
    elif step == "undo":
        standing = [each for each in scope.history() if each.undone_by is None]
        if standing:
            scope.undo(standing[0].id)
