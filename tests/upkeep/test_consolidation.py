"""Consolidation by rules: what says the same becomes one, noise goes, corrections teach, and nothing is lost."""

from datetime import timedelta

import pytest

from nacre import NotFound
from nacre.domain.dreams import Method, PassName, PassStatus
from nacre.domain.feedback import FeedbackKind
from nacre.domain.memories import MERGED_FROM, Status
from nacre.store.evidence import feedback
from nacre.store.reads import hit_rows
from nacre.upkeep.guards import MERGE_DEPTH
from tests.upkeep.desk import Desk

CONSOLIDATION = PassName.CONSOLIDATION

pytestmark = [pytest.mark.spec("D2"), pytest.mark.spec("D5")]


def tidy(desk: Desk, **given):
    return desk.run(CONSOLIDATION, **given)


def test_entries_with_the_same_words_become_the_oldest(desk, clock):
    old = desk.add("Ana likes green tea", days_ago=3, reinforced=2, importance=0.4, tags=("tea",))
    new = desk.add("Ana  likes green TEA", reinforced=1, importance=0.7, tags=("drinks",))

    report = tidy(desk)

    assert (report.status, report.method) == (PassStatus.DONE, Method.RULES)
    (kept,) = desk.current().values()
    assert (kept.id, kept.content, kept.tags) == (old.id, old.content, ("tea", "drinks"))
    assert (kept.created_at, kept.last_seen_at) == (old.created_at, clock.now)
    assert (kept.reinforced, kept.importance) == (3, 0.7)
    gone = desk.stored(new)
    assert (gone.status, gone.archive_reason, gone.archived_at) == (Status.ARCHIVED, "merged", clock.now)
    assert [set(change.items) for change in report.changes] == [{str(old.id), str(new.id)}]


def test_an_entry_rests_on_everything_that_those_it_replaced_rested_on(desk):
    old, new = desk.add("Ana likes green tea", days_ago=1), desk.add("ana likes green tea")

    tidy(desk)

    with desk.parts.memories.read(desk.scope.scope) as tx:
        assert {each.quote for each in hit_rows.evidence_of(tx, old.id)} == {old.content, new.content}


def test_near_duplicates_are_joined_in_their_own_words(desk):
    one = desk.add("Bruno plays the cello in a small orchestra", days_ago=2)
    two = desk.add("Bruno plays the cello in a small orchestra near Porto", days_ago=1)

    report = tidy(desk)

    (kept,) = desk.current().values()
    assert kept.content == two.content
    assert (kept.created_at, kept.last_seen_at) == (one.created_at, two.last_seen_at)
    assert kept.metadata[MERGED_FROM] == str(one.id)
    assert MERGE_DEPTH not in kept.metadata, "no word of it was rewritten"
    assert "merged 2 entries" in report.changes[0].what


def test_a_join_that_needs_new_words_is_a_new_entry_one_rewriting_deeper(desk):
    one = desk.add("Ana waters the ferns in the greenhouse every Monday morning", days_ago=2)
    two = desk.add("Ana waters the ferns in the greenhouse every Monday morning early with rain barrels", days_ago=1)
    three = desk.add("Every Monday morning Ana waters the ferns in the greenhouse", days_ago=0)

    tidy(desk)

    (kept,) = desk.current().values()
    for each in (one, two, three):
        assert set(each.content.lower().split()) <= set(kept.content.lower().split())
        assert str(each.id) in kept.metadata[MERGED_FROM] or kept.id == each.id
    assert kept.metadata.get(MERGE_DEPTH) == "1"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The launch of Pebble is on May 3", "The launch of Pebble is on May 5"),
        ("Ana likes green tea in the morning", "Ana does not like green tea in the morning"),
        ("The plan was reviewed by Bruno on Friday", "The plan was reviewed by Carla on Friday"),
        ("Dinner with Ana was lovely", "The server was restarted"),
    ],
)
def test_entries_that_differ_in_a_number_a_name_or_a_not_are_left_apart(desk, one, two):
    desk.add(one, days_ago=1)
    desk.add(two)

    report = tidy(desk)

    assert (report.changes, set(desk.current())) == ((), {one, two})


@pytest.mark.parametrize("category", ["feedback/search", "capabilities/tools"])
def test_claims_that_must_stand_alone_are_never_joined(desk, category):
    for days in (1, 2):
        desk.add("The search tool is unavailable", category=category, days_ago=days)

    assert tidy(desk).changes == ()


