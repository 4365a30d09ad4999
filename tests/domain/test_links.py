"""Predicates have one spelling."""

import pytest
from hypothesis import assume, given

from nacre import Invalid
from nacre.domain.links import check_predicate
from tests.text.strategies import texts


@pytest.mark.parametrize("text", ["Works At", "worksAt", "works-at", "WORKS_AT", " works  at ", "works/at", "WorksAt"])
def test_spellings_of_a_predicate_become_one(text):
    assert check_predicate(text) == "works_at"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTPServer", "http_server"),
        ("is CEO of", "is_ceo_of"),
        ("está en", "esta_en"),
        ("isn't", "isnt"),
        ("が好き", "が好き"),
    ],
)
def test_predicates_are_snake_case(text, expected):
    assert check_predicate(text) == expected


@pytest.mark.parametrize("text", ["…", "___", "", None])
def test_a_predicate_without_a_word_is_refused(text):
    with pytest.raises(Invalid):
        check_predicate(text)


@given(texts)
def test_a_predicate_is_its_own_predicate(text):
    try:
        made = check_predicate(text)
    except Invalid:
        assume(False)
    assert check_predicate(made) == made
