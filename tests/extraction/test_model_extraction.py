"""A language model reads a text; it is believed only with the words that say so."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid, Nacre, NotFound, Settings
from nacre.extraction.model_extraction import MAX_CHUNK, chunks
from tests.cases import in_turn
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService

TEXT = "Ana Lima runs Pebble, a sync engine written in Rust. Pebble replaced Quartz in May."
PEOPLE = {"id": "ana-lima", "name": "Ana Lima", "type": "person", "description": "Runs Pebble.", "confidence": 0.95}
PEBBLE = {"id": "pebble", "name": "Pebble", "type": "project", "aliases": ["sync engine"], "confidence": 0.9}
RUNS = {"source": "ana-lima", "relation": "manages", "target": "pebble", "quote": "Ana Lima runs Pebble"}

pytestmark = pytest.mark.spec("G1")


@pytest.fixture
def service() -> Iterator[LanguageModelService]:
    with llm_service.running() as running:
        yield running


@pytest.fixture
def scope(database_url, clock, service):
    settings = Settings(worker="off", llm_model="tiny", llm_endpoint=service.url)
    with Nacre(database_url, settings=settings, clock=clock) as nacre:
        yield nacre.scope("assistant", user="ana")


def replying(service, entities, relations, confidence=0.9):
    answer = {"entities": entities, "relations": [{"confidence": confidence, **each} for each in relations]}
    service.answer = lambda _question: answer


def test_what_the_model_finds_becomes_entities_and_links_with_their_words(scope, service):
    replying(service, [PEOPLE, PEBBLE], [RUNS])

    done = scope.graph.extract(TEXT, ref="notes.md")

    assert (done.method, done.entities, done.links) == ("model", 2, 1)
    assert (done.input_tokens, done.output_tokens) == (100, 10)
    link = scope.graph.links("Pebble")[0]
    assert (link.predicate, link.evidence) == ("manages", done.source)
    assert TEXT[slice(*link.quote)] == "Ana Lima runs Pebble"
    assert scope.graph.get("ana-lima").description == "Runs Pebble."
    assert service.asked[0]["temperature"] == 0.2


def test_what_is_less_sure_than_the_bar_is_left_out(scope, service):
    replying(service, [PEOPLE, {**PEBBLE, "confidence": 0.7}], [RUNS])

    assert scope.graph.extract(TEXT).entities == 1
    assert scope.graph.extract(TEXT, min_confidence=0.6).links == 1


def test_a_relation_without_its_exact_words_is_refused_and_the_reply_says_so(scope, service):
    replying(service, [PEOPLE, PEBBLE], [{**RUNS, "quote": "Ana runs the Pebble"}, {**RUNS, "quote": ""}])

    done = scope.graph.extract(TEXT)

    assert done.links == 0
    assert len([note for note in done.notes if "words are not in the text" in note]) == 2


def test_a_name_that_the_text_does_not_have_is_refused(scope, service):
    replying(service, [PEOPLE, {"id": "bob", "name": "Bob", "type": "person", "confidence": 1.0}], [])

    done = scope.graph.extract(TEXT)

    assert any("`Bob` was left out" in note for note in done.notes)
    with pytest.raises(NotFound):
        scope.graph.get("Bob")


def test_an_edge_to_an_entity_that_the_graph_has_already_is_kept(scope, service):
    """The seed system dropped relations whose ends were not both in the same reply."""
    scope.graph.add("Quartz", type="project")
    said = {"source": "pebble", "relation": "supersedes", "target": "quartz", "quote": "Pebble replaced Quartz"}
    replying(service, [PEBBLE], [said])

    scope.graph.extract(TEXT)

    link = next(link for link in scope.graph.links("Pebble") if link.predicate == "supersedes")
    assert scope.graph.get(link.target).slug == "quartz"
    assert "quartz: Quartz (project)" in str(service.asked[0]["messages"])


@pytest.mark.spec("G2")
def test_types_and_relations_are_of_the_known_vocabularies(scope, service):
    odd = {**RUNS, "relation": "steers lovingly"}
    replying(service, [{**PEOPLE, "type": "wizard"}, PEBBLE], [odd])

    scope.graph.extract(TEXT)

    assert scope.graph.get("Ana Lima").type == "unknown"
    assert [link.predicate for link in scope.graph.links("Pebble")] == ["related_to"]


def test_a_lower_confidence_never_overwrites(scope, service):
    scope.graph.add("Pebble", type="project", description="The sync engine.", confidence=1.0)
    replying(service, [{**PEBBLE, "description": "Something else.", "confidence": 0.8}], [])

    scope.graph.extract(TEXT)

    assert scope.graph.get("Pebble").description == "The sync engine."
    assert scope.graph.get("Pebble").confidence == 1.0


def test_malformed_replies_are_sent_back_and_then_it_works(scope, service):
    replying(service, [PEOPLE], [])
    service.moods = ["chatty"]

    assert scope.graph.extract(TEXT).entities == 1


def test_a_model_that_fails_leaves_the_text_to_rules_and_says_so(scope, service):
    service.mood = "failing"

    done = scope.graph.extract("John lives in Vilnius.")

    assert done.method == "rules"
    assert "did not answer" in done.notes[0]
    assert scope.graph.get("John").type == "person"


def test_a_failed_piece_is_reported_and_the_others_count(scope, service):
    long = f"{TEXT}\n\n" + "Nothing to see here. " * 700
    replying(service, [PEOPLE, PEBBLE], [RUNS])
    # The first piece works; the second fails whole and in halves.
    service.moods = ["well", "failing", "failing"]

    done = scope.graph.extract(long)

    assert (done.chunks, len(done.failed), done.links) == (2, 1, 1)
    assert "were not read" in done.failed[0]


def test_the_same_entity_in_two_pieces_is_one(scope, service):
    replying(service, [PEOPLE, PEBBLE], [RUNS])

    done = scope.graph.extract(f"{TEXT}\n\n{'Filler words. ' * 900}\n\n{TEXT}")

    assert (done.chunks, done.entities, done.links) == (2, 2, 1)


def test_a_dry_run_leaves_nothing(scope, service):
    replying(service, [PEOPLE], [])

    assert scope.graph.extract(TEXT, dry_run=True).entities == 1
    assert scope.graph.search() == []


def test_a_request_may_name_a_model_that_the_settings_offer(database_url, clock, service):
    settings = Settings(worker="off", llm_model="tiny", llm_endpoint=service.url, llm_choices=["other"])
    with Nacre(database_url, settings=settings, clock=clock) as nacre:
        graph = nacre.scope("assistant").graph
        graph.extract(TEXT, model="other")
        with pytest.raises(Invalid, match="NACRE_LLM_CHOICES"):
            graph.extract(TEXT, model="dear")

    assert [asked["model"] for asked in service.asked] == ["other"]


def test_spending_stops_at_the_cap(database_url, clock, service):
    settings = Settings(worker="off", llm_model="tiny", llm_endpoint=service.url, llm_token_cap=100)
    with Nacre(database_url, settings=settings, clock=clock) as nacre:
        replying(service, [PEOPLE], [])
        done = nacre.scope("assistant").graph.extract(f"{TEXT}\n\n{'Filler words. ' * 900}")

    assert (len(service.asked), len(done.failed)) == (1, 1)
    assert "budget" in done.failed[0]


@in_turn("text", ["", "   ", "\x00", 3, "x" * 1_000_001])
def test_a_bad_text_is_refused(scope, text):
    with pytest.raises(Invalid):
        scope.graph.extract(text)


@given(st.text(alphabet="ab .\n", max_size=400), st.integers(1, 60))
def test_pieces_are_the_whole_text_and_none_is_too_long(text, limit):
    pieces = chunks(text, limit)

    assert "".join(text[start:end] for start, end in pieces) == text
    assert all(end - start <= limit for start, end in pieces)


def test_long_texts_are_cut_between_paragraphs():
    text = "\n\n".join(["word " * 1_000] * 5)

    assert [text[start:end].startswith("word") for start, end in chunks(text)] == [True] * len(chunks(text))
    assert all(end - start <= MAX_CHUNK for start, end in chunks(text))
