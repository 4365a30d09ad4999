"""First person to third, or not at all."""

import pytest
from hypothesis import given

from nacre.text.third_person import in_third_person, is_common_verb
from tests.text.strategies import texts


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I prefer tea", "ana prefers tea"),
        ("I really like jasmine tea.", "ana really likes jasmine tea."),
        ("I'm a nurse", "ana is a nurse"),
        ("I’ve been to Oslo", "ana has been to Oslo"),
        ("I don't eat meat", "ana doesn't eat meat"),
        ("I never watch the news", "ana never watches the news"),
        ("I study law", "ana studies law"),
        ("I moved to Porto", "ana moved to Porto"),
        ("I can swim", "ana can swim"),
        ("I go by train", "ana goes by train"),
        ("My timezone is UTC-6", "ana's timezone is UTC-6"),
    ],
)
def test_simple_statements_are_turned(said, expected):
    assert in_third_person(said, "ana") == expected


@pytest.mark.parametrize(
    "said",
    [
        "I like tea and drink coffee",
        "I like my tea hot",
        "I think we should go",
        "Tell me when it rains",
        "I'd rather walk",
        "Ana and I like tea",
        "I live in Porto and work in Lisbon",
        "The launch moved",
        "",
        "I",
        "My",
    ],
)
def test_what_is_not_certain_is_left_alone(said):
    assert in_third_person(said, "ana") is None


def test_a_name_that_ends_in_s_takes_an_apostrophe():
    assert in_third_person("My desk is red", "Ines") == "Ines' desk is red"


def test_common_verbs_are_known_in_their_forms():
    assert all(map(is_common_verb, ["likes", "prefer", "went", "lives"]))
    assert not any(map(is_common_verb, ["hiking", "peanuts", "launch", "tea"]))


@given(texts)
def test_any_text_is_read(text):
    in_third_person(text, "ana")
