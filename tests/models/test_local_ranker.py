"""The ranker that ships: whether an answer needs what was told is read from the message."""

import pytest

from nacre.models import local_ranker


@pytest.mark.parametrize(
    ("own", "anybodys"),
    [
        ("what should I cook tonight", "how do I cook rice"),
        ("when is the launch?", "when was the first moon landing?"),
        ("draft a note to my landlord", "write a poem about the sea"),
        ("plan my commute", "explain the offside rule in football"),
        ("¿qué come Marta?", "¿cuántos lados tiene un hexágono?"),
    ],
)
def test_one_s_own_affairs_need_what_was_told_more_than_anybody_s(own: str, anybodys: str) -> None:
    ranker = local_ranker.load()
    assert ranker.question_tokens(own).need > ranker.question_tokens(anybodys).need + 1
