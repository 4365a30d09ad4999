"""A traversal keeps to every budget."""

from itertools import count

import pytest

from nacre import Invalid, Nacre
from nacre.domain.claim_operations import CreateAspect
from nacre.domain.traversals import Focus, TraversalConfig
from nacre.graph.reading import traversal
from tests.cases import in_turn
from tests.graph.walking import OFF, claim, said, sample, walk


@pytest.fixture
def nacre(database_url, clock):
    """A brain that knows only what a test tells it."""
    with Nacre(database_url, settings=OFF, clock=clock) as brain:
        yield brain


@pytest.mark.spec("S13")
def test_the_weightiest_aspects_are_read(scope):
    scope.graph.add("Ana")
    scope.ontology.apply([CreateAspect(entity="Ana", name=f"side {n}", weight=n / 10) for n in range(1, 10)])
    turns = [claim(scope, "Ana", f"side {n}/fact", f"Fact number {n}.") for n in range(1, 10)]

    assert set(walk(scope, max_aspects_per_entity=2).turn_ids) == set(turns[-2:])
    assert len(walk(scope, max_aspects_per_entity=2).active_aspect_ids) == 2


@pytest.mark.spec("S13")
def test_the_most_important_claims_of_each_aspect_are_read(scope):
    turns = [claim(scope, "Ana", "life/fact", f"Fact number {n}.", importance=n / 10) for n in range(1, 8)]
    other = claim(scope, "Ana", "work/fact", "Quite unimportant.", importance=0.05)

    assert set(walk(scope, max_attributes_per_aspect=2).turn_ids) == {*turns[-2:], other}


@pytest.mark.spec("S13")
@pytest.mark.parametrize(("hops", "names"), [(0, ["Ana"]), (1, ["Ana", "Bruno"]), (2, ["Ana", "Bruno", "Cleo"])])
def test_a_walk_takes_as_many_hops_as_it_is_given_in_both_directions(scope, hops, names):
    """The seed system took one hop, and outgoing links only."""
    turns = sample(scope, "Ana", "Bruno", "Cleo", "Dora")
    scope.graph.link("Bruno", "manages", "Ana")
    scope.graph.link("Bruno", "knows", "Cleo")
    scope.graph.link("Cleo", "knows", "Dora")

    found = walk(scope, max_dependency_hops=hops)

    assert set(found.turn_ids) == {turns[name] for name in names}
    assert found.entity_count == len(names)


@pytest.mark.spec("S13")
def test_paths_name_the_links_on_the_way(scope):
    turns = sample(scope, "Cleo")
    one, two = scope.graph.link("Ana", "knows", "Bruno"), scope.graph.link("Cleo", "knows", "Bruno")

    (path,) = walk(scope).turn_paths[turns["Cleo"]]

    assert path.links == (one.id, two.id)
    assert path.entity == scope.graph.get("Cleo").id


@pytest.mark.spec("S13")
def test_weak_and_unsure_links_are_not_followed(scope):
    turns = sample(scope, "Firm", "Weak", "Unsure")
    scope.graph.link("Ana", "knows", "Firm", confidence=0.6, strength=0.5)
    scope.graph.link("Ana", "knows", "Weak", confidence=0.9, strength=0.3)
    scope.graph.link("Ana", "knows", "Unsure", confidence=0.4, strength=1.0)

    assert set(walk(scope).turn_ids) == {turns["Firm"]}
    assert set(walk(scope, min_dependency_strength=0.2).turn_ids) == {turns["Firm"], turns["Weak"]}
    assert set(walk(scope, min_confidence=0.3).turn_ids) == {turns["Firm"], turns["Unsure"]}


@pytest.mark.spec("S13")
def test_one_hub_cannot_take_every_branch(scope):
    """In the seed system all focal entities shared one pool, and a strong hub emptied it."""
    turns = sample(scope, "Friend")
    for place in range(12):
        scope.graph.link("Hub", "knows", f"Spoke {place}")
    scope.graph.link("Ana", "knows", "Friend", confidence=0.6, strength=0.6)

    found = scope.ontology.traverse(
        focal=["Hub", "Ana"], config=TraversalConfig(max_dependency_hops=1, timeout_ms=60_000)
    )

    assert found.turn_ids == (turns["Friend"],)
    assert found.entity_count == 2 + 4 + 1


@pytest.mark.spec("S13")
def test_the_strongest_links_are_followed_first(scope):
    names = [f"Person {place}" for place in range(6)]
    turns = sample(scope, *names)
    for place, name in enumerate(names):
        scope.graph.link("Ana", "knows", name, confidence=1.0 - place / 20, strength=0.4 + place / 10)

    assert set(walk(scope, max_branching=2).turn_ids) == {turns[name] for name in names[-2:]}


@pytest.mark.spec("S13")
def test_memories_and_turns_share_one_budget(scope):
    turns = [claim(scope, "Ana", "life/fact", f"Fact number {n}.", importance=n / 10) for n in range(1, 6)]
    memory = scope.remember("Ana plays chess.").memory
    scope.ontology.add("Ana", "life/game", "chess", said_in=memory.source, importance=1.0)

    found = walk(scope, max_traversal_paths=3)

    assert (found.memory_ids, found.turn_ids) == ((memory.id,), (turns[-1], turns[-2]))


@pytest.mark.spec("S13")
def test_an_aspect_can_be_asked_for_by_any_spelling(scope):
    wanted = claim(scope, "Ana", "Free Time/game", "Chess.")
    claim(scope, "Ana", "work/role", "A pilot.")
    scope.graph.add("Ana", said_in=said(scope, "Ana went out."), quote="Ana")

    assert walk(scope, aspect_filter="free-time").turn_ids == (wanted,)


