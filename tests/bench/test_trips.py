"""Round trips are those of the call, and a delay holds each of them back."""

from collections.abc import Callable
from statistics import median

import psycopg

from bench import trips
from bench.progress import Silent


def test_a_round_trip_is_counted_however_much_is_sent_at_once(postgres_url):
    with trips.proxy(postgres_url, 0.0) as through, psycopg.connect(through.address, autocommit=True) as connection:

        def thrice() -> None:
            with connection.pipeline(), connection.cursor() as cursor:
                for _ in range(3):
                    cursor.execute("SELECT 2")

        assert usual(through, lambda: connection.execute("SELECT 1")) == 1
        assert usual(through, thrice) == 1


def usual(through: trips.Through, call: Callable[[], object]) -> float:
    """The median, as the figures are: on a busy machine what is sent at once may be read in two parts."""
    counts: list[int] = []
    for _ in range(9):
        before = through.trips.value
        call()
        counts.append(through.trips.value - before)
    return median(counts)


def test_each_call_is_counted_and_timed(postgres_url, monkeypatch):
    monkeypatch.setattr(trips, "HELD_TURNS", 20)
    monkeypatch.setattr(trips, "WARM_CALLS", 4)

    figures = trips.measure(postgres_url, Silent(), delay_ms=5, calls=7)

    # One that takes a place in the scope, and one with everything that is stored and the end of the transaction.
    assert figures["loopback"]["observe"]["trips"] == 2
    for call in trips.CALLS_MEASURED:
        assert figures["delayed"][call]["p50_ms"] > 5 * figures["delayed"][call]["trips"] > 0
    (table,) = trips.tables({"places": figures, "options": {"delay_ms": 5, "calls": 7}})
    assert [row[0] for row in table.rows] == list(trips.CALLS_MEASURED)
