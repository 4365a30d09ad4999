"""Stories in which something changes: what counts as known, stale, wrongly ended and recalled first."""

import pytest

from bench import updates
from bench.progress import Silent

STORY = {
    "id": "t-1",
    "lang": "en",
    "kind": "home",
    "turns": [
        {"at": "2025-03-02", "speaker": "user", "text": "I live in Berlin and I work at Acme."},
        {"at": "2025-05-02", "speaker": "user", "text": "I moved to Lisbon last month."},
    ],
    "asks": [
        {
            "question": "Where does the user live?",
            "about": "user",
            "current": ["Lisbon"],
            "outdated": ["Berlin"],
            "still": ["Acme"],
        }
    ],
}


@pytest.mark.parametrize("door", updates.DOORS)
def test_a_plain_move_is_known_and_nothing_else_ended(door):
    [judged] = updates.judge(STORY, door, "rules")

    assert judged["told"]
    assert (judged["right"], judged["stale"], judged["wrongly ended"]) == (True, False, False)


def test_a_change_that_nobody_understood_is_stale():
    turns = [*STORY["turns"][:1], {"at": "2025-05-02", "speaker": "user", "text": "Hm, the weather again."}]
    [judged] = updates.judge({**STORY, "turns": turns}, "observe", "rules")

    assert (judged["right"], judged["known"], judged["stale"]) == (False, False, True)


def test_every_value_of_the_shipped_stories_is_said_in_them():
    sizes = {"open": 100, "sealed": 100, "open-2": 60, "sealed-2": 60, "sealed-3": 60}
    assert set(updates.SPLITS) == sizes.keys()
    for split, size in sizes.items():
        stories = updates.load(split)
        assert len(stories) == size
        for story in stories:
            told = " ".join(turn["text"] for turn in story["turns"])
            values = [
                value for ask in story["asks"] for name in ("current", "outdated", "still") for value in ask[name]
            ]
            assert [value for value in values if value not in told] == [], story["id"]


def test_figures_are_shares_of_what_was_asked():
    found = updates.figures(updates.judge(STORY, "observe", "rules"))

    assert (found["asked"], found["right"], found["by_kind"]) == (1, 1.0, {"home": 1.0})
    [table] = updates.tables({"updates": {"figures": {"open, observe": found}}})
    assert table.rows[0][:3] == ("open, observe", "1", "100%")


def test_measuring_tells_how_far_it_is(monkeypatch):
    monkeypatch.setattr(updates, "load", lambda _split: [STORY])

    measured = updates.measure("rules", ["open"], Silent())

    assert set(measured["figures"]) == {"open, observe", "open, remember"}
