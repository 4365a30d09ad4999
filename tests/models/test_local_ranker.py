"""The ranker that ships: whether an answer needs what was told, and what short texts fit."""

import pytest

from nacre.models import local_ranker
from nacre.recall import token_ranking


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


def test_of_two_facts_the_one_that_a_message_is_about_fits_it_better_by_its_own_words() -> None:
    ranker = local_ranker.load()
    question = ranker.question_tokens("what can I cook for Ana tonight?")
    facts = ["Ana is allergic to peanuts", "Ana's dentist is on Stafford Street"]
    peanuts, dentist = token_ranking.text_fits(ranker, question, facts)

    assert peanuts > dentist + 1
    assert token_ranking.text_fits(ranker, question, facts) == [peanuts, dentist]
