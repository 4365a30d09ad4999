"""A turn of a million characters keeps no other thread from running for long: what is not Python is short."""

import sys
from datetime import UTC, datetime
from time import thread_time

import pytest

from nacre import Turn
from nacre.memory import observing

# Python hands its lock on after 5 ms, but not within one call of something that is not Python.
MOST_SECONDS = 0.01
WORDS = "The system prompt: Ana's sister moved to Oslo in May [see #4], and I forgot to tell the user. "


def longest_call(work):
    """The longest single call of a built-in function, in seconds of this thread; those that call back do not count."""
    begun, longest = [], 0.0

    def note(_frame, event, _called):
        nonlocal longest
        if event == "c_call":
            begun.append(thread_time())
        elif event == "call":
            begun[:] = [None] * len(begun)
        elif event in ("c_return", "c_exception") and begun and (start := begun.pop()) is not None:
            longest = max(longest, thread_time() - start)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return longest


@pytest.mark.slow
@pytest.mark.parametrize("letter", [".", "é"])
def test_no_step_of_a_long_turn_holds_pythons_lock_for_long(letter):
    text = (WORDS * 12_000)[:999_999] + letter

    def prepare():
        observing.prepare(None, [Turn(role="user", text=text)], datetime.now(UTC))

    prepare()

    assert min(longest_call(prepare) for _ in range(2)) < MOST_SECONDS
