"""Who asks for too much at once gets nothing, until somebody has looked."""

import re

import pytest

from nacre.domain.dreams import PassName, PassStatus
from nacre.upkeep import breakers

pytestmark = pytest.mark.spec("D2")

CONSOLIDATION = PassName.CONSOLIDATION


@pytest.mark.parametrize(
    ("in_force", "taken", "added", "objects"),
    [
        (0, 0, 0, False),
        (0, 0, 5, False),
        (0, 0, 6, True),
        (20, 5, 0, False),
        (20, 6, 0, True),
        (100, 10, 0, False),
        (100, 11, 0, True),
        (100, 20, 10, False),
        (100, 21, 10, True),
        (100, 0, 20, False),
        (100, 0, 21, True),
        (1000, 100, 0, False),
        (1000, 101, 0, True),
    ],
)
def test_a_tenth_and_more_than_five_is_too_great_a_loss_and_a_fifth_too_great_a_growth(in_force, taken, added, objects):
    assert (breakers.objection(in_force, taken=taken, added=added) is not None) is objects


def harmful(service):
    shown = re.compile(r"\[([0-9a-f]{12})\]")
    service.answer = lambda question: {"toDelete": shown.findall(question), "toSave": []}


def test_a_pass_stays_paused_until_it_is_reset(desk, service, clock):
    desk.fill(10)
    harmful(service)
    desk.run(CONSOLIDATION)
    service.answer = lambda _question: {}
    asked = len(service.asked)
    clock.advance(days=1)

    report = desk.run(CONSOLIDATION)

    assert report.status is PassStatus.PAUSED
    assert "Paused since 2026-05-01 09:00 UTC: It would take 10 of 10 entries" in report.notes[0]
    assert len(service.asked) == asked, "a paused pass asks nobody"
    assert breakers.reset(desk.parts.memories, desk.scope.scope, CONSOLIDATION) is True
    assert breakers.reset(desk.parts.memories, desk.scope.scope, CONSOLIDATION) is False
    assert desk.run(CONSOLIDATION).status is PassStatus.DONE


def test_a_paused_pass_still_learns_from_corrections(desk, service):
    desk.fill(10)
    harmful(service)
    desk.run(CONSOLIDATION)
    desk.scope.feedback.record("correction", "use tabs", detail="use spaces instead")

    report = desk.run(CONSOLIDATION)

    assert (report.status, report.counts["learned"]) == (PassStatus.PAUSED, 1)


def test_growth_opens_the_breaker_too(desk, service):
    desk.fill(4)
    service.answer = lambda _question: {"toSave": [{"content": f"thing {number}"} for number in range(6)]}

    report = desk.run(CONSOLIDATION)

    assert report.status is PassStatus.PAUSED
    assert "add 6 entries to 4" in report.notes[0]
    assert len(desk.current()) == 4


def test_a_dry_run_opens_no_breaker(desk, service):
    desk.fill(10)
    harmful(service)

    assert desk.run(CONSOLIDATION, dry_run=True).status is PassStatus.PAUSED
    service.answer = lambda _question: {}
    assert desk.run(CONSOLIDATION).status is PassStatus.DONE


def test_a_breaker_is_the_scopes_own(nacre, desk, service):
    desk.fill(10)
    harmful(service)
    desk.run(CONSOLIDATION)

    with desk.parts.memories.read(nacre.scope("assistant", user="bruno").scope) as tx:
        assert breakers.paused(tx, CONSOLIDATION) is None
