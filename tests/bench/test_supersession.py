"""Labelled updates and names, and how decisions on them are scored."""

import json
from collections import Counter
from typing import Any

import pytest
from typer.testing import CliRunner

from bench import results, supersession
from bench.app import app
from nacre.domain.claims import Slot
from nacre.graph.beliefs.supersession import Action

UPDATES, NAMES = supersession.load()


def test_there_are_enough_labels_of_every_kind():
    kinds = Counter(label["kind"] for label in UPDATES)
    held_out = sum(label["split"] != "tuning" for label in UPDATES)

    assert len(kinds) == 12
    assert min(kinds.values()) >= 15
    assert len(UPDATES) >= 220
    assert held_out >= 0.4 * len(UPDATES)
    assert len(NAMES) >= 60


def test_labels_are_whole():
    actions = {*Action, supersession.NOTHING}

    assert len({label["id"] for label in [*UPDATES, *NAMES]}) == len(UPDATES) + len(NAMES)
    for label in UPDATES:
        assert label["split"] in supersession.SPLITS
        assert label["expected"]
        assert actions.issuperset(label["expected"])
        assert Slot.of(label["aspect"], label["group"], label["claim"]).claim == label["claim"]


def label(expected: list[str], *, beside: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "kind": "replacement",
        "split": "tuning",
        "aspect": "taste",
        "group": "general",
        "claim": "favourite_colour",
        "old": "blue",
        "old_date": "2025-01-01",
        "beside": beside,
        "new": "green",
        "new_date": "2025-02-01",
        "sentence": None,
        "expected": expected,
    }


@pytest.mark.parametrize(
    ("expected", "ended", "right"),
    [(["replace"], ("blue",), True), (["add"], ("blue",), False), (["replace"], ("blue", "red"), False)],
)
def test_a_decision_is_right_when_it_is_expected_and_ends_the_old_value_only(expected, ended, right):
    judged = supersession.Judged(label(expected), supersession.Decided("replace", ended))

    assert judged.right is right


def test_the_write_time_rule_misses_a_plain_replacement_and_sees_a_marker_inside_a_word():
    plain = label(["replace"])
    marked = {**plain, "claim": "tools_of_team", "old": "Kiln", "new": "Loom", "sentence": "Ana knows Loom."}

    assert supersession.signet(plain).ended == ()
    assert supersession.signet(marked).ended == ("Kiln",)


def test_the_command_shows_both_splits_and_every_error(monkeypatch):
    monkeypatch.setattr(results, "write", lambda document: results.FOLDER / "unwritten.json")

    said = CliRunner().invoke(app, ["supersession", "--json"])

    document = json.loads(said.stdout)
    wrong = sum(scores["labels"] - scores["right"] for scores in document["updates"].values())
    assert set(document["updates"]) == set(supersession.SPLITS)
    assert len(document["errors"]) == wrong
    assert CliRunner().invoke(app, ["supersession"]).exit_code == 0
