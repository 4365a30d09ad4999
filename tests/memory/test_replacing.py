"""A memory that says otherwise ends the one before it, with a reason, and only where that is sure."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from nacre import Conflict, Nacre, NotFound, RememberReport, ScopedNacre, Settings, Status
from nacre.store.evidence import successions
from tests.conftest import MovableClock

pytestmark = pytest.mark.spec("M6")

PEBBLE = ("Pebble launches on June 16", "The launch moved to July 14", "launches on September 1")


def told(scope: ScopedNacre, clock: MovableClock, *texts: str, **given) -> list[RememberReport]:
    """Memories saved one after the other, a day apart."""
    saved = []
    for text in texts:
        saved.append(scope.remember(text, **given))
        clock.advance(days=1)
    return saved


def in_force(scope: ScopedNacre) -> set[str]:
    return {match.memory.content for match in scope.memories.search(limit=100)}


def recalled(scope: ScopedNacre, question: str, **given) -> list[str]:
    return [hit.text for hit in scope.recall(question, kinds=["memory"], **given)]


@pytest.fixture
def one(sqlite_url: str, clock: MovableClock) -> Iterator[ScopedNacre]:
    """A scope on one database, for what the databases have no part in."""
    with Nacre(sqlite_url, settings=Settings(worker="off"), clock=clock) as nacre:
        yield nacre.scope("assistant", user="ana")


def test_the_last_of_three_dates_is_in_force_and_the_others_say_where_they_went(scope, clock):
    june, july, september = told(scope, clock, *PEBBLE)

    assert (july.replaced, september.replaced) == ((june.id,), (july.id,))
    assert recalled(scope, "when does Pebble launch?") == ["launches on September 1"]
    assert [match.memory.id for match in scope.memories.search("launch")] == [september.id]
    ended = scope.memories.get(june.id)
    assert (ended.status, ended.archive_reason, ended.replaced_by) == (Status.ARCHIVED, "replaced", (july.id,))
    assert scope.memories.get(july.id).replaced_by == (september.id,)
    assert scope.memories.get(september.id).replaced_by == ()
    assert [each.quote for each in scope.memories.evidence(june.id)] == ["Pebble launches on June 16"]


def test_the_newest_is_found_by_the_name_that_only_the_first_one_said(scope, clock):
    scope.remember("Pebble is a watch made of ceramic")
    told(scope, clock, *PEBBLE)

    assert recalled(scope, "when does Pebble launch?")[0] == "launches on September 1"


def test_as_of_sees_what_was_in_force_then(scope, clock):
    moments: list[datetime] = []
    for text in PEBBLE:
        scope.remember(text)
        moments.append(clock.now)
        clock.advance(days=1)

    for moment, text in zip(moments, PEBBLE, strict=True):
        assert recalled(scope, "when is the launch of Pebble?", as_of=moment) == [text]
        assert [match.memory.content for match in scope.memories.search("launch", as_of=moment)] == [text]
    first = scope.memories.search(as_of=moments[0])[0].memory
    assert (first.status, first.replaced_by) == (Status.ACTIVE, ())


def test_a_replacement_is_in_the_log_with_its_reason_and_both_sentences(scope, clock):
    june, july = told(scope, clock, *PEBBLE[:2])
    ending, saving = scope.history()[:2]

    assert (saving.operation, ending.operation) == ("remember", "replace_memory")
    assert ending.batch == saving.batch
    assert ending.payload == {"older": str(june.id), "newer": str(july.id), "value": "June 16", "reason": None}
    assert ending.reason == "“The launch moved to July 14” gives another day than “Pebble launches on June 16”."
    assert [each["quote"] for each in ending.grounds["evidence"]] == [PEBBLE[1], PEBBLE[0]]
    assert [step.record.operation for step in scope.memories.history(june.id)] == ["replace_memory", "remember"]


def test_undoing_the_batch_brings_the_older_one_back_and_takes_the_newer_away(scope, clock):
    june, july, september = told(scope, clock, *PEBBLE)

    scope.undo(scope.history()[0].batch)

    assert in_force(scope) == {PEBBLE[1]}
    assert recalled(scope, "when does Pebble launch?") == [PEBBLE[1]]
    assert scope.memories.get(july.id).status is Status.ACTIVE
    with pytest.raises(NotFound):
        scope.memories.get(september.id)
    with pytest.raises(Conflict, match="replace_memory"):
        scope.undo(scope.memories.history(june.id)[-1].record.id)


def test_undoing_the_replacement_alone_leaves_both_in_force(scope, clock):
    june, _ = told(scope, clock, *PEBBLE[:2])

    scope.undo(next(each for each in scope.history() if each.operation == "replace_memory").id)

    assert in_force(scope) == set(PEBBLE[:2])
    assert scope.memories.get(june.id).replaced_by == ()
    assert set(recalled(scope, "launch")) == set(PEBBLE[:2])


def test_prices_follow_each_other(scope, clock):
    told(
        scope,
        clock,
        "The Basic plan costs 39 euros a month",
        "The Basic plan costs 44 euros a month",
        "The Basic plan is now 42 euros a month",
    )

    assert recalled(scope, "what does the Basic plan cost?") == ["The Basic plan is now 42 euros a month"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The stand-up is at 9:30", "The stand-up is at 10 now"),
        ("Tomas owns the billing module", "Priya took over the billing module from Tomas"),
        ("The rent is 1,200 euro", "The rent is 1,300 euro"),
        ("Ana likes tea", "Ana no longer likes tea"),
        ("Ana lives in Porto", "Ana moved to Lisbon"),
        ("The user's timezone is Europe/Madrid", "The user's timezone is America/Chicago"),
        ("El alquiler es de 900 euros", "El alquiler subió a 950 euros"),
        ("La reunión del equipo es el martes", "La reunión del equipo se cambió al jueves"),
        ("発売日は6月16日です", "発売日は7月14日に変更されました"),
        ("会议是3点", "会议改到4点"),
        ("출시일은 6월 16일입니다", "출시일은 7월 14일로 변경되었습니다"),
    ],
)
def test_a_sure_change_leaves_the_newer_one_alone(one, clock, old, new):
    first, second = told(one, clock, old, new)

    assert second.replaced == (first.id,)
    assert in_force(one) == {new}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ana was born on May 3", "Ana's wedding is on June 7"),
        ("Budget for Q3 is 40k", "Budget for Q4 is 50k"),
        ("Budget for Q3 is 40k", "Budget for Q4 is 40k"),
        ("Room 4 seats 12", "Room 5 seats 20"),
        ("The flight on June 3 costs 200 euros", "The flight on June 9 costs 240 euros"),
        ("The flight on June 3 costs 200 euros", "The flight on June 9 costs 200 euros"),
        ("His birthday is May 3", "Her birthday is June 5"),
        ("Team A has 3 points", "Team B has 5 points"),
        ("Ana ran 10 km", "Ana ran 12 km"),
        ("I feed the dog at 7:00", "I feed the dog at 19:00"),
        ("The gym opens at 7:00", "The gym closes at 22:00"),
        ("The stand-up is at 9:30", "The stand-up is at 11 today"),
        ("Pebble launches on June 16", "Quartz launches on August 2"),
        ("Pebble launches on June 16", "Pebble might launch on July 14"),
        ("The office is in Lisbon", "The office is now closed on Fridays"),
        ("Ana is vegetarian", "Ana is married"),
        ("Ana lives in Porto and keeps two goats", "Ana moved to Lisbon"),
        ("小明的生日是5月3日", "小红的生日是6月5日"),
    ],
)
def test_what_may_both_be_so_stays_in_force(one, clock, old, new):
    second = told(one, clock, old, new)[1]

    assert second.replaced == ()
    assert in_force(one) == {old, new}


def test_a_name_that_is_left_out_means_the_only_one_that_fits(one, clock):
    told(one, clock, "Pebble launches on June 16", "Quartz launches on August 2")
    moved = one.remember("The launch moved to July 14")

    assert (moved.replaced, len(moved.proposals)) == ((), 2)
    assert len(in_force(one)) == 3


def test_what_somebody_pinned_is_only_asked_about(one, clock):
    first = one.remember("The rent is 1,200 euro")
    one.memories.pin(first.id)
    second = told(one, clock, "The rent is 1,300 euro")[0]

    assert (second.replaced, len(second.proposals)) == ((), 1)


@pytest.mark.parametrize("category", ["feedback/tone", "capabilities/search", "anti-patterns/files"])
def test_claims_that_stand_on_their_own_end_nothing(one, clock, category):
    told(one, clock, "The limit is 10 files", "The limit is now 20 files", category=category)

    assert len(in_force(one)) == 2


def test_another_category_is_about_something_else_and_general_may_be_any(one, clock):
    one.remember("The launch is on June 16", category="project-context/launch")
    other = one.remember("The launch is on July 14", category="user-preferences/films")
    assert other.replaced == ()

    sorted_later = one.remember("The launch is now on August 1", category="general")
    assert len(sorted_later.replaced) == 2


def test_a_text_of_several_sentences_ends_what_one_of_them_is_about(one, clock):
    first, second = told(one, clock, "The rent is 1,200 euro", "Ana painted the fence. The rent is now 1,300 euro.")

    assert second.replaced == (first.id,)


def test_what_says_otherwise_is_not_added_to_the_memory_it_contradicts(one, clock):
    told(one, clock, "The wifi password is hunter2", "The wifi password is swordfish")

    assert in_force(one) == {"The wifi password is hunter2", "The wifi password is swordfish"}


def test_what_is_not_sure_is_proposed_and_comes_after_the_newer_one(scope, clock):
    old, new = told(scope, clock, "The wifi password is hunter2", "The wifi password is swordfish")
    (proposal,) = scope.ontology.proposals.list("pending")

    assert new.proposals == (proposal.id,)
    assert (proposal.operation, proposal.risk) == ("replace_memory", "review_required")
    assert (proposal.payload["older"], proposal.payload["newer"]) == (str(old.id), str(new.id))
    assert [each.quote for each in scope.ontology.proposals.evidence(proposal.id)] == [
        "The wifi password is swordfish",
        "The wifi password is hunter2",
    ]
    for question in ("what is the wifi password?", "is the wifi password hunter2?"):
        assert recalled(scope, question) == ["The wifi password is swordfish", "The wifi password is hunter2"]
        assert recalled(scope, question, limit=1) == ["The wifi password is swordfish"]
        found = [match.memory.id for match in scope.memories.search(question)]
        assert found == [new.id, old.id]


def test_accepting_ends_the_older_one_and_can_be_undone(scope, clock):
    old, _ = told(scope, clock, "The wifi password is hunter2", "The wifi password is swordfish")
    (proposal,) = scope.ontology.proposals.list("pending")

    applied = scope.ontology.proposals.apply(proposal.id, actor="ana")

    assert in_force(scope) == {"The wifi password is swordfish"}
    assert recalled(scope, "is the wifi password hunter2?") == ["The wifi password is swordfish"]
    assert scope.memories.get(old.id).archive_reason == "replaced"
    scope.undo(applied.audit)
    assert len(in_force(scope)) == 2


def test_after_a_rejection_both_stand_as_they_did(scope, clock):
    told(scope, clock, "The wifi password is hunter2", "The wifi password is swordfish")
    scope.ontology.proposals.reject(scope.ontology.proposals.list("pending")[0].id, reason="one is for guests")

    assert recalled(scope, "is the wifi password hunter2?")[0] == "The wifi password is hunter2"
    assert len(in_force(scope)) == 2


def test_a_proposal_about_what_is_gone_does_not_wait(scope, clock):
    told(scope, clock, "The wifi password is hunter2", "The wifi password is swordfish")
    scope.undo(scope.history()[0].id)
    assert scope.ontology.proposals.list("pending") == []

    old, _ = told(scope, clock, "The door is green", "The door is blue")
    assert len(scope.ontology.proposals.list("pending")) == 1
    scope.forget(old.id)
    assert scope.ontology.proposals.list("pending") == []


def test_users_of_one_agent_end_nothing_of_each_other(nacre, clock):
    ana, bob = nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="bob")
    first = ana.remember("The rent is 1,200 euro")
    second = bob.remember("The rent is 1,300 euro")

    assert second.replaced == ()
    assert ana.memories.get(first.id).status is Status.ACTIVE


@pytest.mark.parametrize("graph", [False, True])
def test_in_a_shared_memory_one_user_corrects_another(nacre, clock, graph):
    nacre.agent("crew").share(memory=True, knowledge_graph=graph)
    skipper, cook = nacre.scope("crew", user="skipper"), nacre.scope("crew", user="cook")
    first = skipper.remember("We sail on June 3")
    clock.advance(days=1)
    second = cook.remember("We sail on June 5 instead")

    assert second.replaced == (first.id,)
    assert recalled(skipper, "when do we sail?") == ["We sail on June 5 instead"]
    cook.undo(cook.history()[0].batch)
    assert recalled(skipper, "when do we sail?") == ["We sail on June 3"]

    skipper.remember("The stove is red")
    clock.advance(days=1)
    (proposal,) = cook.remember("The stove is blue").proposals
    assert [each.id for each in skipper.ontology.proposals.list("pending")] == [proposal]
    assert skipper.ontology.proposals.get(proposal).rationale
    skipper.ontology.proposals.apply(proposal)
    assert recalled(cook, "what colour is the stove?")[0] == "The stove is blue"
    assert "The stove is red" not in recalled(cook, "what colour is the stove?")


def test_proposals_of_both_homes_come_in_one_order(nacre, scope, clock):
    nacre.agent("assistant").share(knowledge_graph=True)
    told(scope, clock, "The stove is red", "The stove is blue")
    scope.ontology.submit([{"operation": "create_entity", "payload": {"name": "Acme"}}], propose=True)
    clock.advance(days=1)
    told(scope, clock, "The door is green", "The door is black")

    listed = [each.operation for each in scope.ontology.proposals.list()]
    assert listed == ["replace_memory", "create_entity", "replace_memory"]
    assert [each.operation for each in scope.ontology.proposals.list(limit=1, offset=1)] == ["create_entity"]


def test_of_many_saved_at_once_one_is_left_in_force(database_url):
    with Nacre(database_url) as nacre, Nacre(database_url) as other, ThreadPoolExecutor(6) as pool:
        scopes = [brain.scope("a", user="ana") for brain in (nacre, other) * 3]
        scopes[0].remember("The stand-up is at 9:00")
        texts = [f"The stand-up is at {hour}:30 now" for hour in range(9, 15)]
        saved = list(pool.map(lambda scope, text: scope.remember(text), scopes, texts))

        assert len(in_force(scopes[0])) == 1
        ended = [key for each in saved for key in each.replaced]
        assert len(ended) == len(set(ended)) == 6


def test_what_memories_replaced_is_told_newest_first(nacre, scope, clock):
    june, july, september = told(scope, clock, *PEBBLE)
    with nacre.parts.memories.read(scope.scope) as tx:
        before = successions.find_replaced(tx, [september.id, june.id])

    assert list(before) == [september.id]
    assert [(each.id, each.content, each.value) for each in before[september.id]] == [
        (july.id, PEBBLE[1], "July 14"),
        (june.id, PEBBLE[0], "June 16"),
    ]
    assert [each.ended_at for each in before[september.id]] == [september.memory.created_at, july.memory.created_at]


def test_contexts_show_what_is_in_force(scope, clock):
    told(scope, clock, *PEBBLE)

    shown = scope.context("when does Pebble launch?").text
    assert "September 1" in shown
    assert "launches on September 1 (before: July 14; June 16)" in shown
    assert shown.count("July 14") == shown.count("June 16") == 1


def test_a_reason_behind_the_value_hides_no_replacement(scope, clock):
    """As people write: the new day, a colon, and why."""
    told = (
        "Pebble launches on June 16.",
        "The launch moved from June 16 to July 14: the battery needs work.",
        "Pebble launches on September 1, the cases come from Plastika in August.",
    )
    made = []
    for text in told:
        clock.advance(days=10)
        made.append(scope.remember(text))

    assert [[scope.memories.get(each).content for each in one.replaced] for one in made] == [[], [told[0]], [told[1]]]
