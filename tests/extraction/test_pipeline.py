"""What people say becomes part of the graph, in the transaction that keeps it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from nacre import Invalid, Nacre, NotFound, Settings
from nacre.domain.facts import ExtractedFacts, Fact, Voice
from nacre.domain.turns import Turn
from nacre.extraction import pipeline
from nacre.store.evidence import sources

pytestmark = pytest.mark.spec("W1")


def links(scope, name):
    """The links in force from an entity, as people would read them."""
    entity = scope.graph.get(name)
    return {
        (link.predicate, scope.graph.get(link.target).name if link.target else link.value)
        for link in scope.graph.links(entity.id)
        if link.source == entity.id
    }


def claims(scope, name):
    return {str(claim.slot): claim.value for claim in scope.ontology.claims(name)}


def test_a_turn_and_what_it_says_appear_together(scope):
    scope.observe("user", "My colleague John lives in Vilnius. My favourite colour is blue.", session="s1")

    assert ("lives_in", "Vilnius") in links(scope, "John")
    assert claims(scope, "ana")["taste/general/favourite_colour"] == "blue"


def test_every_fact_rests_on_the_exact_words(nacre, scope):
    said = scope.observe("user", "Well, John lives in Vilnius these days.", session="s1")

    link = next(link for link in scope.graph.links("John") if link.predicate == "lives_in")
    with nacre.parts.database.read(scope.scope) as tx:
        cited = sources.cite(tx, link.evidence, link.quote)
    assert cited
    assert (cited.id, cited.session) == (said.id, "s1")
    assert "John lives in Vilnius" in cited.quote


def test_a_new_value_ends_the_old_one_and_the_past_stays_readable(scope, clock):
    scope.observe("user", "My favourite colour is blue. John lives in Vilnius.")
    before = clock()
    clock.advance(minutes=60)
    scope.observe("user", "My favourite colour is green. John moved to Berlin.")

    assert claims(scope, "ana")["taste/general/favourite_colour"] == "green"
    assert ("lives_in", "Berlin") in links(scope, "John")
    assert ("lives_in", "Vilnius") not in links(scope, "John")
    then = scope.ontology.claims("ana", as_of=before)
    assert [claim.value for claim in then] == ["blue"]


def test_what_an_agent_says_is_not_credited_to_the_user(scope):
    scope.observe("assistant", "I live in a data centre and my favourite colour is grey.")

    with pytest.raises(NotFound):
        scope.graph.get("ana")


def test_a_named_speaker_speaks_for_themselves(scope):
    scope.observe("user", "I live in Lisbon.", speaker="Marta", session="s1")

    assert ("lives_in", "Lisbon") in links(scope, "Marta")


def test_a_pronoun_reaches_back_into_the_session_across_calls(scope):
    scope.observe("user", "John joined us today.", session="s1")
    scope.observe("user", "He lives in Vilnius.", session="s1")
    scope.observe("user", "He lives in Madrid.", session="another")

    assert ("lives_in", "Vilnius") in links(scope, "John")
    assert ("lives_in", "Madrid") not in links(scope, "John")


def test_saying_a_thing_twice_makes_one_link(scope):
    for _ in range(3):
        scope.observe("user", "John lives in Vilnius.")

    assert len([link for link in scope.graph.links("John") if link.predicate == "lives_in"]) == 1
    assert scope.graph.get("John").mentions == 3


def test_a_company_that_says_something_is_no_second_thing(scope):
    scope.observe("user", "I work at Voltarc.")
    scope.observe("user", "Voltarc says that the price goes up.")

    assert [(each.name, each.type) for each in scope.graph.search("Voltarc")] == [("Voltarc", "organization")]
    assert scope.graph.get("Voltarc").mentions == 2


def test_a_person_with_the_name_of_a_place_is_somebody_else(scope):
    scope.graph.add("Martha", type="location")
    scope.observe("user", "Martha says hello.")

    assert {each.type for each in scope.graph.search("Martha")} == {"location", "person"}


def test_what_was_learned_can_be_taken_back(scope):
    scope.observe("user", "John lives in Vilnius.")
    batch = scope.graph.history(limit=1)[0].batch

    scope.graph.undo(batch)

    with pytest.raises(NotFound):
        scope.graph.get("John")


def test_a_batch_of_turns_is_heard_in_order(scope, clock):
    now = clock()
    scope.observe_many(
        [
            Turn(role="user", text="I live in Porto.", at=now - timedelta(days=9)),
            Turn(role="user", text="I moved to Oslo.", at=now - timedelta(days=3)),
        ]
    )

    assert ("lives_in", "Oslo") in links(scope, "ana")
    assert ("lives_in", "Porto") not in links(scope, "ana")


def test_two_users_with_the_same_names_stay_apart(nacre):
    ana, bob = nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="bob")
    ana.observe("user", "John lives in Vilnius.")
    bob.observe("user", "John lives in Madrid.")

    assert links(ana, "John") == {("lives_in", "Vilnius")}
    assert links(bob, "John") == {("lives_in", "Madrid")}


def test_in_a_shared_graph_the_evidence_comes_along(nacre):
    nacre.agent("assistant").share(knowledge_graph=True)
    ana, bob = nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="bob")
    ana.observe("user", "I live in Porto.")
    bob.observe("user", "I live in Oslo.")
    nacre.settle()

    assert ("lives_in", "Porto") in links(bob, "ana")
    assert ("lives_in", "Oslo") in links(ana, "bob")


@pytest.mark.spec("G12")
def test_extraction_runs_on_every_memory_write(scope):
    scope.remember("John lives in Vilnius. Marta works at Hostinger.")

    assert ("lives_in", "Vilnius") in links(scope, "John")
    assert ("works_at", "Hostinger") in links(scope, "Marta")


@pytest.mark.spec("G12", "S12")
def test_one_switch_keeps_extraction_from_writing_and_reading_still_works(database_url, clock):
    settings = Settings(worker="off", extraction="off")
    with Nacre(database_url, settings=settings, clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        scope.graph.add("Alice", type="person")
        scope.observe("user", "John lives in Vilnius.")
        scope.remember("Marta lives in Porto.")

        assert [entity.name for entity in scope.graph.search()] == ["Alice"]
        assert "Alice" in scope.context("What of Alice?", session="s", blocks=["knowledge_graph"]).text


@pytest.mark.spec("S12")
def test_a_closed_write_gate_is_said_at_the_start_and_in_the_diagnostics(database_url, caplog):
    with Nacre(database_url, settings=Settings(worker="off", extraction="off")) as nacre:
        assert "extraction" in caplog.text
        assert nacre.diagnostics()["graph"] == {"enabled": True, "extraction_writes_enabled": False}
    caplog.clear()
    with Nacre(database_url, settings=Settings(worker="off")) as nacre:
        assert not caplog.text
        assert nacre.diagnostics()["graph"] == {"enabled": True, "extraction_writes_enabled": True}


@pytest.mark.parametrize("since", [None, timedelta(days=-1)])
def test_a_fact_that_is_said_to_be_over_still_becomes_part_of_the_past(nacre, scope, clock, since):
    said = scope.observe("user", "ok")
    ended = clock() - timedelta(days=1)
    fact = Fact(
        subject=Voice.USER,
        predicate="lives_in",
        value="Oslo",
        valid_from=since and clock() + since,
        valid_to=ended,
        quote=(0, 2),
        confidence=0.9,
        rule="t",
    )
    found = ExtractedFacts(names=(), facts=(fact,), notes=())
    with nacre.parts.database.write(scope.scope) as tx:
        heard = pipeline.ExtractedText(source=said.id, text="ok", at=said.at, found=found)
        pipeline.apply_facts(tx, [heard], user="ana")

    assert scope.graph.links("ana") == []


def test_a_name_too_short_for_a_key_costs_no_other_fact(nacre, scope):
    said = scope.observe("user", "ok")
    fact = Fact(subject=Voice.USER, path="profile/general/gp", value="Dr Rao", quote=(0, 2), confidence=0.9, rule="t")
    home = replace(fact, path="home/general/address", value="1 Elm Road")
    found = ExtractedFacts(names=(), facts=(fact, home), notes=())
    with nacre.parts.database.write(scope.scope) as tx:
        pipeline.apply_facts(
            tx, [pipeline.ExtractedText(source=said.id, text="ok", at=said.at, found=found)], user="ana"
        )

    claims = {(each.claim.slot.claim, each.claim.value) for each in scope.ontology.explain(entity="ana")}
    assert claims == {("address", "1 Elm Road"), ("own_gp", "Dr Rao")}


def test_a_turn_is_kept_whatever_the_rules_make_of_it(scope, monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise Invalid("valid_from", "must be earlier than `valid_to`")

    monkeypatch.setattr(pipeline, "apply_facts", fails)
    said = scope.observe("user", "John lives in Vilnius.")

    assert [hit.source.id for hit in scope.recall("Vilnius")] == [said.id]
    assert scope.graph.search() == []


def test_of_two_orders_in_a_sentence_neither_takes_back_the_other(scope):
    scope.observe("user", "keep it short with me pls, no emojis")

    told = {claim.slot.claim: claim.value for claim in scope.ontology.claims(scope.scope.user)}

    assert told == {"length": "keep it short with me", "instructions": "no emojis"}
