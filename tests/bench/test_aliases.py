"""Pairs of names from dialogues."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from bench import aliases, results
from bench.app import app


def relation(x: str, y: str, *kinds: str, y_type: str = "PER") -> dict[str, Any]:
    return {"x": x, "y": y, "r": list(kinds), "x_type": "PER", "y_type": y_type}


RELATIONS = [
    relation("Joshua", "Josh", aliases.SAME),
    relation("Speaker 1", "Mon", aliases.SAME),
    relation("Monica", "Speaker 1", aliases.SAME),
    relation("Monica", "Josh", "per:friends"),
    relation("Monica", "chef", "per:title", y_type="STRING"),
]


def test_two_names_are_listed_linked_by_a_speaker_or_neither():
    kinds = {(each.one, each.other): each.kind for each in aliases.couples(RELATIONS)}

    assert kinds == {
        ("Josh", "Joshua"): "listed",
        ("Josh", "Mon"): "other",
        ("Josh", "Monica"): "other",
        ("Joshua", "Mon"): "other",
        ("Joshua", "Monica"): "other",
        ("Mon", "Monica"): "linked",
    }


def test_right_and_wrong_are_counted_for_each_verdict():
    found = [aliases.Couple("Josh", "Joshua", "listed"), aliases.Couple("Marcel", "Marce", "other")]

    scores = aliases.measure(found)["scores"]["names"]

    assert scores["automatic"] == {"right": 0, "wrong": 0, "precision": None, "recall": 0.0, "recall_linked": None}
    assert scores["flagged"] == {"right": 1, "wrong": 1, "precision": 0.5, "recall": 1.0, "recall_linked": None}


@pytest.fixture
def dialogues(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "write", lambda document: results.FOLDER / "unwritten.json")
    (tmp_path / "dialogre").mkdir()
    for name in aliases.FILES:
        (tmp_path / name).write_text(json.dumps([[["Speaker 1: Hi."], RELATIONS]]), encoding="utf-8")
    return tmp_path


def test_the_command_shows_figures_and_no_names(dialogues):
    said = CliRunner().invoke(app, ["aliases", "--json", "--data", str(dialogues)])

    assert json.loads(said.stdout)["aliases"]["couples"] == {"listed": 2, "linked": 2, "other": 8}
    assert "Monica" not in said.stdout


def test_the_command_shows_a_table(dialogues):
    said = CliRunner().invoke(app, ["aliases", "--data", str(dialogues)])

    assert said.exit_code == 0
    assert "precision" in said.stdout
