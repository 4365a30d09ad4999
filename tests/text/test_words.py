import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text import words as cutting
from nacre.text.words import find_word, words
from tests.text.strategies import texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", ["hello", "world"]),
        ("I use C++, C# and .NET.", ["i", "use", "c++", "c#", "and", ".net"]),
        ("C++17 on ASP.NET", ["c++", "17", "on", "asp", ".net"]),
        ("naïve C++, C# and .NET", ["naïve", "c++", "c#", "and", ".net"]),
        ("issue#12 and network...net", ["issue", "12", "and", "network", "net"]),
        ("node.js", ["node", "js"]),
        ("save_memory", ["save", "memory"]),
        ("Caroline's and Mel’s", ["caroline", "and", "mel"]),
        ("the boys' don't", ["the", "boys", "don", "t"]),
        ("2023-05-07", ["2023", "05", "07"]),
        ("Straße ＦＵＬＬ ﬁne", ["strasse", "full", "fine"]),
        ("cafe\u0301", ["café"]),
        ("co\u00adoperate", ["cooperate"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("a\x00b\x1fc", ["a", "b", "c"]),
        ("ok 👍🏽 1️⃣", ["ok", "1"]),
        ("", []),
    ],
)
def test_words_are_cut_at_separators_and_casefolded(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京都", ["東京", "京都"]),
        ("東", ["東"]),
        ("カタカナ", ["カタ", "タカ", "カナ"]),
        ("한국어", ["한국", "국어"]),
        ("ไทย", ["ไท", "ทย"]),
        ("Pythonで書く", ["python", "で書", "書く"]),
        ("2024年、京都", ["2024", "年", "京都"]),
    ],
)
def test_text_without_spaces_gives_overlapping_pairs(text, expected):
    assert words(text) == expected


def test_a_very_long_word_is_cut():
    assert words("x" * 10_000) == ["x" * 64]


@given(texts)
def test_any_text_gives_words_that_can_be_stored(text):
    for word in words(text):
        assert 0 < len(word.encode()) <= 64 * 4
        assert not word.isspace()


@given(texts)
def test_case_does_not_matter(text):
    assert words(text.casefold()) == words(text)


@given(texts, st.integers(1, 20))
def test_a_long_text_has_the_words_of_its_slices(text, size):
    whole = words(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cutting, "SLICE", size)
        assert words(text) == whole


@given(word=st.text("ab_é", min_size=1, max_size=3), text=st.text("ab_é -", max_size=30))
def test_a_word_stands_where_a_pattern_would_find_it(word, text):
    places = [place.span() for place in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)]

    assert list(find_word(word, text)) == places
