"""Words of any case, looked for among small letters."""

import importlib
import pkgutil
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nacre
from nacre.text.caseless_patterns import CaselessPattern, caseless

_ESCAPED = re.compile(r"\\.|\(\?P<\w+>")


def _patterns() -> dict[str, CaselessPattern]:
    found: dict[str, CaselessPattern] = {}
    for room in ("text", "memory", "graph", "extraction"):
        for info in pkgutil.walk_packages([f"{nacre.__path__[0]}/{room}"], f"nacre.{room}."):
            held = vars(importlib.import_module(info.name))
            found |= {f"{info.name}.{name}": each for name, each in held.items() if isinstance(each, CaselessPattern)}
    return found


@given(
    st.text("aAiIİıkK\u212asſß’'ñÑ Σ", max_size=12), st.sampled_from(["is", "k", r"\bai\b", "ñ", "[a-k]s", r"(?<!i)s"])
)
def test_letters_of_any_case_are_found_where_a_pattern_that_minds_none_finds_them(text, pattern):
    heedless = [each.span() for each in re.compile(pattern, re.IGNORECASE).finditer(text)]

    assert [each.span() for each in caseless(pattern).finditer(text)] == heedless


def test_what_is_left_keeps_its_letters():
    assert caseless("now").sub("", "NOW Ana lives in York now") == " Ana lives in York "


@pytest.mark.parametrize("name", ["nacre.memory.cues._CHANGED", "nacre.text.counts._HAS_WORDS"])
def test_patterns_of_talk_mind_no_case(name):
    assert name in _patterns()


def test_every_caseless_pattern_is_written_in_small_letters():
    loud = {name for name, each in _patterns().items() if not _is_small(each.pattern)}

    assert loud == set()


def _is_small(pattern: re.Pattern[str]) -> bool:
    plain = _ESCAPED.sub("", pattern.pattern)
    return plain == plain.lower() and not pattern.flags & re.IGNORECASE
