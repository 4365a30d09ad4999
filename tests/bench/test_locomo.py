from datetime import UTC, datetime

import pytest

from bench.locomo import load, parse_date, parse_evidence, pool_of

KNOWN = {"D1:3", "D8:6", "D9:17", "D11:26", "D30:5"}

CONVERSATION = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_10_date_time": "9:05 am on 2 June, 2023",
        "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "Back again."}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ana", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a photo of a red bike"},
            {"speaker": "Ben", "dia_id": "D2:2", "text": "Nice bike."},
        ],
        "session_11_date_time": "9:05 am on 3 June, 2023",
    },
    "qa": [
        {"question": "What colour is the bike?", "evidence": ["D2:1"], "category": 4},
        {"question": "Never answered?", "evidence": ["D2:1"], "category": 5},
        {"question": "Lost evidence?", "evidence": ["D7:7"], "category": 1},
        {"question": "No evidence?", "evidence": [], "category": 2},
        {"question": "Who came back?", "evidence": ["D10:1"], "category": 2},
    ],
}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["D1:3"], {"D1:3"}),
        (["D8:6; D9:17"], {"D8:6", "D9:17"}),
        (["D:11:26"], {"D11:26"}),
        (["D30:05"], {"D30:5"}),
        (["D1:3", "D", "D10:19"], {"D1:3"}),
        (["nothing"], set()),
        ([], set()),
    ],
)
def test_evidence_is_read_past_its_typing_errors(labels, expected):
    assert parse_evidence(labels, KNOWN) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:48 am on 1 February, 2023", datetime(2023, 2, 1, 0, 48, tzinfo=UTC)),
        ("12:05 pm on 31 December, 2022", datetime(2022, 12, 31, 12, 5, tzinfo=UTC)),
    ],
)
def test_session_dates_are_utc(written, expected):
    assert parse_date(written) == expected


def test_turns_come_in_the_order_of_their_sessions_with_what_was_shown():
    turns = pool_of(CONVERSATION).turns

    assert [(turn.ref, turn.session, turn.speaker, turn.text) for turn in turns] == [
        ("D2:1", "session_2", "Ana", "Look! [shared image: a photo of a red bike]"),
        ("D2:2", "session_2", "Ben", "Nice bike."),
        ("D10:1", "session_10", "Ben", "Back again."),
    ]
    assert turns[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert {turn.role for turn in turns} == {"user"}


def test_adversarial_questions_and_those_without_usable_evidence_are_left_out():
    questions = pool_of(CONVERSATION).questions

    assert [(question.id, question.kind) for question in questions] == [
        ("conv-1/0", "single-hop"),
        ("conv-1/4", "temporal"),
    ]


def test_a_set_has_one_pool_a_conversation(written):
    folder = written("locomo-dev.json", [CONVERSATION, {**CONVERSATION, "sample_id": "conv-2"}])

    assert [pool.key for pool in load(folder).pools] == ["conv-1", "conv-2"]
