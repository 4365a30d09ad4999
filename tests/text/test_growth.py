"""No text holds a pattern up: what reading it takes grows with its length, and no faster."""

import re
import time

import pytest

from tests.text import patterns
from tests.text.patterns import Pump, pumped

# Patterns of these rooms read what users write.
ROOMS = ("domain", "text", "extraction", "memory", "graph")
# Rules are not among them: they see one sentence of at most 600 characters.
SMALL, LARGE = 400, 1600
# Four times the text may take this many times as long: a straight line takes four, a square sixteen.
MOST_GROWTH = 8
# Less is not worth measuring, and more than that for a small text is too much at any growth.
NOTICED, TOO_LONG = 0.0005, 0.05
TRIES = 5


def seconds(pattern: re.Pattern[str], pump: Pump, size: int, *, once: bool) -> float:
    text = pumped(pump, size)
    started = time.process_time()
    if once:
        pattern.match(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - started


def is_held_up(pattern: re.Pattern[str], pump: Pump, *, once: bool) -> bool:
    """Whether a text takes a pattern longer than its length explains; small ones first, as some never end."""
    spent = 0.0
    for size in (20, 24, 28, 32, 40, 100, SMALL):
        spent = seconds(pattern, pump, size, once=once)
        if spent > TOO_LONG:
            return True
    if spent < NOTICED:
        return False
    # Beside other work a core is slow at times: what grows does so in each of some tries, unless one says enough.
    long = seconds(pattern, pump, LARGE, once=once)
    return long > TOO_LONG * MOST_GROWTH or all(_grows(pattern, pump, once=once) for _ in range(TRIES))


def _grows(pattern: re.Pattern[str], pump: Pump, *, once: bool) -> bool:
    """Whether a long text took too long each time; the first time that it did not tells."""
    most = MOST_GROWTH * min(seconds(pattern, pump, SMALL, once=once) for _ in range(3))
    return all(seconds(pattern, pump, LARGE, once=once) > most for _ in range(3))


def held_up(pattern: re.Pattern[str], *, once: bool) -> Pump | None:
    return next((pump for pump in patterns.pumps(pattern) if is_held_up(pattern, pump, once=once)), None)


@pytest.mark.parametrize("room", ROOMS)
def test_patterns_that_read_user_text_take_time_in_proportion(room):
    slow = {
        name: pump for pattern, (name, once) in patterns.of_rooms(room).items() if (pump := held_up(pattern, once=once))
    }
    assert slow == {}


@pytest.mark.parametrize("slow", [r"\s*x|\s*y|\s*z", r"(?:,| but|, but)+ x", r"(?:a+)+b", r"\s*[,;]?\s*y"])
def test_the_generated_texts_find_what_is_slow(slow):
    assert held_up(re.compile(slow), once=False)
