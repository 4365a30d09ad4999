"""Long work gives way to the short calls of others, for a moment, and to nobody else."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from nacre.domain import short_calls
from nacre.domain.short_calls import ShortCalls
from tests.waits import HANGS


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setattr(short_calls, "MOMENT_SECONDS", HANGS)
    monkeypatch.setattr(short_calls, "SHORT_SECONDS", HANGS)


def goes_on(calls):
    """Whether long work that gives way goes on before anybody would call it hanging."""
    begun = monotonic()
    calls.give_way()
    return monotonic() - begun < HANGS / 2


@contextmanager
def other_call(calls) -> Iterator[None]:
    """A call of another thread, which is under way for as long as this lasts."""
    begun, may_end = Event(), Event()

    def call():
        with calls.call():
            begun.set()
            may_end.wait(HANGS)

    thread = Thread(target=call)
    thread.start()
    assert begun.wait(HANGS)
    try:
        yield
    finally:
        may_end.set()
        thread.join(HANGS)


@pytest.mark.usefixtures("patient")
def test_long_work_waits_until_the_call_of_another_is_over():
    calls = ShortCalls()
    work = Thread(target=calls.give_way)
    with other_call(calls):
        work.start()
        work.join(0.2)
        assert work.is_alive()
    work.join(HANGS / 2)

    assert not work.is_alive()


@pytest.mark.usefixtures("patient")
def test_a_call_that_works_for_long_waits_neither_for_itself_nor_is_waited_for():
    calls = ShortCalls()
    with calls.call(), calls.call():
        # As in the thread that answers a request.
        assert copy_context().run(goes_on, calls)
        assert goes_on(calls)


def test_long_work_goes_on_after_a_moment_and_gives_way_to_no_call_that_takes_long(monkeypatch):
    calls = ShortCalls()
    monkeypatch.setattr(short_calls, "SHORT_SECONDS", HANGS)
    with other_call(calls):
        assert goes_on(calls)

        monkeypatch.setattr(short_calls, "MOMENT_SECONDS", HANGS)
        monkeypatch.setattr(short_calls, "SHORT_SECONDS", 0.01)
        sleep(0.02)
        assert goes_on(calls)
