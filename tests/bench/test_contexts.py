"""Evidence, scores and updates of contexts, on real stores with a handful of turns, and the command."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from bench import results
from bench.app import app
from bench.contexts import evidence, measuring, showing, stories, talks, updates
from bench.contexts.scores import Reliability, auroc, bin_names
from bench.contexts.stories import DEV
from bench.errors import UnknownSet
from bench.progress import Silent
from bench.questions import Pool, Question, QuestionSet
from bench.stores import cold_store
from nacre import Evidence, Hit, Kind, Turn
from nacre.domain.ids import SourceId
from tests.bench.tiny_stories import STORY, WRITTEN

START = datetime(2026, 1, 4, 19, tzinfo=UTC)
# Evidence


def hit(text: str, ref: str, score: float = 0.5, session: str = "s1") -> Hit:
    source = Evidence(id=SourceId(uuid4()), quote=text, start=0, end=len(text), ref=ref, session=session, role="user")
    return Hit(id=uuid4(), kind=Kind.TURN, text=text, score=score, at=START, source=source)


def test_plain_hits_end_with_the_first_that_does_not_fit():
    hits = [hit("Bees live here.", "t1"), hit("word " * 400, "t2"), hit("Short.", "t3")]

    lines = list(evidence.plain_lines(hits, 100))

    assert [each.text for each in lines] == ["- [2026-01-04] user: Bees live here."]


@pytest.mark.parametrize(("text", "whole"), [("- user: one two three …", True), ("- user: one two …", False)])
def test_a_line_is_whole_with_most_words_of_its_turn(text, whole):
    assert evidence.holds(text, "one two three four five") is whole


TURNS = (
    Turn(role="user", text="Grandmother keeps seven bees in a blue wooden hive.", session="s1", at=START, ref="t1"),
    Turn(role="user", text="The train to Vilnius leaves at noon.", session="s2", at=START, ref="t2"),
    Turn(
        role="user",
        text="The train to Vilnius leaves at one now.",
        session="s3",
        at=START + timedelta(days=9),
        ref="t3",
    ),
)
BEES = Question(id="q1", text="Which hive holds the bees?", kind="plain", evidence=frozenset({"t1"}))
TRAIN = Question(
    id="q2", text="When does the train to Vilnius leave?", kind="knowledge-update", evidence=frozenset({"s2", "s3"})
)
TALKS = talks.TalkSet(
    questions=QuestionSet(
        name=measuring.SILENT,
        title="Tiny",
        unit="turn",
        limit=3,
        metrics=(),
        pools=(Pool(key="pool", turns=TURNS, questions=(BEES,)),),
    ),
    unanswerable={"pool": ("Which hive holds the wasps?",)},
    updates=(TRAIN,),
)


def test_a_talk_set_is_observed_and_asked_everything():
    figures = measuring.ask_set(TALKS, ["What is the boiling point of iron?"], Silent())

    assert all(of_context.found == plain.found == 1.0 for of_context, plain in figures.comparisons[0].values())
    assert figures.answerable[0] > figures.unrelated[0]
    assert len(figures.unanswerable) == 1
    assert figures.silence["Tiny pool"]["messages"] == 1
    assert figures.updates["questions"] == 1


def test_the_best_score_does_not_depend_on_how_many_hits_are_asked_for():
    """One recall serves the plain context and the best score."""
    with cold_store(None) as store:
        scope = talks.observe(store, TALKS.questions, TALKS.questions.pools[0], lambda _: None).scope

        assert scope.recall(BEES.text, limit=1)[0].score == scope.recall(BEES.text, limit=200)[0].score


# Scores


def test_the_area_is_the_chance_that_a_positive_scores_higher():
    assert auroc([0.9, 0.8], [0.1]) == 1.0
    assert auroc([0.5], [0.5]) == 0.5
    assert auroc([0.9, 0.1], [0.5]) == 0.5
    assert auroc([], [0.5]) is None


def test_hits_are_counted_by_score_and_ignored_ones_are_not():
    reliability = Reliability()
    question = Question(id="q", text="?", kind="plain", evidence=frozenset({"t1"}), ignored=frozenset({"relative"}))

    reliability.add(
        [hit("a", "t1", 0.4), hit("b", "t2", 0.5), hit("c", "t3", 0.02), hit("d", "t4", 0.5, "relative")], question
    )

    figures = reliability.figures()
    assert figures[bin_names()[-1]] == {"hits": 2, "score": 0.45, "evidence": 0.5}
    assert figures["0.02–0.05"]["hits"] == 1
    assert figures["0–0.02"] == {"hits": 0, "score": None, "evidence": None}


# Updates


@pytest.mark.parametrize(
    ("ranking", "first"),
    [
        (["new", "old"], True),
        (["other", "new"], True),
        (["old", "new"], False),
        (["old"], False),
        ([], False),
    ],
)
def test_the_newest_session_is_first_where_no_older_one_comes_before_it(ranking, first):
    assert updates.is_first("new", {"new", "old"}, ranking) is first


# Talk sets


def test_the_turns_that_hold_an_answer_are_the_evidence(written):
    told = [{"role": "user", "content": "yes", "has_answer": True}, {"role": "assistant", "content": "no"}]
    sessions = [
        {"id": key, "date": "2023/04/10 (Mon) 17:50", "turns": told} for key in ("answer_a_1", "answer_a_2")
    ] + [{"id": "answer_b_1", "date": "2023/04/11 (Tue) 17:50", "turns": told[1:]}]
    asked = {"question_type": "knowledge-update", "question": "What?", "question_date": "2023/05/02 (Tue) 09:00"}
    data = written("longmemeval-sessions.json", sessions)
    written(
        "longmemeval-dev-questions.json",
        [
            {**asked, "question_id": "q1", "answer_session_ids": ["answer_a_1", "answer_a_2"]},
            {**asked, "question_id": "q2", "answer_session_ids": ["answer_b_1"]},
            {**asked, "question_id": "q3_abs", "question": "Never said?", "answer_session_ids": ["answer_a_1"]},
        ],
    )

    loaded = talks.load_longmemeval(data)

    (question,) = loaded.questions.pools[0].questions
    assert question.evidence == {"answer_a_1:0", "answer_a_2:0"}
    assert loaded.unanswerable == {"all": ("Never said?",)}
    assert [each.id for each in loaded.updates] == ["q1"]
    assert loaded.updates[0].evidence == {"answer_a_1", "answer_a_2"}


def test_a_sample_is_always_the_same():
    values = tuple(range(50))

    assert talks.draw(values, 5) == talks.draw(values, 5)
    assert len(set(talks.draw(values, 5))) == 5
    assert talks.draw(values, 90) == values


# The command


@pytest.fixture
def tiny_stories(tmp_path, monkeypatch):
    """One tiny story in place of the three, and no result file."""
    folder = tmp_path / "stories"
    folder.mkdir()
    (folder / "tiny.json").write_text(json.dumps(WRITTEN), encoding="utf-8")
    monkeypatch.setattr(stories, "FOLDER", folder)
    monkeypatch.setattr(stories, "NAMES", ("tiny",))
    monkeypatch.setattr(results, "write", lambda document: results.FOLDER / "unwritten.json")


def test_without_data_the_command_says_so_and_measures_the_rest(tiny_stories, tmp_path):
    said = CliRunner().invoke(app, ["context", "--questions", "2", "--data", str(tmp_path), "--json"])

    document = json.loads(said.stdout)
    assert said.exit_code == 0
    assert "No `locomo-dev.json` in " in said.stderr
    assert document["section"] == "context-sample"
    assert document["missing"] == list(talks.FILES)
    assert document["stories"][DEV]["tiny"]["messages"] == 2
    assert document["silence"]["tiny"]["messages"] == 2
    assert document["evidence"] == document["updates"] == {}
    assert [table.title for table in showing.tables(document)][-1] == "Unrelated messages that got something"


@pytest.mark.parametrize("option", [["--questions", "2"], []])
def test_neither_a_sample_nor_a_run_without_data_is_published(tiny_stories, tmp_path, option):
    said = CliRunner().invoke(app, ["context", *option, "--publish", "--data", str(tmp_path)])

    assert said.exit_code == 2
    assert said.stdout == ""


def test_parts_that_were_not_asked_keep_their_figures_and_their_commit():
    by_part = ("silence", "evidence", "separation", "reliability", "updates")
    published = {key: {"locomo": 1, "longmemeval": 2} for key in by_part} | {"stories": {DEV: 3}}
    anew: dict[str, Any] = {key: {"locomo": 4} for key in by_part} | {"stories": {}, "missing": []}

    merged = measuring.merge(
        published | {"commits": {"locomo": "aaa", "longmemeval": "bbb"}}, anew | {"commits": {"locomo": "ccc"}}
    )

    assert merged["evidence"] == {"locomo": 4, "longmemeval": 2}
    assert merged["commits"] == {"locomo": "ccc", "longmemeval": "bbb"}
    assert merged["stories"] == {DEV: 3}


def test_an_unknown_part_is_refused_with_those_there_are():
    with pytest.raises(UnknownSet, match="stories, locomo, longmemeval"):
        measuring.Plan(data=results.FOLDER, parts=["dreams"])


def test_every_part_has_its_table():
    measured = measuring.ask_set(TALKS, ["What is the boiling point of iron?"], Silent())
    told = measuring.measure_stories([STORY], ["ok"], measuring.Plan(data=results.FOLDER), Silent())
    document = {
        "missing": [],
        "commits": {"stories": "0123456"},
        **told,
        **measuring.talk_figures({"tiny": ("Tiny", measured)}),
    }

    shown = showing.tables(document)

    assert [table.title.partition(":")[0].partition(" (")[0] for table in shown] == [
        "Parts of this measurement",
        "Evidence in the context",
        "Stories",
        "Stories",
        "Stories",
        "Unrelated messages that got something",
        "Best score",
        "Reliability of scores",
        "What changed",
    ]
    assert all(len(row) == len(table.columns) for table in shown for row in table.rows)
