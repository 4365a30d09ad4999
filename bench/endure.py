"""Mixed load for half an hour on all that runs in a large installation, with everything counted.

Four server processes, two workers, PostgreSQL and Valkey. Clients call at an even rate, each for a user of its own who
is followed by another after some calls, so that no scope grows without end and every process meets new ones all the
time. Every turn carries a reference and every memory becomes a job; at the end both are compared with what is stored.
"""

import asyncio
import random
import tempfile
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any

import httpx
import psycopg

from bench import synthetic
from bench.clusters import Cluster
from bench.fleets import Fleet, fleet, valkey
from bench.metrics import percentile
from bench.progress import Advance, Progress
from bench.tables import Table, number
from nacre import Nacre, Scope, Settings
from nacre.store.work import jobs
from nacre.upkeep.cycles import SCHEDULED
from nacre.work import dreaming

SERVERS, WORKERS, CLIENTS = 4, 2, 8
MINUTES = 30
# Calls a second of all clients together: an installation that is busy and not out of breath.
RATE = 16.0
WINDOW_MINUTES = 5
SAMPLE_SECONDS, DREAM_SECONDS = 10, 10
CALLS_A_USER = 60
AGENT = "endure"
# How much of its recall indexes a process keeps, so that what it holds is bounded and the bound is reached.
INDEX_MB = 4
PATIENCE_SECONDS = 300
# How often each call is made, out of a hundred.
MIX = {"observe": 36, "recall": 22, "context": 14, "remember": 8, "search": 8, "node": 8, "memories": 3, "dream": 1}

LEVELS = ("warning", "error", "critical")

Json = dict[str, Any]

_STORED = "SELECT s.ref FROM sources s JOIN turns t ON (t.scope_id, t.id) = (s.scope_id, s.id)"
_JOBS = "SELECT kind, status, count(*), sum(attempts - 1) FROM jobs GROUP BY kind, status"
_EXPANDED = """
SELECT count(*), count(DISTINCT payload ->> 'memory_id') FROM audit WHERE operation = 'expand_memory'
"""
_DREAMT = "SELECT count(*) FROM dreams WHERE trigger = %s"


