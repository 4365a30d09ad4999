"""What each channel adds."""

from datetime import UTC, datetime

import pytest

from bench import ablation
from bench.progress import Silent
from bench.questions import Pool, Question, QuestionSet
from nacre import Turn
from nacre.recall import fusion

TURNS = tuple(
    Turn(
        role="user",
        text="We went camping",
        session=f"s{month}",
        ref=f"t{month}",
        at=datetime(2025, month, 7, tzinfo=UTC),
    )
    for month in (3, 9)
)
ASKED = Question(id="1", text="How was camping in September?", kind="k", evidence=frozenset({"t9"}))
SET = QuestionSet(
    name="little",
    title="Little",
    unit="turn",
    limit=1,
    metrics=("R@5",),
    pools=(Pool(key="a", turns=TURNS, questions=(ASKED,)),),
)


def test_a_channel_that_is_needed_is_seen_to_be():
    figures = ablation.measure([SET], Silent())["sets"]["little"]

    assert figures["all"]["R@5"] == 1
    assert figures["without"]["time"]["R@5"] == 0
    assert set(figures["without"]) == {*fusion.WEIGHTS, *fusion.BONUSES, "currentness"}
    assert "without time" in {row[0] for row in ablation.tables({"sets": {"little": figures}})[0].rows}


@pytest.mark.parametrize("channel", ablation.CHANNELS)
def test_a_channel_is_back_afterwards(channel):
    before = {**fusion.WEIGHTS, **fusion.BONUSES}, dict(fusion.CURRENTNESS)

    with ablation.without(channel):
        assert ({**fusion.WEIGHTS, **fusion.BONUSES}, dict(fusion.CURRENTNESS)) != before

    assert ({**fusion.WEIGHTS, **fusion.BONUSES}, dict(fusion.CURRENTNESS)) == before
