"""A cycle: passes in order, each only when what it reads has changed, and never in the way of people."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from nacre.domain.dreams import PassChange, PassName, PassReport, PassStatus
from nacre.domain.errors import Unavailable
from nacre.store.work import dreams
from nacre.upkeep.cycles import Dreamer, PassContext

pytestmark = pytest.mark.spec("D1")


@dataclass
class Noted:
    """A pass that notes its runs."""

    name: PassName
    mark: str | None = "same"
    error: str | None = None
    report: PassReport | None = None
    runs: list[PassContext] = field(default_factory=list)

    def fingerprint(self, _night: PassContext) -> str | None:
        return self.mark

    def run(self, night: PassContext) -> PassReport:
        self.runs.append(night)
        if self.error:
            raise Unavailable(self.error)
        return self.report or PassReport(
            name=self.name, status=PassStatus.DONE, changes=(PassChange(what="a", why="b"),)
        )


@pytest.fixture
def passes() -> list[Noted]:
    return [Noted(PassName.DECAY), Noted(PassName.PREFERENCES), Noted(PassName.CONSOLIDATION)]


@pytest.fixture
def dreamer(nacre, passes) -> Dreamer:
    return Dreamer(nacre.parts.database, lambda: passes, None)


def statuses(dream) -> list[PassStatus]:
    return [each.status for each in dream.passes]


def test_passes_run_in_their_order(scope, dreamer):
    seen: list[object] = []

    dream = dreamer.dream(scope.scope, progress=seen.append)

    assert [each.name for each in dream.passes] == [PassName.CONSOLIDATION, PassName.PREFERENCES, PassName.DECAY]
    assert tuple(seen) == dream.passes


def test_a_pass_is_skipped_until_what_it_reads_has_changed(scope, dreamer, passes):
    dreamer.dream(scope.scope)
    assert statuses(dreamer.dream(scope.scope)) == [PassStatus.SKIPPED] * 3

    passes[1].mark = "changed"

    assert statuses(dreamer.dream(scope.scope)) == [PassStatus.SKIPPED, PassStatus.DONE, PassStatus.SKIPPED]


def test_a_pass_that_must_always_run_does(scope, dreamer, passes):
    passes[0].mark = None
    dreamer.dream(scope.scope)

    assert statuses(dreamer.dream(scope.scope))[2] is PassStatus.DONE


@pytest.mark.parametrize("given", [{"status": PassStatus.STOPPED}, {"status": PassStatus.DONE, "waiting": 3}])
def test_a_pass_that_left_something_runs_again(scope, dreamer, passes, given):
    passes[2].report = PassReport(name=PassName.CONSOLIDATION, **given)
    dreamer.dream(scope.scope)

    dreamer.dream(scope.scope)

    assert len(passes[2].runs) == 2


def test_a_pass_can_be_run_alone_and_then_always_runs(scope, dreamer, passes):
    dreamer.dream(scope.scope)

    dream = dreamer.dream(scope.scope, only=[PassName.PREFERENCES])

    assert statuses(dream) == [PassStatus.DONE]
    assert [len(each.runs) for each in passes] == [1, 2, 1]


def test_one_that_fails_does_not_cost_the_others_their_turn(scope, dreamer, passes):
    passes[2].error = "The lights are out."

    dream = dreamer.dream(scope.scope)

    assert statuses(dream) == [PassStatus.FAILED, PassStatus.DONE, PassStatus.DONE]
    assert dream.passes[0].notes == ("The lights are out.",)
    passes[2].error = None
    assert statuses(dreamer.dream(scope.scope))[0] is PassStatus.DONE


def test_people_come_first(scope, dreamer, passes):
    calls = iter([False, True, True])

    dream = dreamer.dream(scope.scope, disturbed=lambda: next(calls))

    assert statuses(dream) == [PassStatus.DONE, PassStatus.STOPPED, PassStatus.STOPPED]
    assert [len(each.runs) for each in passes] == [0, 0, 1]


def test_a_dry_run_leaves_no_trace(scope, dreamer, passes, nacre):
    dream = dreamer.dream(scope.scope, dry_run=True)

    assert (dream.dry_run, [each.runs[0].dry_run for each in passes]) == (True, [True] * 3)
    with nacre.parts.database.read(scope.scope) as tx:
        assert dreams.newest(tx, 10) == []
    assert statuses(dreamer.dream(scope.scope)) == [PassStatus.DONE] * 3


def test_a_cycle_is_written_down_with_what_changed_and_why(scope, dreamer, nacre, clock):
    dream = dreamer.dream(scope.scope, trigger="test")

    with nacre.parts.database.read(scope.scope) as tx:
        (kept,) = dreams.newest(tx, 10)
    assert (kept.id, kept.trigger, kept.started_at) == (dream.id, "test", clock.now)
    report: Any = kept.report
    assert report["passes"][0]["changes"] == [{"what": "a", "why": "b", "items": []}]


def test_the_memory_passes_are_skipped_when_nothing_changed(desk):
    desk.add("Ana likes green tea")
    desk.say("hello")
    desk.dream()

    assert statuses(desk.dream()) == [PassStatus.SKIPPED, PassStatus.SKIPPED, PassStatus.DONE]

    desk.say("hello again")
    desk.scope.feedback.record("correction", "use tabs", detail="use spaces instead")
    assert statuses(desk.dream()) == [PassStatus.DONE] * 3


def test_consolidation_runs_once_a_week_even_if_nothing_changed(desk, clock):
    desk.add("Ana likes green tea")
    desk.dream()
    clock.advance(days=7)

    assert desk.dream().passes[0].status is PassStatus.DONE
