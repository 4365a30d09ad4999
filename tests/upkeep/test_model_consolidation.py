"""Consolidation with a language model, well-meaning or not: what passes the guards is done, and nothing else."""

import re

import pytest

from nacre.domain.dreams import Method, PassName, PassStatus
from nacre.domain.memories import MERGED_FROM, Status
from nacre.upkeep.guards import MERGE_DEPTH
from tests.upkeep.desk import Desk

CONSOLIDATION = PassName.CONSOLIDATION
ONE = "The Pebble launch moved to May 31 because the sensor of Acme was late"
TWO = "The Pebble launch moved to May 31 since the Acme sensor came late from Porto"
BOTH = "The Pebble launch moved to May 31 because the Acme sensor came late from Porto"

pytestmark = pytest.mark.spec("D2")


def tidy(desk: Desk, **given):
    return desk.run(CONSOLIDATION, **given)


def alike(desk: Desk, **given):
    """Two entries that a model may merge and rules may not."""
    return desk.add(ONE, days_ago=2, **given), desk.add(TWO, days_ago=1)


def saving(content, *sources, **more):
    """A reply that puts one entry in the place of others."""
    return {"toDelete": [], "toSave": [{"content": content, "sourceIds": [each.short for each in sources], **more}]}


def answer(service, reply):
    service.answer = lambda _question: reply


def test_a_merge_takes_the_place_of_its_sources(desk, service):
    one, two = alike(desk, reinforced=2)
    answer(service, saving(BOTH, one, two, category="general/launch", tags=["Launch"], importance=0.6))

    report = tidy(desk)

    assert (report.status, report.method) == (PassStatus.DONE, Method.MODEL)
    (kept,) = desk.current().values()
    assert (kept.content, kept.category, kept.tags) == (BOTH, "general/launch", ("launch",))
    assert (kept.created_at, kept.last_seen_at) == (one.created_at, two.last_seen_at)
    assert (kept.reinforced, kept.importance) == (2, 0.6)
    assert kept.metadata == {MERGED_FROM: f"{one.id} {two.id}", MERGE_DEPTH: "1"}
    assert {desk.stored(each).status for each in (one, two)} == {Status.ARCHIVED}
    assert {each.quote for each in desk.scope.memories.evidence(kept.id)} == {ONE, TWO}


def test_all_that_a_reply_changes_is_taken_back_together(desk, service):
    one, two = alike(desk)
    three = desk.add("the goods arrive in boxes")
    reply = saving(BOTH, one, two)
    reply["toSave"].append(
        {"content": three.content, "category": "general/goods", "sourceIds": [three.short], "tags": ["goods"]}
    )
    answer(service, reply)
    assert len(tidy(desk).changes) == 2
    records = [each for each in desk.scope.history() if each.actor == "dream"]
    assert {each.operation for each in records} == {"merge_memories", "refine_memory"}
    (batch,) = {each.batch for each in records}

    desk.scope.undo(batch)

    assert [desk.stored(each) for each in (one, two, three)] == [one, two, three]
    assert set(desk.current()) == {ONE, TWO, three.content}


def test_what_a_merge_replaces_goes_even_if_the_reply_does_not_delete_it(desk, service):
    """The deletion contract: the union of what is deleted and what is replaced goes out of force."""
    one, two = alike(desk)
    reply = saving(BOTH, one, two)
    reply["toDelete"] = [one.short]
    answer(service, reply)

    report = tidy(desk)

    assert (len(report.changes), report.refused) == (1, ())
    assert {desk.stored(each).archive_reason for each in (one, two)} == {"merged"}


@pytest.mark.parametrize(
    ("content", "missing"),
    [
        (BOTH.replace("31", ""), "31"),
        (BOTH.replace("Acme", "supplier"), "Acme"),
        ("Something about a launch", "Pebble"),
        (f"{BOTH} and Zoltan agreed", "Zoltan"),
        (f"{BOTH} for 4500 euros", "4500"),
        (BOTH.replace("moved", "was not moved"), "not"),
        (BOTH.replace("because the Acme sensor came late from Porto", "Acme Porto"), "sensor"),
    ],
)
def test_a_merge_that_loses_or_invents_something_is_refused(desk, service, content, missing):
    one, two = alike(desk)
    answer(service, saving(content, one, two))

    report = tidy(desk)

    assert set(desk.current()) == {ONE, TWO}
    (refused,) = report.refused
    assert missing in refused.why
    assert set(refused.items) == {str(one.id), str(two.id)}


