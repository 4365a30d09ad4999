"""A memory that was replaced, split or merged says where it went, whatever becomes of the others."""

from pathlib import Path
from uuid import UUID

import pytest

from nacre import Nacre, NotFound, RememberReport, ScopedNacre, Status
from nacre.domain.dreams import PassName
from nacre.domain.replacements import REPLACED_BY
from nacre.store.base.journals import Journal
from nacre.store.evidence import memories, successions
from nacre.store.tables import schema as tables
from tests.conftest import MovableClock
from tests.upkeep.desk import Desk

pytestmark = pytest.mark.spec("M6")

PEBBLE = ("Pebble launches on June 16", "The launch moved to July 14", "launches on September 1")


def told(scope: ScopedNacre, clock: MovableClock, *texts: str) -> list[RememberReport]:
    saved = []
    for text in texts:
        saved.append(scope.remember(text))
        clock.advance(days=1)
    return saved


def in_force(scope: ScopedNacre) -> set[str]:
    return {match.memory.content for match in scope.memories.search(limit=100)}


def drop_pointers(nacre: Nacre, scope: ScopedNacre, key: UUID) -> None:
    """Leave an entry as those versions did that kept no pointers."""
    with nacre.parts.memories.write(scope.scope) as tx:
        held = memories.by_id(tx, [key])[key].metadata
        bare = {name: value for name, value in held.items() if name != REPLACED_BY}
        Journal(tx, "").update(tables.memories, {"id": key}, {"metadata": bare})


@pytest.mark.parametrize("pointing", [True, False], ids=["now", "before there were pointers"])
def test_a_memory_that_was_split_leads_to_its_parts(nacre, scope, pointing):
    made = scope.remember("I live in Porto. The launch of Pebble moved to May 31.")
    nacre.parts.worker.drain()
    if not pointing:
        drop_pointers(nacre, scope, made.id)

    split = scope.memories.get(made.id)

    assert (split.status, split.archive_reason, len(split.replaced_by)) == (Status.ARCHIVED, "expanded", 2)
    assert {scope.memories.get(key).content for key in split.replaced_by} == in_force(scope)


@pytest.mark.parametrize("pointing", [True, False], ids=["now", "before there were pointers"])
def test_a_memory_that_was_merged_leads_to_the_one_that_is_left(nacre, scope, pointing):
    desk = Desk(nacre, scope)
    one = desk.add("Bruno plays the cello in a small orchestra", days_ago=2)
    two = desk.add("Bruno plays the cello in a small orchestra near Porto", days_ago=1)
    desk.run(PassName.CONSOLIDATION)
    if not pointing:
        drop_pointers(nacre, scope, one.id)

    merged = scope.memories.get(one.id)

    assert (merged.archive_reason, merged.replaced_by) == ("merged", (two.id,))


def test_a_forgotten_memory_went_nowhere(scope):
    made = scope.remember("The boat is called Ines")
    scope.forget(made.id)

    assert (scope.memories.get(made.id).archive_reason, scope.memories.get(made.id).replaced_by) == ("forgotten", ())


def test_dreaming_joins_nothing_that_waits_for_a_decision(nacre, scope, clock):
    told(scope, clock, "The wifi password upstairs is hunter2", "The wifi password upstairs is swordfish")
    Desk(nacre, scope).run(PassName.CONSOLIDATION)

    assert len(in_force(scope)) == 2
    assert len(scope.ontology.proposals.list("pending")) == 1


def test_what_was_merged_still_knows_what_it_replaced(nacre, scope, clock):
    june, _ = told(scope, clock, "The launch of Pebble is on June 16", "The launch of Pebble moved to July 14")
    desk = Desk(nacre, scope)
    desk.add("The  launch of Pebble moved to July 14", days_ago=0.5)
    desk.run(PassName.CONSOLIDATION)

    (kept,) = desk.current().values()
    with nacre.parts.memories.read(scope.scope) as tx:
        (before,) = successions.find_replaced(tx, [kept.id])[kept.id]
    assert (before.id, before.value) == (june.id, "June 16")


