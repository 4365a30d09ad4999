"""A month of simulated life, the same for the same seed: who said what, day by day, and what was true."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bench.sayings import CORRECTIONS, REPLIES, SAYINGS, SMALL_TALK, TRAPS, VALUES
from nacre import Turn

SEED = 20260601
START = datetime(2026, 6, 1, tzinfo=UTC)
DAYS = 30
TURNS_A_DAY = 167
SESSION_TURNS = 24
# Kinds of which one value holds at a time.
SINGLE = frozenset({"home", "employer", "partner", "drink", "birthday"})

_FACTS_BY = 5
_CHANGES_A_DAY = 3
_REPEATS_A_DAY = 4
_TRAPS_A_DAY = 6
_MISTAKES = 0.12
_NOTES_A_DAY = 8


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, by the name that they speak under and the others that people use."""

    name: str
    full: str
    spanish: bool = False

    @property
    def names(self) -> frozenset[str]:
        """What an entity may be called that is this person."""
        return frozenset({self.name.casefold(), self.full.casefold()})


PEOPLE = (
    Person("Marta", "Marta Oliveira"),
    Person("Jonas", "Jonas Brandt"),
    Person("Lucía", "Lucía Ferrer", spanish=True),
    Person("Amir", "Amir Haddad"),
    Person("Grace", "Grace Okafor"),
    Person("Diego", "Diego Montes", spanish=True),
)


@dataclass(slots=True)
class Fact:
    """What is true of somebody, from one day to another; `limits` is when somebody first said so plainly."""

    subject: str
    kind: str
    value: str
    since: int
    told: int
    until: int | None = None

    def holds(self, day: int) -> bool:
        """Whether it is true at the end of a day."""
        return self.since <= day and (self.until is None or day < self.until)


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody had the agent keep, and the words of it that must not get lost."""

    text: str
    must: tuple[str, ...]


@dataclass(slots=True)
class Day:
    """What is said on one day, session by session, and what is kept as notes."""

    number: int
    sessions: list[list[Turn]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


@dataclass(slots=True)
class Life:
    """Days, and all that was ever true."""

    days: list[Day]
    facts: list[Fact]

    def due(self, day: int) -> list[Fact]:
        """What is true at the end of a day and was told by then."""
        return [fact for fact in self.facts if fact.holds(day) and fact.told <= day]

    @property
    def turns(self) -> int:
        return sum(len(session) for day in self.days for session in day.sessions)


def live(days: int = DAYS, turns_a_day: int = TURNS_A_DAY, seed: int = SEED) -> Life:
    """A life of so many days."""
    teller = _Teller(random.Random(f"life {seed}"), days)
    told = [teller.day(number) for number in range(days)]
    return Life([_day(number, lines, notes, turns_a_day, teller.rng) for number, (lines, notes) in enumerate(told)],
                teller.facts)  # fmt: skip


Line = tuple[str, str]


class _Teller:
    """Lets facts begin, change and end, and finds words for it."""

    def __init__(self, rng: random.Random, days: int) -> None:
        self.rng = rng
        self.facts: list[Fact] = []
        first = min(_FACTS_BY, days)
        # Everybody has most kinds of facts from the beginning, and tells them within the first days.
        self._coming = sorted(
            (rng.randrange(first), number, person.name, kind)
            for person in PEOPLE
            for number, kind in enumerate(VALUES)
            if rng.random() < 0.8
        )

    def day(self, number: int) -> tuple[list[list[Line]], list[Note]]:
        """What is told on a day, in lines that belong together, and what is kept of it."""
        lines = [self._begin(number, name, kind) for day, _, name, kind in self._coming if day == number]
        fresh = [fact for fact in self.facts if fact.since == number]
        if number >= 2:
            lines += [each for _ in range(_CHANGES_A_DAY) if (each := self._change(number))]
        lines += [[self._again(fact)] for fact in self._some(number, _REPEATS_A_DAY)]
        lines += [[self._trap()] for _ in range(_TRAPS_A_DAY)]
        noted = [fact for fact in self.facts if fact.told == number and fact.holds(number)] or fresh
        return lines, [_note(fact) for fact in self.rng.sample(noted, min(_NOTES_A_DAY, len(noted)))]

    def _begin(self, day: int, name: str, kind: str) -> list[Line]:
        if self._of(name, kind):
            return []
        value = self._fresh(name, kind)
        self.facts.append(Fact(name, kind, value, 0, day))
        if kind in SINGLE and self.rng.random() < _MISTAKES:
            wrong = self._fresh(name, kind)
            said = self._say(name, kind, "state", wrong, own=True)
            return [said, (name, self.rng.choice(CORRECTIONS).format(v=value, w=wrong))]
        return [self._say(name, kind, "state", value)]

    def _change(self, day: int) -> list[Line] | None:
        """Something new, or something that is no longer so."""
        person, kind = self.rng.choice(PEOPLE).name, self.rng.choice(list(SAYINGS))
        if any(day in (fact.told, fact.until) for fact in self._of(person, kind)):
            return None  # Once a day is enough.
        held = [fact for fact in self._of(person, kind) if fact.holds(day)]
        ways = SAYINGS[kind]
        if held and "end" in ways and self.rng.random() < 0.4:
            held[0].until = day
            return [self._say(person, kind, "end", held[0].value)]
        if "change" in ways and (not held or kind in SINGLE):
            value, old = self._fresh(person, kind), held[0].value if held else None
            for fact in held:
                fact.until = day
            self.facts.append(Fact(person, kind, value, day, day))
            return [self._say(person, kind, "change", value, old)]
        if kind not in SINGLE and kind != "allergy":
            value = self._fresh(person, kind)
            self.facts.append(Fact(person, kind, value, day, day))
            return [self._say(person, kind, "change" if "change" in ways else "state", value)]
        return None

    def _of(self, name: str, kind: str) -> list[Fact]:
        return [fact for fact in self.facts if (fact.subject, fact.kind) == (name, kind)]

    def _some(self, day: int, count: int) -> list[Fact]:
        known = [fact for fact in self.facts if fact.holds(day) and fact.told < day]
        return self.rng.sample(known, min(count, len(known)))

    def _again(self, fact: Fact) -> Line:
        return self._say(fact.subject, fact.kind, "state", fact.value)

    def _say(self, name: str, kind: str, way: str, value: str, old: str | None = None, *, own: bool = False) -> Line:
        person = next(each for each in PEOPLE if each.name == name)
        told = SAYINGS[kind][way]
        voice = "own"
        if person.spanish and not own and self.rng.random() < 0.6:
            voice = "es"
        elif not own and self.rng.random() < 0.25:
            voice = "other"
        fitting = [each for each in told[voice] if old or "{w}" not in each]
        if not fitting:
            voice, fitting = "own", [each for each in told["own"] if old or "{w}" not in each]
        others = [each.name for each in PEOPLE if each.name != name]
        speaker = self.rng.choice(others) if voice == "other" else name
        shown = self.rng.choice([person.name, person.name, person.full])
        return speaker, self.rng.choice(fitting).format(v=value, w=old, s=shown)

    def _fresh(self, name: str, kind: str) -> str:
        """A value that this person never had; pets and partners are nobody else's either."""
        used = {fact.value for fact in self.facts if fact.subject == name and fact.kind == kind}
        if kind in ("partner", "pet"):
            used |= {fact.value for fact in self.facts if fact.kind == kind}
        left = [value for value in VALUES[kind] if value not in used] or list(VALUES[kind])
        return self.rng.choice(left)

    def _trap(self) -> Line:
        speaker, other = self.rng.sample([person.name for person in PEOPLE], 2)
        text = self.rng.choice(TRAPS).format(
            city=self.rng.choice(VALUES["home"]),
            firm=self.rng.choice(VALUES["employer"]),
            partner=self.rng.choice(VALUES["partner"]),
            pet=self.rng.choice(VALUES["pet"]),
            food=self.rng.choice(VALUES["dislike"]),
            other=other,
        )
        return speaker, text


