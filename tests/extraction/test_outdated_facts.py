"""Facts that rest on words which became outdated end with them, and come back with them."""

import pytest

from nacre import Nacre
from tests.extraction.tellings import beliefs, tell

pytestmark = pytest.mark.spec("N11")


@pytest.fixture
def nacre(sqlite_url, clock, brain_settings):
    """What is said is read alike on every database."""
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as brain:
        yield brain


@pytest.mark.parametrize(
    "told",
    [
        ("I use Docker. I use Redis.", "Ditched Redis today, good riddance.", "tool Redis", "tool Docker"),
        ("My dog is called Rufus. I live in Porto.", "We said goodbye to Rufus at the vet.", "Rufus", "in Porto"),
        (
            "I work at Acme. Tom works at Acme.",
            "Got my goodbye cake at Acme.",
            "ana works_at Acme",
            "Tom works_at Acme",
        ),
        ("My rent is $900. My gym costs $40.", "My rent went up to $950", "$900", "$40"),
        ("My boss is Oksana. I live in Porto.", "Jens signs off now since Oksana went on to Oslo.", "Oksana", "Porto"),
    ],
)
def test_what_is_said_to_be_over_by_its_name_ends_and_nothing_else(scope, clock, told):
    before, after, ended, kept = told
    known = tell(scope, clock, before)
    assert any(ended in each for each in known)
    known = tell(scope, clock, after)

    assert not any(each.endswith(ended) for each in known)
    assert any(kept in each for each in known)


def test_taking_the_end_back_brings_the_fact_back(scope, clock):
    tell(scope, clock, "I use Docker. I use Redis.", "Ditched Redis today, good riddance.")
    (end,) = [each for each in scope.history() if each.operation == "update_link"]

    scope.undo(end.id)

    assert "Ditched Redis" in end.reason
    assert "ana uses_tool Redis" in beliefs(scope)
