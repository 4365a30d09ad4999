from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Conflict, Invalid, Nacre, NotFound, Settings, SlotConstrained
from nacre.domain.claim_operations import RecordClaim
from tests import examples
from tests.cases import in_turn

COLOUR = "taste/general/favourite_colour"


def said(versions):
    return [(version.value, version.status) for version in versions]


@pytest.mark.spec("S3")
def test_a_plain_replacement_supersedes_the_old_value(scope):
    scope.ontology.set("Ana", COLOUR, "blue")
    scope.ontology.set("Ana", COLOUR, "green")

    assert said(scope.ontology.versions("Ana", COLOUR)) == [("green", "active"), ("blue", "superseded")]


@pytest.mark.spec("S3")
def test_versions_form_a_chain_with_one_root(scope):
    first = scope.ontology.set("Ana", COLOUR, "blue")
    second = scope.ontology.set("Ana", COLOUR, "green")

    older = scope.ontology.versions("Ana", COLOUR)[1]
    assert (second.version, second.root, second.previous) == (2, first.id, first.id)
    assert (older.superseded_by, older.valid_to) == (second.id, second.since)


@pytest.mark.spec("S3")
def test_every_operation_spells_keys_alike(scope):
    """In the seed system `add` and `set` used different keys, so one claim became two."""
    scope.ontology.add("Ana", "Taste/General/Favourite Colour", "blue")
    scope.ontology.set("Ana", "taste/favouriteColour", "green")

    assert said(scope.ontology.versions("Ana", COLOUR)) == [("green", "active"), ("blue", "superseded")]


@pytest.mark.spec("S3")
def test_a_restored_version_is_a_new_version(scope):
    first = scope.ontology.set("Ana", COLOUR, "blue")
    scope.ontology.set("Ana", COLOUR, "green")

    restored = scope.ontology.restore(first.id)

    assert (restored.value, restored.version) == ("blue", 3)
    statuses = ["active", "superseded", "superseded"]
    assert [version.status for version in scope.ontology.versions("Ana", COLOUR)] == statuses


@pytest.mark.spec("S4")
def test_a_constraint_gives_way_to_force_only(scope):
    scope.ontology.set("Ana", "diet/nuts_policy", "never", kind="constraint")

    with pytest.raises(SlotConstrained) as refused:
        scope.ontology.set("Ana", "diet/nuts_policy", "sometimes")

    assert refused.value.code == "slot_constrained"
    scope.ontology.set("Ana", "diet/nuts_policy", "sometimes", force=True)
    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["sometimes"]


@pytest.mark.spec("S4")
def test_a_value_that_held_before_lands_in_the_past(scope, clock):
    today = clock()
    scope.ontology.set("Ana", "home/city", "Berlin", valid_from=today - timedelta(days=10))
    scope.ontology.set("Ana", "home/city", "Paris", valid_from=today - timedelta(days=100))

    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["Berlin"]
    then = today - timedelta(days=50)
    assert [claim.value for claim in scope.ontology.claims("Ana", as_of=then)] == ["Paris"]


def test_setting_what_is_set_changes_nothing(scope):
    one = scope.ontology.set("Ana", COLOUR, "blue")
    two = scope.ontology.set("Ana", COLOUR, "Blue")

    assert one.id == two.id
    assert len(scope.ontology.versions("Ana", COLOUR)) == 1


def test_an_archived_value_is_not_believed_but_was(scope, clock):
    claim = scope.ontology.set("Ana", COLOUR, "blue")
    before = clock()
    clock.advance(minutes=5)
    scope.ontology.archive(claim.id, reason="a joke")

    assert scope.ontology.claims("Ana") == []
    assert [each.value for each in scope.ontology.claims("Ana", as_of=before)] == ["blue"]
    kept = scope.ontology.versions("Ana", COLOUR)[0]
    assert (kept.status, kept.archived_by, kept.archive_reason) == ("deleted", "caller", "a joke")


def test_a_declared_single_claim_takes_no_second_value(scope):
    scope.ontology.declare("work/general/employer", "single")
    scope.ontology.add("Ana", "work/employer", "Acme")

    with pytest.raises(Conflict, match="one value at a time"):
        scope.ontology.add("Ana", "work/employer", "Globex")


@in_turn("path", ["", "taste", "a/b/c/d", "taste/general/xy", "///", "taste/\x00/colour"])
def test_a_bad_path_is_refused(scope, path):
    with pytest.raises(Invalid):
        scope.ontology.set("Ana", path, "blue")
    with pytest.raises(NotFound):
        scope.graph.get("Ana")


EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
# A narrow range, so that probes often land exactly on a change: that is where the bugs are.
instants = st.integers(0, 40).map(lambda minute: EPOCH + timedelta(minutes=minute))


@examples.costly()
@given(st.lists(instants, min_size=2, max_size=6, unique=True), instants)
def test_exactly_one_version_holds_at_any_instant(new_sqlite, changes, probe):
    """Whatever the order in which values become known, they leave no gap and no overlap."""
    with Nacre(new_sqlite(), settings=Settings(worker="off", embedder="off")) as nacre:
        scope = nacre.scope(agent="a")
        for place, moment in enumerate(changes):
            scope.ontology.set("Ana", COLOUR, f"colour {place}", valid_from=moment)

        held = [claim.value for claim in scope.ontology.claims("Ana", as_of=probe)]

    before = [moment for moment in changes if moment <= probe]
    assert held == ([f"colour {changes.index(max(before))}"] if before else [])


def test_a_value_that_begins_later_leaves_the_present_one_in_force_until_then(scope, clock):
    june = clock() + timedelta(days=31)
    scope.ontology.set("Ana", "home/city", "Porto")
    clock.advance(days=1)
    scope.ontology.set("Ana", "home/city", "Lyon", valid_from=june)

    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["Porto"]
    scope.ontology.apply([RecordClaim(entity="Ana", aspect="home", claim="city", value="Rome")])
    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["Rome"]
    clock.advance(days=40)
    assert [claim.value for claim in scope.ontology.claims("Ana")] == ["Lyon"]
