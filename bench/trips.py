"""Round trips to PostgreSQL: how many a call makes, and what it takes on loopback and behind a delay.

A proxy of its own process stands between Nacre and the database. It counts how often the client speaks after the
server has, however many statements it sends at once, and holds each of these back for a while. So whatever talks to
the database is counted, by which driver or statement ever.
"""

import multiprocessing
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from multiprocessing.connection import Connection
from statistics import median
from threading import Thread
from time import perf_counter, sleep
from typing import Any

import psycopg
from sqlalchemy import URL, make_url

from bench import synthetic
from bench.progress import Progress
from bench.tables import Table, number
from nacre import Nacre, ScopedNacre, Settings

DELAY_MS = 2.7
# Turns in the scope, calls that prepare statements and fill caches, and calls that are counted.
HELD_TURNS, WARM_CALLS, CALLS = 300, 12, 40
CHUNK = 2**16

Json = dict[str, Any]
Call = Callable[[ScopedNacre, str], object]

CALLS_MEASURED: dict[str, Call] = {
    "observe": lambda scope, text: scope.observe("user", text),
    # The first reader after a write learns what was written: that is not part of its own cost.
    "recall": lambda scope, text: scope.recall(text),
    "context": lambda scope, text: scope.context(text),
}


def measure(database: str, progress: Progress, *, delay_ms: float = DELAY_MS, calls: int = CALLS) -> Json:
    """Round trips and times of each kind of call, on loopback and behind the delay."""
    figures: Json = {}
    delays = {"loopback": 0.0, "delayed": delay_ms}
    with progress.track("round trips", len(delays)) as advance:
        for place, delay in delays.items():
            with proxy(database, delay / 1000) as through:
                figures[place] = _measured(through, f"trips-{place}", calls)
            advance(1)
    return figures


def tables(document: Json) -> list[Table]:
    """Round trips of a call, and its p50 with and without the delay."""
    places: Json = document["places"]
    rows = tuple(
        (
            call,
            number(places["delayed"][call]["trips"]),
            *(number(places[place][call]["p50_ms"]) for place in ("loopback", "delayed")),
        )
        for call in CALLS_MEASURED
    )
    columns = ("call", "round trips", "p50 on loopback, ms", f"behind {document['options']['delay_ms']:g} ms")
    note = (
        f"PostgreSQL; medians of {document['options']['calls']} calls in a scope where nothing is left to be learned."
    )
    return [Table("Round trips to PostgreSQL", columns, rows, note)]


def _measured(through: "Through", agent: str, calls: int) -> Json:
    # Nothing else talks to the database meanwhile.
    settings = Settings(worker="off", rerank="off")
    with Nacre(through.address, settings=settings) as nacre:
        scope = nacre.scope(agent, user="ana")
        scope.observe_many(synthetic.turns(HELD_TURNS))
        texts = cycle(turn.text for turn in synthetic.turns(HELD_TURNS))
        figures = {}
        for name, call in CALLS_MEASURED.items():
            nacre.settle()
            for text in islice(texts, WARM_CALLS):
                call(scope, text)
            seen = [_timed(through, partial(call, scope, text)) for text in islice(texts, calls)]
            figures[name] = {
                "trips": median(trips for trips, _ in seen),
                "p50_ms": round(median(seconds for _, seconds in seen) * 1000, 2),
            }
    return figures


def _timed(through: "Through", work: Callable[[], object]) -> tuple[int, float]:
    before, begun = through.trips.value, perf_counter()
    work()
    took = perf_counter() - begun
    return through.trips.value - before, took


@dataclass(frozen=True, slots=True)
class Through:
    """The database through the proxy, and how many round trips there were so far."""

    address: str
    trips: Any


@contextmanager
def proxy(database: str, delay: float) -> Iterator[Through]:
    """A process that stands before a PostgreSQL, holds back each round trip and counts them."""
    context = multiprocessing.get_context("spawn")
    trips = context.Value("q", 0, lock=False)
    told, ports = context.Pipe(duplex=False)
    url = make_url(database).set(drivername="postgresql")
    process = context.Process(target=_stand, args=(_behind(url), delay, trips, ports), daemon=True)
    process.start()
    apart = {name: value for name, value in url.query.items() if name not in ("host", "port")}
    there = url.set(host="127.0.0.1", port=told.recv(), query=apart)
    try:
        yield Through(there.render_as_string(hide_password=False), trips)
    finally:
        process.terminate()
        process.join()


def _behind(url: URL) -> tuple[str, int]:
    """Where the database itself listens: a host or the folder of its socket, and a port."""
    with psycopg.connect(url.render_as_string(hide_password=False)) as connection:
        return connection.info.host, connection.info.port


def _stand(behind: tuple[str, int], delay: float, trips: Any, ports: Connection) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ports.send(listener.getsockname()[1])
        while True:
            client, _ = listener.accept()
            Thread(target=_carry, args=(client, _connect(behind), delay, trips), daemon=True).start()


def _connect(behind: tuple[str, int]) -> socket.socket:
    host, port = behind
    if not host.startswith("/"):
        return socket.create_connection(behind)
    server = socket.socket(socket.AF_UNIX)
    server.connect(f"{host}/.s.PGSQL.{port}")
    return server


def _carry(client: socket.socket, server: socket.socket, delay: float, trips: Any) -> None:
    """Carry bytes both ways until one side hangs up."""
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    answered = [True]

    def back() -> None:
        with suppress(OSError):
            while chunk := server.recv(CHUNK):
                answered[0] = True
                client.sendall(chunk)
            client.close()

    Thread(target=back, daemon=True).start()
    with suppress(OSError):
        while chunk := client.recv(CHUNK):
            if answered[0]:
                answered[0] = False
                # One thread counts a connection; connections that are used at once are not measured here.
                trips.value += 1
                sleep(delay)
            server.sendall(chunk)
        server.close()
