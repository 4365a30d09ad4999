"""From the entities that matter to the evidence about them."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from nacre import Nacre
from nacre.domain.claim_operations import AddClaimValue, ArchiveAspect, CreateAspect
from nacre.domain.traversals import TraversalConfig
from nacre.graph.reading.traversal import LastTraversals
from nacre.store.tables import schema
from tests import examples
from tests.graph import rows
from tests.graph.walking import OFF, claim, said, sample, walk


@pytest.fixture
def nacre(database_url, clock):
    """A brain that knows only what a test tells it."""
    with Nacre(database_url, settings=OFF, clock=clock) as brain:
        yield brain


@pytest.mark.spec("S13")
def test_memories_and_turns_come_apart_with_scores_and_paths(scope):
    turn = claim(scope, "Ana", "taste/colour", "Ana likes green.")
    memory = scope.remember("Ana's desk is by the window.").memory
    place = AddClaimValue(entity="Ana", aspect="work", claim="desk", value="by the window", memory=memory.id)
    scope.ontology.apply([replace(place, importance=0.9)])

    found = walk(scope)

    assert (found.memory_ids, found.turn_ids) == ((memory.id,), (turn,))
    assert (found.memory_scores, found.turn_scores) == ({memory.id: 0.9}, {turn: 0.5})
    aspects = {aspect.name: aspect.id for aspect in scope.ontology.aspects("Ana")}
    claims = {each.slot.claim: each.id for each in scope.ontology.claims("Ana")}
    (path,) = found.memory_paths[memory.id]
    assert (path.entity, path.aspect, path.claim) == (scope.graph.get("Ana").id, aspects["work"], claims["desk"])
    assert set(found.active_aspect_ids) == set(aspects.values())
    assert (found.entity_count, found.timed_out, found.source) == (1, False, "given")


@pytest.mark.spec("S13")
def test_a_claim_on_a_note_leads_to_the_memory_that_rests_on_it(scope):
    memory = scope.remember("The launch is on May 3.").memory
    scope.ontology.add("Launch", "time/date", "May 3", said_in=memory.source)

    assert walk(scope, "Launch").memory_ids == (memory.id,)


@pytest.mark.spec("S13")
def test_importance_relevance_and_distance_make_the_score(scope):
    """The seed system knows importance only."""
    plain = claim(scope, "Ana", "life/pet", "A tabby cat named Tiger.")
    vital = claim(scope, "Ana", "life/health", "Allergic to penicillin.", importance=0.8)
    scope.graph.link("Ana", "knows", "Bruno", confidence=0.8, strength=0.5)
    far = claim(scope, "Bruno", "life/pet", "A parrot.", importance=1.0)

    assert walk(scope).turn_ids == (vital, plain, far)
    assert walk(scope).turn_scores[far] == pytest.approx(0.7 * 0.4)
    asked = walk(scope, query="tabby cat Tiger")
    assert asked.turn_ids[0] == plain
    assert asked.turn_scores[plain] == pytest.approx(0.5)
    assert asked.turn_scores[vital] == pytest.approx(0.4)


@pytest.mark.spec("S13")
def test_mentions_fill_up_what_claims_do_not_yield(scope, clock):
    held = claim(scope, "Ana", "taste/colour", "Ana likes green.")
    turns = []
    for day in range(4):
        clock.advance(days=1)
        turns.append(said(scope, f"Ana went out, day {day}."))
    note = scope.remember("Ana plays chess.", importance=0.9).memory
    for source in (*turns, note.source):
        scope.graph.add("Ana", said_in=source, quote="Ana")

    everything, few = walk(scope), walk(scope, max_attributes_per_aspect=3)

    assert set(everything.turn_ids) == {held, *turns}
    assert everything.memory_scores == {note.id: 0.9}
    assert few.memory_ids == (note.id,)
    assert set(few.turn_ids) == {held, turns[-1]}
    assert few.turn_paths[turns[-1]][0].claim is None


@pytest.mark.spec("S13")
def test_constraints_are_collected_from_every_aspect(scope):
    scope.graph.add("Ana")
    scope.ontology.apply([CreateAspect(entity="Ana", name="work", weight=0.9)])
    claim(scope, "Ana", "work/role", "A pilot.")
    rules = [("diet/nuts_policy", "Never nuts."), ("travel/flights", "Never by night.")]
    for path, rule in rules:
        claim(scope, "Ana", path, rule, kind="constraint")

    found = walk(scope, max_aspects_per_entity=1, aspect_filter="work")

    assert {each.value for each in found.constraints} == {rule for _, rule in rules}
    assert len(found.turn_ids) == 1


@pytest.mark.spec("S13")
def test_co_occurrence_is_walked_at_its_strength_only_where_nothing_is_stronger(scope):
    """In the seed system such links lay below the gate and were never walked."""
    turns = sample(scope, "Bruno", "Cleo")
    together = {"confidence": 0.5, "strength": 0.3, "reason": "said together"}
    scope.graph.link("Ana", "related_to", "Bruno", **together)
    scope.graph.link("Ana", "knows", "Nobody", confidence=0.5, strength=0.3)

    alone = walk(scope)
    scope.graph.link("Ana", "knows", "Cleo")
    beside = walk(scope)

    assert alone.turn_ids == (turns["Bruno"],)
    assert alone.turn_scores[turns["Bruno"]] == pytest.approx(0.5 * 0.7 * 0.15)
    assert beside.turn_ids == (turns["Cleo"],)


def archive_entity(scope, turn):
    scope.graph.archive("Bruno")


def archive_aspect(scope, turn):
    scope.ontology.apply([ArchiveAspect(entity="Bruno", aspect="about")])


def archive_claim(scope, turn):
    scope.ontology.archive(scope.ontology.claims("Bruno")[0].id)


def supersede_claim(scope, turn):
    scope.ontology.set("Bruno", "about/topic", "Something else.")


def archive_link(scope, turn):
    scope.graph.archive_link(scope.graph.links("Bruno")[0].id)


def merge_away(scope, turn):
    scope.graph.add("Zoe")
    scope.graph.merge("Zoe", "Bruno")
    scope.graph.archive("Zoe")


def forget_turns(scope, turn):
    # All that was said; Ana, whom a caller named, stays to walk from.
    scope.forget(before=datetime(2100, 1, 1, tzinfo=UTC))


@pytest.mark.spec("S13")
@pytest.mark.parametrize(
    "gone",
    [archive_entity, archive_aspect, archive_claim, supersede_claim, archive_link, merge_away, forget_turns],
)
def test_what_is_out_of_force_at_any_level_never_appears(scope, clock, gone):
    turn = sample(scope, "Bruno")["Bruno"]
    scope.graph.link("Ana", "knows", "Bruno")
    assert walk(scope).turn_ids == (turn,)
    clock.advance(minutes=1)

    gone(scope, turn)

    found = walk(scope)
    assert (found.turn_ids, found.constraints) == ((), ())


@pytest.mark.spec("S13")
@pytest.mark.parametrize("table", ["entities", "aspects", "attributes", "links"])
def test_each_row_on_the_way_must_be_in_force_by_itself(nacre, scope, table):
    """Whatever left the rows around it in force."""
    turn = sample(scope, "Bruno")["Bruno"]
    claim(scope, "Bruno", "about/limit_rule", "Never on Sundays.", kind="constraint")
    scope.graph.link("Ana", "knows", "Bruno")
    kept = walk(scope, "Ana")
    assert (turn in kept.turn_ids, len(kept.constraints)) == (True, 1)
    rows_of = schema.metadata.tables[table]
    others = scope.graph.get("Ana").id
    mine = (rows_of.c.scope_id == scope.scope.id, rows_of.c.id != others)
    with nacre.parts.database.write(scope.scope) as tx:
        tx.execute(update(rows_of).where(*mine).values(status="archived" if table != "attributes" else "deleted"))

    found = walk(scope, "Ana")

    assert (found.turn_ids, found.constraints) == ((), ())


@pytest.mark.spec("S13")
def test_a_link_of_an_archived_aspect_is_not_walked(nacre, scope):
    turn = sample(scope, "Bruno")["Bruno"]
    scope.ontology.add("Ana", "work/role", "pilot")
    link = scope.graph.link("Ana", "knows", "Bruno")
    aspect = scope.ontology.aspects("Ana")[0].id
    mine = (schema.links.c.scope_id == scope.scope.id, schema.links.c.id == link.id)
    with nacre.parts.database.write(scope.scope) as tx:
        tx.execute(update(schema.links).where(*mine).values(aspect_id=aspect))
    assert walk(scope).turn_ids == (turn,)

    scope.ontology.apply([ArchiveAspect(entity="Ana", aspect="work")])

    assert walk(scope).turn_ids == ()


def test_a_forgotten_memory_does_not_come_by_a_claim_or_a_mention(scope):
    turn = claim(scope, "Ana", "life/pet", "A cat.")
    memory = scope.remember("Ana plays chess.").memory
    scope.ontology.add("Ana", "life/game", "chess", said_in=memory.source)
    scope.graph.add("Ana", said_in=memory.source, quote="Ana")
    scope.forget(memory.id)

    assert (walk(scope).memory_ids, walk(scope).turn_ids) == ((), (turn,))


def test_cycles_end_and_each_entity_is_counted_once(scope):
    for source, target in [("Ana", "Bruno"), ("Bruno", "Cleo"), ("Cleo", "Ana"), ("Ana", "Ana")]:
        scope.graph.link(source, "knows", target)

    assert walk(scope, max_dependency_hops=10).entity_count == 3


names = st.sampled_from("ABCDEFG")
edges = st.lists(st.tuples(names, names, st.sampled_from([0.1, 0.3, 0.6, 1.0]), st.booleans()), max_size=14)


@examples.costly()
@given(edges, st.integers(0, 3))
def test_a_walk_reaches_what_a_plain_search_reaches(new_sqlite, links, hops):
    """Strong links lead on; a related_to leads on from where nothing strong does."""
    with Nacre(new_sqlite(), settings=OFF) as nacre:
        scope = nacre.scope(agent="a")
        with nacre.parts.graphs.write(scope.scope) as tx:
            keys = {name: rows.add_entity(tx, name) for name in "ABCDEFG"}
            for source, target, strength, related in links:
                predicate = "related_to" if related else "knows"
                rows.add_link(tx, keys[source], predicate, keys[target], strength=strength)
        config = TraversalConfig(max_dependency_hops=hops, max_branching=100, timeout_ms=60_000)
        found = scope.ontology.traverse(focal=[keys["A"]], config=config)

    reached, frontier = {"A"}, {"A"}
    for _ in range(hops):
        frontier = {end for node in frontier for end in leads_on(node, links)} - reached
        reached |= frontier
    assert found.entity_count == len(reached)


def leads_on(node, links):
    touching = [(*{source, target} - {node}, strength, related) for source, target, strength, related in links]
    around = [
        each
        for each, (source, target, _, _) in zip(touching, links, strict=True)
        if node in (source, target) and source != target
    ]
    strong = {end for end, strength, _ in around if strength >= 0.3}
    return strong or {end for end, _, related in around if related}


@pytest.mark.spec("S13")
def test_the_last_traversal_of_each_scope_is_known(nacre, scope, clock):
    other = nacre.scope(agent="assistant", user="bruno")
    sample(scope, "Ana")
    assert scope.ontology.last_traversal() is None

    scope.ontology.traverse("What about Ana?", config=TraversalConfig(timeout_ms=60_000))

    last = scope.ontology.last_traversal()
    assert (last.at, last.source, last.entity_count, last.turn_count) == (clock(), "query", 1, 1)
    assert (last.memory_count, last.constraint_count, last.timed_out) == (0, 0, False)
    assert last.focal_entity_ids == (scope.graph.get("Ana").id,)
    assert other.ontology.last_traversal() is None


def test_telemetry_is_kept_for_so_many_scopes_only(scope, clock):
    kept, found = LastTraversals(room=2), scope.ontology.traverse("hello")
    keys = [uuid4() for _ in range(3)]
    for key in keys:
        kept.note(key, found, clock())

    assert [kept.of(key) is not None for key in keys] == [False, True, True]