@pytest.mark.spec("S13")
def test_only_evidence_of_the_scope_asked_for_comes(nacre):
    """A graph that users share knows turns of all of them; what each said stays theirs."""
    nacre.agent("assistant").share(knowledge_graph=True)
    ana, bruno = (nacre.scope(agent="assistant", user=name) for name in ("ana", "bruno"))
    mine, theirs = claim(ana, "Acme", "news/item", "Acme hires."), claim(bruno, "Acme", "news/item", "Acme fires.")
    memory = bruno.remember("Acme is in Lisbon.").memory
    bruno.ontology.add("Acme", "place/city", "Lisbon", said_in=memory.source)
    peek = TraversalConfig(scope=bruno.scope, timeout_ms=60_000)

    assert (walk(ana, "Acme").turn_ids, walk(bruno, "Acme").turn_ids) == ((mine,), (theirs,))
    assert (walk(ana, "Acme").memory_ids, walk(bruno, "Acme").memory_ids) == ((), (memory.id,))
    assert ana.ontology.traverse(focal=["Acme"], config=peek).turn_ids == (mine,)
    assert ana.ontology.expand("Acme").turns[0].content == "Acme hires."


def ticking(step):
    """A clock that moves by `step` seconds whenever somebody looks at it."""
    ticks = count()
    return lambda: next(ticks) * step


@pytest.mark.spec("S13")
def test_the_deadline_holds_inside_loops(nacre, scope):
    names = [f"Person {place}" for place in range(40)]
    sample(scope, *names)
    for name in names:
        scope.graph.link(name, "knows", f"Friend of {name}")
    focus = Focus(entity_ids=tuple(scope.graph.get(name).id for name in names))

    def taken(step):
        with nacre.parts.graphs.read(scope.scope) as tx:
            return traversal.traverse(tx, focus, TraversalConfig(timeout_ms=1_000), clock=ticking(step))

    in_time, late, too_late = taken(0.0001), taken(0.02), taken(2)
    assert (in_time.timed_out, in_time.entity_count, len(in_time.turn_ids)) == (False, 80, 40)
    assert late.timed_out
    assert 0 < late.entity_count < 80
    assert 0 < len(late.turn_ids) < 40
    assert (too_late.timed_out, too_late.entity_count, too_late.turn_ids) == (True, 0, ())


def test_an_entity_is_expanded_within_its_tokens(scope):
    claim(scope, "Ana", "work/role", "A pilot.")
    claim(scope, "Ana", "diet/nuts_policy", "Never nuts.", kind="constraint")
    memory = scope.remember("Ana plays chess on Fridays.").memory
    scope.ontology.add("Ana", "free time/game", "chess", said_in=memory.source)
    scope.graph.link("Ana", "knows", "Bruno", confidence=0.5)
    scope.graph.link("Acme", "employs", "Ana")

    full, work, tiny = (
        scope.ontology.expand("Ana", **limits) for limits in ({}, {"aspect": "Work"}, {"max_tokens": 1})
    )

    assert full.entity.name == "Ana"
    assert [each.value for each in full.constraints] == ["Never nuts."]
    assert {each.name: [a.value for a in each.attributes] for each in full.aspects} == {
        "diet": [],
        "free_time": ["chess"],
        "work": ["A pilot."],
    }
    ends = [(each.target, each.type, each.strength, each.incoming) for each in full.dependencies]
    assert ends == [("Acme", "employs", 1.0, True), ("Bruno", "knows", 0.5, False)]
    assert [(each.id, each.content) for each in full.memories] == [(memory.id, "Ana plays chess on Fridays.")]
    assert (full.memory_count, full.turn_count, len(full.turns)) == (1, 2, 2)
    assert ([each.name for each in work.aspects], work.turn_count, work.memory_count) == (["work"], 1, 0)
    assert (tiny.memory_count, tiny.memories, tiny.turns, tiny.constraints) == (1, (), (), ())


@pytest.mark.parametrize("tokens", [0, -1, 10_001, True, "many"])
def test_an_expansion_has_bounds(scope, tokens):
    scope.graph.add("Ana")
    with pytest.raises(Invalid):
        scope.ontology.expand("Ana", max_tokens=tokens)


@pytest.mark.parametrize(
    "budgets",
    [
        {"max_branching": 0},
        {"max_dependency_hops": -1},
        {"max_dependency_hops": 11},
        {"max_dependency_hops": True},
        {"min_confidence": 1.5},
        {"min_dependency_strength": "much"},
        {"timeout_ms": 0},
        {"max_traversal_paths": 10**9},
        {"aspect_filter": "…"},
    ],
)
def test_a_budget_that_cannot_be_right_is_refused(budgets):
    with pytest.raises(Invalid):
        TraversalConfig(**budgets)


@in_turn("query", ["", " ", "a\x00b", 7])
def test_a_query_that_is_no_text_is_refused(scope, query):
    with pytest.raises(Invalid):
        scope.ontology.traverse(query)


@pytest.mark.parametrize("query", ["x" * 100_000, "東京の天気はどうですか", "a\x01b\x7f", "🙂", "' OR 1=1 --", "the"])
def test_any_text_can_be_asked(scope, query):
    scope.graph.add("東京", description="the capital")
    config = TraversalConfig(timeout_ms=60_000)
    assert scope.ontology.traverse(query, config=config).timed_out is False
