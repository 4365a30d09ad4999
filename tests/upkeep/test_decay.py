"""What nobody has seen for long counts for less, however often that is worked out."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.domain.dreams import PassName, PassStatus
from nacre.upkeep import ratings
from nacre.upkeep.ratings import FADED, FLOOR, left

NOW = datetime(2026, 5, 1, tzinfo=UTC)
DECAY = PassName.DECAY

pytestmark = pytest.mark.spec("D2")


@pytest.mark.parametrize(
    ("days", "importance"), [(0, 0.6), (30, 0.6), (75, 0.3), (120, 0.15), (165, 0.10), (10_000, FLOOR)]
)
def test_importance_waits_a_month_then_halves_every_45_days_down_to_a_floor(days, importance):
    assert left(0.6, NOW - timedelta(days=days), NOW) == pytest.approx(importance)


@given(st.floats(0, 1), st.floats(0, 1000), st.floats(0, 1000))
def test_it_only_falls_with_time_and_never_under_the_floor(rated, earlier, more):
    first = left(rated, NOW, NOW + timedelta(days=earlier))
    later = left(rated, NOW, NOW + timedelta(days=earlier + more))

    assert min(rated, FLOOR) <= later <= first <= rated


def test_a_clock_that_was_set_back_does_no_harm():
    assert left(0.6, NOW, NOW - timedelta(days=400)) == 0.6


def test_nightly_or_once_comes_to_the_same(desk, clock):
    entry = desk.add("The greenhouse needs a heater", importance=0.6)
    for _ in range(75):
        clock.advance(days=1)
        desk.run(DECAY)
    assert desk.stored(entry).importance == 0.3

    other = desk.add("The van has a broken mirror", days_ago=75, importance=0.6)
    assert len(desk.run(DECAY).changes) == 1
    assert desk.stored(other).importance == 0.3
    assert desk.run(DECAY).changes == ()


def test_the_log_holds_a_step_and_not_a_night(desk, clock):
    desk.add("The greenhouse needs a heater", importance=0.6)
    for _ in range(60):
        clock.advance(days=1)
        desk.run(DECAY)

    steps = [each for each in desk.scope.history() if each.operation == "decay_importance"]
    assert 1 <= len(steps) <= 5
    assert steps[0].actor == "dream"


def test_what_faded_can_be_taken_back(desk):
    entry = desk.add("The greenhouse needs a heater", days_ago=75, importance=0.6)
    desk.run(DECAY)
    (record,) = [each for each in desk.scope.history() if each.operation == "decay_importance"]

    desk.scope.undo(record.id)

    assert desk.stored(entry) == entry


@pytest.mark.parametrize("given", [{"importance": 0.8}, {"reinforced": 5}])
def test_protected_entries_do_not_fade(desk, given):
    entry = desk.add("Carla is allergic to peanuts", days_ago=400, **given)

    assert desk.run(DECAY).changes == ()
    assert desk.stored(entry) == entry


def test_an_entry_that_is_seen_again_is_worth_what_it_was(desk):
    entry = desk.add("The greenhouse needs a heater", days_ago=120, importance=0.6)
    desk.run(DECAY)
    desk.scope.remember("The greenhouse needs a heater")

    report = desk.run(DECAY)

    seen = desk.stored(entry)
    assert (seen.importance, seen.reinforced) == (0.6, 1)
    assert FADED not in seen.metadata
    assert report.changes[0].why == "It was seen again."


def test_whoever_rates_an_entry_has_seen_it(desk, clock):
    entry = desk.add("The greenhouse needs a heater", days_ago=120, importance=0.6)
    desk.run(DECAY)
    desk.scope.memories.set_importance(entry.id, 0.4)
    clock.advance(days=30)
    desk.run(DECAY)
    assert desk.stored(entry).importance == 0.4

    clock.advance(days=45)
    desk.run(DECAY)

    assert desk.stored(entry).importance == 0.2
    assert ratings.rating(desk.stored(entry)) == 0.4


def test_a_rating_of_an_old_entry_that_never_faded_counts_from_when_it_was_given(desk, clock):
    entry = desk.add("The greenhouse needs a heater", days_ago=29, importance=0.2)
    desk.scope.memories.set_importance(entry.id, 0.4)
    clock.advance(days=29)

    desk.run(DECAY)

    assert desk.stored(entry).importance == 0.4


def test_importance_that_cannot_fall_is_left_alone(desk):
    entry = desk.add("The greenhouse needs a heater", days_ago=400, importance=0.05)

    assert desk.run(DECAY).changes == ()
    assert desk.stored(entry).importance == 0.05


def test_a_dry_run_changes_nothing_and_reports_the_same(desk):
    entry = desk.add("The greenhouse needs a heater", days_ago=75, importance=0.6)

    dry = desk.run(DECAY, dry_run=True)

    assert desk.stored(entry) == entry
    assert dry.changes == desk.run(DECAY).changes
    assert dry.changes[0].what == "importance 0.60 to 0.30: “The greenhouse needs a heater”"


def test_people_come_first_and_what_was_done_stays(desk, monkeypatch):
    monkeypatch.setattr("nacre.upkeep.decay.TOGETHER", 2)
    for number in range(5):
        desk.add(f"Shelf {number} holds paint", days_ago=75, importance=0.6)
    calls = iter([False, False, True])
    desk.disturbed = lambda: next(calls, True)

    report = desk.run(DECAY)

    assert (report.status, len(report.changes), report.waiting) == (PassStatus.STOPPED, 2, 3)


def test_archived_entries_are_left_alone(desk):
    entry = desk.add("The greenhouse needs a heater", days_ago=75)
    desk.scope.forget(entry.id)
    before = desk.stored(entry)

    assert desk.run(DECAY).changes == ()
    assert desk.stored(entry) == before


def test_the_weights_of_aspects_are_tended_in_the_same_pass(desk):
    assert desk.run(DECAY).counts == {"faded": 0, "looked_at": 0, "aspects_decayed": 0}
