"""A month of simulated life, night by night: what is known, what got lost, what is wrong, what it takes.

Lived twice: by rules alone, and with a language model that means harm. The second must not lose what the first kept.
"""

import sqlite3
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.lives import PEOPLE, SEED, START, Fact, Life, Note, Person, live
from bench.progress import Progress
from bench.saboteurs import Saboteur, running
from bench.sayings import VALUES
from bench.tables import Table, number
from nacre import Nacre, ScopedNacre, Settings
from nacre.domain.dreams import Dream, PassStatus
from nacre.domain.entities import Entity

Json = dict[str, Any]
# A slot's place: who, what kind, and the value as it is compared.
Place = tuple[str, str, str]

# Where a kind of fact may stand in the graph. Generous: whatever a reader would accept as an answer.
_PREDICATES = {
    "lives_in": "home",
    "based_at": "home",
    "located_in": "home",
    "works_at": "employer",
    "works_for": "employer",
    "partner_of": "partner",
    "owns": "pet",
    "prefers": "drink",
    "likes": "drink",
    "dislikes": "dislike",
    "allergic_to": "allergy",
}
_CLAIMS = {
    "home": "home",
    "address": "home",
    "employer": "employer",
    "partner": "partner",
    "pet": "pet",
    "favourite_drink": "drink",
    "drink": "drink",
    "dislike": "dislike",
    "allergy": "allergy",
    "birthday": "birthday",
}
# Slots in which nothing but such a fact belongs; others hold all sorts of things, of which only known values count.
_STRICT = frozenset({"home", "employer", "partner", "birthday"})
_OTHER_NAMES = {"seville": "sevilla", "gdansk": "gdańsk"}
_TABLES = ("entities", "links", "attributes", "memories", "passages", "summaries", "audit")
# From this night on the harmful model asks for everything.
_GREEDY_FROM = 2


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@dataclass(slots=True)
class Lived:
    """What was found night by night, and what the graph held at the end."""

    nights: list[Json] = field(default_factory=list)
    right: list[set[Place]] = field(default_factory=list)
    # The last night's wrong facts, and the names of the entities that each person has.
    outdated: set[Place] = field(default_factory=set)
    never_true: set[Place] = field(default_factory=set)
    called: dict[str, list[str]] = field(default_factory=dict)
    notes_lost: list[str] = field(default_factory=list)
    paused: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    first_pause: str | None = None
    asked: Counter[str] = field(default_factory=Counter)


def measure(days: int, turns_a_day: int, progress: Progress) -> Json:
    """Both lives, and what the second lost of the first."""
    life = live(days, turns_a_day)
    with progress.track("by rules", days) as advance:
        plain = lived(life, None, advance)
    with running() as saboteur, progress.track("with a harmful model", days) as advance:
        harmed = lived(life, saboteur, advance)
    lost = [_named(before - after) for before, after in zip(plain.right, harmed.right, strict=True)]
    return {
        "life": {"days": days, "turns": life.turns, "people": len(PEOPLE), "facts": len(life.facts), "seed": SEED},
        "rules": _figures(plain),
        "harmed": {**_figures(harmed), "asked": dict(harmed.asked), "lost_to_it": lost[-1], "lost_on": lost},
        "kinds": _by_kind(life, plain, days - 1),
    }


def lived(life: Life, saboteur: Saboteur | None, advance: Any = lambda _: None) -> Lived:
    """Live through a life in a store of its own."""
    clock = Clock()
    found = Lived()
    with tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder:
        path = Path(folder) / "life.db"
        # The passes run when the night comes, and at no other time.
        settings = Settings(worker="off")
        if saboteur:
            settings = Settings(worker="off", llm_model="saboteur", llm_endpoint=saboteur.url)
        with Nacre(str(path), settings=settings, clock=clock) as nacre:
            scope = nacre.scope(agent="companion", user="household")
            kept: list[Note] = []
            for day in life.days:
                if saboteur:
                    saboteur.greedy = day.number >= _GREEDY_FROM
                kept += day.notes
                _spend(scope, clock, day.sessions, day.notes)
                clock.now = START + timedelta(days=day.number + 1, hours=3)
                _note_night(found, scope.dreams.run(), day.number)
                _look(found, scope, life, day.number, path)
                advance(1)
            found.notes_lost = [note.text for note in kept if not _is_kept(scope, note)]
    found.asked = saboteur.asked if saboteur else Counter()
    return found


