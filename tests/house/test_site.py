"""The pages: readable, reachable, and a site without a broken link or another server."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_SPEC = importlib.util.spec_from_file_location("prose", ROOT / "script/prose.py")
assert _SPEC
assert _SPEC.loader
prose = importlib.util.module_from_spec(_SPEC)
sys.modules["prose"] = prose
_SPEC.loader.exec_module(prose)
PAGES = prose.pages()


def test_every_page_is_two_clicks_from_the_readme():
    assert {page.name for page in set(PAGES[1:]) - prose.reached()[1]} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_what_it_is_for_in_short_sentences_and_lines(page):
    text = page.read_text(encoding="utf-8")
    found = prose.figures(text)

    assert found.per_sentence <= 25
    assert found.long_lines == 0
    if page.parent.name == "docs":
        assert text.split("\n\n")[1].startswith("Use this page ")


def test_a_wrapped_page_says_the_same_in_lines_that_fit():
    long = "word " * 30 + "`a b` [a link](to.md) **bold words** - dash " + "word " * 10
    page = f"# T\n\n- {long.strip()}\n\n| {'cell ' * 50} |\n\n```text\n{'code ' * 50}\n```\n"
    wrapped = prose.wrapped(page)

    assert prose.figures(wrapped).long_lines == 0
    assert wrapped.split() == page.split()
    assert "\n  - dash" not in wrapped
    assert prose.wrapped(wrapped) == wrapped


def test_the_site_is_built_without_a_broken_link_and_asks_no_other_server(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "search/search_index.json").is_file()
    for page in tmp_path.rglob("*.html"):
        loaded = re.findall(r"<(?:script|img|link|iframe)[^>]* (?:src|href)=\"?(https?://[^\" >]+)", page.read_text())
        assert loaded == [], page.name
