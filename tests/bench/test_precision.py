"""Contexts of stories, judged line by line."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from bench.contexts import measuring, precision, silence, stories
from bench.contexts.stories import DEV, HELD_BACK, Replay, StoryMessage
from bench.progress import Silent
from nacre import Context
from nacre.domain.contexts import ContextLine
from tests.bench.tiny_stories import STORY, WRITTEN

IDS = {item.id: uuid4() for item in STORY.items}


def line(text: str, *items: str, **given: Any) -> ContextLine:
    return ContextLine(**{"text": text, "label": "episode", "score": 0.5, "items": tuple(map(IDS.get, items)), **given})


def judged(*lines: ContextLine, needs: tuple[str, ...] = (), belongs: tuple[str, ...] = ()):
    """The judgement on a context of these lines."""
    message = StoryMessage(id="q", text="?", needs=frozenset(needs), belongs=frozenset(belongs))
    replay = Replay(STORY, None, {key: frozenset({item}) for item, key in IDS.items()})  # type: ignore[arg-type]
    return precision.judge(replay, message, Context(messages=(), tokens=20, lines=lines))


# Labels


@pytest.mark.parametrize("name", stories.NAMES)
def test_the_labels_of_a_story_are_whole(name):
    story = stories.load(name)
    texts = {item.id: item.text.casefold() for item in story.items}

    assert len(texts) == len(story.items)
    assert [item.at for item in story.items] == sorted(item.at for item in story.items)
    assert max(item.at for item in story.items) < story.asked_at
    assert len({message.id for message in story.messages}) == 70
    assert all(message.relevant <= story.facts.keys() for message in story.messages)
    for fact in story.facts.values():
        assert fact.items <= texts.keys()
        assert fact.ended_by is None or fact.ended_by in texts
        assert all(any(value.casefold() in texts[item] for item in fact.items) for value in fact.values)


def test_there_are_two_hundred_unrelated_messages():
    assert len(set(silence.load())) == 200


def test_every_third_message_is_held_back():
    assert [message.split for message in STORY.messages] == [DEV, DEV, HELD_BACK, DEV]


# Stories


def test_a_story_is_told_at_its_times_and_its_items_are_found_again():
    with stories.replay(STORY) as replay:
        hits = [*replay.scope.recall("Bruges"), *replay.scope.recall("shellfish")]

    told = {item.id: item.at for item in STORY.items}
    found = {item: hit.at for hit in hits for item in replay.items[hit.id]}
    assert found == {item: told[item] for item in ("t2", "t3", "m1")}


def test_the_parts_of_a_memory_that_was_split_come_from_the_same_item():
    split = {**WRITTEN["items"][1], "text": "Bellows takes one tablet twice a day. Vet is Dr Ozbič, Koroška cesta"}
    story = stories.to_story({**WRITTEN, "items": [WRITTEN["items"][0], split]})

    with stories.replay(story) as replay:
        entries = replay.scope.memories.newest()

    assert len(entries) == 2
    assert [replay.items[entry.id] for entry in entries] == [frozenset({"m1"})] * 2


def test_stories_are_asked_by_split_and_sent_unrelated_messages(tmp_path):
    plan = measuring.Plan(data=tmp_path)
    unrelated = ["Which planet has the most moons?"]

    dev = measuring.measure_stories([STORY], unrelated, plan, Silent())
    both = measuring.measure_stories([STORY], unrelated, replace(plan, held_back=True), Silent())

    assert list(dev["stories"]) == [DEV]
    assert dev["stories"][DEV]["all"] == dev["stories"][DEV]["tiny"]
    assert dev["stories"][DEV]["tiny"]["messages"] == 3
    assert dev["stories"][DEV]["tiny"]["missing"] == 0
    assert both["stories"][HELD_BACK]["tiny"]["idle"] == {"messages": 1, "answered": 0}
    assert dev["silence"]["tiny"] == {"messages": 1, "answered": 0, "lines": 0}


# Judgements


def test_a_line_belongs_by_its_item_and_the_value_in_it():
    lines = judged(
        line("- user: I moved to Bruges", "t2"),
        line("- user: I moved …", "t2"),
        line("- user: Bruges is lovely", "m1"),
        belongs=("f2",),
    ).lines

    assert [each.belongs for each in lines] == [True, False, False]


def test_a_needed_fact_may_be_stated_by_the_profile():
    profile = line("- nadia lives in Bruges", "t2", label="profile")

    assert judged(profile, needs=("f2", "f3")).missing == 1
    assert judged(profile).recalled == ()


def test_lines_that_are_less_sure_are_counted_apart():
    figures = precision.summarize(
        [
            judged(
                line("- nadia lives in Bruges", "t2", label="profile"),
                line("- user: I moved to Bruges", "t2"),
                line("- user: Ghent", "t1", sure=False),
                needs=("f2",),
            )
        ]
    )

    assert figures["all"] == {"lines": 2, "belong": 1}
    assert figures["sure"] == {"lines": 1, "belong": 1}
    assert figures["by"] == {
        "episode": {"lines": 1, "belong": 1},
        "less sure": {"lines": 1, "belong": 0},
        "profile": {"lines": 1, "belong": 1},
    }
    assert figures["lines"] == 2


def test_a_value_that_ended_is_shown_as_current_where_nothing_says_so():
    (alone,) = judged(line("- user: I live in Ghent", "t1")).lines

    assert (alone.outdated_own, alone.as_current_own) == (True, True)


@pytest.mark.parametrize(
    "text",
    [
        "- nadia lives in Bruges (before: Ghent)",
        "- [2026-01-04] user: I live in Ghent (no longer so)",
        "- user: I live in Ghent, rent 700 (outdated since 2026-05-02: 700 → 750; since 2026-06-01: in Ghent → Bruges)",
    ],
)
def test_a_line_may_say_itself_that_a_value_ended(text):
    (marked,) = judged(line(text, "t1")).lines

    assert (marked.outdated, marked.as_current) == (True, False)


@pytest.mark.parametrize("item", ["t2", "t3"])
def test_a_value_that_ended_is_not_shown_as_current_beside_what_came_after(item):
    first, _ = judged(line("- user: I live in Ghent", "t1"), line("- user: Bruges", item)).lines

    assert (first.outdated_own, first.as_current) == (True, False)


def test_a_value_that_ended_and_belongs_is_not_held_against_its_line():
    (asked_for,) = judged(line("- user: I live in Ghent", "t1"), belongs=("f1",)).lines

    assert not asked_for.outdated


def test_a_word_in_another_item_is_told_from_the_statement_of_a_fact():
    (chance,) = judged(line("- Ghent has no shellfish", "m1")).lines

    assert (chance.outdated, chance.outdated_own) == (True, False)
    assert (chance.as_current, chance.as_current_own) == (True, False)