def _spend(scope: ScopedNacre, clock: Clock, sessions: list[list[Any]], notes: list[Note]) -> None:
    for session in sessions:
        last = session[-1].at
        clock.now = max(clock.now, last) if last else clock.now
        scope.observe_many(session)
    for note in notes:
        clock.now += timedelta(minutes=1)
        scope.remember(note.text)


def _note_night(found: Lived, dream: Dream, day: int) -> None:
    for report in dream.passes:
        found.refused[report.name.value] += len(report.refused)
        if report.status is PassStatus.FAILED:
            found.failed[f"{report.name.value}: {' '.join(report.notes)}"] += 1
        if report.status is PassStatus.PAUSED:
            found.paused[report.name.value] += 1
            found.first_pause = found.first_pause or f"day {day + 1}, {report.name.value}: {' '.join(report.notes)}"


def _look(found: Lived, scope: ScopedNacre, life: Life, day: int, path: Path) -> None:
    """Compare what is held with what is true."""
    people = {person.name: _entities(scope, person) for person in PEOPLE}
    held = {place for name, entities in people.items() for each in entities for place in _held(scope, name, each)}
    due = {_place(fact) for fact in life.due(day)}
    right = due & held
    ever = set().union(*found.right) if found.right else set()
    wrong = {place for place in held - {_place(fact) for fact in life.facts if fact.holds(day)} if _counts(place)}
    told = {_place(fact) for fact in life.facts}
    found.right.append(right)
    found.outdated, found.never_true = wrong & told, wrong - told
    found.called = {name: sorted(each.name for each in entities) for name, entities in people.items()}
    found.nights.append(
        {
            "day": day + 1,
            "due": len(due),
            "right": len(right),
            "lost": len((ever & due) - right),
            "outdated": len(found.outdated),
            "never_true": len(found.never_true),
            "entities_per_person": sum(map(len, people.values())) / len(people),
            **_size(path),
        }
    )


def _entities(scope: ScopedNacre, person: Person) -> list[Entity]:
    """The entities in force that are this person, by any of their names."""
    found = {each.id: each for name in (person.name, person.full) for each in scope.graph.search(name, limit=50)}
    return [
        each
        for each in found.values()
        if person.names & {each.name.casefold(), *(alias.casefold() for alias in each.aliases)}
    ]


def _held(scope: ScopedNacre, name: str, entity: Entity) -> Iterator[Place]:
    """What the graph says of a person just now, in the kinds that are asked about."""
    for link in scope.graph.links(entity.id):
        kind = _PREDICATES.get(link.predicate)
        mine = link.source == entity.id or kind == "partner"
        if kind and mine and link.valid_to is None:
            other = link.target if link.source == entity.id else link.source
            yield name, kind, _folded(scope.graph.get(other).name if other else link.value or "")
    for claim in scope.ontology.claims(entity.id):
        kind = _CLAIMS.get(claim.slot.claim or "")
        if kind:
            yield name, kind, _folded(claim.value)


def _place(fact: Fact) -> Place:
    return fact.subject, fact.kind, _folded(fact.value)


def _folded(value: str) -> str:
    plain = unicodedata.normalize("NFC", value).casefold().strip(" .!")
    plain = plain.removeprefix("the ").removeprefix("a ")
    return _OTHER_NAMES.get(plain, plain)


_KNOWN = {kind: frozenset(map(_folded, values)) for kind, values in VALUES.items()}


