from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text.languages import SUPPORTED, detect
from nacre.text.tokens import PackedTerms, pack, query_terms, term_key, terms
from tests.text.strategies import texts


def test_terms_are_stems_without_stop_words():
    assert terms("What paintings did Caroline's friends like?") == ["paint", "carolin", "friend", "like"]


@pytest.mark.parametrize("name", ["The Who", "To be or not to be", "IT"])
def test_a_text_of_stop_words_keeps_them(name):
    assert terms(name) != []
    assert set(terms(name)) & set(query_terms(name, ["en"]))


def test_accents_do_not_separate_a_question_from_its_answer():
    assert set(terms("Nos vimos en el café de José")) & set(query_terms("cafe jose", ["es"])) == {"caf", "jos"}


def test_the_language_can_be_given():
    assert terms("die Häuser", "de") == ["haus"]
    assert terms("die Häuser", "en") == ["die", "hauser"]


def test_a_query_looks_for_the_stems_of_every_document_language():
    document = terms("Me encanta cocinar en casa", "es")

    assert "cocin" not in query_terms("What does she mean by cocinar?", ["en"])
    assert set(document) & set(query_terms("What does she mean by cocinar?", ["en", "es"])) == {"cocin"}


def test_a_query_keeps_the_order_of_its_words():
    assert query_terms("Sushi in Kyoto or sushi in Osaka?", []) == ["sushi", "kyoto", "osaka"]


def test_a_query_without_a_known_language_drops_english_stop_words():
    assert detect("Kyoto a") == "und"
    assert query_terms("Kyoto a", []) == ["kyoto"]


def test_packed_terms_count_repeats_and_keep_first_order():
    packed = pack("Sushi, sushi and more sushi in Kyoto")

    assert packed.items() == [(term_key("sushi"), 3), (term_key("kyoto"), 1)]
    assert packed.length == 4
    assert packed.language == "en"


def test_keys_are_little_endian():
    assert pack("sushi").keys == term_key("sushi").to_bytes(8, "little")


def test_a_count_stops_at_255():
    packed = pack("sushi " * 1_000)

    assert packed.items() == [(term_key("sushi"), 255)]
    assert packed.length == 1_000


def test_an_empty_text_packs_to_nothing():
    assert pack("…") == PackedTerms(b"", b"", 0, "und")


@given(texts, st.sampled_from([None, *SUPPORTED]))
def test_packing_says_the_same_as_terms(text, language):
    found = terms(text, language)

    packed = pack(text, language)

    assert dict(packed.items()) == Counter(map(term_key, found))
    assert packed.length == len(found)
    assert packed.language == (language or detect(text))


@given(texts)
def test_a_text_is_found_by_itself(text):
    """Whatever the rules do to a word, they do the same to the question."""
    assert set(terms(text)) <= set(query_terms(text, []))
