"""Questions and talk at the ends of the calendar are answered as any other."""

import pytest

from nacre.domain.clocks import FIRST, LAST
from tests.cases import in_turn

ASKED = ["yesterday", "tomorrow", "last week", "next month", "in May", "on Friday", "last summer", "at Christmas",
         "two weeks ago", "in the past 3 years", "in 9999", "this weekend", "between March and May"]  # fmt: skip

SAID = ["I am in Rome until Friday.", "This month I live in Braga.", "The dentist is tomorrow, no, on Friday.",
        "I work at Nestlé for 3 weeks.", "My wedding is in December.", "The rent is due on 31 December."]  # fmt: skip


@pytest.mark.slow
@in_turn("asked_at", [FIRST, LAST])
def test_a_question_is_answered_whenever_it_is_asked(scope, asked_at):
    scope.observe("user", "The boat left the harbour", at=FIRST)
    scope.observe("user", "The boat is back in the harbour", at=LAST)

    for when in ASKED:
        assert scope.recall(f"Where was the boat {when}?", asked_at=asked_at)
        assert scope.context(f"Where was the boat {when}?", asked_at=asked_at).text


@pytest.mark.parametrize("at", [FIRST, LAST])
def test_what_is_said_at_the_end_of_the_calendar_is_learned(scope, at):
    for text in SAID:
        scope.observe("user", text, at=at, session="s1")

    assert scope.learned().done
    assert scope.recall("rent")
