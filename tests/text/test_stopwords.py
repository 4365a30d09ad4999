import pytest

from nacre.text.stopwords import STOPWORDS
from nacre.text.words import words


@pytest.mark.parametrize("language", STOPWORDS)
def test_every_stop_word_is_a_word_as_text_is_cut(language):
    assert [word for word in STOPWORDS[language] if words(word) != [word]] == []


@pytest.mark.parametrize("language", STOPWORDS)
def test_every_list_is_long_enough_to_vote(language):
    assert len(STOPWORDS[language]) >= 60


def test_english_questions_and_contractions_are_stop_words():
    question = "What who when where which how why did does do was were has have had isn't doesn't I've you'll they'd"
    assert set(words(question)) <= STOPWORDS["en"]


def test_a_month_and_a_name_are_not_stop_words():
    assert {"may", "will"}.isdisjoint(STOPWORDS["en"])
