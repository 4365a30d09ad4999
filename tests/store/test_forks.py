"""The gate that is shut while a process is forked."""

import threading

import pytest

from nacre.store.base.forks import ForkGate
from tests.waits import HANGS


def started(target):
    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    return thread


def test_a_fork_waits_for_those_inside_and_lets_nobody_else_in():
    gate, inside, may_leave, entered = ForkGate(), threading.Event(), threading.Event(), threading.Event()

    def at_work():
        gate.enter()
        inside.set()
        may_leave.wait(HANGS)
        # A call within a call comes in whoever waits.
        gate.enter()
        gate.leave()
        gate.leave()

    def late():
        gate.enter()
        entered.set()
        gate.leave()

    worker = started(at_work)
    assert inside.wait(HANGS)
    forking = started(gate.shut)
    forking.join(0.05)
    assert forking.is_alive()
    may_leave.set()
    forking.join(HANGS)
    worker.join(HANGS)
    assert not forking.is_alive()
    other = started(late)
    assert not entered.wait(0.05)
    gate.reopen()
    other.join(HANGS)
    assert entered.is_set()


def test_who_forks_does_not_wait_for_itself_nor_for_what_was_interrupted():
    gate = ForkGate()
    gate.enter()

    def interrupted():
        gate.enter()
        gate.forget()

    started(interrupted).join(HANGS)

    gate.shut()
    gate.reopen()
    gate.leave()


@pytest.mark.parametrize(("deep", "waits"), [(0, False), (1, False), (2, True)])
def test_a_fork_does_not_wait_for_who_stepped_out_unless_it_is_in_deeper(deep, waits):
    gate, out, may_return = ForkGate(), threading.Event(), threading.Event()

    def at_work():
        for _ in range(deep):
            gate.enter()
        with gate.stepped_out():
            out.set()
            may_return.wait(HANGS)
        for _ in range(deep):
            gate.leave()

    worker = started(at_work)
    assert out.wait(HANGS)
    forking = started(gate.shut)
    forking.join(0.1 if waits else HANGS)
    assert forking.is_alive() == waits
    may_return.set()
    forking.join(HANGS)
    gate.reopen()
    worker.join(HANGS)
    assert not worker.is_alive()
    gate.shut()
