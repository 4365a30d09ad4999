"""The demo agent that script/server seeds."""

import runpy
from pathlib import Path

import pytest

from nacre import Nacre

DEMO = runpy.run_path(str(Path(__file__).parent.parent / "script/demo.py"))


@pytest.fixture
def demo(sqlite_url):
    DEMO["main"](sqlite_url)
    with Nacre(sqlite_url) as nacre:
        yield nacre.scope("demo")


def test_the_demo_is_seeded_once(demo, sqlite_url):
    before = len(demo.recall("Maya Tom Priya launch", limit=100))
    DEMO["main"](sqlite_url)

    assert before > 30
    assert len(demo.recall("Maya Tom Priya launch", limit=100)) == before


def test_the_demo_knows_how_the_launch_date_moved(demo):
    texts = " ".join(hit.text for hit in demo.recall("When is the launch?", limit=5))
    assert "May 6" in texts

    before = demo.recall("When is the launch?", as_of=DEMO["HISTORY"][1].began, limit=5)
    assert before
    assert not any("May 6" in hit.text or "April 28" in hit.text for hit in before)
