"""Values as JSON."""

import json
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from nacre import Context, Evidence, Hit, Kind, Message, Recall
from nacre.domain.contexts import DATA_NOTICE
from nacre.domain.ids import SourceId
from nacre.domain.plain import plain

ID = UUID("0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e")
AT = datetime(2026, 5, 3, 12, 0, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (0.5, 0.5),
        ("né", "né"),
        (Kind.TURN, "turn"),
        (ID, str(ID)),
        (AT, "2026-05-03T10:00:00Z"),
        (AT.replace(microsecond=5), "2026-05-03T10:00:00.000005Z"),
        ((1, "a"), [1, "a"]),
        ({Kind.MEMORY: (ID,)}, {"memory": [str(ID)]}),
    ],
)
def test_each_kind_of_value_has_one_form(value, expected):
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_a_recall_keeps_its_hits_and_its_notes():
    source = Evidence(id=SourceId(ID), quote="tea", start=0, end=3)
    hit = Hit(id=ID, kind=Kind.TURN, text="tea", score=1.0, at=AT.astimezone(UTC), source=source)

    held = json.loads(json.dumps(plain(Recall((hit,), ("slow",)))))

    assert held["notes"] == ["slow"]
    assert held["hits"][0]["kind"] == "turn"
    assert held["hits"][0]["source"]["quote"] == "tea"


def test_a_context_carries_its_text():
    context = Context(messages=(Message(role="system", text="tea", label="memory"),), tokens=1)

    assert plain(context) == {
        "text": f"{DATA_NOTICE}\n\n<memory>\ntea\n</memory>",
        "messages": [{"role": "system", "text": "tea", "label": "memory"}],
        "tokens": 1,
        "notes": [],
        "lines": [],
        "left_out": 0,
    }


def test_what_has_no_form_is_refused():
    with pytest.raises(TypeError, match="bytes has no JSON form"):
        plain(b"tea")
