"""Words that every match of a pattern holds: a text without them need not be looked through."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text.needed_words import holds_needed, needed_words

TOLD = [
    (r"\bmoved (?:back |over )?to (?P<what>\w+)", (("moved back to ", "moved over to ", "moved to "),)),
    (r"(?:left|quit)\b", (("left", "quit"),)),
    (r"(?:moved|most)", (("most", "moved"),)),
    (r"grey|gr(?:a|e)y", (("gray", "grey"),)),
    (r"colou?r", (("color", "colour"),)),
    (r"(?:liv|work)(?:es?|ing)", (("live", "lives", "living", "worke", "workes", "working"),)),
    (r"a ++[\ue000\ue005]++ at home", (("\ue000", "\ue005"), (" at home",))),
    (r"(?:or perhaps \d+|maybe [^,]+ years)", (("maybe ", "or perhaps "),)),
    (r"(?=.*pets)(?:cats?){1,2}", (("cat", "cats"), ("pets",))),
]
NOTHING_TOLD = ["i|you", r"\w+", r"(?:moved)?", r"(?!moved)\w", r"[^a]b", "(?:moved|.)", r"(?<!moved )x", "(?:moved)*"]


@pytest.mark.parametrize(("pattern", "needed"), TOLD)
def test_what_every_match_holds_is_told(pattern: str, needed: tuple[tuple[str, ...], ...]) -> None:
    assert set(needed_words(pattern)) == set(needed)


@pytest.mark.parametrize("pattern", NOTHING_TOLD)
def test_what_a_match_may_lack_is_not_needed(pattern: str) -> None:
    assert needed_words(pattern) == ()


def test_every_set_of_words_must_be_there() -> None:
    needed = needed_words(r"moved (?:\w+ )*to (?:York|Leeds)")

    assert holds_needed("they moved from Bath to Leeds", needed)
    assert not holds_needed("they moved from Bath to Hull", needed)


_PIECES = st.sampled_from(
    [
        "ab",
        "b?",
        "(?:ab|c)",
        "(?:a|bc)?",
        "(?=ab)",
        "(?!b)",
        "[ab]",
        "[^a]",
        "(?:ab)+",
        "(?:c|ab)*+",
        r"\b",
        " ",
        "(?>ab|a)",
    ]
)


@given(st.lists(_PIECES, max_size=6).map("".join), st.text("abc ", max_size=12))
def test_whatever_a_pattern_finds_holds_its_words(pattern: str, text: str) -> None:
    if re.search(pattern, text):
        assert holds_needed(text, needed_words(pattern))
