"""What texts say is put forward and waits for somebody to decide."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from nacre import Invalid, Nacre, NotFound, Settings
from nacre.store.work import usage
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService

TEXT = "Kim works at Acme. Kim lives in Oslo. Bob's favourite colour is green."

pytestmark = pytest.mark.spec("S18")


@pytest.fixture
def brain_settings():
    """Nothing is learned by merely listening."""
    return Settings(worker="off", embedder="off", extraction="off")


def told(orders):
    return [(each.operation.operation, *(held.quote for held in each.evidence)) for each in orders]


def state(scope):
    return scope.history(), scope.ontology.proposals.list(), scope.graph.search(None), scope.ontology.assertions.list()


def test_what_a_text_says_is_shown_and_nothing_is_kept(scope):
    found = scope.ontology.proposals.extract(TEXT)

    assert told(found.orders) == [
        ("create_entity", "Kim"),
        ("create_entity", "Acme"),
        ("create_entity", "Oslo"),
        ("create_entity", "Bob"),
        ("record_link", "Kim works at Acme"),
        ("record_link", "Kim lives in Oslo"),
        ("record_claim", "Bob's favourite colour is green"),
    ]
    assert found.method == "rules"
    assert (found.proposals, found.assertions) == ((), ())
    assert state(scope) == ([], [], [], [])
    with pytest.raises(NotFound):
        scope.ontology.proposals.extract(source=found.sources[0])


def test_what_is_put_forward_can_be_applied_one_by_one_in_any_order(scope):
    found = scope.ontology.proposals.extract(TEXT, write_proposals=True, actor="scribe")

    assert {each.created_by for each in found.proposals} == {"scribe"}
    assert len({each.batch for each in found.proposals}) == 1
    for each in reversed(found.proposals):
        scope.ontology.proposals.apply(each.id)
    assert {each.predicate for each in scope.graph.links("Kim")} == {"works_at", "lives_in"}
    (claim,) = scope.ontology.claims("Bob")
    assert (claim.value, TEXT[slice(*claim.quote)]) == ("green", "Bob's favourite colour is green")
    assert claim.evidence == found.sources[0]
    assert scope.graph.get("Kim").type == "person"


def test_what_is_known_already_is_not_put_forward(scope):
    for each in scope.ontology.proposals.extract(TEXT, write_proposals=True).proposals:
        scope.ontology.proposals.apply(each.id)

    assert scope.ontology.proposals.extract(TEXT).orders == ()
    more = scope.ontology.proposals.extract(f"{TEXT} Kim works with Bob.").orders
    assert [each.evidence[0].quote for each in more] == ["Kim works with Bob"]


def test_a_session_is_read_turn_by_turn_and_quoted(scope, clock):
    first = scope.observe("user", "I live in Rome.", session="s1", speaker="Kim")
    scope.observe("assistant", "Bob lives in Oslo.", session="s1")
    scope.observe("user", "Ann lives in Ulm.", session="s2")
    clock.advance(days=1)

    found = scope.ontology.proposals.extract(session="s1", write_proposals=True)

    link = next(each for each in found.orders if each.operation.operation == "record_link")
    assert link.evidence[0].source == first.id
    assert link.operation.valid_from == first.at
    assert (link.origin.kind, link.origin.id) == ("session", "s1")
    assert found.sources == (first.id,)
    assert {each.operation.name for each in found.orders if each.operation.operation == "create_entity"} == {
        "Kim",
        "Rome",
    }


def test_a_piece_of_evidence_is_read_by_its_id(scope):
    turn = scope.observe("user", "I live in Rome.")
    note = scope.remember("Kim works at Acme.")

    of_turn = scope.ontology.proposals.extract(source=turn.id)
    of_note = scope.ontology.proposals.extract(source=str(note.memory.source))

    assert told(of_turn.orders)[-1] == ("record_link", "I live in Rome")
    assert told(of_note.orders)[-1] == ("record_link", "Kim works at Acme")


def test_who_said_what_is_written_down_once_and_is_no_claim(scope):
    scope.observe("user", "I prefer tea. I no longer work at Acme.", session="s1")

    first = scope.ontology.proposals.extract(session="s1", write_assertions=True, actor="scribe")
    again = scope.ontology.proposals.extract(session="s1", write_assertions=True)

    assert [(each.predicate, each.content, each.speaker, each.created_by) for each in first.assertions] == [
        ("prefers", "I prefer tea", "ana", "scribe"),
        ("denies", "I no longer work at Acme", "ana", "scribe"),
    ]
    assert again.assertions == ()
    assert scope.graph.links("ana") == []
    assert scope.ontology.proposals.list() == []


def test_no_more_is_put_forward_than_was_asked_for(scope):
    found = scope.ontology.proposals.extract(TEXT, limit=3, write_proposals=True)

    assert len(found.orders) == len(found.proposals) == 3
    assert "Only the first 3 of 7 operations are put forward." in found.notes


def test_what_could_not_be_carried_out_is_left_out_with_a_note(scope):
    for slug, kind in (("kim-a", "tool"), ("kim-b", "product")):
        scope.graph.add("Kim", type=kind, slug=slug)

    found = scope.ontology.proposals.extract("Kim works at Acme.")

    assert all("Kim" not in str(each.operation) or each.operation.operation == "create_entity" for each in found.orders)
    assert any("names several entities" in note for note in found.notes)


def test_a_shared_graph_is_given_the_evidence_too(nacre):
    nacre.agent("assistant").share(knowledge_graph=True)
    scope = nacre.scope("assistant", user="ana")
    turn = scope.observe("user", "I live in Rome.", session="s1")

    found = scope.ontology.proposals.extract(session="s1", write_proposals=True)

    applied = [scope.ontology.proposals.apply(each.id) for each in found.proposals]
    assert {each.status for each in applied} == {"applied"}
    assert scope.graph.links("ana")[0].evidence == turn.id


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "text"),
        ({"text": "a", "session": "s"}, "text"),
        ({"text": " "}, "text"),
        ({"session": "a\nb"}, "session"),
        ({"source": "nothing"}, "source"),
        ({"text": "a", "limit": 501}, "limit"),
        ({"text": "a", "limit": 0}, "limit"),
        ({"text": "a", "actor": ""}, "actor"),
        ({"text": "a", "use_provider": True}, "use_provider"),
    ],
)
def test_what_cannot_be_read_is_refused(given, field):
    with Nacre(":memory:", settings=Settings(worker="off", embedder="off")) as nacre:
        proposals = nacre.scope("a").ontology.proposals
        with pytest.raises(Invalid) as refused:
            proposals.extract(**given)
    assert refused.value.field == field


def test_what_is_not_there_or_not_yours_is_not_found(nacre, scope):
    turn = scope.observe("user", "I live in Rome.", session="s1")
    other = nacre.scope("assistant", user="ben").ontology.proposals

    for given in ({"source": turn.id}, {"session": "s1"}, {"source": uuid4()}):
        with pytest.raises(NotFound):
            other.extract(**given)


@pytest.fixture
def service() -> Iterator[LanguageModelService]:
    with llm_service.running() as running:
        yield running


def test_a_language_model_reads_where_it_is_asked_to_and_is_paid_for(database_url, clock, service):
    service.answer = lambda _question: {
        "entities": [
            {"id": "kim", "name": "Kim", "type": "person", "confidence": 0.9},
            {"id": "acme", "name": "Acme", "type": "organization", "confidence": 0.9},
        ],
        "relations": [
            {"source": "kim", "relation": "manages", "target": "acme", "quote": "Kim runs Acme", "confidence": 0.9}
        ],
    }
    settings = Settings(worker="off", embedder="off", llm_model="tiny", llm_endpoint=service.url)
    with Nacre(database_url, settings=settings, clock=clock) as nacre:
        scope = nacre.scope("assistant")
        found = scope.ontology.proposals.extract("Kim runs Acme.", use_provider=True)

        assert (found.method, found.input_tokens, found.output_tokens) == ("model", 100, 10)
        assert told(found.orders)[-1] == ("record_link", "Kim runs Acme")
        assert scope.graph.search(None) == []
        with nacre.parts.database.read(scope.scope) as tx:
            assert [(each.purpose, each.calls) for each in usage.totals(tx)] == [("extraction", 1)]
