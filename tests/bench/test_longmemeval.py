from datetime import UTC, datetime
from typing import Any

import pytest

from bench.longmemeval import family, load, load_small, parse_date, questions_of, relatives, session_of, small_pool


def session(key: str, date: str = "2023/04/10 (Mon) 17:50") -> dict[str, Any]:
    turns = [{"role": "user", "content": f"asks in {key}"}, {"role": "assistant", "content": f"answers in {key}"}]
    return {"id": key, "date": date, "turns": turns}


def question(key: str, *evidence: str) -> dict[str, Any]:
    asked = {"question": "What?", "question_date": "2023/05/02 (Tue) 09:00"}
    about = {"question_id": key, "question_type": "multi-session", **asked}
    return {**about, "answer_session_ids": list(evidence)}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("answer_4be1b6b4_2", "answer_4be1b6b4"),
        ("answer_4be1b6b4_abs_1", "answer_4be1b6b4_abs"),
        ("answer_sharegpt_GYqnAhC_190", "answer_sharegpt_GYqnAhC"),
        ("answer_3e012175", "answer_3e012175"),
        ("answer_59547700", "answer_59547700"),
        ("answer_ultrachat_113156", "answer_ultrachat_113156"),
    ],
)
def test_a_family_is_the_id_without_its_number(key, expected):
    assert family(key) == expected


def test_relatives_are_of_the_evidence_s_family_but_no_evidence():
    sessions = ["answer_a_1", "answer_a_2", "answer_a_3", "answer_b_1"]

    assert relatives({"answer_a_1", "answer_a_3"}, sessions) == {"answer_a_2"}


def test_dates_are_utc():
    assert parse_date("2023/04/10 (Mon) 17:50") == datetime(2023, 4, 10, 17, 50, tzinfo=UTC)


def test_a_session_keeps_its_roles_and_gives_every_turn_a_ref():
    turns = session_of(session("answer_a_1")).turns

    assert [(turn.role, turn.ref, turn.session) for turn in turns] == [
        ("user", "answer_a_1:0", "answer_a_1"),
        ("assistant", "answer_a_1:1", "answer_a_1"),
    ]


def test_questions_without_an_answer_are_left_out():
    entries = [question("q1", "answer_a_1"), question("q2_abs", "answer_a_1")]

    assert [each.id for each in questions_of(entries, ["answer_a_1"])] == ["q1"]


def test_a_small_pool_holds_the_evidence_no_relatives_and_is_always_the_same():
    sessions = [session_of(session(f"answer_{letter}_{n}")) for letter in "abcdefgh" for n in (1, 2)]
    (asked,) = questions_of([question("q1", "answer_a_1")], [each.id for each in sessions])

    pool = small_pool(asked, sessions, size=6)
    chosen = {turn.session for turn in pool.turns}

    assert len(chosen) == 6
    assert "answer_a_1" in chosen
    assert "answer_a_2" not in chosen
    assert pool == small_pool(asked, sessions, size=6)


def test_one_pool_searches_all_sessions_in_the_order_they_happened(written):
    written("longmemeval-sessions.json", [session("answer_b_1", "2023/05/02 (Tue) 08:00"), session("answer_a_1")])
    folder = written("longmemeval-dev-questions.json", [question("q1", "answer_b_1")])

    (pool,) = load(folder).pools

    assert [turn.session for turn in pool.turns] == ["answer_a_1", "answer_a_1", "answer_b_1", "answer_b_1"]


def test_small_pools_are_one_a_question(written):
    written("longmemeval-sessions.json", [session("answer_a_1"), session("answer_b_1")])
    folder = written("longmemeval-dev-questions.json", [question("q1", "answer_a_1"), question("q2", "answer_b_1")])

    assert [(pool.key, len(pool.questions)) for pool in load_small(folder).pools] == [("q1", 1), ("q2", 1)]
