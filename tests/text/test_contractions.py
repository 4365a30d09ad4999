"""Apostrophes that were not typed."""

import pytest

from nacre.text.contractions import written_out


def is_name(word: str) -> bool:
    return word in ("tom", "ellie", "james")


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("max isnt here and i dont mind", "max isn't here and i don't mind"),
        ("Im home, theyre not. Ive eaten", "I'm home, they're not. I've eaten"),
        ("toms bike and ellies hat", "tom's bike and ellie's hat"),
        ("james has bikes, its ill", "james has bikes, its ill"),
        ("that isn't Tom's", "that isn't Tom's"),
        (
            "le livre dont je parle est dans la maison de ma mère",
            "le livre dont je parle est dans la maison de ma mère",
        ),
        ("", ""),
        ("日本語 isnt 🙂", "日本語 isn't 🙂"),
    ],
)
def test_contractions_are_written_out_and_words_stay_where_they_were(typed, written):
    spelled = written_out(typed, is_name)

    assert spelled.text == written
    for start in range(len(written)):
        if written[start] != "'":
            assert typed[slice(*spelled.place(start, start + 1))] == written[start]
