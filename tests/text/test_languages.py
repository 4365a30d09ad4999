import pytest
from hypothesis import given

from nacre.text.languages import SUPPORTED, UNDETERMINED, detect, detect_words
from nacre.text.stems import lexicon
from nacre.text.words import words
from tests.text.strategies import texts

SENTENCES = {
    "en": "What did Caroline buy when she was in Paris?",
    "es": "¿Qué compró Carolina cuando estaba en París?",
    "fr": "Qu'est-ce que Caroline a acheté quand elle était à Paris ?",
    "de": "Was hat Caroline gekauft, als sie in Paris war?",
    "it": "Che cosa ha comprato Carolina quando era a Parigi?",
    "pt": "O que a Carolina comprou quando estava em Paris?",
    "nl": "Wat heeft Caroline gekocht toen ze in Parijs was?",
    "ru": "Что Каролина купила, когда была в Париже?",
    "sv": "Vad köpte Caroline när hon var i Paris?",
}


@pytest.mark.parametrize("language", SUPPORTED)
def test_a_question_tells_its_language(language):
    assert detect(SENTENCES[language]) == language


@pytest.mark.parametrize("text", ["¿Dónde vive Ana?", "Wo wohnt Anna?", "Где живёт Анна?", "Var bor Anna?"])
def test_one_small_word_is_enough_for_a_short_question(text):
    assert detect(text) != UNDETERMINED


@pytest.mark.parametrize("text", ["", "Pizza Napoli", "No problem", "今日は雨です", "😀", "Die hard", "12:30"])
def test_no_votes_or_a_tie_is_undetermined(text):
    assert detect(text) == UNDETERMINED


@pytest.mark.parametrize("text", ["Come home", "See you, man", "That art sale", "He may want a van"])
def test_english_words_that_look_foreign_do_not_make_it_foreign(text):
    assert detect(text) in {"en", UNDETERMINED}


def test_ukrainian_is_not_taken_for_russian():
    assert detect("Вона живе в Києві, але працює на заводі") == UNDETERMINED


def test_a_language_with_no_list_is_not_named_by_a_chance_word():
    turkish = "Bu hafta sonu seksen yedi yaşına giriyor ve bütün aile onun Bursa yakınlarındaki evinde toplanacak"
    assert detect(turkish) == UNDETERMINED


def test_only_the_head_of_a_long_text_votes():
    assert detect("the house on the hill " * 100 + "la casa de la colina " * 500) == "en"


def test_every_language_has_a_lexicon_of_its_own():
    assert len({id(lexicon(language)) for language in SUPPORTED}) == len(SUPPORTED)


@given(texts)
def test_any_text_has_an_answer(text):
    assert detect(text) in {*SUPPORTED, UNDETERMINED}


@pytest.mark.parametrize("text", ["he said it's\x1fc++ is .net", "a,b;the,of" * 60, "the " * 300, "and the'scar's is"])
def test_runs_between_spaces_vote_as_their_words_do(text):
    assert detect(text) == detect_words(words(text[:1_000]))


@given(texts)
def test_any_text_votes_as_its_words_do(text):
    assert detect(text) == detect_words(words(text[:1_000]))