def test_a_merge_that_loses_something_may_be_repaired_once(desk, service):
    one, two = alike(desk)
    replies = iter([saving("The Pebble launch moved", one, two), saving(BOTH, one, two)])
    service.answer = lambda _question: next(replies)

    report = tidy(desk)

    assert (set(desk.current()), report.refused) == ({BOTH}, ())
    assert "refused" in service.asked[1]["messages"][-1]["content"]


def test_no_more_repairs_are_tried_than_a_cycle_may(desk, service, monkeypatch):
    monkeypatch.setattr("nacre.upkeep.model_consolidation.MAX_REPAIRS", 2)
    desk.fill(20)
    singles = [desk.add(f"note {word} about gardens and rivers {number}") for number, word in enumerate("abcd")]
    asked = {"count": 0}

    def reply(question):
        asked["count"] += 1
        return {
            "toSave": [{"content": "gone", "sourceIds": [each.short]} for each in singles if each.short in question]
        }

    service.answer = reply
    tidy(desk)

    assert asked["count"] - 1 == 2


def test_what_a_refused_merge_would_have_replaced_is_not_deleted_either(desk, service):
    one, two = alike(desk)
    reply = saving("A launch", one, two)
    reply["toDelete"] = [one.short, two.short]
    answer(service, reply)

    report = tidy(desk)

    assert set(desk.current()) == {ONE, TWO}
    assert len(report.refused) == 3


def test_unrelated_entries_are_not_merged(desk, service):
    one, two = desk.add("Bruno repairs violins in Lisbon"), desk.add("The greenhouse needs a heater")
    answer(service, saving("Bruno repairs violins in Lisbon. The greenhouse needs a heater.", one, two))

    report = tidy(desk)

    assert "not alike" in report.refused[0].why
    assert len(desk.current()) == 2


def test_ids_that_were_not_shown_are_refused(desk, service):
    one, two = alike(desk)
    reply = saving(BOTH, one, two)
    reply["toSave"][0]["sourceIds"].append("0123456789ab")
    reply["toDelete"] = ["ffffffffffff", str(one.id), "'; DROP TABLE memories"]
    answer(service, reply)

    report = tidy(desk)

    assert set(desk.current()) == {ONE, TWO}
    assert len(report.refused) == 4
    assert all("not among" in each.why for each in report.refused)


def test_an_entry_of_another_user_cannot_be_named(nacre, desk, service):
    other = Desk(nacre, nacre.scope("assistant", user="bruno")).add("Bruno's secret garden")
    desk.add("The garden is large")
    answer(service, {"toDelete": [other.short], "toSave": []})

    assert len(tidy(desk).refused) == 1
    assert nacre.scope("assistant", user="bruno").memories.get(other.id).status is Status.ACTIVE


def test_an_entry_from_nowhere_is_refused(desk, service):
    desk.add("The garden is large")
    answer(service, saving("The user owes the bank everything"))

    report = tidy(desk)

    assert "must name the entries" in report.refused[0].why
    assert len(desk.current()) == 1


def test_a_true_fact_cannot_be_deleted_because_a_model_says_so(desk, service):
    fact = desk.add("Carla is allergic to peanuts", importance=0.3)
    answer(service, {"toDelete": [fact.short], "toSave": []})

    report = tidy(desk)

    assert "no other entry says" in report.refused[0].why
    assert desk.stored(fact).status is Status.ACTIVE


def test_what_another_entry_says_in_full_may_be_deleted(desk, service):
    part = desk.add("Carla is allergic to peanuts", days_ago=1)
    desk.add("Since childhood Carla, who lives in Porto, is allergic to peanuts and to the venom of bees and wasps")
    answer(service, {"toDelete": [part.short], "toSave": []})

    tidy(desk)

    assert desk.stored(part).archive_reason == "pruned"


