"""Long work gives way to the short calls of others, for a moment, and to nobody else."""

from contextvars import copy_context
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from nacre.domain import short_calls
from nacre.domain.short_calls import ShortCalls

# Enough that nobody waits so long by chance.
LONG_SECONDS = 5.0


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setattr(short_calls, "MOMENT_SECONDS", LONG_SECONDS)
    monkeypatch.setattr(short_calls, "SHORT_SECONDS", LONG_SECONDS)


def waited(calls):
    begun = monotonic()
    calls.give_way()
    return monotonic() - begun


def other_call(calls, seconds):
    """A call of another thread that has begun and takes so long."""
    begun = Event()

    def call():
        with calls.call():
            begun.set()
            sleep(seconds)

    thread = Thread(target=call)
    thread.start()
    assert begun.wait(LONG_SECONDS)
    return thread


@pytest.mark.usefixtures("patient")
def test_long_work_waits_until_the_call_of_another_is_over():
    calls = ShortCalls()
    other = other_call(calls, 0.2)

    assert 0.05 < waited(calls) < LONG_SECONDS
    other.join(LONG_SECONDS)
    assert waited(calls) < LONG_SECONDS / 2


@pytest.mark.usefixtures("patient")
def test_a_call_that_works_for_long_waits_neither_for_itself_nor_is_waited_for():
    calls = ShortCalls()
    with calls.call(), calls.call():
        # As in the thread that answers a request.
        copy_context().run(calls.give_way)
        others: list[float] = []
        thread = Thread(target=lambda: others.append(waited(calls)))
        thread.start()
        thread.join(2 * LONG_SECONDS)

    assert others[0] < LONG_SECONDS / 2


def test_long_work_goes_on_after_a_moment_and_gives_way_to_no_call_that_takes_long(monkeypatch):
    calls = ShortCalls()
    monkeypatch.setattr(short_calls, "SHORT_SECONDS", LONG_SECONDS)
    other = other_call(calls, 1.0)
    assert waited(calls) < 0.5

    monkeypatch.setattr(short_calls, "MOMENT_SECONDS", LONG_SECONDS)
    monkeypatch.setattr(short_calls, "SHORT_SECONDS", 0.01)
    sleep(0.02)
    assert waited(calls) < 0.5
    other.join(LONG_SECONDS)
