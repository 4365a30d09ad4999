"""The comparison of rerankers, on a real store with a handful of turns."""

import pytest

from bench import rerank
from bench.progress import Silent
from bench.quality import Answer
from bench.questions import Pool, Question, QuestionSet
from nacre import Turn

TURNS = (
    Turn(role="user", text="How was the marathon in Boston?", speaker="Ana", session="s1", ref="t1"),
    Turn(role="user", text="Exhausting, I finished last", speaker="Tom", session="s1", ref="t2"),
    Turn(role="user", text="There is a marathon on television", speaker="Tom", session="s2", ref="t3"),
)
QUESTION = Question(id="q1", text="How did Tom do in the marathon?", kind="plain", evidence=frozenset({"t2"}))
SET = QuestionSet(
    name="tiny",
    title="Tiny",
    unit="turn",
    limit=3,
    metrics=("R@1", "MRR"),
    pools=(Pool(key="pool", turns=TURNS, questions=(QUESTION,)),),
)


def answer(*ranking: str) -> Answer:
    return Answer(QUESTION, ranking, ranking, 0.0)


def test_every_mode_is_asked_of_the_same_store_and_timed(monkeypatch):
    pytest.importorskip("onnxruntime")
    monkeypatch.setattr(rerank, "TIMED", 1)

    figures = rerank.measure([SET], Silent())

    scores = figures["sets"]["tiny"]
    assert [scores["total"][mode]["R@1"] for mode in rerank.MODES] == [0.0, 1.0, 1.0]
    assert scores["moved"]["plain"]["fast"] == {"better": 1, "worse": 0, "of": 1}
    assert all(taken > 0 for sizes in figures["times"]["tiny"].values() for taken in sizes.values())
    assert len(rerank.tables(figures)) == 4


def test_an_interval_holds_its_mean_and_narrows_to_it_when_all_questions_agree():
    up, same = (answer("t1"), answer("t2")), (answer("t1"), answer("t1"))
    before, after = zip(*[up] * 30 + [same] * 70, strict=True)

    mixed = rerank.change("R@1", before, after)
    agreed = rerank.change("R@1", before[:30], after[:30])

    assert mixed["mean"] == 0.3
    assert 0.2 < mixed["low"] < 0.3 < mixed["high"] < 0.4
    assert agreed == {"mean": 1.0, "low": 1.0, "high": 1.0}