@pytest.mark.parametrize("given", [{"importance": 0.8}, {"reinforced": 5}])
def test_protected_entries_are_never_pruned(desk, service, given):
    part = desk.add("Carla is allergic to peanuts", days_ago=1, **given)
    desk.add("Since childhood Carla, who lives in Porto, is allergic to peanuts and to the venom of bees and wasps")
    answer(service, {"toDelete": [part.short], "toSave": []})

    report = tidy(desk)

    assert "protected" in report.refused[0].why
    assert desk.stored(part).status is Status.ACTIVE


@pytest.mark.parametrize(("content", "merged"), [(BOTH, False), (f"{BOTH}, in three parcels", True)])
def test_protected_entries_are_merged_only_if_all_their_words_survive(desk, service, content, merged):
    one = desk.add(ONE, days_ago=2)
    two = desk.add(f"{TWO} in three parcels", days_ago=1, importance=0.9)
    answer(service, saving(content, one, two))

    tidy(desk)

    assert (set(desk.current()) == {content}) is merged


@pytest.mark.parametrize(("proposed", "kept"), [(5.0, 0.95), (-1.0, 0.5)])
def test_importance_stays_on_the_scale_and_never_falls(desk, service, proposed, kept):
    one, two = alike(desk)
    answer(service, saving(BOTH, one, two, importance=proposed))

    tidy(desk)

    assert desk.current()[BOTH].importance == kept


def test_the_fourth_rewriting_is_refused(desk, service):
    one, two = alike(desk, metadata={MERGE_DEPTH: "3"})
    answer(service, saving(BOTH, one, two))

    assert "3 times" in tidy(desk).refused[0].why


def test_the_first_part_of_a_category_stays(desk, service):
    entry = desk.add("Ana drinks oolong", category="user-preferences/drinks")
    answer(service, saving(entry.content, entry, category="general", tags=["tea"]))

    tidy(desk)

    kept = desk.stored(entry)
    assert (kept.category, kept.tags, kept.status) == ("user-preferences/drinks", ("tea",), Status.ACTIVE)


def test_a_reply_that_would_take_too_much_is_not_applied_at_all(desk, service):
    desk.fill(12)
    everything = re.compile(r"\[([0-9a-f]{12})\]")
    service.answer = lambda question: {"toDelete": everything.findall(question), "toSave": []}
    before = desk.current()

    report = tidy(desk)

    assert report.status is PassStatus.PAUSED
    assert "The breaker opened" in report.notes[0]
    assert (desk.current(), report.changes) == (before, ())


def test_an_entry_is_shown_again_only_when_it_changed(desk, service):
    desk.fill(3)
    tidy(desk)
    tidy(desk)
    assert len(service.asked) == 1

    changed = desk.add("The gardener comes on Mondays")
    tidy(desk)

    assert len(service.asked) == 2
    question = service.asked[1]["messages"][-1]["content"]
    assert changed.short in question
    assert question.count("<entry>") == 1


def test_a_group_that_was_left_alone_rests_for_a_week_then_two_then_four_and_is_merged_only(desk, service, clock):
    one, _ = alike(desk)
    tidy(desk)
    for rest in (7, 14, 28, 56, 56):
        before = len(service.asked)
        clock.advance(days=rest - 1)
        tidy(desk)
        assert len(service.asked) == before, f"too early, after {rest - 1} days"
        clock.advance(days=1)
        tidy(desk)
        assert len(service.asked) == before + 1, f"not after {rest} days"

    clock.advance(days=60)
    answer(service, {"toDelete": [one.short], "toSave": []})
    assert "only be merged" in tidy(desk).refused[0].why


def test_no_more_than_ten_settled_groups_are_reopened_in_a_cycle(desk, service, clock, monkeypatch):
    monkeypatch.setattr("nacre.upkeep.consolidation.MAX_REOPENED", 1)
    alike(desk)
    desk.add("Bruno repairs old violins for the Lisbon opera", days_ago=2)
    desk.add("For the Lisbon opera, Bruno repairs violins of old masters", days_ago=1)
    tidy(desk)
    clock.advance(days=8)

    assert tidy(desk).waiting == 1
    assert service.asked[-1]["messages"][-1]["content"].count("<group>") == 1