def test_entries_of_different_categories_are_never_joined(desk):
    desk.add("Ana likes green tea", category="user-preferences/drinks")
    desk.add("Ana likes green tea", category="project-context/menu")

    assert tidy(desk).changes == ()


def test_the_more_exact_category_stays(desk):
    desk.add("Ana likes green tea", category="user-preferences", days_ago=1)
    desk.add("Ana likes green tea", category="user-preferences/drinks")

    tidy(desk)

    assert [each.category for each in desk.current().values()] == ["user-preferences/drinks"]


def test_stale_noise_goes_and_everything_else_stays(desk):
    noise = desk.add("ok, thanks", days_ago=91)
    kept = [
        desk.add("ok, great", days_ago=89),
        desk.add("ok, fine", days_ago=91, importance=0.9),
        desk.add("ok, sure", days_ago=91, reinforced=1),
        desk.add("thanks Bruno", days_ago=91),
        desk.add("room 7", days_ago=91),
        desk.add("no meat", days_ago=91, category="user-preferences/food"),
        desk.add("阿娜喜欢茶", days_ago=91),
        desk.add("the greenhouse needs a heater", days_ago=300),
    ]

    report = tidy(desk)

    assert [change.items for change in report.changes] == [(str(noise.id),)]
    assert set(desk.current()) == {each.content for each in kept}
    assert desk.stored(noise).archive_reason == "pruned"


def test_a_dry_run_changes_nothing_and_reports_the_same(desk):
    desk.add("Ana likes green tea", days_ago=1)
    desk.add("ana likes green tea")
    desk.add("ok, thanks", days_ago=100)
    desk.scope.feedback.record("correction", "use tabs", detail="use spaces instead")
    before = desk.current()

    dry = tidy(desk, dry_run=True)

    assert desk.current() == before
    real = tidy(desk)
    assert dry.changes == real.changes
    assert len(real.changes) == 3
    assert tidy(desk).changes == ()


def test_every_change_is_in_the_log_and_can_be_taken_back(desk):
    old, new = desk.add("Ana likes green tea", days_ago=1), desk.add("ana likes green tea")
    tidy(desk)
    (record,) = [each for each in desk.scope.history() if each.actor == "dream"]
    assert (record.operation, record.reason) == ("merge_memories", "They have the same words.")

    desk.scope.undo(record.id)

    assert [desk.stored(each) for each in (old, new)] == [old, new]
    assert len(desk.scope.recall("green tea", kinds=["memory"])) == 2


def test_what_was_merged_is_still_there_as_of_before(desk, clock):
    desk.add("Ana likes green tea", days_ago=1)
    desk.add("ana likes green tea")
    before = clock.now
    clock.advance(minutes=1)

    tidy(desk)

    assert len(desk.scope.recall("tea", kinds=["memory"])) == 1
    assert len(desk.scope.recall("tea", kinds=["memory"], as_of=before)) == 2


def test_rules_take_no_more_than_a_cycle_may_and_go_on_in_the_next(desk):
    for number, name in enumerate(("Ana", "Bruno", "Carla", "Diego", "Elena", "Fatima", "Goran")):
        desk.add(f"{name} keeps a boat in the old harbour", days_ago=number + 1)
        desk.add(f"{name} keeps a boat in the old harbour since spring", days_ago=number)

    first, second, third = (desk.dream().passes[0] for _ in range(3))

    assert (len(first.changes), first.waiting) == (5, 2)
    assert (len(second.changes), second.waiting, second.status) == (2, 0, PassStatus.DONE)
    assert (third.status, len(desk.current())) == (PassStatus.SKIPPED, 7)


def test_the_fourth_rewriting_is_refused(desk):
    depth = {MERGE_DEPTH: "3"}
    desk.add("Ana waters the ferns in the greenhouse every Monday morning", days_ago=2, metadata=depth)
    desk.add("Every Monday morning Ana waters the ferns in the greenhouse early")

    assert tidy(desk).changes == ()


def test_people_come_first_and_what_was_done_stays(desk):
    for number, word in enumerate(("tea", "bread", "soup")):
        desk.add(f"Ana likes {word}", days_ago=number + 1)
        desk.add(f"ana likes {word}", days_ago=number)
    calls = iter([False, False, False, True])
    desk.disturbed = lambda: next(calls, True)

    report = tidy(desk)

    assert (report.status, len(report.changes), report.waiting) == (PassStatus.STOPPED, 2, 1)
    assert len(desk.current()) == 4
    desk.disturbed = lambda: False
    assert len(tidy(desk).changes) == 1


