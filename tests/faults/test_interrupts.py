"""Interrupts at any instant, forks, and brains that nobody closed."""

import faulthandler
import gc
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from nacre import Closed, Nacre, NacreError, Settings
from tests.waits import HANGS, eventually

ROOT = Path(__file__).parents[2]
SETTINGS = Settings(worker="off", extraction="rules", embedder="off", rerank="off")
# A minute's worth on request: NACRE_TEST_INTERRUPTS=14000.
INTERRUPTS = int(os.environ.get("NACRE_TEST_INTERRUPTS", "250"))


LOADING = """
import os, signal, sys
from nacre.cli.front import main

class Interrupting:
    def find_spec(self, name, *_):
        if name == "nacre.cli.app":
            os.kill(os.getpid(), signal.SIGINT)

# What a script starts in the background is deaf to interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupting())
sys.argv[1:] = ["db", "check"]
main()
"""


def test_a_command_that_is_interrupted_while_it_loads_says_so_in_a_line():
    run = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, timeout=HANGS, check=False)

    assert (run.returncode, run.stdout, run.stderr) == (130, "", "Interrupted.\n")


@pytest.fixture
def interrupted():
    """Call something, and interrupt it after so many seconds; whether it was."""

    def raise_it(*_given):
        raise KeyboardInterrupt

    def call(function, seconds):
        try:
            try:
                signal.setitimer(signal.ITIMER_REAL, seconds)
                function()
            finally:
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
        # The first calls prepare statements, and take longer than any that is interrupted.
        for _ in range(10):
            scope.observe("user", "storm near the harbour")
        begun = time.perf_counter()
        for _ in range(10):
            scope.observe("user", "storm near the harbour")
        usual = (time.perf_counter() - begun) / 10
        for _ in range(INTERRUPTS):
            # What an interrupt does to the inside of a driver may come out as another error.
            with suppress(Exception):
                met += interrupted(partial(scope.observe, "user", "storm"), chance.uniform(1e-5, usual))
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        assert met > INTERRUPTS / 4
        begun = time.perf_counter()
        scope.observe("user", "calm again")
        assert time.perf_counter() - begun < 5
        assert nacre.parts.database.in_use == 0


def test_a_brain_is_refused_in_a_process_that_was_forked(database_url, quick_nacre):
    """At once and in words, whatever the threads of the other process held; that one goes on as before.

    In a process of its own: what a test before left running may hold a lock of its own when the fork comes.
    """
    told = f"from {__name__} import fork_often; fork_often({database_url!r})"
    command = [*quick_nacre, "-c", told]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr


def fork_often(address: str) -> None:
    """Fork while a brain is at work, and use it on both sides."""
    with Nacre(address, settings=Settings(rerank="off")) as nacre:
        scope = nacre.scope("a", user="ana")
        for number in range(6):
            scope.observe("user", f"Ana {number} lives in Lisbon.", ref=str(number))
            child = os.fork()
            if child == 0:
                os._exit(_used_after_fork(nacre, address))
            ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            assert ended == 0, f"The child of fork {number} ended with {ended}."
        scope.observe("user", "calm again", ref="after")
        assert len(scope.recall("calm again")) == 1


def _used_after_fork(nacre: Nacre, address: str) -> int:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(20)
    faulthandler.dump_traceback_later(15)
    try:
        with pytest.raises(Closed, match="after the fork"):
            nacre.scope("a", user="ana").recall("Lisbon")
        nacre.close()
        with Nacre(address, settings=SETTINGS) as own:
            return 0 if own.scope("a", user="ana").recall("Lisbon").hits else 2
    except NacreError as error:
        sys.stderr.write(f"{error!r}\n")
        sys.stderr.flush()
        return 3


def test_brains_that_are_dropped_leave_no_thread_and_no_file_open(sqlite_url):
    def opened() -> int:
        return len([*Path("/proc/self/fd").iterdir()])

    def threads() -> set[str]:
        return {each.name for each in threading.enumerate() if each.name.startswith("nacre")}

    Nacre(sqlite_url, settings=Settings(rerank="off")).scope("a").observe("user", "Ana lives in Lisbon.")
    gc.collect()
    # What other tests left is not looked through again, each time for seconds.
    gc.freeze()
    assert eventually(lambda: not threads())
    before = opened()
    for _ in range(8):
        brain = Nacre(sqlite_url, settings=Settings(rerank="off"))
        scope = brain.scope("a")
        scope.observe("user", "Ana lives in Lisbon.")
        del brain
        gc.collect()
        # Whoever holds a scope holds the brain.
        assert scope.recall("Lisbon").hits
        del scope
    gc.collect()
    assert eventually(lambda: not threads() and opened() <= before)


def test_a_closed_brain_hands_out_no_scope(sqlite_url):
    nacre = Nacre(sqlite_url, settings=SETTINGS)
    nacre.close()
    with pytest.raises(Closed):
        nacre.scope("a")
