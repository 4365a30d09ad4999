"""A noisy neighbour: one user sends the largest turns that are allowed, another sends short ones and is timed.

Both use threads of one process, or one server over HTTP. What the other user's `observe` takes alone is measured first,
in a store of its own: what the noise leaves to be learned would go on disturbing.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from itertools import islice
from statistics import median
from threading import Event, Thread
from time import perf_counter, sleep
from typing import Any
from urllib.parse import urlsplit

from bench import synthetic
from bench.load import server
from bench.metrics import percentile
from bench.progress import Progress
from bench.tables import Table, number
from nacre import Nacre, Settings
from nacre.domain.checks import MAX_TEXT

SECONDS = 15.0
# One short turn in so many seconds: a person, not a load.
PACE_SECONDS = 0.05
# Both users have said something before, so that nobody is timed while things are loaded.
WARM_TURNS = 20
MUST = 2.0
PLACES = {"embedded": 0, "1 server process": 1, "2 server processes": 2}

Json = dict[str, Any]
# Stores one turn of a user.
Observe = Callable[[str, str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long each measurement takes, how long the noisy turns are, and where both users are."""

    seconds: float = SECONDS
    characters: int = MAX_TEXT
    places: tuple[str, ...] = tuple(PLACES)


def measure(database: str, plan: Plan, progress: Progress) -> Json:
    """The times of short turns alone and beside large ones, by place."""
    figures: Json = {}
    with progress.track("neighbours", 2 * len(plan.places)) as advance:
        for place in plan.places:
            alone = _timed(database, place, plan, noisy=False)
            advance(1)
            beside = _timed(database, place, plan, noisy=True)
            advance(1)
            figures[place] = {
                "alone": alone,
                "beside": beside,
                "p50_ratio": round(beside["p50_ms"] / alone["p50_ms"], 2),
                "p95_ratio": round(beside["p95_ms"] / alone["p95_ms"], 2),
            }
    return figures


def tables(document: Json) -> list[Table]:
    """p50 and p95 alone and beside a noisy neighbour, and how many times slower."""
    rows = tuple(
        (
            kind,
            place,
            *(number(of[when][name]) for name in ("p50_ms", "p95_ms") for when in ("alone", "beside")),
            number(of["p95_ratio"]),
            f"{of['beside']['noisy_turns']:,}",
        )
        for kind, places in document["databases"].items()
        for place, of in places.items()
    )
    columns = ("database", "place", "p50 alone, ms", "beside", "p95 alone, ms", "beside", "times", "noisy turns")
    options = document["options"]
    note = (
        f"`observe` of a short turn every {PACE_SECONDS * 1000:g} ms for {options['seconds']:g} s, beside a user who "
        f"sends turns of {options['characters']:,} characters one after the other. It must stay within "
        f"{MUST:g} times of alone."
    )
    return [Table("A noisy neighbour", columns, rows, note)]


def _timed(database: str, place: str, plan: Plan, *, noisy: bool) -> Json:
    times: list[float] = []
    noise = Noise(synthetic_text(plan.characters))
    with _users(database, place) as observe, noise.beside(observe, plan.seconds if noisy else 0.0):
        texts = [turn.text for turn in synthetic.turns(500)]
        until = perf_counter() + plan.seconds
        while perf_counter() < until:
            begun = perf_counter()
            observe("quiet", texts[len(times) % len(texts)])
            times.append((perf_counter() - begun) * 1000)
            sleep(max(0.0, PACE_SECONDS - (perf_counter() - begun)))
    return {
        "calls": len(times),
        "p50_ms": round(median(times), 2),
        "p95_ms": round(percentile(times, 95), 2),
        "noisy_turns": noise.turns,
    }


class Noise:
    """Sends one large turn after the other, and counts those that were taken."""

    def __init__(self, text: str) -> None:
        self.turns = 0
        self._text = text

    @contextmanager
    def beside(self, observe: Observe, seconds: float) -> Iterator[None]:
        """Make noise while the block runs, for at most so many seconds."""
        over, until = Event(), perf_counter() + seconds

        def send() -> None:
            while not over.is_set() and perf_counter() < until:
                observe("noisy", self._text)
                self.turns += 1

        thread = Thread(target=send, name="noise")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def synthetic_text(characters: int) -> str:
    """Prose of exactly so many characters."""
    words: list[str] = []
    held = 0
    for turn in synthetic.conversation():
        words.append(turn.text)
        held += len(turn.text) + 1
        if held >= characters:
            return " ".join(words)[:characters].ljust(characters, ".")
    raise AssertionError("a conversation has no end")


@contextmanager
def _users(database: str, place: str) -> Iterator[Observe]:
    """How both users store turns at this place; each has said something before."""
    with _served(database, PLACES[place]) if PLACES[place] else _embedded(database) as observe:
        for turn in islice(synthetic.conversation(), WARM_TURNS):
            observe("quiet", turn.text)
            observe("noisy", turn.text)
        yield observe


@contextmanager
def _embedded(address: str) -> Iterator[Observe]:
    agent = _agent()
    with Nacre(address, settings=Settings(rerank="off")) as nacre:
        scopes = {user: nacre.scope(agent, user=user) for user in ("quiet", "noisy")}
        yield lambda user, text: scopes[user].observe("user", text)


@contextmanager
def _served(address: str, processes: int) -> Iterator[Observe]:
    agent = _agent()
    with server(address, processes) as (url, _):
        connections = {user: HTTPConnection(urlsplit(url).netloc, timeout=120) for user in ("quiet", "noisy")}

        def observe(user: str, text: str) -> None:
            body = json.dumps({"user": user, "role": "user", "text": text})
            try:
                _post(connections[user], agent, body)
            except ConnectionError:
                # A server closes a connection that rested for some seconds.
                connections[user].close()
                _post(connections[user], agent, body)

        try:
            yield observe
        finally:
            for connection in connections.values():
                connection.close()


def _post(connection: HTTPConnection, agent: str, body: str) -> None:
    connection.request("POST", f"/v1/agents/{agent}/observe", body, {"Content-Type": "application/json"})
    reply = connection.getresponse()
    reply.read()
    if reply.status != 201:
        raise HTTPException(reply.status)


def _agent() -> str:
    """An agent of its own, so that runs on one database do not meet."""
    return f"neighbours-{os.urandom(4).hex()}"
