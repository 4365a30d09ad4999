"""What the graph lends to recall, and what of it is a hit of its own."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre import Nacre, Settings
from nacre.domain.hits import HitStanding, Kind
from nacre.recall import associations

pytestmark = pytest.mark.spec("S14")


def texts(hits):
    return [hit.text for hit in hits]


def channels(hits, start):
    return next(hit.channels for hit in hits if hit.text.startswith(start))


@pytest.fixture
def office(scope):
    """Ana, whose boss moved, and whom one message calls by another name."""
    scope.observe("user", "Ana Lima reports to Bruno Costa.", session="one")
    scope.observe("user", "Bruno Costa lives in Berlin.", session="two")
    scope.observe("user", "The soup was cold again.", session="three")
    return scope


def test_what_a_link_leads_to_is_found_though_it_shares_no_word_with_the_question(office):
    found = office.recall("Ana Lima's boss: where does he live?", explain=True)

    assert "Bruno Costa lives in Berlin." in texts(found)
    assert channels(found, "Bruno")["graph"] > 0
    assert "The soup was cold again." not in texts(found)[:2]


def test_without_the_graph_nothing_is_lent(database_url):
    with Nacre(database_url, settings=Settings(graph="off")) as nacre:
        scope = nacre.scope("plain")
        scope.observe("user", "Ana Lima reports to Bruno Costa.")
        found = scope.recall("Ana Lima", explain=True)
        assert not {"entity", "hop", "graph"} & set(found[0].channels)


def test_passages_are_found_by_another_name_of_whom_the_question_names(scope):
    scope.observe("user", "Roberto Diaz signed the lease.", session="one")
    scope.observe("user", "The weather was fine.", session="two")
    scope.graph.upsert("Roberto Diaz", type="person", aliases=["Bobby"])

    found = scope.recall("Which lease did Bobby sign?", explain=True)

    assert channels(found, "Roberto")["entity"] > 0


def test_what_the_first_passage_speaks_of_leads_to_others(scope):
    scope.observe("user", "I saw The Lantern with Maya Okafor.", session="one")
    scope.observe("user", "Maya Okafor was born in Lagos.", session="two")
    scope.observe("user", "Lunch was late.", session="three")

    found = scope.recall("Where was she born with whom I saw The Lantern?", explain=True)

    assert channels(found, "Maya")["hop"] > 0


def test_a_text_by_itself_comes_forward_where_it_begins_with_whom_the_first_one_speaks_of(scope):
    born, met = "Maya Okafor was born in Lagos.", "The mayor met Maya Okafor at a fair."
    scope.observe("user", "The Lantern is a film by Maya Okafor.", session="film")
    scope.observe("user", met, session="mayor")
    scope.observe("user", born, session="born")
    scope.observe("user", "Maya Okafor was there.", session="talk")
    scope.observe("user", "I left early.", session="talk")

    found = scope.recall("Where was the mayor or director of The Lantern born?", explain=True)

    about = {hit.text: hit.channels.get("about", 0) for hit in found}
    assert about[born] > about[met] > 0
    assert about.get("Maya Okafor was there.", 0) == 0


def test_an_entity_that_everything_mentions_tells_nothing_apart():
    assert associations._weight(1, 1_000) > associations._weight(20, 1_000) > associations._weight(90, 1_000) > 0
    assert associations._weight(associations.HUB + 1, 10**6) == 0


def test_what_was_superseded_stands_behind_what_replaced_it(scope):
    scope.observe("user", "Nora lives in Berlin.", session="one", at=datetime(2025, 1, 5, tzinfo=UTC))
    scope.observe("user", "Nora moved to Lisbon.", session="two", at=datetime(2025, 6, 5, tzinfo=UTC))

    new, old = scope.recall("Where does Nora live?", explain=True)[:2]

    assert (new.text, new.standing) == ("Nora moved to Lisbon.", HitStanding.CURRENT)
    assert (old.text, old.standing) == ("Nora lives in Berlin.", HitStanding.SUPERSEDED)
    assert new.channels["currentness"] > 1 > old.channels["currentness"]


def test_a_passage_may_be_half_superseded(scope):
    scope.observe("user", "Nora lives in Berlin. Nora works at Initech.", at=datetime(2025, 1, 5, tzinfo=UTC))
    scope.observe("user", "Nora moved to Lisbon.", at=datetime(2025, 6, 5, tzinfo=UTC))

    (mixed,) = [hit for hit in scope.recall("Nora Initech Berlin") if "Initech" in hit.text]

    assert mixed.standing is HitStanding.MIXED


def test_in_the_past_what_held_then_is_not_held_against_it(scope):
    scope.observe("user", "Nora lives in Berlin.", at=datetime.now(UTC) - timedelta(days=90))
    then = datetime.now(UTC)
    scope.observe("user", "Nora moved to Lisbon.")

    assert scope.recall("Where does Nora live?", as_of=then)[0].standing is None


def test_links_and_claims_are_hits_where_they_are_asked_for(office):
    found = office.recall("Where does Bruno Costa live?", kinds=["link", "claim"])

    assert found[0].kind in (Kind.LINK, Kind.CLAIM)
    assert found[0].text == "Bruno Costa lives in Berlin"
    assert found[0].source.quote == "Bruno Costa lives in Berlin"
    assert found[0].source.session == "two"


def test_they_are_found_through_the_passages_they_rest_on_as_well(office):
    found = office.recall("Who is in Berlin?", kinds=["link"])

    assert "Bruno Costa lives in Berlin" in texts(found)


def test_what_rests_on_a_passage_comes_as_that_passage_alone(office):
    assert {hit.kind for hit in office.recall("Where does Bruno Costa live?")} == {Kind.TURN}


def test_what_was_stated_outright_is_a_hit_of_its_own(scope):
    scope.graph.link("Carla", "lives_in", "Lisbon")

    found = scope.recall("Where does Carla live?", explain=True)

    assert texts(found) == ["Carla lives in Lisbon"]
    assert found[0].kind is Kind.LINK
    assert found[0].channels["structured"] > 0
    assert found[0].source.quote == "Carla lives in Lisbon"


def test_another_scope_lends_nothing(nacre, office):
    other = nacre.scope("somebody-else")
    other.observe("user", "Nothing to see here.")

    assert "Bruno Costa lives in Berlin." not in texts(other.recall("Where does Ana Lima's boss live?"))
    assert not other.recall("Bruno Costa", kinds=["link", "claim"])


def test_a_memory_is_found_by_its_hints(scope):
    scope.remember("The gate opens with 4471", structured={"hints": ["how do I get into the garden"]})
    scope.remember("The garden has roses and a gate")

    first = scope.recall("How do I get into the garden?", explain=True)[0]

    assert first.text == "The gate opens with 4471"
    assert first.channels["hint"] == pytest.approx(0.75)


def test_a_scope_that_lends_its_memories_keeps_its_graph_to_itself(nacre):
    nacre.agent("assistant").share(memory=True)
    nacre.scope("assistant").graph.link("Carla", "lives_in", "Lisbon")
    nacre.scope("assistant").observe("user", "Carla hides her keys under the mat")
    ana = nacre.scope("assistant", user="ana")
    ana.remember("Carla likes tea")

    assert texts(ana.recall("Where does Carla live, and her keys?")) == ["Carla likes tea"]
    assert not ana.recall("Where does Carla live?", kinds=["link", "claim"])


def test_a_graph_that_is_shared_is_recalled_by_everybody_and_what_was_said_is_not(nacre):
    nacre.agent("assistant").share(knowledge_graph=True)
    ana, bob = nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="bob")
    ana.graph.link("Carla", "lives_in", "Lisbon")
    ana.observe("user", "Carla hides her keys under the mat")

    assert texts(bob.recall("Where does Carla live?")) == ["Carla lives in Lisbon"]
    assert texts(bob.recall("Where does Carla live?", kinds=["link"])) == ["Carla lives in Lisbon"]
