"""How often a caller may call, in one process and in several."""

from contextlib import closing, contextmanager

import pytest

from nacre import RateLimited
from nacre.access.limits import Limiter, SharedLimiter


class Watch:
    """A clock in seconds that stands still."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture(params=["own", "shared"])
def limiters(request, tmp_path, watch):
    """Two views of the same counts: one limiter twice, or those of two processes."""
    if request.param == "own":
        yield [Limiter(60, watch)] * 2
        return
    with shared(tmp_path, 60, watch) as first, closing(SharedLimiter(60, tmp_path / "calls", watch)) as second:
        yield [first, second]


@contextmanager
def shared(folder, per_minute, watch):
    """A limiter with a new file."""
    SharedLimiter.prepare(folder / "calls")
    with closing(SharedLimiter(per_minute, folder / "calls", watch)) as limiter:
        yield limiter


def allowed(limiters, caller, times):
    """How many of so many calls are let through, by turns."""
    made = 0
    for number in range(times):
        try:
            limiters[number % 2].take(caller)
        except RateLimited:
            continue
        made += 1
    return made


def test_a_caller_may_make_a_minutes_worth_at_once_and_then_waits(limiters, watch):
    assert allowed(limiters, "a", 100) == 60
    watch.now += 10
    assert allowed(limiters, "a", 100) == 10
    watch.now += 3_600
    assert allowed(limiters, "a", 100) == 60


def test_whoever_is_refused_is_told_how_long_to_wait(limiters, watch):
    allowed(limiters, "a", 60)
    watch.now += 0.25
    with pytest.raises(RateLimited) as refused:
        limiters[1].take("a")
    assert refused.value.retry_after == 1


def test_callers_do_not_count_for_each_other(limiters):
    assert [allowed(limiters, caller, 61) for caller in ("a", "b", None, 7)] == [60] * 4


def test_no_limit_lets_everything_through(tmp_path, watch):
    with shared(tmp_path, 0, watch) as limiter:
        assert allowed([limiter, Limiter(0)], "a", 5_000) == 5_000


def test_more_callers_than_there_are_rows_are_still_let_through(tmp_path, watch, monkeypatch):
    """Whoever called least lately gives way."""
    monkeypatch.setattr(SharedLimiter, "GROUPS", 1)
    with shared(tmp_path, 1, watch) as limiter:
        for number in range(20):
            watch.now += 0.001
            limiter.take(number)

        assert allowed([limiter] * 2, 19, 1) == 0
        assert allowed([limiter] * 2, 0, 1) == 1
