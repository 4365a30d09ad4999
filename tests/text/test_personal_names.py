"""Which names may be one person's, by the names alone."""

import pytest

from nacre.text.personal_names import Likeness, block_keys, compare, parse


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [
        ("Tom", "Tom Baker", Likeness.SAME),
        ("tommy", "Tom Baker", Likeness.SAME),
        ("Dr. Baker", "Tom Baker", Likeness.SAME),
        ("Baker", "Mr Baker", Likeness.SAME),
        ("T. Baker", "Tom Baker", Likeness.SAME),
        ("Paco", "Francisco Ruiz", Likeness.SAME),
        ("Lucía Ferrer", "Lucia Ferrer Gómez", Likeness.SAME),
        ("Anita", "Ana", Likeness.SAME),
        ("Lito", "Leo", Likeness.SAME),
        ("Dan", "Dana", Likeness.MAYBE),
        ("Tom Baker", "Tom Smith", Likeness.AGAINST),
        ("Tom Baker", "Ann Baker", Likeness.AGAINST),
        ("Mr Baker", "Mrs Baker", Likeness.AGAINST),
        ("Tom", "Dr. Baker", Likeness.NONE),
        ("Samuel", "Samantha", Likeness.NONE),
    ],
)
def test_first_full_short_and_titled_names_are_told_from_those_of_two(one, other, likeness):
    assert compare(one, other) is likeness
    assert compare(other, one) is likeness
    if likeness in (Likeness.SAME, Likeness.MAYBE):
        assert block_keys(one) & block_keys(other)


@pytest.mark.parametrize("label", ["user_17", "Speaker 2", "User", "ana@example.org", "Dr.", ""])
def test_a_label_is_nobodys_name(label):
    assert parse(label) is None
