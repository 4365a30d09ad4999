"""Many clients of one server at once: observe, recall and context over HTTP, on each kind of database."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import httpx

from bench import synthetic
from bench.errors import ServerEnded
from bench.tables import Table, number

Json = dict[str, Any]

CLIENTS = 64
SECONDS = 60
USERS = 16
# How often each call is made, out of ten.
MIX = {"observe": 5, "recall": 3, "context": 2}


def measure(database: str | None, *, clients: int, seconds: int) -> Json:
    """What the clients saw: calls, errors and times by kind of call."""
    with tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder, _server(database, Path(folder)) as url:
        return asyncio.run(_all(url, clients, seconds))


def tables(document: Json) -> list[Table]:
    """Times by database and kind of call."""
    rows = tuple(
        (
            kind,
            call,
            f"{of['calls']:,}",
            str(of["errors"]),
            *(number(of[name]) for name in ("p50_ms", "p95_ms", "p99_ms")),
        )
        for kind, figures in document["databases"].items()
        for call, of in figures["calls"].items()
    )
    totals = "; ".join(
        f"{kind} {figures['calls_per_s']:,.0f} calls a second" for kind, figures in document["databases"].items()
    )
    options = document["options"]
    note = f"{options['clients']} clients for {options['seconds']} s over {USERS} users, one server process: {totals}."
    return [
        Table(
            "Clients of one server",
            ("database", "call", "calls", "errors", "p50, ms", "p95, ms", "p99, ms"),
            rows,
            note,
        )
    ]


@contextmanager
def _server(database: str | None, folder: Path) -> Iterator[str]:
    """A server process of its own, on a free port of this machine."""
    told = ["serve", "--port", "0", "--json", "--database", database or str(folder / "load.db")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NACRE_")}
    command = [sys.executable, "-m", "nacre", *told]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as server:
        try:
            yield _address(server)
        finally:
            server.send_signal(signal.SIGINT)


def _address(server: subprocess.Popen[str]) -> str:
    """Where the server says that it answers."""
    said = ""
    for line in server.stdout or ():
        said += line
        if line.startswith("}"):
            return str(json.loads(said)["url"])
    raise ServerEnded


@dataclass(slots=True)
class Crowd:
    """Clients at work, and what they have seen so far."""

    client: httpx.AsyncClient
    until: float
    texts: list[str]
    seen: dict[str, list[float]] = field(default_factory=lambda: {call: [] for call in MIX})
    errors: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MIX, 0))

    async def one(self, place: int) -> None:
        """One call of each kind, and then any, until the time is up."""
        chance = random.Random(place)
        for made in count():
            call = list(MIX)[made] if made < len(MIX) else chance.choices(list(MIX), list(MIX.values()))[0]
            body = _body(call, chance.choice(self.texts), place)
            begun = perf_counter()
            try:
                reply = await self.client.post(f"/v1/agents/load/{call}", json=body)
                self.errors[call] += reply.status_code >= 400
            except httpx.HTTPError:
                self.errors[call] += 1
            self.seen[call].append((perf_counter() - begun) * 1000)
            if perf_counter() >= self.until and made >= len(MIX):
                return


def _body(call: str, text: str, place: int) -> Json:
    whose: Json = {"user": f"user-{place % USERS}"}
    match call:
        case "observe":
            return whose | {"role": "user", "text": text, "session": f"s{place}"}
        case "recall":
            return whose | {"query": text[:80]}
        case _:
            return whose | {"message": text[:80], "session": f"s{place}", "budget": 800}


async def _all(url: str, clients: int, seconds: int) -> Json:
    texts = [turn.text for turn in synthetic.turns(5_000)]
    limits = httpx.Limits(max_connections=clients)
    begun = perf_counter()
    async with httpx.AsyncClient(base_url=url, timeout=30, limits=limits, trust_env=False) as client:
        crowd = Crowd(client, begun + seconds, texts)
        await asyncio.gather(*map(crowd.one, range(clients)))
    took = perf_counter() - begun
    return {
        "calls_per_s": round(sum(map(len, crowd.seen.values())) / took, 1),
        "calls": {call: _figures(times, crowd.errors[call]) for call, times in crowd.seen.items()},
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
