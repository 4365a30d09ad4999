"""Structured remember: what a memory is about becomes part of the graph together with it, or the reply says why not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text

from nacre import Nacre, NacreError, NotFound, Outcome, Settings
from nacre.domain.entities import EntityType
from nacre.store.graph import entities
from nacre.store.tables import schema
from tests import examples

SAID = "Ana works at Acme and her favourite colour is blue."
COLOUR = "taste/favourite_colour"


def about(entity, claim, content, aspect="taste", **more):
    """A structured part that holds one claim."""
    attribute = {"claimKey": claim, "content": content, **more}
    return {"aspects": [{"entityName": entity, "aspect": aspect, "attributes": [attribute]}]}


def triple(source, relationship, target, **more):
    """A structured part that holds one triple."""
    return {"entities": [{"source": source, "relationship": relationship, "target": target, **more}]}


FULL = {
    "entities": [
        {
            "source": "Ana",
            "sourceType": "person",
            "relationship": "works at",
            "target": "Acme",
            "targetType": "organization",
        }
    ],
    "aspects": [
        {
            "entityName": "Ana",
            "entityType": "person",
            "aspect": "Taste",
            "attributes": [{"groupKey": "Looks", "claimKey": "favouriteColour", "content": "blue", "importance": 0.9}],
        },
        {"entityName": "Cherry pie", "entityType": "concept", "aspect": "kitchen", "attributes": []},
    ],
    "hints": ["employed by which corporation"],
}


@pytest.mark.spec("S11")
def test_the_seven_steps_are_done_in_one_call(nacre, scope):
    made = scope.remember(SAID, structured=FULL)

    # 1 and 2: triples and mentioned entities, each with its type.
    ana = scope.graph.get("Ana")
    kinds = {each.name: each.type for each in scope.graph.search(limit=10)}
    assert kinds == {"Ana": "person", "Acme": "organization", "Cherry pie": "concept"}
    job = next(link for link in scope.graph.links("Ana") if link.predicate == "works_at")
    assert (job.target, job.confidence) == (scope.graph.get("Acme").id, 0.7)
    # 3: aspects, also where nothing is said there yet.
    assert [aspect.key for aspect in scope.ontology.aspects("Cherry pie")] == ["kitchen"]
    # 4: claims with their group and key.
    claim = scope.ontology.claims("Ana")[0]
    assert (str(claim.slot), claim.value, claim.kind) == ("taste/looks/favourite_colour", "blue", "attribute")
    assert (claim.confidence, claim.importance) == (0.7, 0.9)
    # 5: all of it rests on the memory, and mentions stand where the name stands.
    assert (claim.memory, SAID[slice(*claim.quote)]) == (made.id, "blue")
    assert claim.evidence == job.evidence == made.memory.source
    assert SAID[slice(*job.quote)] == "Ana works at Acme"
    with nacre.parts.database.read(scope.scope) as tx:
        assert entities.mentions_of(tx, ana.id) == [(made.memory.source, 0, 3)]
    assert ana.mentions == 1
    # 7: weak links between what was named together and is not linked yet.
    weak = [link for link in scope.graph.links("Cherry pie") if link.predicate == "related_to"]
    assert {(link.strength, link.confidence) for link in weak} == {(0.3, 0.5)}
    assert all(made.memory.short in link.reason for link in weak)
    assert len(weak) == 2
    applied = made.structured.applied
    assert (applied.entities, applied.links, applied.related, applied.claims) == (3, 1, 2, 1)
    assert (applied.superseded, applied.hints, made.structured.refused) == (0, 1, ())


@pytest.mark.spec("S11")
def test_a_new_value_supersedes_the_old_one_in_its_slot(scope, clock):
    """Step 6; in the seed system plain replacement of a value was missed."""
    scope.remember("Ana's favourite colour is blue", structured=about("Ana", "favourite_colour", "blue"))
    clock.advance(days=1)
    again = scope.remember("Ana's favourite colour is green", structured=about("Ana", "favouriteColour", "green"))

    assert again.structured.applied.superseded == 1
    versions = [(each.value, each.status) for each in scope.ontology.versions("Ana", COLOUR)]
    assert versions == [("green", "active"), ("blue", "superseded")]


@pytest.mark.spec("S11")
def test_values_of_another_slot_stay(scope):
    scope.remember("Ana's favourite colour is blue", structured=about("Ana", "favourite_colour", "blue"))
    scope.remember("Ana's favourite food is soup", structured=about("Ana", "favourite_food", "soup"))

    assert {claim.value for claim in scope.ontology.claims("Ana")} == {"blue", "soup"}


@pytest.mark.spec("S11")
@pytest.mark.parametrize(
    "said",
    [
        "We decided that deploys happen on Tuesdays",
        "Policy: deploys happen on Tuesdays.",
        "From now on deploys happen on Tuesdays",
        "Hemos decidido que los despliegues son los martes",
        "A partir de ahora los despliegues son los martes",
    ],
)
def test_a_decision_promotes_its_attributes_to_constraints(scope, said):
    scope.remember(said, structured=about("Deploys", "weekday", "Tuesday", aspect="schedule"))

    claim = scope.ontology.claims("Deploys")[0]
    assert (claim.kind, claim.importance) == ("constraint", 0.85)


@pytest.mark.spec("S11")
def test_what_decides_nothing_stays_an_attribute(scope):
    scope.remember("Deploys happen on Tuesdays", structured=about("Deploys", "weekday", "Tuesday", aspect="schedule"))

    claim = scope.ontology.claims("Deploys")[0]
    assert (claim.kind, claim.importance) == ("attribute", 0.5)


@pytest.mark.spec("S11")
def test_a_constraint_is_not_replaced_and_the_reply_says_so(scope):
    rule = about("Deploys", "release_day", "Tuesday", aspect="schedule")
    scope.remember("We decided to deploy on Tuesdays", structured=rule)
    reply = scope.remember(
        "The release day is Friday", structured=about("Deploys", "release_day", "Friday", aspect="schedule")
    )

    assert [claim.value for claim in scope.ontology.claims("Deploys")] == ["Tuesday"]
    refusal = reply.structured.refused[0]
    assert (refusal.item, "held by a rule" in refusal.why) == ("aspects[0].attributes[0]", True)
    assert reply.structured.applied.claims == 0


@pytest.mark.spec("S11")
def test_a_bad_part_is_refused_with_a_reason_and_the_others_stand(scope):
    given = {
        "entities": [
            {"source": "Ana", "relationship": "likes", "target": "42"},
            {"source": "Ana", "relationship": "likes"},
            {"source": "Ana", "relationship": "likes", "target": "Bob", "confidence": 7},
            {"source": "Ana", "relationship": "is", "target": "ana"},
            "Ana likes Bob",
            {"source": "Ana", "relationship": "likes", "target": "Bob"},
        ],
        "aspects": [
            {"entityName": "something", "aspect": "taste", "attributes": []},
            {"entityName": "Ana", "aspect": "///", "attributes": []},
            {
                "entityName": "Ana",
                "aspect": "taste",
                "attributes": [{"content": " "}, {"content": "tea"}, {"content": "a\x00b"}, 5],
            },
        ],
        "hints": ["tea", "which drink does she like", "x" * 301, 5],
    }
    reply = scope.remember("Ana likes Bob and tea", structured=given).structured

    assert {refusal.item for refusal in reply.refused} == {
        *(f"entities[{place}]" for place in range(5)),
        *(f"aspects[{place}]" for place in range(2)),
        *(f"aspects[2].attributes[{place}]" for place in (0, 2, 3)),
        *(f"hints[{place}]" for place in (0, 2, 3)),
    }
    assert all(refusal.why for refusal in reply.refused)
    assert {entity.name for entity in scope.graph.search(limit=10)} == {"Ana", "Bob"}
    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["tea"]
    assert (reply.applied.entities, reply.applied.links, reply.applied.claims, reply.applied.hints) == (2, 1, 1, 1)


@pytest.mark.spec("S11")
def test_a_failure_of_the_whole_keeps_nothing_of_the_memory(nacre, scope):
    """In the seed system the failure was swallowed: the memory was there, the graph was not."""
    scope.remember("something else entirely")
    with broken_table(nacre, scope), pytest.raises(NacreError):
        scope.remember(SAID, structured=FULL)

    assert [match.memory.content for match in scope.memories.search(limit=10)] == ["something else entirely"]
    assert scope.graph.search() == []
    assert list(scope.recall("Acme")) == []
    assert scope.remember(SAID, structured=FULL).structured.applied.claims == 1


class broken_table:  # noqa: N801 - it reads as a verb
    """A database in which claims cannot be written."""

    def __init__(self, nacre, scope):
        self._nacre, self._scope = nacre, scope

    def __enter__(self):
        self._rename("attributes", "attributes_gone")

    def __exit__(self, *_):
        self._rename("attributes_gone", "attributes")

    def _rename(self, old, new):
        with self._nacre.parts.database.write(self._scope.scope) as tx:
            tx.execute(text(f"ALTER TABLE {old} RENAME TO {new}"))


@pytest.mark.spec("S11")
def test_a_memory_and_its_structured_part_are_taken_back_in_one_undo(scope):
    made = scope.remember(SAID, structured=FULL)

    scope.ontology.undo(made.structured.applied.batch)

    assert scope.graph.search() == []
    assert scope.memories.search() == []


@pytest.mark.spec("S11")
@pytest.mark.parametrize("kind", list(EntityType))
def test_every_type_of_entity_is_kept(scope, kind):
    """In the seed system concepts, tasks, skills and others were dropped without a word."""
    reply = scope.remember(
        "Rustling is nice", structured={"entities": [{"source": "Rustling", "sourceType": kind.value}]}
    )

    assert scope.graph.get("Rustling").type is kind
    assert reply.structured.refused == ()


def test_a_type_that_nobody_knows_is_stored_as_unknown_and_the_reply_says_so(scope):
    reply = scope.remember("Merlin", structured={"entities": [{"source": "Merlin", "sourceType": "wizard"}]}).structured

    assert scope.graph.get("Merlin").type == "unknown"
    assert "wizard" in reply.notes[0]


def test_a_name_without_a_type_is_what_another_part_says_that_it_is(scope):
    scope.remember(SAID, structured={**FULL, "aspects": [{"entityName": "acme", "aspect": "people"}]})

    assert [(each.name, each.type) for each in scope.graph.search("acme")] == [("Acme", "organization")]


def test_an_empty_structure_changes_nothing(scope):
    reply = scope.remember(SAID, structured={}).structured

    assert (reply.applied.entities, reply.applied.batch, reply.refused) == (0, None, ())
    assert scope.remember("Without any").structured is None


def test_hints_find_a_memory_and_are_not_part_of_what_it_says(scope):
    made = scope.remember("The wifi code is 4711", structured={"hints": ["how do visitors get online"]})
    scope.remember("The garden needs water")

    assert scope.memories.search("visitors online")[0].memory.id == made.id
    assert scope.recall("visitors online", kinds=["memory"])[0].text == "The wifi code is 4711"
    assert scope.memories.get(made.id).content == "The wifi code is 4711"


def test_structured_parts_go_to_the_entry_that_says_the_same(scope, clock):
    first = scope.remember(SAID, structured={"hints": ["the first of two hints"]})
    clock.advance(days=1)
    again = scope.remember(
        SAID, structured={**about("Ana", "favourite_colour", "blue"), "hints": ["employed by a corporation"]}
    )

    assert (again.outcome, again.id) == (Outcome.REINFORCED, first.id)
    assert scope.ontology.claims("Ana")[0].memory == first.id
    assert scope.memories.get(first.id).metadata["hints"].splitlines() == [
        "the first of two hints",
        "employed by a corporation",
    ]
    assert scope.memories.search("corporation employed")[0].memory.id == first.id


def test_saying_the_same_twice_adds_nothing_to_the_graph(nacre, scope):
    scope.remember(SAID, structured=FULL)
    before = {table: held(nacre, scope, table) for table in ("entities", "links", "attributes", "aspects")}
    again = scope.remember(SAID, structured=FULL).structured

    assert {table: held(nacre, scope, table) for table in before} == before
    assert (again.applied.superseded, again.applied.related) == (0, 0)


def held(nacre, scope, name):
    table = schema.metadata.tables[name]
    with nacre.parts.database.read(scope.scope) as tx:
        return {row.id for row in tx.execute(select(table.c.id).where(table.c.scope_id == tx.scope_id))}


def test_co_occurrence_is_bounded(scope):
    named = [{"source": f"Town {letter}"} for letter in "ABCDEFGHIJKLMNO"]
    reply = scope.remember("Many towns", structured={"entities": named}).structured

    assert (reply.applied.entities, reply.applied.related) == (15, 45)
    assert "first 10 of 15" in reply.notes[0]


def test_a_sentence_that_ends_a_link_ends_it(scope, clock):
    scope.remember("Ana lives in Berlin", structured=triple("Ana", "lives_in", "Berlin"))
    clock.advance(days=1)
    scope.remember("Ana moved, she lives in Paris now", structured=triple("Ana", "lives_in", "Paris"))

    homes = [link.target for link in scope.graph.links("Ana") if link.predicate == "lives_in"]
    assert homes == [scope.graph.get("Paris").id]


def test_names_in_other_scripts_are_found_where_they_stand(nacre, scope):
    said = "私は東京に住んでいます"
    made = scope.remember(said, structured=triple("東京", "located_in", "日本"))

    with nacre.parts.database.read(scope.scope) as tx:
        assert entities.mentions_of(tx, scope.graph.get("東京").id) == [(made.memory.source, 2, 4)]
        assert entities.mentions_of(tx, scope.graph.get("日本").id) == [(made.memory.source, 0, len(said))]


@pytest.mark.parametrize("shared", ["memory", "knowledge_graph"])
def test_where_memory_and_graph_live_apart_each_part_goes_to_its_home(nacre, shared):
    nacre.agent("assistant").share(**{shared: True})
    ana, bob = (nacre.scope("assistant", user=user) for user in ("ana", "bob"))

    made = ana.remember(SAID, structured=FULL)

    claim = ana.ontology.claims("Ana")[0]
    assert (claim.memory, claim.evidence) == (made.id, made.memory.source)
    if shared == "memory":
        assert bob.memories.get(made.id).content == SAID
        with pytest.raises(NotFound):
            bob.graph.get("Ana")
    else:
        assert bob.ontology.claims("Ana") == [claim]
        assert bob.memories.search() == []


def test_another_tenants_entities_are_not_touched(nacre, scope):
    """In the seed system two agents with an "Ana" shared or collided."""
    other = nacre.scope(agent="assistant", user="bob")
    theirs = other.graph.add("Ana", type="person", description="Another Ana")
    scope.remember(SAID, structured=FULL)

    assert other.graph.get("Ana") == theirs
    assert scope.graph.get("Ana").id != theirs.id


def test_what_came_structured_is_not_taken_apart(nacre, scope):
    said = "My name is Ana. I live in Berlin. I work at Acme. My dog is called Rex."
    made = scope.remember(said, structured=about("Ana", "city", "Berlin", aspect="home"))
    other = nacre.scope(agent="assistant", user="bob")
    plain = other.remember(said)

    assert str(made.id) not in expanded(nacre, scope)
    assert str(plain.id) in expanded(nacre, other)


def expanded(nacre, scope):
    with nacre.parts.database.read(scope.scope) as tx:
        jobs = schema.jobs
        found = tx.execute(select(jobs.c.payload).where(jobs.c.scope_id == tx.scope_id)).scalars()
        return [payload.get("memory_id") for payload in found]


def test_a_purged_memory_takes_its_structured_part_with_it(nacre, scope):
    made = scope.remember(SAID, structured=FULL)

    scope.forget(made.id, purge=True)

    assert [held(nacre, scope, name) for name in ("entities", "links", "attributes")] == [set(), set(), set()]


words = st.text(alphabet="abc ÄÖ東京0'-", min_size=1, max_size=12)


@examples.costly()
@given(st.lists(st.tuples(words, words, words), max_size=5), st.lists(st.tuples(words, words), max_size=5))
def test_every_part_is_either_applied_or_refused(new_sqlite, triples, claims):
    given_part = {
        "entities": [{"source": a, "relationship": b, "target": c} for a, b, c in triples],
        "aspects": [{"entityName": a, "aspect": "notes", "attributes": [{"content": b}]} for a, b in claims],
    }
    with Nacre(new_sqlite(), settings=Settings(worker="off", embedder="off")) as nacre:
        scope = nacre.scope(agent="a")
        reply = scope.remember("A text", structured=given_part).structured
        believed = sum(len(scope.ontology.claims(each.id)) for each in scope.graph.search(limit=50))

    assert reply
    refused = [refusal for refusal in reply.refused if refusal.item.startswith("entities")]
    assert reply.applied.links + len(refused) == len(triples)
    assert believed <= reply.applied.claims <= len(claims)


def test_the_clock_of_a_memory_is_the_clock_of_its_claims(scope, clock):
    clock.advance(days=3)
    made = scope.remember(SAID, structured=FULL)

    assert scope.ontology.claims("Ana")[0].since == made.memory.created_at
