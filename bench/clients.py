"""Clients of `chaos`: each writes in a scope of its own, and notes what it is about to do and then what came of it.

A client says over a pipe when an operation begins and when it has ended, so that it can be killed in the middle of one.
"""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any, Protocol

import httpx

from bench import histories
from bench.histories import AGENT, LOST, Note
from nacre import Nacre, NacreError, ScopedNacre, Settings, Turn

# How far the clock of a client may be off.
JUMP_SECONDS = 7_200
# How soon a client looks again for a database that is gone, and how often a caller of a server sends a call again.
PAUSE_SECONDS, CALLS = 0.2, 20
# What some kinds choose from: of which kind, at least how many, and how many they take.
CHOICES = {
    "link": ("add", 2, 2),
    "merge": ("add", 4, 2),
    "forget": ("remember", 1, 1),
    "purge": ("remember", 1, 1),
}

Json = dict[str, Any]
Act = Callable[[ScopedNacre, "Hand", Note], Json | None]


class OperationListener(Protocol):
    """Whoever hears what a client begins: the end of a pipe."""

    def send(self, kind: str | None, /) -> None:
        """The kind of an operation that begins; None when it has ended."""
        ...


@dataclass(slots=True)
class Hand:
    """What one life of a client may choose from, and what the lives before it were told."""

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
        """What an operation shall be about. An import that was cut short is run again before others."""
        if kind == "import":
            return self._torn()[:1]
        if kind not in CHOICES:
            return []
        of, _, taken = CHOICES[kind]
        return self.chance.sample(list(self.told(of)), taken)

    def _torn(self) -> list[str]:
        imports = [note for note in self.said if note.kind == "import"]
        ended = {note.subject for note in imports if not note.is_cut}
        return list(dict.fromkeys(note.subject for note in imports if note.subject not in ended))

    def ids(self, note: Note) -> list[str]:
        """The ids of what an operation is about."""
        told = self.told(CHOICES[note.kind][0])
        return [told[key] for key in note.about]


@dataclass(frozen=True, slots=True)
class Life:
    """One process of a client: so many operations of any kind, and then one of the last kind."""

    database: str
    notes: Path
    client: str
    number: int
    operations: int
    last: str

    def live(self, told: OperationListener) -> None:
        """Write until killed; tell the kind of each operation that begins, and None when it has ended."""
        chance = random.Random(f"{self.client}/{self.number}")
        off = timedelta(seconds=chance.uniform(-JUMP_SECONDS, JUMP_SECONDS))
        settings = Settings(worker="off", extraction="rules", embedder="off", rerank="off")
        nacre = _opened(self.database, settings, lambda: datetime.now(UTC) + off)
        scope, hand = nacre.scope(AGENT, user=self.client), Hand(self.client, chance, histories.read(self.notes))
        with self.notes.open("a", encoding="utf-8") as file:
            for place in count(1):
                kind = self._kind(hand, place)
                note = Note(f"{self.client}-{self.number}-{place}", kind, None, about=hand.chosen(kind))
                _write(file, note)
                told.send(kind)
                note = _carried_out(scope, hand, note)
                _write(file, note)
                told.send(None)
                hand.said.append(note)
                if note.error in LOST:
                    _await_database(scope)

    def _kind(self, hand: Hand, place: int) -> str:
        if place > self.operations and hand.has(self.last):
            return self.last
        return hand.chance.choice([kind for kind in ACTS if hand.has(kind)])


def _opened(database: str, settings: Settings, clock: Callable[[], datetime]) -> Nacre:
    """A brain, once the database is there again."""
    while True:
        try:
            return Nacre(database, settings=settings, clock=clock)
        except NacreError:
            sleep(PAUSE_SECONDS)


def _await_database(scope: ScopedNacre) -> None:
    """Wait until the database answers: what is refused because it is gone says nothing."""
    while True:
        try:
            scope.history(limit=1)
        except NacreError:
            sleep(PAUSE_SECONDS)
        else:
            return


def _carried_out(scope: ScopedNacre, hand: Hand, note: Note) -> Note:
    try:
        return replace(note, result=ACTS[note.kind](scope, hand, note) or {})
    except NacreError as error:
        return replace(note, error=error.code)


def _write(file: Any, note: Note) -> None:
    file.write(json.dumps(note.plain()) + "\n")
    file.flush()


def call(url: str, notes: Path, over: Event, acknowledged: Callable[[], None]) -> None:
    """Observe and remember in turn over HTTP, each call under a key, and again while nobody answers."""
    client = notes.stem
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as caller, notes.open("a", encoding="utf-8") as file:
        for place in count(1):
            if over.wait(0.05):
                return
            kind = ("observe", "remember")[place % 2]
            note = Note(f"{client}-0-{place}", kind, None)
            _write(file, note)
            if (result := _answer(caller, note, client, over)) is not None:
                _write(file, replace(note, result=result))
                acknowledged()


def _answer(caller: httpx.Client, note: Note, client: str, over: Event) -> Json | None:
    """What a server acknowledged; None when none did in all calls."""
    said = {"user": client, "text": _crate(note, client)}
    if note.kind == "observe":
        said = {"user": client, "role": "user", "text": f"storm {note.key} near {client}", "ref": note.key}
    for _ in range(CALLS):
        with suppress(httpx.HTTPError):
            address = f"/v1/agents/{AGENT}/{note.kind}"
            reply = caller.post(address, json=said, headers={"Idempotency-Key": note.key})
            if reply.status_code == httpx.codes.CREATED:
                return {} if note.kind == "observe" else {"id": reply.json()["memory"]["id"]}
        if over.wait(0.5):
            break
    return None


def _crate(note: Note, client: str) -> str:
    return f"Crate {note.key} of {client} stands in drawer {random.Random(note.key).randrange(10**9)}."


def _observe(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    scope.observe("user", f"storm {note.key} near {hand.client}", session="s", ref=note.key)


def _batch(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    text = f"storm near {hand.client}"
    scope.observe_many([Turn(role="user", text=text, session="s", ref=f"{note.key}.{part}") for part in range(3)])


def _remember(scope: ScopedNacre, hand: Hand, note: Note) -> Json:
    made = scope.remember(_crate(note, hand.client))
    return {"id": str(made.memory.id)}


def _set(scope: ScopedNacre, hand: Hand, note: Note) -> None:
    scope.ontology.set(f"Slots of {hand.client}", hand.chance.choice(histories.SLOTS), note.key)


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
    things = (f"Parcel {note.subject}.{part} of {hand.client}" for part in range(3))
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
