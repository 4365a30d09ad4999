"""Strikes of `chaos`: servers, workers and the database are killed whenever they have done some work.

By the clock, a slow machine would have them killed before they have done anything.
"""

import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

from sqlalchemy import func, select

from bench import clients
from bench.clusters import Cluster
from bench.fleets import Fleet, fleet, started_worker
from nacre import Nacre, NacreError, Settings
from nacre.store.tables.schema import scopes, turns

# Between two strikes: calls that servers acknowledged, turns that workers learned from, operations that clients ended.
BETWEEN = {"server": (5, 40), "worker": (3, 30), "database": (30, 90)}
# How long a worker that is to be killed may take to learn something, and how long it may then go on.
LEARN_SECONDS, WITHIN_SECONDS = 3.0, 0.2
LOOK_SECONDS = 0.5

Strike = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Battlefield:
    """A database, what is done on it, and who was struck how often."""

    database: str
    folder: Path
    cluster: Cluster | None = None
    done: Counter[str] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def served(self, caller: str) -> Iterator[None]:
        """Servers and workers that are killed like the database, and a caller of the servers."""
        settings = {"NACRE_WORKER": "off", "NACRE_RERANK": "off", "NACRE_EXTRACTION": "rules"}
        settings["NACRE_DATABASE"] = self.database
        log, over = self.folder / "log", Event()
        with fleet(settings, servers=2, workers=1, log=log) as running, ThreadPoolExecutor(2) as threads:
            begun = [
                threads.submit(self._strike, running, partial(started_worker, settings, log), over),
                threads.submit(clients.call, running.url, self.folder / f"{caller}.notes", over, self._acknowledged),
            ]
            try:
                yield
            finally:
                over.set()
                for each in begun:
                    each.result()
                for worker in running.workers:
                    worker.kill()
                    worker.wait()

    def _acknowledged(self) -> None:
        self.done["server"] += 1

    def _strike(self, running: Fleet, restart: Callable[[], Any], over: Event) -> None:
        chance = random.Random(7)
        with Nacre(self.database, settings=Settings(worker="off", embedder="off")) as nacre:
            strikes = self._strikes(running, restart, nacre, chance)
            due = {kind: chance.randint(*BETWEEN[kind]) for kind in strikes}
            while not over.wait(chance.uniform(0, 2 * LOOK_SECONDS)):
                self.done["worker"] = max(self.done["worker"], _learned(nacre))
                for kind in [each for each in strikes if self.done[each] >= due[each]]:
                    strikes[kind]()
                    self.struck[kind] += 1
                    due[kind] = self.done[kind] + chance.randint(*BETWEEN[kind])

    def _strikes(
        self, running: Fleet, restart: Callable[[], Any], nacre: Nacre, chance: random.Random
    ) -> Mapping[str, Strike]:
        strikes = {
            "server": partial(_kill_server, running, chance),
            "worker": partial(_kill_worker, running, restart, nacre, chance),
        }
        return strikes | ({"database": partial(_kill_database, self.cluster)} if self.cluster else {})


def _kill_server(running: Fleet, chance: random.Random) -> None:
    if answering := running.answering():
        with suppress(ProcessLookupError):
            os.kill(chance.choice(answering), signal.SIGKILL)


def _kill_worker(running: Fleet, restart: Callable[[], Any], nacre: Nacre, chance: random.Random) -> None:
    """Kill the worker, where it has just learned something and so is likely to be at the next."""
    patience, before = monotonic() + LEARN_SECONDS, _learned(nacre)
    while monotonic() < patience and _learned(nacre) <= before:
        sleep(0.01)
    sleep(chance.uniform(0, WITHIN_SECONDS))
    running.workers[0].kill()
    running.workers.pop(0).wait()
    running.workers.append(restart())


def _kill_database(cluster: Cluster) -> None:
    cluster.stop("immediate")
    sleep(0.5)
    cluster.start()


def _learned(nacre: Nacre) -> int:
    """How many turns of all scopes workers have learned from; 0 while the database is gone."""
    beside = (turns.c.scope_id == scopes.c.scope_id) & (
        turns.c.seq < func.coalesce(scopes.c.unread_seq, scopes.c.next_seq)
    )
    try:
        with nacre.parts.database.read_all() as tx:
            return int(tx.execute(select(func.count()).select_from(turns.join(scopes, beside))).scalar_one())
    except NacreError:
        return 0
