"""What somebody loved and cannot stand any more is one taste."""

import pytest

from nacre import Nacre

pytestmark = pytest.mark.spec("W1")


@pytest.fixture
def nacre(sqlite_url, clock, brain_settings):
    """What is said is read alike on every database."""
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as brain:
        yield brain


def ends(scope, predicate):
    """What the user's links of one kind in force lead to."""
    user = scope.graph.search("ana")
    links = [link for link in scope.graph.links("ana") if link.predicate == predicate] if user else []
    return sorted(scope.graph.get(link.target).name for link in links if link.source == scope.graph.get("ana").id)


@pytest.mark.parametrize(
    ("first", "then", "tastes"),
    [
        ("I love coffee.", "I can't stand coffee.", ([], ["coffee"])),
        ("I can't stand coffee.", "I love coffee now.", (["coffee"], [])),
        ("Me gusta el café.", "No soporto el café.", ([], ["café"])),
        ("Odio el café.", "Me encanta el café.", (["café"], [])),
        ("I love olives and figs.", "I hate olives.", (["figs"], ["olives"])),
        ("I hate olives.", "I no longer hate olives.", ([], [])),
        ("Ruth loves coffee.", "I hate coffee.", ([], ["coffee"])),
    ],
)
def test_nobody_likes_and_dislikes_one_thing(scope, clock, first, then, tastes):
    scope.observe("user", first)
    clock.advance(days=1)
    scope.observe("user", then)

    assert (ends(scope, "prefers"), ends(scope, "dislikes")) == tastes
