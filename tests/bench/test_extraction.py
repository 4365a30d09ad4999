"""Facts by rules, scored."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from bench import dialogre, extraction, results
from bench.app import app
from nacre import Turn
from nacre.extraction.rule_extraction import extract


def relation(x: str, y: str, kind: str, y_type: str = "PER") -> dict[str, Any]:
    return {"x": x, "y": y, "r": [kind], "t": [""], "x_type": "PER", "y_type": y_type}


def turn(text: str, speaker: str | None = None) -> Turn:
    return Turn(role="user", text=text, speaker=speaker)


def scored(turns: list[Turn], *relations: dict[str, Any]) -> dict[str, Any]:
    scores = dialogre.Dialogre()
    scores.score(dialogre.read(turns), relations)
    return scores.figures()


def test_a_stated_relation_counts_for_both_directions():
    figures = scored(
        [turn("My brother Tom lives in Rome.", "Speaker 1")],
        relation("Speaker 1", "Tom", "per:siblings"),
        relation("Tom", "Speaker 1", "per:siblings"),
        relation("Tom", "Rome", "per:place_of_residence", "GPE"),
        relation("Tom", "Speaker 2", "per:friends"),
    )

    assert figures["relations"]["per:siblings"] == {"found": 2, "of": 2}
    assert figures["relations"]["per:friends"] == {"found": 0, "of": 1}
    assert (figures["right"], figures["wrong"], figures["recall"]) == (2, 0, 0.75)
    assert figures["entities"]["places"] == {"found": 1, "typed": 1, "of": 1}


def test_a_fact_that_contradicts_its_pairs_labels_is_wrong_and_one_without_labels_is_beside():
    figures = scored(
        [turn("My brother Tom met my friend Ana.", "Speaker 1")], relation("Speaker 1", "Tom", "per:spouse")
    )

    assert (figures["right"], figures["wrong"], figures["beside"]) == (0, 1, 1)


def test_another_name_of_a_speaker_is_the_speaker():
    figures = scored(
        [turn("I'm Tom. My wife Ana is here.", "Speaker 1")],
        relation("Speaker 1", "Tom", "per:alternate_names"),
        relation("Tom", "Ana", "per:spouse"),
    )

    assert figures["recall"] == 1.0


def test_names_of_a_question_leave_out_times_and_its_first_word():
    found = list(extraction.names_in("When did Melanie's friend visit New York in May or on Friday with Tom?"))

    assert found == ["Melanie", "New York", "Tom"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("I live in Rome.", None), ("I love hiking.", None), ("I own 2 BTC.", None)],
)
def test_plain_facts_are_not_junk(text, reason):
    (fact,) = extract(text).facts

    assert extraction.junk(turn(text), fact) is reason


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "write", lambda document: results.FOLDER / "unwritten.json")
    (tmp_path / "dialogre").mkdir()
    dialogues = [[["Speaker 1: My brother Tom is here."], [relation("Speaker 1", "Tom", "per:siblings")]]]
    conversation = {
        "session_1": [{"speaker": "Ana", "text": "I visited Rome.", "dia_id": "D1:1"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    }
    question = {"question": "When did Ana visit Rome?", "evidence": ["D1:1"], "category": 2}
    sessions = [{"id": "s", "turns": [{"role": "user", "content": "I live in Oslo."}]}]
    for name, content in (
        ("dialogre/dev.json", dialogues),
        ("locomo-dev.json", [{"sample_id": "x", "conversation": conversation, "qa": [question]}]),
        ("longmemeval-sessions.json", sessions),
    ):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


def test_the_command_measures_all_three_sets(data):
    said = CliRunner().invoke(app, ["extraction", "--json", "--data", str(data)])

    figures = json.loads(said.stdout)["extraction"]
    assert figures["dialogre"]["recall"] == 1.0
    assert figures["locomo"]["names in questions"] == {"found": 1, "of": 1}
    assert figures["junk"]["longmemeval"] == {"facts": 1, "junk": 0}


def test_the_command_shows_tables_and_no_sentences(data):
    said = CliRunner().invoke(app, ["extraction", "--data", str(data)])

    assert said.exit_code == 0
    assert "sentences/s" in said.stdout
    assert "Oslo" not in said.stdout


def test_the_sample_is_a_page_of_different_facts():
    found = [dialogre.read([turn("I live in Rome."), turn("I live in Rome."), turn("I love tea.")])]

    page = extraction.page(extraction.sample(found))

    assert page.count("| lives_in |") == 1
    assert "| preferences.love | user | prefers | tea |" in page
