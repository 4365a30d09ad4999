from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text.stems import Lexicon, lexicon, term_key
from nacre.text.words import words
from tests.text.strategies import any_text, texts


def test_a_key_is_the_same_on_every_machine():
    assert term_key("nacre") == 0x6E6EDBCB74785A4E
    assert term_key("") == 0xB4B2797457A0A6E4


@given(any_text)
def test_a_key_is_an_unsigned_64_bit_number(term):
    assert 0 <= term_key(term) < 2**64


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [("en", "paintings", "paint"), ("es", "canciones", "cancion"), ("de", "häuser", "haus"), ("ru", "машины", "машин")],
)
def test_each_language_stems_its_own_words(language, word, stem):
    assert lexicon(language)[word].text == stem


def test_a_cyrillic_word_follows_russian_rules_in_any_language():
    assert lexicon("en")["машины"] == lexicon("ru")["машины"]
    assert lexicon("de")["когда"].stop


def test_a_latin_word_in_russian_text_follows_english_rules():
    assert lexicon("ru")["paintings"] == lexicon("en")["paintings"]


@pytest.mark.parametrize("word", ["mp3s", "c++", ".net", "京都", "2020s"])
def test_words_with_digits_or_signs_stay_as_they_are(word):
    assert lexicon("en")[word].text == word


def test_an_unknown_language_has_english_rules():
    assert lexicon("und") is lexicon("xx") is lexicon("en")


def test_a_full_lexicon_is_emptied():
    small = Lexicon("en", room=3)

    found = [small[word].text for word in ("cats", "dogs", "birds", "horses", "cats")]

    assert found == ["cat", "dog", "bird", "hors", "cat"]
    assert len(small) <= 3


def test_threads_agree():
    shared = Lexicon("en", room=5)
    stem_words = ("walk", "talk", "jump", "look", "rest")
    vocabulary = [stem + ending for stem in stem_words for ending in ("s", "ed", "ing")] * 200

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: [shared[word].text for word in vocabulary], range(8)))

    assert answers == [answers[0]] * 8
    assert set(answers[0]) == set(stem_words)


@given(st.sampled_from(["en", "de", "ru"]), texts)
def test_any_word_has_a_term(language, text):
    for word in words(text):
        term = lexicon(language)[word]
        assert term.text
        assert term.key == term_key(term.text)
