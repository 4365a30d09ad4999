"""Statements that can be read alone, and texts that must stay whole."""

from itertools import pairwise

import pytest
from hypothesis import given

from nacre.text.clauses import is_remnant, part_around, split
from tests.text.strategies import texts


def statements(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I prefer dark mode. The launch moved to May 3.",
            ["I prefer dark mode.", "The launch moved to May 3."],
        ),
        (
            "I prefer tea and I live in Porto",
            ["I prefer tea", "I live in Porto"],
        ),
        (
            "My colleague John works on DevOps at Hostinger. I prefer dark mode; Ana wants a paragraph.",
            ["My colleague John works on DevOps at Hostinger.", "I prefer dark mode", "Ana wants a paragraph."],
        ),
        (
            "I'm a nurse, but I don't work on Mondays.",
            ["I'm a nurse", "I don't work on Mondays."],
        ),
        ("Don't use tabs. Always run the tests.", ["Don't use tabs.", "Always run the tests."]),
    ],
)
def test_separate_statements_are_cut(text, expected):
    assert statements(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "John moved to Oslo. He likes it.",
        "John moved to Oslo and he likes it",
        "I prefer tea. No sugar.",
        "I like tea and coffee",
        "I bought bread and Ana's favourite jam",
        "If it rains, I stay in and I read",
        "Bob said the build is broken and I should fix it",
        "When I travel, I work from trains and I need a seat",
        "Steps:\n1. Build it.\n2. Ship it.",
        "- tea\n- coffee",
        '"I prefer tea. I live in Porto." is what Ana wrote.',
        "Don't use search_files for content search — use grep; BM25 recall returns better results",
        "The launch is on May 3 (I checked; Ana is sure).",
        "What is the plan? The plan is simple.",
        "Juan se mudó a Oslo. Le gusta la ciudad porque es tranquila.",
        "明日は東京駅で会う。20時に来て。",
        "tea",
        "between Ana and Bob",
    ],
)
def test_what_leans_on_each_other_stays_together(text):
    assert len(split(text)) == 1


@given(texts)
def test_only_joints_and_space_are_left_out(text):
    spans = split(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        assert text[start:end].strip(" ,;\n\t\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029\xa0") in ("", "and", "but")


@pytest.mark.parametrize(
    ("text", "words", "part"),
    [
        ("my manager is Denise, i do nights", "Denise", "my manager is Denise"),
        ("my manager is Denise, i do nights", "nights", "i do nights"),
        ("rent is 1,450 a month and the landlord is Doug", "1,450", "rent is 1,450 a month"),
        ("I live in Paris, France, and work from home", "Paris, France", "I live in Paris, France"),
        ("vivo en Lugo y trabajo en casa", "casa", "trabajo en casa"),
        ("all of it is one", "one", "all of it is one"),
    ],
)
def test_words_stand_in_a_part_of_their_sentence(text, words, part):
    start = text.index(words)

    first, last = part_around(text, (0, len(text)), (start, start + len(words)))

    assert text[first:last] == part


@pytest.mark.parametrize(
    ("text", "remnant"), [(", and ", True), (" y.", True), ("", True), (", on Mondays", True), (", i do nights", False)]
)
def test_what_is_left_of_a_sentence_says_nothing_by_itself(text, remnant):
    assert is_remnant(text) is remnant
