"""Where a traversal starts."""

from uuid import uuid4

import pytest

from nacre import Nacre, NotFound
from nacre.domain.operations import ArchiveEntity, PinEntity
from tests.graph.walking import OFF


@pytest.fixture
def nacre(database_url, clock):
    """A brain that knows only what a test tells it."""
    with Nacre(database_url, settings=OFF, clock=clock) as brain:
        yield brain


@pytest.mark.spec("S13")
def test_the_focus_is_gathered_in_order_and_pinned_entities_are_merged_in(scope):
    """In the seed system a project hid what the query named."""
    for name, kind in [("Ana", "person"), ("RockBot", "project"), ("Bruno", "person"), ("House Rules", "policy")]:
        scope.graph.add(name, type=kind)
    scope.graph.apply([PinEntity(entity="House Rules")])
    ids = {name: scope.graph.get(name).id for name in ("Ana", "RockBot", "Bruno", "House Rules")}
    places = {"checkpoint": [ids["Bruno"]], "project": "/home/ana/code/rockbot"}

    every = scope.ontology.traverse("What does Ana do?", **places)
    without = scope.ontology.traverse("What does Ana do?", **places, pinned=False)

    order = [ids[name] for name in ("Bruno", "RockBot", "Ana", "House Rules")]
    assert list(every.focal_entity_ids) == order
    assert list(without.focal_entity_ids) == order[:-1]
    assert every.source == "checkpoint"
    assert scope.ontology.traverse("What does Ana do?", project="x/rockbot").source == "project"
    assert scope.ontology.traverse("What does Ana do?").source == "query"
    assert scope.ontology.traverse("Nothing at all").source == "pinned"


@pytest.mark.spec("S13")
@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/srv/work/rock-bot", True),
        ("/srv/rock-bot/backend", True),
        ("C:\\work\\Rock Bot\\", True),
        ("/srv/./rock-bot/.", True),
        ("/srv/rock-bot/backend/src", False),
        ("/", False),
        ("…/日本語", False),
    ],
)
def test_a_project_is_found_by_the_last_two_parts_of_a_path(scope, path, found):
    scope.graph.add("Rock Bot", type="project")
    scope.graph.add("backend", type="tool")

    focal = scope.ontology.traverse(project=path).focal_entity_ids

    assert list(focal) == ([scope.graph.get("Rock Bot").id] if found else [])


@pytest.mark.spec("S13")
def test_at_most_five_projects_and_twenty_entities_of_a_query_are_focal(scope):
    for place in range(7):
        scope.graph.add("shop", type="project", slug=f"shop-{place}")
    for place in range(25):
        scope.graph.add(f"Gadget {place}", description="a kind of widget")

    assert len(scope.ontology.traverse(project="/code/shop").focal_entity_ids) == 5
    assert len(scope.ontology.traverse("which widget?").focal_entity_ids) == 20


@pytest.mark.spec("S13")
def test_names_come_before_words_and_any_word_will_do(scope):
    scope.graph.add("Ledger", description="counts invoices")
    scope.graph.add("Ana Lima", aliases=["ana"])
    ids = [scope.graph.get(name).id for name in ("Ana Lima", "Ledger")]

    assert list(scope.ontology.traverse("does ana read invoices or novels").focal_entity_ids) == ids
    assert scope.ontology.traverse("\"' OR * c++ :").focal_entity_ids == ()


@pytest.mark.spec("S13")
def test_a_session_is_all_that_is_known_where_nothing_is_found(scope):
    lost = scope.ontology.traverse("hello", session="s9")

    assert (lost.source, lost.session, lost.focal_entity_ids, lost.entity_count) == ("session", "s9", (), 0)
    assert scope.ontology.traverse("hello").source == "none"


@pytest.mark.spec("S13")
def test_what_is_archived_or_somebody_elses_is_never_focal(nacre, scope):
    scope.graph.add("Ana", type="project", description="gardener")
    key = scope.graph.get("Ana").id
    scope.graph.apply([PinEntity(entity="Ana")])
    other = nacre.scope(agent="assistant", user="bruno")
    other.graph.add("Ana", type="project")
    theirs = other.graph.get("Ana").id
    scope.graph.apply([ArchiveEntity(entity="Ana", force=True)])

    found = scope.ontology.traverse("Ana the gardener", checkpoint=[key, theirs, uuid4()], project="/ana")

    assert found.focal_entity_ids == ()
    with pytest.raises(NotFound):
        scope.ontology.traverse(focal=["Ana"])