_NOTES = {
    "home": "{s} lives in {v}.",
    "employer": "{s} works at {v}.",
    "partner": "{s}'s partner is {v}.",
    "pet": "{s} has a pet called {v}.",
    "drink": "{s} likes {v} best.",
    "dislike": "{s} cannot stand {v}.",
    "allergy": "{s} is allergic to {v}.",
    "birthday": "{s} has a birthday on {v}.",
}


def _note(fact: Fact) -> Note:
    day = START + timedelta(days=fact.told)
    text = f"{day:%Y-%m-%d}: {_NOTES[fact.kind].format(s=fact.subject, v=fact.value)}"
    return Note(text, (fact.subject, fact.value))


def _day(number: int, lines: list[list[Line]], notes: list[Note], turns: int, rng: random.Random) -> Day:
    """The lines of a day among small talk, in sessions."""
    day = Day(number, notes=notes)
    rng.shuffle(lines)
    sessions = max(1, -(-turns // SESSION_TURNS))
    for place in range(sessions):
        begins = START + timedelta(days=number, hours=8, minutes=place * (14 * 60 // sessions))
        talk = list(_session(lines[place::sessions], min(SESSION_TURNS, turns - place * SESSION_TURNS), rng))
        day.sessions.append([_turn(said, f"day-{number}-{place}", begins, each) for each, said in enumerate(talk)])
    return day


def _session(lines: list[list[Line]], turns: int, rng: random.Random) -> Iterator[Line | None]:
    """Lines in their order; None is where the agent replies."""
    told = [line for some in lines for line in some]
    idle = max(0, turns - len(told))
    places = sorted(rng.sample(range(turns), len(told))) if idle else list(range(len(told)))
    coming = dict(zip(places, told, strict=True))
    for place in range(max(turns, len(told))):
        if place in coming:
            yield coming[place]
        elif rng.random() < 0.35:
            yield None
        else:
            speaker, other = rng.sample([person.name for person in PEOPLE], 2)
            yield speaker, rng.choice(SMALL_TALK).format(other=other)


def _turn(said: Line | None, session: str, begins: datetime, place: int) -> Turn:
    at = begins + timedelta(minutes=place)
    if said is None:
        # Which reply does not matter, so it goes by its place.
        return Turn(role="assistant", text=REPLIES[(place * 7 + begins.day) % len(REPLIES)], session=session, at=at)
    return Turn(role="user", speaker=said[0], text=said[1], session=session, at=at)
