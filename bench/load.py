"""Mixed load of many users on one machine: observe, recall and context over HTTP, on each kind of database.

Callers, server and database share the machine's cores. What each of them used is told beside the times: of a machine
that others use as well, the processor time of a call is the figure to compare.
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any

from bench import synthetic
from bench.callers import Caller
from bench.errors import ServerEnded
from bench.fleets import processor_seconds
from bench.tables import Table, number

Json = dict[str, Any]

CLIENTS, SECONDS, USERS = 16, 30, 200
# What each user has said before.
HELD_TURNS = 40
# How often each call is made, out of ten.
MIX = {"observe": 5, "recall": 3, "context": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many users there are, how many calls are under way at once and for how long, and who answers them.

    With a rate, calls are made at their time and waited for from then on; without one, as fast as they are answered.
    """

    clients: int = CLIENTS
    users: int = USERS
    seconds: float = SECONDS
    rate: float | None = None
    workers: int = 1
    held_turns: int = HELD_TURNS


def measure(database: str, plan: Plan, database_process: int | None = None) -> Json:
    """What the callers saw: calls, errors and times by kind of call, and who used the processor."""
    with server(database, plan.workers) as (url, process):
        measured = {"server": process}
        if database_process:
            measured["database"] = database_process
        return asyncio.run(_all(url, plan, measured))


def tables(document: Json) -> list[Table]:
    """Times by database and kind of call, then what a call costs."""
    databases: Json = document["databases"]
    options = document["options"]
    paced = f", {options['rate']:g} calls a second" if options.get("rate") else ""
    note = (
        f"{options['users']} users, {options['clients']} calls at once{paced} for {options['seconds']:g} s, "
        f"{options['workers']} server process{'es' if options['workers'] > 1 else ''}. Callers, server and database "
        "share the machine."
    )
    rows = tuple(
        (
            kind,
            call,
            f"{of['calls']:,}",
            str(of["errors"]),
            *(number(of[name]) for name in ("p50_ms", "p95_ms", "p99_ms")),
        )
        for kind, figures in databases.items()
        for call, of in {"all": figures["all"], **figures["calls"]}.items()
    )
    costs = tuple(
        (kind, number(figures["calls_per_s"]), *(number(figures["cpu_ms_a_call"].get(who)) for who in _WHO))
        for kind, figures in databases.items()
    )
    times = ("database", "call", "calls", "errors", "p50, ms", "p95, ms", "p99, ms")
    shares = ("database", "calls/s", *(f"{who}, CPU ms a call" for who in _WHO))
    return [Table("Mixed load", times, rows, note), Table("Calls carried", shares, costs)]


_WHO = ("server", "database", "callers")


@contextmanager
def server(database: str, workers: int = 1) -> Iterator[tuple[str, int]]:
    """A server on a free port of this machine: its address, and its first process."""
    told = ["serve", "--port", "0", "--json", "--database", database, "--workers", str(workers)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NACRE_")}
    command = [sys.executable, "-m", "nacre", *told]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**environment, "NACRE_RERANK": "off"}, text=True
    ) as process:
        try:
            yield _address(process), process.pid
        finally:
            process.send_signal(signal.SIGINT)


def _address(process: subprocess.Popen[str]) -> str:
    """Where the server says that it answers."""
    said = ""
    for line in process.stdout or ():
        said += line
        if line.startswith("}"):
            return str(json.loads(said)["url"])
    raise ServerEnded


@dataclass(slots=True)
class Crowd:
    """Clients at work, and what they have seen so far."""

    url: str
    plan: Plan
    texts: list[str]
    begun: float = 0.0
    seen: dict[str, list[float]] = field(default_factory=lambda: {call: [] for call in MIX})
    errors: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MIX, 0))

    async def prepare(self, place: int) -> None:
        """Have some of the users say what they said before, and wait until it is learned."""
        async with Caller(self.url) as caller:
            for user in range(place, self.plan.users, self.plan.clients):
                chance = random.Random(user)
                said = [{"role": "user", "text": text} for text in chance.sample(self.texts, self.plan.held_turns)]
                await caller.post("/v1/agents/load/observe", {"user": f"user-{user}", "turns": said})
                await caller.post("/v1/agents/load/context", _body("context", "hello", user))

    async def call(self, place: int) -> None:
        """One call of each kind, and then any, for a user each, until the time is up."""
        chance, pause = random.Random(f"calls {place}"), self.plan.clients / self.plan.rate if self.plan.rate else 0.0
        async with Caller(self.url) as caller:
            for made in count():
                kind = list(MIX)[made] if made < len(MIX) else chance.choices(list(MIX), list(MIX.values()))[0]
                body = _body(kind, chance.choice(self.texts), chance.randrange(self.plan.users))
                due = self.begun + (made + place / self.plan.clients) * pause if pause else perf_counter()
                await asyncio.sleep(max(0.0, due - perf_counter()))
                status = await caller.post(f"/v1/agents/load/{kind}", body)
                self.errors[kind] += status >= 400
                self.seen[kind].append((perf_counter() - due) * 1000)
                if perf_counter() >= self.begun + self.plan.seconds and made >= len(MIX):
                    return


def _body(kind: str, text: str, user: int) -> Json:
    whose: Json = {"user": f"user-{user}"}
    match kind:
        case "observe":
            return whose | {"role": "user", "text": text, "session": "s"}
        case "recall":
            return whose | {"query": text[:80]}
        case _:
            return whose | {"message": text[:80], "session": "s", "budget": 800}


async def _all(url: str, plan: Plan, processes: dict[str, int]) -> Json:
    crowd = Crowd(url, plan, [turn.text for turn in synthetic.turns(5_000)])
    await asyncio.gather(*map(crowd.prepare, range(plan.clients)))
    before = {name: processor_seconds(process) for name, process in processes.items()}
    own, crowd.begun = process_time(), perf_counter()
    await asyncio.gather(*map(crowd.call, range(plan.clients)))
    took = perf_counter() - crowd.begun
    used = {name: processor_seconds(process) - before[name] for name, process in processes.items()}
    used["callers"] = process_time() - own
    every = [each for times in crowd.seen.values() for each in times]
    return {
        "calls_per_s": round(len(every) / took, 1),
        "all": _figures(every, sum(crowd.errors.values())),
        "calls": {call: _figures(times, crowd.errors[call]) for call, times in crowd.seen.items()},
        "cpu_ms_a_call": {name: round(seconds * 1000 / len(every), 2) for name, seconds in used.items()},
    }


def _figures(times: list[float], errors: int) -> Json:
    parts = quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
    return {
        "calls": len(times),
        "errors": errors,
        "p50_ms": round(parts[49], 1),
        "p95_ms": round(parts[94], 1),
        "p99_ms": round(parts[98], 1),
    }