@dataclass(slots=True)
class Ledger:
    """What the clients did and saw."""

    begun: float
    times: dict[int, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    errors: Counter[str] = field(default_factory=Counter)
    turns: list[str] = field(default_factory=list)
    remembered: int = 0
    left: list[Scope] = field(default_factory=list)
    memory: list[tuple[float, dict[str, float]]] = field(default_factory=list)
    requested: int = 0

    def window(self) -> int:
        """The window that it is now."""
        return int((perf_counter() - self.begun) // (60 * WINDOW_MINUTES))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long, how often and by how many."""

    minutes: float = MINUTES
    rate: float = RATE
    clients: int = CLIENTS


def measure(plan: Plan, progress: Progress) -> Json:
    """What the load came to."""
    with (
        tempfile.TemporaryDirectory(prefix="nacre-endure-") as name,
        closing(Cluster()) as cluster,
        valkey(Path(name)),
        Nacre(cluster.address, settings=Settings(worker="off")) as nacre,
    ):
        folder = Path(name)
        settings = {
            "NACRE_DATABASE": cluster.address,
            "NACRE_CACHE": f"unix://{folder / 'valkey.sock'}",
            "NACRE_WORKER": "off",
            "NACRE_INDEX_MEMORY_MB": str(INDEX_MB),
            "NACRE_RERANK": Settings().rerank,
        }
        log = folder / "log"
        with fleet(settings, servers=SERVERS, workers=WORKERS, log=log) as running:
            ledger = asyncio.run(_load(running, nacre, plan, progress))
            drained = _drained(cluster.address)
        return _figures(ledger, cluster.address) | {"drain_s": drained, "warnings": _logged(log)}


async def _load(running: Fleet, nacre: Nacre, plan: Plan, progress: Progress) -> Ledger:
    texts = [turn.text for turn in synthetic.turns(5_000)]
    # A connection for each call, so that whichever process is idle answers it.
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=running.url, timeout=60, limits=limits, trust_env=False) as client:
        ledger = Ledger(perf_counter())
        until = ledger.begun + 60 * plan.minutes
        callers = [Caller(client, ledger, place, texts) for place in range(plan.clients)]
        with progress.track(f"{plan.minutes:g} minutes of load", round(60 * plan.minutes)) as advance:
            await asyncio.gather(
                *(each.call(until, plan.clients / plan.rate) for each in callers),
                _watch(running, ledger, until, advance),
                asyncio.to_thread(_ask_for_dreams, nacre, ledger, until),
            )
    return ledger


@dataclass(slots=True)
class Caller:
    """One client; after some calls it is another user."""

    client: httpx.AsyncClient
    ledger: Ledger
    place: int
    texts: list[str]

    async def call(self, until: float, pause: float) -> None:
        """Call at an even rate until the time is up."""
        chance = random.Random(self.place)
        due = perf_counter() + pause * chance.random()
        for made in count():
            await asyncio.sleep(max(0.0, due - perf_counter()))
            if perf_counter() >= until:
                return
            # A client that fell behind does not make up for it all at once.
            due = max(due + pause, perf_counter())
            place = made % CALLS_A_USER
            user = f"user-{self.place}-{made // CALLS_A_USER}"
            # A new user first says something, so that there is something to ask for.
            kind = "observe" if place < 3 else chance.choices(list(MIX), list(MIX.values()))[0]
            await self._timed(kind, user, chance.choice(self.texts), made)
            if place == CALLS_A_USER - 1:
                self.ledger.left.append(Scope(agent=AGENT, user=user))

    async def _timed(self, kind: str, user: str, text: str, made: int) -> None:
        begun, window = perf_counter(), self.ledger.window()
        ref = f"{self.place}-{made}"
        try:
            reply = await self._send(kind, user, text, ref)
        except httpx.HTTPError as error:
            self.ledger.errors[f"{kind}: {type(error).__name__}"] += 1
            return
        self.ledger.times[window][kind].append((perf_counter() - begun) * 1000)
        if reply.status_code >= 400:
            self.ledger.errors[f"{kind}: {reply.json()['error']['code']}"] += 1
        elif kind == "observe":
            self.ledger.turns.append(ref)
        elif kind == "remember":
            self.ledger.remembered += 1

    async def _send(self, kind: str, user: str, text: str, ref: str) -> httpx.Response:
        if kind == "node":
            return await self._node(user)
        address = f"/v1/agents/{AGENT}/{kind}"
        if kind == "memories":
            return await self.client.get(address, params={"user": user})
        if kind == "search":
            asked = {"user_id": user, "q": text.split(maxsplit=1)[0]}
            return await self.client.get(f"/v1/agents/{AGENT}/kg/entities", params=asked)
        bodies: Json = {
            "observe": {"role": "user", "text": text, "session": "s", "ref": ref},
            "recall": {"query": text[:80]},
            "context": {"message": text[:80], "session": "s"},
            "remember": {"text": _compound(ref)},
            "dream": {"passes": ["decay"]},
        }
        return await self.client.post(address, json={"user": user, **bodies[kind]})

    async def _node(self, user: str) -> httpx.Response:
        """The entity that changed last, with its links: read through the cache; else the empty list."""
        address = f"/v1/agents/{AGENT}/kg/entities"
        listed = await self.client.get(address, params={"user_id": user, "limit": 1})
        if listed.status_code >= 400 or not listed.json():
            return listed
        return await self.client.get(f"{address}/{listed.json()[0]['id']}", params={"user_id": user})


def _compound(ref: str) -> str:
    """Two statements, which the background makes two entries of; no two are alike."""
    chance = random.Random(ref)
    word, other = (f"{chance.randrange(16**8):08x}" for _ in range(2))
    return f"I keep the {word} in drawer {chance.randrange(10**6)}. The launch of {other} moved to May {ref[-1]}."


async def _watch(running: Fleet, ledger: Ledger, until: float, advance: Advance) -> None:
    """Note the memory of every process now and then."""
    while (left := until - perf_counter()) > 0:
        ledger.memory.append((perf_counter() - ledger.begun, running.resident()))
        await asyncio.sleep(min(SAMPLE_SECONDS, left))
        advance(min(SAMPLE_SECONDS, round(left)))


def _ask_for_dreams(nacre: Nacre, ledger: Ledger, until: float) -> None:
    """Have users who are gone dreamt for, as the nightly round does."""
    while perf_counter() < until:
        sleep(min(DREAM_SECONDS, max(0.0, until - perf_counter())))
        if ledger.left:
            with nacre.parts.database.write(ledger.left.pop(0)) as tx:
                ledger.requested += jobs.request(tx, dreaming.KIND)


def _drained(address: str) -> float:
    """How many seconds the workers took for what was left."""
    begun = monotonic()
    while monotonic() - begun < PATIENCE_SECONDS:
        with psycopg.connect(address) as connection:
            if not any(status in ("waiting", "running") for _, status, *_ in connection.execute(_JOBS)):
                break
        sleep(0.5)
    return round(monotonic() - begun, 1)


def _figures(ledger: Ledger, address: str) -> Json:
    with psycopg.connect(address) as connection:
        stored = Counter(ref for (ref,) in connection.execute(_STORED))
        held = [(kind, status, int(number), int(again)) for kind, status, number, again in connection.execute(_JOBS)]
        expanded, distinct = connection.execute(_EXPANDED).fetchone() or (0, 0)
        (dreamt,) = connection.execute(_DREAMT, [SCHEDULED]).fetchone() or (0,)
    enqueued = {"expand_memory": ledger.remembered, "dream": ledger.requested}
    effects = {"expand_memory": (expanded, distinct), "dream": (dreamt, min(dreamt, ledger.requested))}
    return {
        "errors": dict(ledger.errors),
        "calls": sum(len(times) for window in ledger.times.values() for times in window.values()),
        "windows": {str(window): _spread(of) for window, of in sorted(ledger.times.items())},
        "memory": _memory(ledger.memory),
        "turns": {
            "acknowledged": len(ledger.turns),
            "stored": sum(stored.values()),
            "lost": len(set(ledger.turns) - set(stored)),
            "doubled": sum(stored.values()) - len(stored),
        },
        "jobs": {kind: _jobs(kind, enqueued[kind], held, *effects[kind]) for kind in enqueued},
        "other_jobs": {f"{kind} {status}": held for kind, status, held, _ in held if kind not in enqueued},
    }


def _jobs(kind: str, enqueued: int, held: list[tuple[str, str, int, int]], effects: int, distinct: int) -> Json:
    of = {status: number for each, status, number, _ in held if each == kind}
    return {
        "enqueued": enqueued,
        "done": of.get("done", 0),
        "effects": effects,
        "lost": enqueued - of.get("done", 0),
        "doubled": effects - distinct,
        "begun_again": sum(again for each, _, _, again in held if each == kind),
    }


def _spread(times: dict[str, list[float]]) -> Json:
    return {
        kind: {"calls": len(of), **{f"p{part}_ms": round(percentile(of, part), 1) for part in (50, 95)}}
        for kind, of in times.items()
    }


def _memory(samples: list[tuple[float, dict[str, float]]]) -> Json:
    """For each process: its memory in each window, and how it grows over the second half of the run."""
    last = samples[-1][0]
    windows: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for at, held in samples:
        for name, size in held.items():
            windows[name][int(at // (60 * WINDOW_MINUTES))].append(size)
    return {
        name: {
            "windows_mb": {str(window): round(sum(of) / len(of), 1) for window, of in sorted(by.items())},
            "growth_mb_per_hour": _slope([(at, held[name]) for at, held in samples if at > last / 2 and name in held]),
        }
        for name, by in windows.items()
    }


def _slope(points: list[tuple[float, float]]) -> float:
    """The line of least squares through points in seconds and MB, as MB an hour."""
    if len(points) < 2:
        return 0.0
    middle = sum(at for at, _ in points) / len(points)
    spread = sum((at - middle) ** 2 for at, _ in points)
    return round(3600 * sum((at - middle) * size for at, size in points) / spread, 1)


def _logged(log: Path) -> Json:
    """How often each part of servers and workers had to warn."""
    lines = (line.split() for line in log.read_text(encoding="utf-8").splitlines())
    return dict(Counter(words[3].rstrip(":") for words in lines if len(words) > 3 and words[1] in LEVELS))


def tables(document: Json) -> list[Table]:
    """What was counted, then times and memory by window."""
    return [_counted(document), _times(document), _sizes(document)]


def _counted(document: Json) -> Table:
    turns = document["turns"]
    rows = [
        ("turns", f"{turns['acknowledged']:,}", f"{turns['stored']:,}", str(turns["lost"]), str(turns["doubled"]), "–"),
        *(
            (f"jobs: {kind}", *(f"{of[each]:,}" for each in ("enqueued", "effects", "lost", "doubled", "begun_again")))
            for kind, of in document["jobs"].items()
        ),
    ]
    told = ", ".join(f"{count} × {kind}" for kind, count in document["errors"].items()) or "none"
    warned = ", ".join(f"{count} of {part}" for part, count in document["warnings"].items()) or "none"
    options = document["options"]
    note = (
        f"{document['calls']:,} calls by {options['clients']} clients, {options['rate']:g} a second, to {SERVERS} "
        f"server processes and {WORKERS} workers on PostgreSQL and Valkey. Errors: {told}. Warnings in the log: "
        f"{warned}."
    )
    columns = ("", "acknowledged", "took effect", "lost", "doubled", "begun again")
    return Table(f"{options['minutes']:g} minutes of mixed load", columns, tuple(rows), note)


def _times(document: Json) -> Table:
    windows: Json = document["windows"]
    rows = tuple((kind, *(_pair(of.get(kind)) for of in windows.values())) for kind in MIX)
    return Table("p50 and p95 by minutes, ms", ("call", *map(_minutes, windows)), rows)


def _pair(figures: Json | None) -> str:
    return f"{number(figures['p50_ms'])} · {number(figures['p95_ms'])}" if figures else number(None)


def _sizes(document: Json) -> Table:
    memory: Json = document["memory"]
    windows = sorted({window for of in memory.values() for window in of["windows_mb"]}, key=int)
    rows = tuple(
        (name, *(number(of["windows_mb"].get(window)) for window in windows), number(of["growth_mb_per_hour"]))
        for name, of in sorted(memory.items())
    )
    note = (
        f"Growth is the slope of the second half. Each process keeps at most {INDEX_MB} MB of recall indexes, and "
        "meets new users all the time."
    )
    columns = ("process", *map(_minutes, windows), "growth, MB an hour")
    return Table("Resident memory by minutes, MB", columns, rows, note)


def _minutes(window: str) -> str:
    return f"{int(window) * WINDOW_MINUTES}–{(int(window) + 1) * WINDOW_MINUTES}"
