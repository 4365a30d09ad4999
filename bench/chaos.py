"""All kinds of writes by many processes while everything is killed, checked against a model of what was acknowledged.

A client lives for some operations and is killed in the middle of another, of each kind in turn; servers, workers and
the database are killed whenever they have done some work (`strikes`). Nothing is killed by the clock: a slow machine
ends fewer operations, but of every kind. Clocks jump between the lives of a client. Afterwards `histories` compares
the store with the notes of the clients.
"""

import multiprocessing
import pkgutil
import random
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from bench import histories
from bench.clients import ACTS, Life
from bench.clusters import Cluster
from bench.histories import AGENT
from bench.progress import Progress
from bench.strikes import Battlefield
from bench.tables import Table
from nacre import Nacre, Settings

MINUTES, CLIENTS = 10.0, 3
# How many operations a client ends at most before the one that it is killed in.
LONGEST_LIFE = 16
# How long an operation takes that none of its kind was seen of, and how long none may take.
FIRST_GUESS, PATIENCE = 0.3, 300.0
# What the process that clients are forked from has imported: on a busy machine a client would spend its life on that.
ROOMS = ("nacre.extraction", "nacre.memory", "nacre.graph", "nacre.transfer", "nacre.upkeep")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long or how often clients live, how many, and whether servers and workers run beside them."""

    minutes: float = MINUTES
    lives: int | None = None
    clients: int = CLIENTS
    served: bool = True
    seed: int = 20260501


def measure(database: str, plan: Plan, progress: Progress, cluster: Cluster | None = None) -> Json:
    """Kills, operations and violations of one database; a cluster of its own is killed, too."""
    with tempfile.TemporaryDirectory(prefix="nacre-chaos-") as name:
        ground = Battlefield(database, Path(name), cluster)
        Nacre(database, settings=Settings(worker="off")).close()
        with ground.served(f"httpx{plan.seed}") if plan.served else nullcontext():
            troubles = _fight(ground, plan, progress)
        if cluster:
            cluster.start()
        notes = {path.stem: histories.read(path) for path in sorted(ground.folder.glob("*.notes"))}
        _sleep_on_it(database, notes)
        figures = histories.verify(database, notes)
        return {"kills": dict(ground.struck), **figures, "violations": [*troubles, *figures["violations"]]}


def _fight(ground: Battlefield, plan: Plan, progress: Progress) -> list[str]:
    """Let clients live until the time is over; what went wrong with one, in words."""
    _preload()
    with progress.track("chaos", round(60 * plan.minutes)) as tell, ThreadPoolExecutor(plan.clients) as threads:
        until = monotonic() + 60 * plan.minutes
        clients = [Client(ground, f"client{place}x{plan.seed}", until) for place in range(plan.clients)]
        begun = [threads.submit(client.live, plan.lives) for client in clients]
        while wait(begun, timeout=1.0).not_done:
            tell(1)
        for each in begun:
            each.result()
    ground.struck["client"] = sum(client.kills for client in clients)
    return [trouble for client in clients for trouble in client.troubles]


def _sleep_on_it(database: str, clients: Iterable[str]) -> None:
    """Let a night come over every scope, with an embedder: it joins what is the same, and nothing here is."""
    with Nacre(database, settings=Settings(worker="off", extraction="rules", rerank="off")) as nacre:
        for client in clients:
            nacre.scope(AGENT, user=client).dreams.run(["consolidation", "graph"])


@dataclass(slots=True)
class Client:
    """One life after another of a client, and how long its operations take by their kind."""

    ground: Battlefield
    name: str
    until: float
    kills: int = 0
    usual: dict[str, float] = field(default_factory=lambda: dict.fromkeys(ACTS, FIRST_GUESS))
    troubles: list[str] = field(default_factory=list)

    def live(self, times: int | None = None) -> None:
        """Live until the time is over, at most so many times, and die in every kind of operation in turn."""
        context = multiprocessing.get_context("forkserver")
        chance, file = random.Random(self.name), self.ground.folder / f"{self.name}.notes"
        for number, last in enumerate(islice(_turns(chance), times)):
            if monotonic() >= self.until:
                return
            life = Life(self.ground.database, file, self.name, number, chance.randint(0, LONGEST_LIFE), last)
            heard, told = context.Pipe(duplex=False)
            process = context.Process(target=life.live, args=(told,))
            process.start()
            told.close()
            self._watch(heard, life, chance)
            process.kill()
            process.join()
            self.kills += 1

    def _watch(self, heard: Connection, life: Life, chance: random.Random) -> None:
        """Follow a life until it is somewhere in its last operation, or until the time is over."""
        operations, kind, since = 0, "", monotonic()
        while heard.poll(max(0.0, min(self.until - monotonic(), PATIENCE))):
            try:
                word = heard.recv()
            except EOFError:
                self.troubles.append(f"{self.name}: life {life.number} ended by itself in {kind}")
                return
            if word is None:
                self.usual[kind] = (self.usual[kind] + monotonic() - since) / 2
                self.ground.done["database"] += 1
                continue
            operations, kind, since = operations + 1, word, monotonic()
            if operations > life.operations and kind == life.last:
                sleep(chance.uniform(0, self.usual[kind]))
                return
        if monotonic() < self.until:
            self.troubles.append(f"{self.name}: life {life.number} did nothing for {PATIENCE:g} s in {kind}")


def _turns(chance: random.Random) -> Iterator[str]:
    """Every kind of operation, and again in another order."""
    while True:
        yield from chance.sample(list(ACTS), len(ACTS))


def _preload() -> None:
    """Have the process that clients are forked from import everything, and wait for it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["bench.clients", *_modules()])
    first = context.Process(target=_modules)
    first.start()
    first.join()


