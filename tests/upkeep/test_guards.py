"""Each guard on its own."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.memories import MERGED_FROM, Memory
from nacre.upkeep import guards, ratings
from nacre.upkeep.ratings import FADED, FadedRating

NOW = datetime(2026, 5, 1, tzinfo=UTC)

pytestmark = pytest.mark.spec("D2")


def entry(content: str = "Ana likes tea", *, days: int = 0, **given) -> Memory:
    at = NOW + timedelta(days=days)
    times = {"created_at": at, "updated_at": at, "last_seen_at": at}
    return Memory(
        id=MemoryId(uuid4()),
        content=content,
        source=SourceId(uuid4()),
        quote=(0, len(content)),
        **{"category": "general", **times, **given},
    )


def refused(check, *given, **more) -> str:
    with pytest.raises(Invalid) as caught:
        check(*given, **more)
    return str(caught.value)


def test_only_what_was_shown_can_be_named():
    one = entry()
    known = {one.short: one}

    assert guards.shown([one.short, one.short], known) == [one]
    assert guards.shown([], known) == []
    assert "not among the entries shown" in refused(guards.shown, [one.short, str(one.id)], known)


def test_one_to_three_entries_of_one_kind_may_be_joined():
    guards.check_joinable([entry()])
    guards.check_joinable([entry(category="a/b"), entry(category="a/c"), entry(category="a")])
    assert "not 4" in refused(guards.check_joinable, [entry() for _ in range(4)])
    assert "not 0" in refused(guards.check_joinable, [])
    assert "different categories" in refused(guards.check_joinable, [entry(category="a"), entry(category="b")])
    assert "stand on their own" in refused(guards.check_joinable, [entry(category="feedback")] * 2)


@pytest.mark.parametrize(("depth", "fine"), [("0", True), ("2", True), ("3", False), ("12", False), ("x", True)])
def test_a_chain_of_rewritings_ends_after_three(depth, fine):
    chain = [entry(), entry(metadata={guards.MERGE_DEPTH: depth})]
    if fine:
        guards.check_joinable(chain)
    else:
        assert "3 times" in refused(guards.check_joinable, chain)
    guards.check_joinable(chain, rewritten=False)


def test_only_what_the_host_found_alike_may_be_joined():
    one, two, three = entry(), entry(), entry()

    guards.check_related([one], [])
    guards.check_related([one, two], [(one, two, three)])
    assert "not alike" in refused(guards.check_related, [one, three], [(one, two), (three,)])


@pytest.mark.parametrize(
    ("sources", "content", "gone"),
    [
        (["Ana met Bruno", "Ana met Carla"], "Ana met Bruno", "Carla"),
        (["The NATO summit is in May", "A summit is in May"], "A summit is in May", "NATO"),
        (["It costs 4500 euros", "It costs euros"], "It costs many euros", "4500"),
        (["The invoice is INV-2291"], "The invoice has a number", "INV"),
        (["the user prefers dark mode", "the user prefers strong black coffee"], "the user prefers dark mode", "coffe"),
        (["阿娜 uses Kubernetes"], "阿娜 uses containers", "Kubernetes"),
    ],
)
def test_names_acronyms_numbers_and_most_words_survive_a_merge(sources, content, gone):
    assert gone in refused(guards.check_kept, [entry(each) for each in sources], content)


def test_a_merge_may_say_the_same_in_fewer_words():
    sources = [entry("The launch of Pebble moved to May 31"), entry("Pebble's launch moved to 31 May, because of rain")]

    guards.check_kept(sources, "The Pebble launch moved to May 31 because of rain")


def test_a_merge_may_not_invent_a_name_a_number_or_a_not():
    sources = [entry("Ana likes green tea"), entry("Ana likes green tea very much")]

    assert "Zoltan" in refused(guards.check_kept, sources, "Ana likes green tea very much, as Zoltan does")
    assert "77" in refused(guards.check_kept, sources, "Ana likes green tea very much, 77 cups")
    assert "not" in refused(guards.check_kept, sources, "Ana does not like green tea very much")
    assert "longer" in refused(guards.check_kept, sources, "Ana likes green tea very much " + "and so on " * 100)


def test_of_a_protected_entry_every_word_survives():
    plain = "the cottage by the lake has seven small blue windows and one door"
    less = "the cottage by the lake has seven small windows and one door"

    guards.check_kept([entry(plain)], less)
    assert "protected" in refused(guards.check_kept, [entry(plain, importance=0.8)], less)


@pytest.mark.parametrize(
    ("given", "protected"),
    [
        ({"importance": 0.79, "reinforced": 4}, False),
        ({"importance": 0.80}, True),
        ({"reinforced": 5}, True),
        ({"importance": 0.2, "metadata": {FADED: FadedRating(rating=0.8, left=0.2, seen="").text()}}, True),
        ({"importance": 0.2, "metadata": {FADED: "not json"}}, False),
        ({"importance": 0.2, "metadata": {FADED: "[1]"}}, False),
    ],
)
def test_importance_or_reinforcement_protects_and_age_does_not_take_that_away(given, protected):
    assert ratings.is_protected(entry(**given)) is protected


def test_an_entry_goes_only_if_another_says_all_of_it():
    fact = entry("Carla is allergic to peanuts")

    guards.check_prunable(fact, [fact, entry("Carla is allergic to peanuts and bees")])
    for other in (
        fact,
        entry("Carla is allergic to bees"),
        entry("Carla is not allergic to peanuts"),
        entry("Carla is allergic to peanuts", category="user-preferences"),
    ):
        assert "no other entry" in refused(guards.check_prunable, fact, [other])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("the train from lisbon to porto leaves at 9", "the train from porto to lisbon leaves at 9"),
        ("Carla beat Diego 3 to 2", "Carla beat Diego 2 to 3"),
        ("Ana le prestó la bici a Bruno", "Bruno le prestó la bici a Ana"),
    ],
)
def test_the_same_words_in_another_order_say_something_else(one, two):
    assert "no other entry" in refused(guards.check_prunable, entry(one), [entry(two)])


def test_noise_may_go():
    guards.check_prunable(entry("ok thanks"), [])
    assert "protected" in refused(guards.check_prunable, entry("ok thanks", importance=0.9), [])


def test_the_host_counts_times_and_sightings():
    sources = [
        entry(days=5, reinforced=2, importance=0.3, tags=("a",), metadata={"k": "old"}),
        entry(days=1, reinforced=3, importance=0.6, tags=("b",), metadata={"k": "older", "requires": "true"}),
    ]

    made = guards.joined(sources, entry("merged", days=9, tags=("c",)), rewritten=True)

    assert (made.created_at, made.last_seen_at) == (NOW + timedelta(days=1), NOW + timedelta(days=5))
    assert (made.reinforced, made.importance, made.tags) == (5, 0.6, ("c", "b", "a"))
    assert made.metadata == {
        "k": "older",
        "requires": "true",
        MERGED_FROM: f"{sources[1].id} {sources[0].id}",
        guards.MERGE_DEPTH: "1",
    }


def test_an_entry_that_stays_keeps_where_it_came_from():
    old = entry(metadata={MERGED_FROM: "x y", guards.MERGE_DEPTH: "2"})
    new = entry(days=1)

    made = guards.joined([old, new], old, rewritten=False)

    assert made.metadata == {MERGED_FROM: f"x y {new.id}", guards.MERGE_DEPTH: "2"}


@given(st.floats(allow_nan=False), st.lists(st.floats(0, 1), min_size=1, max_size=3))
def test_importance_stays_on_the_scale_and_never_falls(proposed, rated):
    sources = [entry(importance=each) for each in rated]

    made = guards.importance(proposed, sources)

    assert max(rated) <= made <= max(0.95, *rated)
    assert made >= guards.LEAST_IMPORTANT


@pytest.mark.parametrize(
    ("times", "days", "may"),
    [
        (1, 6, False),
        (1, 7, True),
        (2, 13, False),
        (2, 14, True),
        (3, 28, True),
        (4, 55, False),
        (4, 56, True),
        (99, 56, True),
    ],
)
def test_a_settled_group_rests_a_week_then_twice_as_long_up_to_eight(times, days, may):
    assert guards.may_reopen(NOW, times, NOW + timedelta(days=days)) is may
