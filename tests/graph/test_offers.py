"""What was of use counts for more, and what nobody asks for decays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Conflict, Invalid, Nacre
from nacre.domain.claim_operations import ArchiveAspect, CreateAspect
from nacre.domain.weight_operations import DecayAspects, WeighAspects, WeighPaths
from nacre.graph.operations import cooccurrence, weight_handlers
from tests.graph.walking import OFF, walk

TURN = "The quarterly budget meeting moved to Thursday afternoon."


@pytest.fixture
def nacre(database_url, clock):
    """A brain that knows only what a test tells it."""
    with Nacre(database_url, settings=OFF, clock=clock) as brain:
        yield brain


def learn(scope, entity="Bruno", path="work/meeting", text=TURN):
    turn = scope.observe("user", text, session="before").id
    scope.ontology.add(entity, path, text, said_in=turn)
    return turn


def offered(scope, session, entity="Bruno"):
    """Offer a session what is known around an entity."""
    found = walk(scope, entity)
    scope.ontology.offers.offer(session, found)
    return found


def weight(scope, entity="Bruno"):
    return scope.ontology.aspects(entity)[0].weight


def link_of(scope, entity="Bruno"):
    link = scope.graph.links(entity)[0]
    return link.strength, link.confidence


@pytest.mark.spec("S15")
def test_what_a_session_puts_into_words_lets_its_aspect_count_for_more(scope):
    turn = learn(scope)
    assert offered(scope, "s1").turn_ids == (turn,)

    assert scope.ontology.offers.heard("s1", "So the budget meeting is on Thursday?") == 1
    assert weight(scope) == 0.52
    assert scope.ontology.offers.heard("s1", "So the budget meeting is on Thursday?") == 0
    assert weight(scope) == 0.52


@pytest.mark.spec("S15")
@pytest.mark.parametrize("text", ["Hello!", "The weather on Thursday?", "Nothing of the kind was ever discussed here."])
def test_other_words_move_nothing(scope, text):
    learn(scope)
    offered(scope, "s1")

    assert scope.ontology.offers.heard("s1", text) == 0
    assert scope.ontology.offers.heard("s2", TURN) == 0
    assert weight(scope) == 0.5


@pytest.mark.spec("S15")
def test_a_weight_stops_at_one(scope):
    learn(scope)
    scope.ontology.apply([CreateAspect(entity="Bruno", name="work", weight=0.99)])
    key = scope.ontology.aspects("Bruno")[0].id

    scope.ontology.apply([WeighAspects(aspects=(key, key, key))])

    assert weight(scope) == 1.0


@pytest.mark.spec("S15")
def test_what_was_used_strengthens_the_way_to_it(scope):
    turn = learn(scope)
    scope.graph.link("Ana", "knows", "Bruno", confidence=0.8, strength=0.7)
    offered(scope, "s1", "Ana")

    assert scope.ontology.offers.used("s1", [turn, turn]) == 1
    assert scope.ontology.offers.used("s1", [str(turn)]) == 0

    assert weight(scope) == 0.52
    assert link_of(scope) == (0.74, 0.85)


@pytest.mark.spec("S15")
def test_what_led_astray_weakens_the_way_to_it(scope):
    turn = learn(scope)
    scope.graph.link("Ana", "knows", "Bruno", confidence=0.8, strength=0.7)
    offered(scope, "s1", "Ana")

    assert scope.ontology.offers.useless("s1", [turn]) == 1
    assert scope.ontology.offers.useless("s1", [turn]) == 0

    assert weight(scope) == 0.48
    assert link_of(scope) == (0.66, 0.75)


@pytest.mark.spec("S15")
def test_weights_strengths_and_confidences_have_floors(scope):
    learn(scope)
    link = scope.graph.link("Ana", "knows", "Bruno", confidence=0.8, strength=0.7)
    key = scope.ontology.aspects("Bruno")[0].id

    scope.ontology.apply([WeighPaths(aspects=(key,) * 50, links=(link.id,) * 50, useful=False)])

    assert (weight(scope), *link_of(scope)) == (0.1, 0.1, 0.2)


@pytest.mark.spec("S15")
def test_what_was_offered_and_not_used_is_not_held_against_it(scope):
    learn(scope)
    for session in range(12):
        offered(scope, f"s{session}")

    assert weight(scope) == 0.5


@given(st.floats(0, 1), st.floats(-2, 2), st.floats(0, 1))
def test_a_step_never_leaves_its_bounds_nor_goes_the_wrong_way(value, by, floor):
    after = weight_handlers.moved(value, by, floor)

    assert 0 <= after <= 1
    if by >= 0:
        assert after >= value - 1e-6
    else:
        assert min(value, floor) - 1e-6 <= after <= value + 1e-6


@pytest.mark.spec("S15")
def test_a_session_of_uses_is_one_operation_and_can_be_undone(scope):
    turns = [learn(scope, name, text=f"{TURN} {name}") for name in ("Bruno", "Cleo", "Dora")]
    for name in ("Bruno", "Cleo", "Dora"):
        offered(scope, "s1", name)
    before = len(scope.graph.history())

    scope.ontology.offers.used("s1", turns)

    record = scope.graph.history()[0]
    assert len(scope.graph.history()) == before + 1
    assert (record.operation, record.actor, len(record.payload["aspects"])) == ("weigh_paths", "feedback", 3)
    assert [weight(scope, name) for name in ("Bruno", "Cleo", "Dora")] == [0.52] * 3
    scope.ontology.undo(record.id)
    assert [weight(scope, name) for name in ("Bruno", "Cleo", "Dora")] == [0.5] * 3


def test_an_older_weighing_is_not_undone_under_a_newer_one(scope):
    learn(scope)
    key = scope.ontology.aspects("Bruno")[0].id
    first = scope.ontology.apply([WeighAspects(aspects=(key,))])[0]
    scope.ontology.apply([WeighAspects(aspects=(key,))])

    with pytest.raises(Conflict, match="weigh_aspects"):
        scope.ontology.undo(first.record.id)


def test_what_went_out_of_force_since_is_left_alone(scope):
    turn = learn(scope)
    scope.graph.link("Ana", "knows", "Bruno")
    offered(scope, "s1", "Ana")
    link, aspect = scope.graph.links("Bruno")[0].id, scope.ontology.aspects("Bruno")[0].id
    scope.graph.archive_link(link)
    scope.ontology.apply([ArchiveAspect(entity="Bruno", aspect="work")])

    assert scope.ontology.offers.used("s1", [turn]) == 1
    applied = scope.ontology.apply([WeighPaths(aspects=(aspect,), links=(link,))], dry_run=True)[0]
    assert (applied.changes, len(applied.outcome.warnings)) == ((), 2)


def test_another_scope_cannot_move_weights(nacre, scope):
    turn = learn(scope)
    offered(scope, "s1")
    other = nacre.scope(agent="assistant", user="bruno")
    key = scope.ontology.aspects("Bruno")[0].id

    assert other.ontology.offers.used("s1", [turn]) == 0
    assert other.ontology.offers.offer("s1", scope.ontology.traverse(focal=["Bruno"])) == 0
    other.ontology.apply([WeighAspects(aspects=(key,))])
    assert weight(scope) == 0.5


def test_sessions_of_a_shared_graph_belong_to_their_users(nacre):
    nacre.agent("assistant").share(knowledge_graph=True, memory=True)
    ana, bruno = (nacre.scope(agent="assistant", user=name) for name in ("ana", "bruno"))
    memory = ana.remember("Acme moved to Lisbon.").memory
    ana.ontology.add("Acme", "place/city", "Lisbon", said_in=memory.source)
    offered(ana, "s1", "Acme")

    assert bruno.ontology.offers.used("s1", [memory.id]) == 0
    assert ana.ontology.offers.used("s1", [memory.id]) == 1


@pytest.mark.spec("S15")
def test_stale_weights_decay_a_little_every_ten_sessions(scope, clock):
    learn(scope)
    clock.advance(days=15)
    for session in range(9):
        offered(scope, f"s{session}")
        offered(scope, f"s{session}")
    assert scope.ontology.offers.tend().due is False
    assert weight(scope) == 0.5

    offered(scope, "s9")

    assert scope.ontology.offers.tend().aspects_decayed == 1
    assert weight(scope) == 0.495
    assert scope.ontology.offers.tend().due is False
    assert weight(scope) == 0.495


@pytest.mark.spec("S15")
def test_a_weight_that_was_of_use_lately_does_not_decay(scope, clock):
    used, _ = learn(scope), learn(scope, "Cleo", text="Another thing altogether.")
    clock.advance(days=13)
    offered(scope, "s1")
    scope.ontology.offers.used("s1", [used])
    clock.advance(days=2)

    scope.ontology.offers.tend(at_once=True)

    assert (weight(scope), weight(scope, "Cleo")) == (0.52, 0.495)


@pytest.mark.spec("S15")
def test_decay_ends_at_the_floor(scope, clock):
    learn(scope)
    scope.ontology.apply([CreateAspect(entity="Bruno", name="work", weight=0.107)])
    clock.advance(days=30)

    weights = []
    for _ in range(3):
        scope.ontology.offers.tend(at_once=True)
        weights.append(weight(scope))

    assert weights == [0.102, 0.1, 0.1]
    decay = scope.graph.history()[0]
    assert (decay.operation, decay.actor) == (DecayAspects.operation, "feedback")


@pytest.mark.spec("S15")
def test_the_count_of_sessions_survives_a_restart(database_url, clock):
    """The seed system kept it in memory, so that a process that was restarted often never let anything decay."""
    for run in range(5):
        with Nacre(database_url, settings=OFF, clock=clock) as nacre:
            scope = nacre.scope(agent="assistant", user="ana")
            if run == 0:
                learn(scope)
                clock.advance(days=15)
            for session in range(2):
                offered(scope, f"run {run}, session {session}")
            assert scope.ontology.offers.tend().due is (run == 4)

    with Nacre(database_url, settings=OFF, clock=clock) as nacre:
        assert weight(nacre.scope(agent="assistant", user="ana")) == 0.495


def test_offers_are_dropped_when_they_are_old(scope, clock):
    learn(scope)
    offered(scope, "s1")
    clock.advance(days=181)
    offered(scope, "s2")

    assert scope.ontology.offers.tend(at_once=True).offers_dropped == 1
    assert scope.ontology.offers.health(min_comparisons=1)[0].comparison_count == 1


def mention(scope, session, *names):
    for name in names:
        turn = scope.observe("user", f"{name} was there.", session=session).id
        scope.graph.add(name, said_in=turn, quote=name)


@pytest.mark.spec("S15")
def test_entities_that_sessions_speak_of_together_are_linked(scope):
    for session in range(3):
        mention(scope, f"work {session}", "Ana", "Bruno")
    for session in range(2):
        mention(scope, f"play {session}", "Cleo", "Dora")
    mention(scope, "other", "Emil")

    assert scope.ontology.offers.tend(at_once=True).links_learned == 1

    (link,) = scope.graph.links("Ana")
    assert {link.source, link.target} == {scope.graph.get("Ana").id, scope.graph.get("Bruno").id}
    assert (link.predicate, link.confidence, link.strength) == ("related_to", 0.5, 1.0)
    assert link.reason == "Spoken of together in 3 of 6 sessions (NPMI 1.00)."
    assert scope.graph.links("Cleo") == []
    assert scope.ontology.offers.tend(at_once=True).links_learned == 0


@pytest.mark.spec("S15")
def test_what_comes_together_by_chance_is_not_linked(scope):
    for session in range(4):
        mention(scope, f"s{session}", "Ana", "Bruno")

    assert scope.ontology.offers.tend(at_once=True).links_learned == 0


def test_a_learned_link_that_was_taken_away_does_not_come_back(scope):
    for session in range(3):
        mention(scope, f"s{session}", "Ana", "Bruno")
    mention(scope, "other", "Cleo")
    scope.ontology.offers.tend(at_once=True)
    scope.graph.archive_link(scope.graph.links("Ana")[0].id)

    assert scope.ontology.offers.tend(at_once=True).links_learned == 0


@pytest.mark.spec("S15")
def test_a_run_learns_twenty_links_at_most(scope):
    for session in range(3):
        mention(scope, f"s{session}", *(f"Person {letter}" for letter in "ABCDEFG"))
    mention(scope, "other", "Zoe")

    assert [scope.ontology.offers.tend(at_once=True).links_learned for _ in range(3)] == [20, 1, 0]


@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_npmi_lies_between_its_bounds(together, more_of_one, more_of_other, neither):
    one, other = together + more_of_one, together + more_of_other
    score = cooccurrence.npmi(together, one, other, together + more_of_one + more_of_other + neither)

    assert -1 <= round(score, 9) <= 1


@pytest.mark.spec("S15")
def test_health_compares_what_was_offered_with_what_was_used(scope, clock):
    good = learn(scope)
    scope.ontology.add("Bruno", "work/lunch", "Soup.", said_in=learn(scope, "Soup"), importance=0.2)
    for session, wins in enumerate([False, False, True, True]):
        clock.advance(days=1)
        offered(scope, f"s{session}")
        if wins:
            scope.ontology.offers.used(f"s{session}", [good])

    (bruno,) = scope.ontology.offers.health()

    assert (bruno.entity_name, bruno.comparison_count, bruno.win_rate) == ("Bruno", 4, 0.5)
    assert bruno.entity_id == scope.graph.get("Bruno").id
    assert bruno.avg_margin == pytest.approx(0.3)
    assert bruno.trend == "improving"


@pytest.mark.spec("S15")
def test_health_needs_enough_comparisons_and_can_look_back_less_far(scope, clock):
    learn(scope)
    for session in range(4):
        clock.advance(days=1)
        offered(scope, f"s{session}")
    since = clock.now

    health = scope.ontology.offers.health
    assert [each.comparison_count for each in health()] == [4]
    assert health(min_comparisons=5) == []
    assert [each.comparison_count for each in health(since=since, min_comparisons=1)] == [1]
    assert (health()[0].win_rate, health()[0].avg_margin, health()[0].trend) == (0.0, 0.0, "stable")
    scope.graph.archive("Bruno")
    assert health() == []


@pytest.mark.parametrize("items", ["abc", 7, ["not an id"], [None]])
def test_items_must_be_ids(scope, items):
    with pytest.raises(Invalid):
        scope.ontology.offers.used("s1", items)


@pytest.mark.parametrize("session", ["", "a\nb", "x" * 201, None])
def test_a_session_must_have_a_name(scope, session):
    with pytest.raises(Invalid):
        scope.ontology.offers.heard(session, "hello")


@pytest.mark.parametrize("ids", ["abc", [7], None, ["x"] * 2])
def test_an_operation_on_weights_names_rows_by_id(ids):
    with pytest.raises(Invalid):
        WeighAspects(aspects=ids)
