import pytest
from hypothesis import given

from nacre.text.letters import fold, is_cyrillic, is_latin
from tests.text.strategies import texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [("café", "cafe"), ("łódź", "lodz"), ("smørrebrød", "smorrebrod"), ("αθήνα", "αθηνα"), ("ёлка", "елка")],
)
def test_accents_are_folded(text, expected):
    assert fold(text) == expected


@pytest.mark.parametrize("text", ["андрей", "हिन्दी", "がぎ", "한국"])
def test_marks_that_make_another_letter_stay(text):
    assert fold(text) == text


@given(texts)
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


def test_letters_know_their_alphabet():
    assert is_latin("z")
    assert is_latin("ł")
    assert not is_latin("ж")
    assert is_cyrillic("ж")
    assert not is_cyrillic("z")
