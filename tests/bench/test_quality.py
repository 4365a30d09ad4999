"""The runner, on a real store with a handful of turns."""

from typing import Any

from bench.progress import Silent
from bench.quality import Answer, Plan, agreement, measure_set, ranking_of
from bench.questions import Pool, Question, QuestionSet, Unit
from bench.stores import cold_store, kind_of
from nacre import Turn

TURNS = (
    Turn(role="user", text="Grandmother keeps seven bees in a blue wooden hive.", session="s1", ref="t1"),
    Turn(role="user", text="The train to Vilnius leaves at noon.", session="s2", ref="t2"),
    Turn(role="user", text="My piano needs tuning before the concert.", session="s3", ref="t3"),
)


def question(**given: Any) -> Question:
    return Question(**{"id": "q1", "text": "Which hive holds the bees?", "kind": "plain", "evidence": {"t1"}, **given})


def question_set(*questions: Question, unit: Unit = "turn") -> QuestionSet:
    pool = Pool(key="pool", turns=TURNS, questions=questions)
    return QuestionSet(name="tiny", title="Tiny", unit=unit, limit=3, metrics=("R@1", "hit@1", "MRR"), pools=(pool,))


def test_a_set_is_observed_asked_and_scored():
    other = question(id="q2", text="When does the train to Vilnius leave?", kind="temporal", evidence={"t2"})

    figures = measure_set(question_set(question(), other), Plan(), Silent())

    assert figures["total"] == {"questions": 2, "R@1": 1.0, "hit@1": 1.0, "MRR": 1.0}
    assert figures["interval"] == {"R@1": [1.0, 1.0], "hit@1": [1.0, 1.0], "MRR": [1.0, 1.0]}
    assert set(figures["by"]) == {"plain", "temporal"}
    assert figures["turns"] == 3
    assert figures["recall_p50_ms"] > 0


def test_sessions_are_scored_where_the_set_ranks_sessions():
    figures = measure_set(question_set(question(evidence={"s1"}), unit="session"), Plan(), Silent())

    assert figures["total"]["hit@1"] == 1.0


def test_a_second_database_is_asked_the_same_questions(tmp_path):
    figures = measure_set(question_set(question()), Plan(same_as=str(tmp_path / "second.db")), Silent())

    assert figures["same"] == {"database": "sqlite", "questions": 1, "identical": 1, "different": []}


def test_a_given_database_may_be_measured_twice(tmp_path):
    """Earlier runs leave their turns behind, and must not be found again."""
    database = str(tmp_path / "kept.db")

    first, second = (measure_set(question_set(question()), Plan(database=database), Silent()) for _ in range(2))

    assert first["total"] == second["total"]


def test_sessions_rank_by_their_best_hit_and_relatives_are_taken_out():
    asked = question(evidence={"b"}, ignored={"relative"})

    assert ranking_of(["a", "relative", "a", None, "b"], asked, "session") == ("a", "b")


def test_two_hits_from_one_turn_keep_two_places():
    assert ranking_of(["a", "a", "b"], question(), "turn") == ("a", "a", "b")


def test_agreement_looks_at_the_first_ten_refs_in_order():
    long = tuple(f"t{n}" for n in range(11))
    first = [Answer(question(id="q1"), long, long, 0.1), Answer(question(id="q2"), ("a", "b"), (), 0.1)]
    second = [Answer(question(id="q1"), (*long[:10], "z"), (), 0.1), Answer(question(id="q2"), ("b", "a"), (), 0.1)]

    assert agreement(first, second) == {"questions": 2, "identical": 1, "different": ["q2"]}


def test_results_name_the_kind_of_database_and_never_its_address():
    assert kind_of("postgresql://ana:secret@db.example/brain") == "postgresql"
    assert kind_of("postgresql+psycopg://db.example/brain") == "postgresql"
    assert kind_of("brain.db") == kind_of(None) == "sqlite"


def test_a_cold_store_leaves_no_file_behind():
    with cold_store(None) as store:
        store.scope("bench", "user").observe_many(TURNS)

    assert store.suffix == ""