@pytest.mark.spec("M8")
def test_a_correction_becomes_an_anti_pattern_once(desk):
    desk.scope.feedback.record("correction", "search: use find", detail="use grep instead", session="s1")
    desk.scope.feedback.record("praise", "the summary")

    first, second = tidy(desk), tidy(desk)

    (memory,) = desk.current().values()
    assert (memory.content, memory.category) == ("Don't use find — instead use grep", "anti-patterns/search")
    assert (first.counts["learned"], second.counts["learned"]) == (1, 0)
    assert memory.content in {hit.text for hit in desk.scope.recall("search with find or grep?")}
    (record,) = [each for each in desk.scope.history() if each.actor == "dream"]
    assert record.operation == "remember"


@pytest.mark.spec("M8")
def test_the_same_correction_again_reinforces_what_it_taught(desk, clock):
    for _ in range(2):
        desk.scope.feedback.record("correction", "search: use find", detail="use grep instead")
        tidy(desk)
        clock.advance(hours=1)

    (memory,) = desk.current().values()
    assert (memory.reinforced, memory.importance) == (1, 0.75)
    with desk.parts.database.read(desk.scope.scope) as tx:
        assert feedback.unconsumed(tx, kind=FeedbackKind.CORRECTION) == []


def test_an_empty_memory_is_no_reason_to_stop(desk):
    report = tidy(desk)

    assert (report.status, report.changes, report.counts["entries"]) == (PassStatus.DONE, (), 0)


def test_no_more_than_a_thousand_entries_are_looked_at(desk, monkeypatch):
    monkeypatch.setattr("nacre.upkeep.consolidation.MAX_ENTRIES", 3)
    for days in range(5):
        desk.add("Ana likes green tea", days_ago=days)

    assert len(tidy(desk).changes[0].items) == 3


def test_nothing_that_was_archived_is_ever_deleted_and_the_report_counts_what_is_old(desk, clock):
    desk.add("Ana likes green tea", days_ago=1)
    gone = desk.add("ana likes green tea")
    tidy(desk)
    clock.advance(days=200)

    report = tidy(desk)

    assert report.counts["archived_over_90_days"] == 1
    assert desk.stored(gone).content == gone.content


def test_shared_memories_are_tidied_where_they_are_kept(nacre, desk):
    nacre.agent("assistant").share(memory=True)
    desk.add("Ana likes green tea", days_ago=1)
    desk.add("ana likes green tea")
    desk.scope.feedback.record("correction", "use tabs", detail="use spaces instead")

    assert len(tidy(desk).changes) == 2
    assert len(nacre.scope("assistant", user="bruno").memories.search()) == 2


def test_an_entry_that_changed_in_the_meantime_is_left_alone(desk):
    old, new = desk.add("Ana likes green tea", days_ago=1), desk.add("ana likes green tea")

    asked: list[bool] = []

    def forget_one() -> bool:
        if desk.stored(new).status is Status.ACTIVE and len(asked) == 1:
            desk.scope.forget(new.id)
        asked.append(True)
        return False

    desk.disturbed = forget_one

    report = tidy(desk)

    assert (report.changes, len(report.refused)) == ((), 1)
    assert desk.stored(old).reinforced == 0
    assert timedelta(0) == desk.stored(old).last_seen_at - old.last_seen_at


@pytest.mark.spec("M10")
@pytest.mark.parametrize("which", ["the result", "a source"])
def test_purging_a_merged_entry_takes_its_family_and_the_reports_of_it(desk, which):
    old, new = desk.add("Ana likes green tea", days_ago=1), desk.add("ana likes green tea")
    other = desk.add("The launch moved to May 3")
    assert tidy(desk).changes
    in_force = next(each for each in (old, new) if desk.stored(each).status is Status.ACTIVE)
    gone = next(each for each in (old, new) if each.id != in_force.id)

    desk.scope.forget((in_force if which == "the result" else gone).id, purge=True)

    assert [match.memory.id for match in desk.scope.memories.search()] == [other.id]
    assert "green tea" not in str([kept.report for kept in desk.scope.dreams.history()])
    for each in (old, new):
        with pytest.raises(NotFound):
            desk.scope.memories.get(each.id)
