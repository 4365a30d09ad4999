"""Who was here lately, for dreams to give way to."""

from nacre import Scope
from nacre.work.dreaming import QUIET_SECONDS, Traffic


def test_who_was_here_within_the_last_minute_is_live_and_the_others_are_forgotten():
    seconds = [0.0]
    traffic = Traffic(lambda: seconds[0])
    first, second = Scope(agent="a", user="first"), Scope(agent="a", user="second")
    traffic.note(first)
    traffic.note(second)
    seconds[0] = QUIET_SECONDS - 1
    traffic.note(first)
    seconds[0] = QUIET_SECONDS
    assert [traffic.is_live(each) for each in (first, second)] == [True, False]

    for number in range(1_000):
        seconds[0] += 1
        traffic.note(Scope(agent="a", user=str(number)))

    assert len(traffic._last) == QUIET_SECONDS
