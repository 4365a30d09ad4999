"""All kinds of writes by many processes while everything is killed, checked against a model of what was acknowledged.

Each client writes in a scope of its own and notes in a file what it is about to do, and then what came of it; a kill
leaves both. Clients, servers, workers and the database are killed at random moments, and clocks jump between the lives
of a client. Afterwards `histories` compares the store with the notes.
"""

import json
import multiprocessing
import os
import pkgutil
import random
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import httpx

from bench import histories
from bench.clusters import Cluster
from bench.fleets import Fleet, fleet, started_worker
from bench.histories import AGENT, Note
from bench.progress import Progress
from bench.tables import Table
from nacre import Nacre, NacreError, ScopedNacre, Settings, Turn

MINUTES, CLIENTS = 10.0, 3
# How long a client lives after its first write, and how far its clock may be off.
LONGEST_LIFE, JUMP_SECONDS = 6.0, 7_200
# Between two kills of a server, a worker or the database.
PAUSE_SECONDS = 8.0
SLOTS = 4
# What the process that clients are forked from has imported: on a busy machine a client would spend its life on that.
ROOMS = ("nacre.extraction", "nacre.memory", "nacre.graph", "nacre.transfer", "nacre.upkeep")
# What some kinds choose from: of which kind, at least how many, and how many they take.
CHOICES = {
    "link": ("add", 2, 2),
    "merge": ("add", 4, 2),
    "forget": ("remember", 1, 1),
    "purge": ("remember", 1, 1),
}