def test_the_parts_of_a_memory_that_replaced_another_share_out_what_it_replaced(nacre, scope, clock):
    june = scope.remember("Pebble launches on June 16")
    clock.advance(days=1)
    both = scope.remember("I live in Porto. The launch moved to July 14.")
    assert both.replaced == (june.id,)
    nacre.parts.worker.drain()

    parts = {match.memory.content: match.memory.id for match in scope.memories.search()}
    with nacre.parts.memories.read(scope.scope) as tx:
        before = successions.find_replaced(tx, list(parts.values()))
    moved = parts["The launch moved to July 14."]
    assert {key: [each.value for each in some] for key, some in before.items()} == {moved: ["June 16"]}
    assert scope.recall("when does Pebble launch?", kinds=["memory"])[0].id == moved


def test_a_part_is_replaced_by_what_was_said_before_it_was_split_off(nacre, scope, clock):
    both = scope.remember("I keep two goats. The rent is 1,200 euro.")
    clock.advance(days=1)
    newer = scope.remember("The rent is now 1,300 euro")
    assert newer.replaced == ()
    nacre.parts.worker.drain()

    assert "The rent is 1,200 euro." not in in_force(scope)
    assert "The rent is now 1,300 euro" in in_force(scope)
    scope.undo(next(each for each in scope.history() if each.operation == "expand_memory").id)
    assert scope.memories.get(both.id).status is Status.ACTIVE


def test_sorting_a_memory_into_a_category_keeps_it_from_nothing(nacre, scope, clock):
    for text in PEBBLE:
        scope.remember(text)
        nacre.parts.worker.drain()
        clock.advance(days=1)

    assert in_force(scope) == {"launches on September 1"}


def test_purging_the_newer_one_lets_the_older_hold_again(scope, clock):
    june, july = told(scope, clock, *PEBBLE[:2])

    scope.forget(july.id, purge=True)

    assert in_force(scope) == {PEBBLE[0]}
    assert [hit.text for hit in scope.recall("Pebble launch", kinds=["memory"])] == [PEBBLE[0]]
    assert scope.memories.get(june.id).replaced_by == ()


def test_purging_one_in_the_middle_joins_the_ends(nacre, scope, clock):
    june, july, september = told(scope, clock, *PEBBLE)

    scope.forget(july.id, purge=True)

    assert in_force(scope) == {PEBBLE[2]}
    assert scope.memories.get(june.id).replaced_by == (september.id,)
    with nacre.parts.memories.read(scope.scope) as tx:
        (before,) = successions.find_replaced(tx, [september.id])[september.id]
    assert (before.id, before.value) == (june.id, "June 16")


def test_purging_the_older_one_leaves_no_word_of_it_in_the_newer(scope, clock):
    june, july = told(scope, clock, *PEBBLE[:2])

    scope.forget(june.id, purge=True)

    with pytest.raises(NotFound):
        scope.memories.get(june.id)
    assert "Pebble" not in str(scope.memories.get(july.id))
    assert str(june.id) not in str(scope.memories.get(july.id))
    assert list(scope.recall("Pebble", kinds=["memory"])) == []
    assert "Pebble" not in str([(each.payload, each.reason, each.grounds) for each in scope.history()])
    assert [hit.id for hit in scope.recall("launch", kinds=["memory"])] == [july.id]


def test_no_byte_of_what_was_purged_stays_in_the_file(sqlite_url, clock, brain_settings):
    # Without a thread that reads beside the purge: then its bytes would go only after that.
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        june, _ = told(scope, clock, "Quokkamobile launches on June 16", "The launch moved to July 14")
        scope.memories.set_importance(scope.memories.search()[0].memory.id, 0.9)
        scope.forget(june.id, purge=True)
    left = [path.read_bytes() for path in Path(sqlite_url).parent.glob("brain.db*")]
    assert left
    assert b"Quokkamobile" not in b"".join(left)