def _modules() -> list[str]:
    paths = {room: import_module(room).__path__ for room in ROOMS}
    return [each.name for room, path in paths.items() for each in pkgutil.walk_packages(path, f"{room}.")]


def tables(document: Json) -> list[Table]:
    """Kills, operations, checks and violations, by database; then how many of each kind were acknowledged."""
    columns = ("database", "kills", "operations", "acknowledged", "refused", "checked", "violations")
    rows = tuple(
        (
            kind,
            ", ".join(f"{times:,} × {what}" for what, times in sorted(of["kills"].items())),
            f"{sum(of['tried'].values()):,}",
            f"{sum(of['acknowledged'].values()):,}",
            f"{sum(of['refused'].values()):,}",
            f"{of['checked']:,}",
            str(len(of["violations"])),
        )
        for kind, of in document["databases"].items()
    )
    options = document["options"]
    note = (
        f"{options['minutes']:g} minutes, {options['clients']} clients beside two server processes and a worker. "
        "Checked is every turn, memory, value, node, link, merge, import and line of the log that was acknowledged; "
        "every undo, row by row; every index against a rebuilt one; and every text for words of another scope."
    )
    databases: Json = document["databases"]
    heads = [f"{name}: {what}" for name in databases for what in ("acknowledged", "killed within", "database gone")]
    kinds = tuple((kind, *(cell for of in databases.values() for cell in _counts(kind, of))) for kind in ACTS)
    cut = (
        "Killed within are operations whose client was killed before it was told of their end; the database was gone "
        "before or during others. What they should have made must be there once or not at all; of an import, which is "
        "carried out in portions, the first of its things may be, and the client runs it again."
    )
    return [Table("Chaos", columns, rows, note), Table("Operations, by kind", ("operation", *heads), kinds, cut)]


def _counts(kind: str, of: Json) -> tuple[str, ...]:
    done, tried = of["acknowledged"].get(kind, 0), of["tried"].get(kind, 0)
    return (f"{done:,} of {tried:,}", f"{of['killed_within'].get(kind, 0):,}", f"{of['lost'].get(kind, 0):,}")
