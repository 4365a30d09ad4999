"""Interrupts at any instant, forks, and brains that nobody closed."""

import gc
import os
import random
import signal
import sqlite3
import time
from contextlib import closing, suppress

import pytest

from nacre import Nacre, Settings

SETTINGS = Settings(worker="off", extraction="rules", embedder="off", rerank="off")
# A minute's worth on request: NACRE_TEST_INTERRUPTS=14000.
INTERRUPTS = int(os.environ.get("NACRE_TEST_INTERRUPTS", "250"))


@pytest.fixture
def interrupted():
    """Call something, and interrupt it after so many seconds; whether it was."""

    def raise_it(*_given):
        raise KeyboardInterrupt

    def call(function, seconds):
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            function()
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            return True
        return False

    before = signal.signal(signal.SIGALRM, raise_it)
    gc.disable()
    yield call
    gc.enable()
    signal.signal(signal.SIGALRM, before)


def test_an_interrupt_at_any_instant_leaves_no_lock_held(sqlite_url, interrupted):
    """Without anybody collecting garbage; the next writer, in whichever process, comes at once."""
    chance, met = random.Random(7), 0
    with (
        Nacre(sqlite_url, settings=SETTINGS) as nacre,
        closing(sqlite3.connect(sqlite_url, isolation_level=None, timeout=0)) as other,
    ):
        scope = nacre.scope("a", user="ana")
        begun = time.perf_counter()
        for _ in range(10):
            scope.observe("user", "storm near the harbour")
        usual = (time.perf_counter() - begun) / 10
        for number in range(INTERRUPTS):
            # What an interrupt does to the inside of a driver may come out as another error.
            with suppress(Exception):
                met += interrupted(lambda: scope.observe("user", "storm", ref=str(number)), chance.uniform(1e-5, usual))
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        assert met > INTERRUPTS / 4
        begun = time.perf_counter()
        scope.observe("user", "calm again")
        assert time.perf_counter() - begun < 5
        assert nacre.parts.database.in_use == 0
