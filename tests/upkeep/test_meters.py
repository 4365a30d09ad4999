"""Asking a language model: what it costs, what it is told, and what happens when it does not answer."""

import pytest

from nacre.domain.dreams import Method, PassStatus
from nacre.models.language_models import prompt_text
from nacre.store.work import usage
from nacre.upkeep.consolidation import ConsolidationPass
from nacre.upkeep.cycles import Dreamer
from nacre.upkeep.model_consolidation import DIRECTIVE
from tests.upkeep.test_model_consolidation import BOTH, ONE, TWO, alike, answer, saving, tidy

pytestmark = pytest.mark.spec("D2")


@pytest.mark.parametrize("mood", ["failing", "garbage", "chatty", "refusing"])
@pytest.mark.spec("D5")
def test_without_a_usable_reply_rules_do_the_work_and_the_report_says_so(desk, service, mood):
    desk.add("Bruno plays the cello in a small orchestra", days_ago=2)
    desk.add("Bruno plays the cello in a small orchestra near Porto", days_ago=1)
    service.mood = mood

    report = tidy(desk)

    assert (report.method, len(report.changes), len(desk.current())) == (Method.RULES, 1, 1)
    assert "rules did the work" in report.notes[0]


@pytest.mark.spec("D5")
def test_a_model_that_hangs_does_not_keep_the_night(desk, service):
    desk.add("Ana likes green tea", days_ago=1)
    desk.ask(service, timeout=0.3)
    service.mood = "hanging"

    report = tidy(desk)

    assert (report.status, report.method) == (PassStatus.DONE, Method.RULES)
    assert "within 0.3 seconds" in report.notes[0]


def test_what_a_model_cost_is_reported_and_written_down(desk, service):
    desk.fill(2)

    report = tidy(desk)

    assert (report.input_tokens, report.output_tokens) == (100, 10)
    with desk.parts.database.read(desk.scope.scope) as tx:
        (spent,) = usage.totals(tx)
    assert (spent.purpose, spent.model, spent.input_tokens) == ("dream/consolidation", "tiny", 100)


def test_a_budget_that_is_spent_ends_the_questions(desk, service):
    for number in range(12):
        desk.add(f"{number} " + " ".join(f"word{number}x{place}" for place in range(180)))
    desk.token_cap = 50

    report = tidy(desk)

    assert len(service.asked) == 1
    assert "budget of 50 tokens" in report.notes[0]
    assert report.waiting > 0


def test_a_dry_run_asks_and_changes_nothing(desk, service):
    one, two = alike(desk)
    answer(service, saving(BOTH, one, two))

    dry = tidy(desk, dry_run=True)

    assert set(desk.current()) == {ONE, TWO}
    with desk.parts.database.read(desk.scope.scope) as tx:
        assert usage.totals(tx) == []
    assert tidy(desk).changes == dry.changes
    assert len(dry.changes) == 1


@pytest.mark.spec("D1")
def test_a_directive_file_takes_the_place_of_the_prompt(desk, service, tmp_path):
    (tmp_path / DIRECTIVE).write_text("Leave everything as it is, you gardener.")
    desk.fill(1)
    parts = desk.parts
    own = ConsolidationPass(parts.memories, parts.embedder, directives=tmp_path)

    Dreamer(parts.database, lambda: [own], desk.model).dream(desk.scope.scope)
    tidy(desk)

    assert "you gardener" in str(service.asked[0]["messages"])
    assert "tidy the long-term memory" in prompt_text(DIRECTIVE)


def test_recent_feedback_is_shown_to_the_model(desk, service):
    desk.fill(1)
    desk.scope.feedback.record("complaint", "the tone of the newsletter")

    tidy(desk)

    assert "the tone of the newsletter" in service.asked[0]["messages"][-1]["content"]
