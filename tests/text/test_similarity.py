"""Names are compared by their characters, whatever their case, accents and order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text import similarity
from nacre.text.names import canonical
from nacre.text.similarity import ABBREVIATED, name_similarity

# Few letters, so that names often share some: that is where an order of arguments would show.
close = st.text(alphabet="abé .日本J", max_size=12)
names = st.one_of(close, st.text(max_size=30))


@given(names, names)
def test_the_order_of_two_names_does_not_matter(a, b):
    assert name_similarity(a, b) == name_similarity(b, a)


@given(names, names)
def test_a_similarity_lies_between_0_and_1(a, b):
    assert 0.0 <= name_similarity(a, b) <= 1.0


@given(names, names)
def test_names_with_one_canonical_form_are_the_same(a, b):
    assert name_similarity(a, a) == 1.0
    assert canonical(a) != canonical(b) or name_similarity(a, b) == 1.0


@pytest.mark.parametrize(
    ("a", "b"),
    [("John Doe", "JOHN DOE"), ("John Doe", "Doe, John"), ("José García", "Jose Garcia"), (" «Ana» ", "ana")],
)
def test_case_order_accents_and_quotes_are_no_difference(a, b):
    assert name_similarity(a, b) == 1.0


def test_characters_are_compared_and_not_bytes():
    """One of four characters differs; as UTF-8, most bytes of different Han characters are the same."""
    assert name_similarity("東京大学", "東京大樂") == name_similarity("abcd", "abce")
    assert name_similarity("東", "京") == 0.0


@pytest.mark.parametrize(
    ("a", "b", "least", "most"),
    [
        ("Martha", "Marhta", 0.96, 0.97),
        ("PostgreSQL", "Postgres", 0.93, 0.97),
        ("Alice", "Bob", 0.0, 0.5),
        ("", "Ana", 0.0, 0.0),
    ],
)
def test_known_similarities(a, b, least, most):
    assert least <= name_similarity(a, b) <= most


@pytest.mark.parametrize(
    ("a", "b"), [("J. Doe", "John Doe"), ("john d. smith", "J. David Smith"), ("J.Doe", "John Doe")]
)
def test_an_initial_stands_for_a_word_it_begins(a, b):
    assert name_similarity(a, b) >= ABBREVIATED


@pytest.mark.parametrize(
    ("a", "b"), [("J. Doe", "Kim Doe"), ("J. D.", "John Doe"), ("J.", "John"), ("J. Li", "John Li")]
)
def test_an_initial_alone_or_of_another_word_stands_for_nothing(a, b):
    assert not similarity.abbreviates(similarity.comparable(a), similarity.comparable(b))


def test_a_huge_name_is_compared_in_reasonable_time():
    assert name_similarity("a" * 20_000, "a" * 19_999 + "b") > 0.99


@given(st.lists(names, min_size=1, max_size=8), st.sampled_from([0.5, 0.85, 0.93, 1.0]))
def test_many_pairs_at_once_agree_with_one_by_one(found, threshold):
    compared = [similarity.comparable(name) for name in found]
    pairs = np.array([(a, b) for a in range(len(found)) for b in range(len(found))])

    alike = similarity.alike(compared, pairs, threshold)

    certain = [name_similarity(found[a], found[b]) for a, b in pairs]
    assert all(yes or sure < threshold for yes, sure in zip(alike, certain, strict=True))
    assert all(not yes or sure >= threshold - 1e-5 for yes, sure in zip(alike, certain, strict=True))
