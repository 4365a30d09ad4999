"""What a store must hold after a run of `chaos`: a model made of the writers' notes, compared with its rows."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import select

from nacre import CommitLost, Nacre, NotFound, ScopedNacre, Settings, Unavailable
from nacre.recall.index import Index
from nacre.recall.indexes import in_step
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import attributes, audit, entities, links, memories, sources, turns

AGENT = "chaos"
# Where clients set values.
SLOTS = tuple(f"slot/number_{number}" for number in range(4))
# Kinds after which the last of what they are about is gone; the error of one that may have been carried out, and that
# of one that found nothing to work on.
ENDING, NOBODY = frozenset({"merge", "forget", "purge"}), NotFound.code
LOST = frozenset({Unavailable.code, CommitLost.code})
# What is compared of an index that was kept in step and one that was built anew.
_ARRAYS = ("seq", "kind", "role", "session", "speaker", "at", "ended", "length")
# How a memory ends that is forgotten or purged, and the key that its words name.
GONE = "gone"
_ENDS = {"forget": "archived", "purge": GONE}
_CRATE, _THING = re.compile(r"Crate (\S+) of "), re.compile(r"(?:Node|Parcel) (\S+) of ")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Note:
    """One operation of a client: what it is called by, what it is about, and what came of it, unless it was cut short.

    `about` holds the keys of earlier operations.
    """

    key: str
    kind: str
    result: Any
    error: str | None = None
    about: Sequence[str] = ()

    def plain(self) -> Json:
        """As it is written down."""
        return asdict(self)

    @property
    def is_cut(self) -> bool:
        """Whether nobody knows what came of it: its client was killed, or the database went away under it."""
        return self.result is None and (self.error is None or self.error in LOST)

    @property
    def subject(self) -> str:
        """The key that its rows bear: an import that is run again brings in the parcels of the first time."""
        return self.about[0] if self.kind == "import" and self.about else self.key

    @property
    def ends(self) -> str | None:
        """The key of what goes with it: the node that is merged into another, or the memory that is forgotten."""
        return self.about[-1] if self.kind in ENDING else None


def read(file: Path) -> list[Note]:
    """The notes of a client, the last word on each operation; the end of the file may be torn."""
    last: dict[str, Note] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            note = Note(**json.loads(line))
        except json.JSONDecodeError:
            continue
        last[note.key] = note
    return list(last.values())


def picture(scope: ScopedNacre) -> Json:
    """All that is in force in a scope, and every version of its values, which time alone does not change."""
    return {
        "memories": sorted(each.memory.content for each in scope.memories.search(limit=1_000)),
        "entities": sorted((each.name, each.aliases) for each in scope.graph.search(limit=1_000)),
        "values": [
            claim
            for entity in scope.graph.search("Slots of", limit=1)
            for path in SLOTS
            for claim in scope.ontology.versions(entity.id, path)
        ],
    }


def verify(database: str, notes: Mapping[str, Sequence[Note]]) -> Json:
    """Compare a store with the notes of its clients; every difference is a violation, in words."""
    found, checked = list[str](), 0
    with Nacre(database, settings=Settings(worker="off", extraction="rules", embedder="off", rerank="off")) as nacre:
        nacre.settle()
        for client, said in notes.items():
            scope = nacre.scope(AGENT, user=client)
            with nacre.parts.database.read(scope.scope) as tx:
                model = _Model(client, said, tx, [each for each in notes if each != client])
                found += [f"{client}: {problem}" for problem in model.problems()]
                checked += model.checked
                found += [f"{client}: index: {name}" for name in _index_differences(nacre, tx)]
        found += [f"check: {each.name}: {each.message}" for each in nacre.check().findings if each.count]
    every = [note for said in notes.values() for note in said]
    return {
        "tried": dict(Counter(note.kind for note in every)),
        "acknowledged": dict(Counter(note.kind for note in every if note.result is not None)),
        "killed_within": dict(Counter(note.kind for note in every if note.is_cut and not note.error)),
        "lost": dict(Counter(note.kind for note in every if note.is_cut and note.error)),
        "refused": dict(Counter(note.error for note in every if note.error)),
        "checked": checked,
        "violations": found,
    }


class _Model:
    """What the scope of one client must hold."""

    def __init__(self, client: str, said: Sequence[Note], tx: Transaction, others: Sequence[str]) -> None:
        self.checked = 0
        self._client = client
        self._others = others
        self._said = said
        self._done = [note for note in said if note.result is not None]
        self._tx = tx
        self._of = {name: self._rows(table) for name, table in _TABLES.items()}

    def _rows(self, table: Any) -> list[Any]:
        return list(self._tx.execute(select(table).where(table.c.scope_id == self._tx.scope_id)).mappings())

    def problems(self) -> Iterable[str]:
        """Every difference, in words."""
        yield from self._turns()
        yield from self._memories()
        yield from self._graph()
        yield from self._log()
        yield from self._cut()
        yield from (f"undo {note.key} was not exact" for note in self._kind("undo") if not note.result["exact"])
        for name in ("sources", "memories", "entities"):
            text = {"sources": "text", "memories": "content", "entities": "name"}[name]
            for row in self._of[name]:
                yield from (f"a word of {other} in {name}" for other in self._others if other in row[text])

    def _kind(self, *kinds: str) -> list[Note]:
        chosen = [note for note in self._done if note.kind in kinds]
        self.checked += len(chosen)
        return chosen

    def _turns(self) -> Iterable[str]:
        spoken = {row["id"] for row in self._of["turns"]}
        stored = Counter(row["ref"] for row in self._of["sources"] if row["id"] in spoken)
        tried = {note.key for note in self._said}
        yield from (f"turn {ref} is there {times} times" for ref, times in stored.items() if times > 1)
        yield from (f"turn {ref} was never said" for ref in stored if ref and ref.partition(".")[0] not in tried)
        yield from (f"turn {note.key} is lost" for note in self._kind("observe") if not stored[note.key])
        parts = Counter(ref.partition(".")[0] for ref in stored if "." in ref)
        yield from (f"batch {note.key} is lost" for note in self._kind("batch") if parts[note.key] != 3)
        yield from (f"batch {key} is torn" for key, count in parts.items() if count != 3)

    def _memories(self) -> Iterable[str]:
        held = self._counted("memories", "content", _CRATE)
        told = self._counted("sources", "text", _CRATE)
        logged = Counter(key for row in self._of["audit"] for key in set(_CRATE.findall(json.dumps(row["changes"]))))
        lines = {row["payload"].get("memory_id") for row in self._of["audit"]}
        self._kind("forget", "purge")
        purged = {note.ends for note in self._said if note.kind == "purge" and (note.is_cut or note.result is not None)}
        for note in self._said:
            if note.kind in _ENDS and note.error == NOBODY and note.ends not in purged:
                yield f"{note.kind} {note.key} did not find {note.ends}"
        for note in self._kind("remember"):
            found, allowed = held.get(note.key, []), self._allowed(note)
            if len(found) > 1 or (found[0] if found else GONE) not in allowed:
                yield f"memory {note.key} is {found}, not {' or '.join(sorted(allowed))}"
            if found and note.result["id"] not in lines:
                yield f"no line of the log tells of memory {note.key}"
            if not found and (told.get(note.key) or logged[note.key] or note.result["id"] in lines):
                yield f"purged words of {note.key} are left"
        unsaid = {note.key for note in self._said if note.kind in ("remember", "undo")}
        yield from (f"memory {key} was never told" for key in held if key not in unsaid)

    def _counted(self, table: str, column: str, pattern: re.Pattern[str]) -> dict[str, list[str | None]]:
        """The status of each row of a table, by the key that its text names."""
        found: dict[str, list[str | None]] = {}
        for row in self._of[table]:
            for key in pattern.findall(row[column]):
                found.setdefault(key, []).append(row.get("status"))
        return found

    def _allowed(self, note: Note) -> set[str]:
        """How a memory may have ended. What was cut short when it was to forget just this one may have come about."""
        done = {each.kind for each in self._done if each.ends == note.key}
        if "purge" in done:
            return {GONE}
        perhaps = {_ENDS[each.kind] for each in self._said if each.ends == note.key and each.is_cut}
        return perhaps | {"archived" if "forget" in done else "active"}

    def _graph(self) -> Iterable[str]:
        names = Counter(row["name"] for row in self._of["entities"] if row["status"] == "active")
        merged = {note.ends for note in self._kind("merge")}
        perhaps = {note.ends for note in self._said if note.is_cut}
        for note in self._kind("add"):
            times = names[f"Node {note.key} of {self._client}"]
            if times != (0 if note.key in merged else 1) and not (times == 0 and note.key in perhaps):
                yield f"node {note.key} is there {times} times"
        for note in self._kind("import"):
            some = [names[f"Parcel {note.subject}.{part} of {self._client}"] for part in range(3)]
            if some != [1, 1, 1]:
                yield f"import {note.key} of {note.subject} is there {some}"
        for note in self._said:
            if note.kind in ("link", "merge") and note.error == NOBODY and perhaps.isdisjoint(note.about):
                yield f"{note.kind} {note.key} did not find {' and '.join(note.about)}"
        links_held = {str(row["id"]) for row in self._of["links"]}
        values = Counter(row["value"] for row in self._of["attributes"])
        yield from (f"link {note.key} is lost" for note in self._kind("link") if note.result["id"] not in links_held)
        yield from (
            f"value {note.key} is there {values[note.key]} times" for note in self._kind("set") if values[note.key] != 1
        )
        in_force = Counter(
            (row["entity_id"], row["aspect_id"], row["group_key"], row["claim_key"])
            for row in self._of["attributes"]
            if row["status"] == "active" and row["valid_to"] is None
        )
        yield from (f"slot {slot[-1]} has {count} values in force" for slot, count in in_force.items() if count > 1)

    def _log(self) -> Iterable[str]:
        logged = self._logged()
        for note in self._kind("set", "add", "import"):
            if note.subject not in logged:
                yield f"no line of the log tells of {note.kind} {note.key}"

    def _logged(self) -> set[str]:
        """The keys of the operations that the log tells of."""
        lines = "\n".join(json.dumps(row["payload"], default=str) for row in self._of["audit"])
        return set(re.findall(r"\w+-\d+-\d+", lines))

    def _cut(self) -> Iterable[str]:
        """What was cut short is there once or not at all, with its line of the log.

        An import is carried out in portions, so there may be the first of its parcels.
        """
        logged = self._logged()
        for note, counts in self._cut_counts():
            self.checked += 1
            if max(counts) > 1 or counts != sorted(counts, reverse=True):
                yield f"{note.kind} {note.key} was cut short and is there {counts}"
            if any(counts) and note.kind != "remember" and note.subject not in logged:
                yield f"no line of the log tells of {note.kind} {note.key}, which was cut short"

    def _cut_counts(self) -> Iterable[tuple[Note, list[int]]]:
        """How often there is each thing that an operation which was cut short should have made."""
        crates = self._counted("memories", "content", _CRATE)
        things = Counter(row["value"] for row in self._of["attributes"])
        things.update(key for row in self._of["entities"] for key in _THING.findall(row["name"]))
        for note in (each for each in self._said if each.is_cut):
            if note.kind == "remember":
                yield note, [len(crates.get(note.key, []))]
            elif note.kind == "import":
                yield note, [things[f"{note.subject}.{part}"] for part in range(3)]
            elif note.kind in ("set", "add"):
                yield note, [things[note.key]]


_TABLES = {
    "turns": turns,
    "sources": sources,
    "memories": memories,
    "entities": entities,
    "links": links,
    "attributes": attributes,
    "audit": audit,
}


def _index_differences(nacre: Nacre, tx: Transaction) -> list[str]:
    held = nacre.parts.indexes.view(tx, None)
    fresh = in_step(tx, Index(), None).view
    return [name for name in _ARRAYS if not np.array_equal(getattr(held, name), getattr(fresh, name))]