Json = dict[str, Any]
Act = Callable[[ScopedNacre, "Hand", Note], Json | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long, by how many, and whether servers and workers run beside the clients."""

    minutes: float = MINUTES
    clients: int = CLIENTS
    served: bool = True
    seed: int = 20260501


@dataclass(slots=True)
class Hand:
    """One life of a client: what it may choose from, and what the lives before it were told."""

    client: str
    chance: random.Random
    said: list[Note]

    def told(self, kind: str) -> dict[str, str]:
        """The ids of what was acknowledged of a kind and has not gone since, by key."""
        done = [note for note in self.said if note.result is not None]
        gone = {note.ends for note in self.said if note.result is not None or note.error == histories.NOBODY}
        return {note.key: note.result["id"] for note in done if note.kind == kind and note.key not in gone}

    def has(self, kind: str) -> bool:
        """Whether there is enough to choose from: what would come to nothing is no operation."""
        return kind not in CHOICES or len(self.told(CHOICES[kind][0])) >= CHOICES[kind][1]

    def chosen(self, kind: str) -> list[str]:
        """What an operation shall be about."""
        if kind not in CHOICES:
            return []
        of, _, taken = CHOICES[kind]
        return self.chance.sample(list(self.told(of)), taken)

    def ids(self, note: Note) -> list[str]:
        """The ids of what an operation is about."""
        told = self.told(CHOICES[note.kind][0])
        return [told[key] for key in note.about]


@dataclass(frozen=True, slots=True)
class Life:
    """One process of a client."""

    database: str
    notes: Path
    client: str
    number: int

    def live(self, begun: Any) -> None:
        """Write until killed."""
        chance = random.Random(f"{self.client}/{self.number}")
        off = timedelta(seconds=chance.uniform(-JUMP_SECONDS, JUMP_SECONDS))
        settings = Settings(worker="off", extraction="rules", embedder="off", rerank="off")
        nacre = _opened(self.database, settings, lambda: datetime.now(UTC) + off)
        scope, hand = nacre.scope(AGENT, user=self.client), Hand(self.client, chance, histories.read(self.notes))
        with self.notes.open("a", encoding="utf-8") as file:
            begun.send(None)
            place = 0
            while True:
                place += 1
                kind = chance.choice([each for each in ACTS if hand.has(each)])
                note = Note(f"{self.client}-{self.number}-{place}", kind, None, about=hand.chosen(kind))
                _write(file, note)
                try:
                    result = ACTS[kind](scope, hand, note)
                    note = replace(note, result=result or {})
                except NacreError as error:
                    note = replace(note, error=error.code)
                _write(file, note)
                hand.said.append(note)


def _opened(database: str, settings: Settings, clock: Callable[[], datetime]) -> Nacre:
    """A brain, once the database is there again."""
    while True:
        try:
            return Nacre(database, settings=settings, clock=clock)
        except NacreError:
            sleep(0.2)


def _write(file: Any, note: Note) -> None:
    file.write(json.dumps(note.plain()) + "\n")
    file.flush()


def _observe(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    scope.observe("user", f"storm {note.key} near {hand.client}", session="s", ref=note.key)


def _batch(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    text = f"storm near {hand.client}"
    scope.observe_many([Turn(role="user", text=text, session="s", ref=f"{note.key}.{part}") for part in range(3)])


def _remember(scope: ScopedNacre, hand: Hand, note: Note) -> Json:
    made = scope.remember(f"Crate {note.key} of {hand.client} stands in drawer {hand.chance.randrange(10**9)}.")
    return {"id": str(made.memory.id)}


def _set(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    scope.ontology.set(f"Slots of {hand.client}", f"slot/number_{hand.chance.randrange(SLOTS)}", note.key)


def _add(scope: ScopedNacre, hand: Hand, note: Note) -> Json:
    return {"id": str(scope.graph.add(f"Node {note.key} of {hand.client}", type="project").id)}


def _link(scope: ScopedNacre, hand: Hand, note: Note) -> Json:
    one, other = hand.ids(note)
    return {"id": str(scope.graph.link(one, "depends_on", other, reason=note.key).id)}


def _merge(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    target, source = hand.ids(note)
    scope.graph.merge(target, source, force=True)


def _forget(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    scope.forget(*hand.ids(note), purge=note.kind == "purge")


def _undo(scope: ScopedNacre, hand: Hand, note: Note) -> Json:
    """Do something and take it back: everything is as it was."""
    before = histories.picture(scope)
    kind = hand.chance.choice(("set", "add", "remember"))
    made = ACTS[kind](scope, hand, note) or {}
    # A worker may have written something else since.
    signs = (note.key, made.get("id", note.key))
    done = next(each for each in scope.history() if any(sign in json.dumps(each.payload) for sign in signs))
    scope.undo(done.batch)
    return {"exact": histories.picture(scope) == before}


def _dream(scope: ScopedNacre, _hand: Hand, _note: Note) -> None:
    scope.dreams.run(["decay"])


def _import(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    things = (f"Parcel {note.key}.{part} of {hand.client}" for part in range(3))
    lines = [json.dumps({"type": "entity", "name": name, "entityType": "thing", "observations": []}) for name in things]
    scope.transfer.load("\n".join(lines).encode(), format="mcp")


ACTS: dict[str, Act] = {
    "observe": _observe,
    "batch": _batch,
    "remember": _remember,
    "set": _set,
    "add": _add,
    "link": _link,
    "merge": _merge,
    "forget": _forget,
    "purge": _forget,
    "undo": _undo,
    "dream": _dream,
    "import": _import,
}


def measure(database: str, plan: Plan, progress: Progress, cluster: Cluster | None = None) -> Json:
    """Kills, operations and violations of one database; a cluster of its own is killed, too."""
    struck: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="nacre-chaos-") as name:
        folder = Path(name)
        Nacre(database, settings=Settings(worker="off")).close()
        with (
            _beside(database, folder, plan, cluster, struck),
            progress.track("chaos", round(60 * plan.minutes)) as tell,
        ):
            until = monotonic() + 60 * plan.minutes
            clients = [
                Thread(target=_lives, args=(database, folder, f"client{place}x{plan.seed}", until, struck))
                for place in range(plan.clients)
            ]
            for each in clients:
                each.start()
            while monotonic() < until:
                sleep(min(1.0, max(0.0, until - monotonic())))
                tell(1)
            for each in clients:
                each.join()
        if cluster:
            cluster.start()
        notes = {path.stem: histories.read(path) for path in sorted(folder.glob("*.notes"))}
        _sleep_on_it(database, notes)
        return {"kills": dict(struck), **histories.verify(database, notes)}


def _sleep_on_it(database: str, clients: Iterable[str]) -> None:
    """Let a night come over every scope, with an embedder: it joins what is the same, and nothing here is."""
    with Nacre(database, settings=Settings(worker="off", extraction="rules", rerank="off")) as nacre:
        for client in clients:
            nacre.scope(AGENT, user=client).dreams.run(["consolidation", "graph"])


def _lives(database: str, folder: Path, client: str, until: float, struck: Counter[str]) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *_modules()])
    chance, number = random.Random(client), 0
    while monotonic() < until:
        heard, begun = context.Pipe(duplex=False)
        process = context.Process(target=Life(database, folder / f"{client}.notes", client, number).live, args=(begun,))
        process.start()
        begun.close()
        with suppress(EOFError):
            heard.recv()
            sleep(chance.uniform(0, LONGEST_LIFE))
        process.kill()
        process.join()
        number += 1
        struck["client"] += 1


def _modules() -> list[str]:
    paths = {room: import_module(room).__path__ for room in ROOMS}
    return [each.name for room, path in paths.items() for each in pkgutil.walk_packages(path, f"{room}.")]


@contextmanager
def _beside(database: str, folder: Path, plan: Plan, cluster: Cluster | None, struck: Counter[str]) -> Iterator[None]:
    """Servers and workers that are killed in turn with the database, and a caller of the servers."""
    if not plan.served:
        yield
        return
    settings = {"NACRE_DATABASE": database, "NACRE_WORKER": "off", "NACRE_RERANK": "off", "NACRE_EXTRACTION": "rules"}
    log, over = folder / "log", Event()
    with fleet(settings, servers=2, workers=1, log=log) as running:
        restart = partial(started_worker, settings, log)
        threads = [
            Thread(target=_strike, args=(running, restart, cluster, struck, over)),
            Thread(target=_call, args=(running.url, folder / f"httpx{plan.seed}.notes", over)),
        ]
        for each in threads:
            each.start()
        try:
            yield
        finally:
            over.set()
            for each in threads:
                each.join()
            for worker in running.workers:
                worker.kill()
                worker.wait()


def _strike(
    running: Fleet,
    restart: Callable[[], subprocess.Popen[str]],
    cluster: Cluster | None,
    struck: Counter[str],
    over: Event,
) -> None:
    chance = random.Random(7)
    while not over.wait(PAUSE_SECONDS):
        kind = chance.choice(["server", "worker", *(["database"] if cluster else [])])
        if kind == "database" and cluster:
            cluster.stop("immediate")
            sleep(0.5)
            cluster.start()
        elif kind == "worker":
            running.workers[0].kill()
            running.workers.pop(0).wait()
            running.workers.append(restart())
        elif answering := running.answering():
            with suppress(ProcessLookupError):
                os.kill(answering[0], signal.SIGKILL)
        struck[kind] += 1


def _call(url: str, notes: Path, over: Event) -> None:
    """Observe and remember over HTTP, each call under a key, and again while nobody answers."""
    client, place = notes.stem, 0
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as caller, notes.open("a", encoding="utf-8") as file:
        while not over.wait(0.05):
            place += 1
            note = Note(f"{client}-0-{place}", "observe", None)
            _write(file, note)
            said = {"user": client, "role": "user", "text": f"storm {note.key} near {client}", "ref": note.key}
            for _ in range(20):
                with suppress(httpx.HTTPError):
                    headers = {"Idempotency-Key": note.key}
                    reply = caller.post(f"/v1/agents/{AGENT}/observe", json=said, headers=headers)
                    if reply.status_code == 201:
                        _write(file, replace(note, result={}))
                        break
                if over.wait(0.5):
                    break


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
    kinds = tuple(
        (kind, *(f"{of['acknowledged'].get(kind, 0):,} of {of['tried'].get(kind, 0):,}" for of in databases.values()))
        for kind in ACTS
    )
    cut = "The others were refused, or cut short by a kill."
    return [
        Table("Chaos", columns, rows, note),
        Table("Acknowledged, by kind", ("operation", *databases), kinds, cut),
    ]