def _counts(place: Place) -> bool:
    _, kind, value = place
    return kind in _STRICT or value in _KNOWN[kind]


def _is_kept(scope: ScopedNacre, note: Note) -> bool:
    """Whether some entry in force still has the words of a note that matter."""
    found = scope.memories.search(" ".join(note.must), limit=50)
    return any(all(word in match.memory.content for word in note.must) for match in found)


def _size(path: Path) -> Json:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        counts = {name: connection.execute(f"select count(*) from {name}").fetchone()[0] for name in _TABLES}
    size = sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
    return {"rows": counts, "bytes": size}


def _named(places: set[Place]) -> list[str]:
    return sorted(" / ".join(place) for place in places)


def _figures(found: Lived) -> Json:
    return {
        "nights": found.nights,
        "outdated": _named(found.outdated),
        "never_true": _named(found.never_true),
        "entities": found.called,
        "notes_lost": found.notes_lost,
        "paused": dict(found.paused),
        "first_pause": found.first_pause,
        "refused": {name: count for name, count in found.refused.items() if count},
        "failed": dict(found.failed),
    }


def _by_kind(life: Life, found: Lived, day: int) -> Json:
    due = {_place(fact) for fact in life.due(day)}
    counted = {"due": due, "right": found.right[-1], "outdated": found.outdated, "never_true": found.never_true}
    kinds = {name: Counter(kind for _, kind, _ in places) for name, places in counted.items()}
    return {kind: {name: kinds[name][kind] for name in counted} for kind in VALUES}


def tables(document: Json) -> list[Table]:
    """The month by rules, how the kinds fared, and what a harmful model came to."""
    return [
        _month("By rules", document["rules"]["nights"], _said(document["life"])),
        _kinds(document["kinds"]),
        _month("With a language model that means harm", document["harmed"]["nights"], _harm(document["harmed"])),
    ]


def _said(life: Json) -> str:
    return (
        f"{life['turns']:,} turns of {life['people']} people over {life['days']} days, {life['facts']} facts; most of "
        "it is small talk. Right: told, true, and held. Lost: held once, still true, and held no more. Outdated: held, "
        "and true only before. Never true: held, and true at no time."
    )


def _month(title: str, nights: list[Json], note: str) -> Table:
    shown = [night for night in nights if night["day"] in {1, 2, 3, 5, 10, 15, 20, 25, len(nights)}]
    rows = (
        (
            str(night["day"]),
            str(night["due"]),
            number(100 * night["right"] / max(night["due"], 1), 1),
            str(night["lost"]),
            str(night["outdated"]),
            str(night["never_true"]),
            number(night["entities_per_person"], 2),
            str(night["rows"]["entities"]),
            str(sum(night["rows"].values())),
            number(night["bytes"] / 1_000_000, 1),
        )
        for night in shown
    )
    columns = ("day", "facts", "right %", "lost", "outdated", "never true", "entities/person", "entities", "rows", "MB")
    return Table(title, columns, tuple(rows), note)


def _kinds(kinds: Json) -> Table:
    rows = ((kind, *map(str, each.values())) for kind, each in kinds.items())
    columns = ("kind", "facts", "right", "outdated", "never true")
    return Table("Kinds of facts on the last day, by rules", columns, tuple(rows))


def _harm(harmed: Json) -> str:
    asked = ", ".join(f"{count} about {name}" for name, count in harmed["asked"].items())
    paused = ", ".join(f"{name} on {count} nights" for name, count in harmed["paused"].items()) or "nothing"
    lost = ", ".join(f"`{each}`" for each in harmed["lost_to_it"]) or "none"
    return (
        f"Asked: {asked}. Facts that rules kept and that were lost on the last day: {lost}. Notes lost: "
        f"{len(harmed['notes_lost'])}. Refused: {sum(harmed['refused'].values())}. Paused by the breaker: {paused}"
        f"; first on {harmed['first_pause'] or 'no night.'}"
    )
