"""Examples: windows of labelled conversations with their facts and entities as token places."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from bench.models.reader.labels import LabelledConversation, LabelledFact
from bench.models.reader.scores import PlacedFact
from nacre.models.reader_windows import TARGET, TurnTokenizer, Window, windows
from nacre.models.readings import MODES, PREDICATES, EntityKind, SpokenTurn, SubjectKind

Ints = NDArray[np.int64]

SUBJECTS = {"I": 0, "you": 1, "we": 2}
MENTION = 3
# The scorer of entities finds time words too.
ENTITIES = (*EntityKind, "time")
UNKNOWN = -1
# Sizes of windows to train on: a turn may come alone or with many.
BUDGETS = (12, 24, 40, 64, TARGET, TARGET)
_TYPED = {
    EntityKind.PLACE: ("lives_in", "from", "visited", "located_in"),
    EntityKind.ORGANISATION: ("works_at", "member_of"),
    EntityKind.PERSON: ("family", "partner", "friend", "colleague", "knows", "name"),
    EntityKind.ANIMAL: ("pet",),
    EntityKind.THING: ("owns", "bought", "uses"),
}
_TYPE_OF = {predicate: kind for kind, predicates in _TYPED.items() for predicate in predicates}
# A mention that something of this sort is said of is a person.
_OF_PERSONS = frozenset(
    {
        "role",
        "works_at",
        "studies",
        "lives_in",
        "from",
        "family",
        "partner",
        "friend",
        "colleague",
        "knows",
        "likes",
        "dislikes",
        "favourite",
        "hobby",
        "skill",
        "goal",
        "plan",
        "diet",
        "habit",
        "age",
        "birthday",
        "opinion",
        "visited",
        "bought",
        "uses",
        "decision",
        "did",
    }
)

Span = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SpannedFact:
    """A fact with its words as characters: `subject` is where a mention stands, `time` where its time words do."""

    label: LabelledFact
    object: Span
    subject: Span | None
    time: Span | None

    @property
    def kind(self) -> int:
        """Place of the subject's kind in `SubjectKind`."""
        return SUBJECTS.get(self.label.subject, MENTION)


@dataclass(frozen=True, slots=True)
class Example:
    """A window; rows of `facts`: object first and last, predicate, mode, kind, subject first and last, time first and
    last (0 for none, -1 for unknown); rows of `entities`: first, last, type."""

    window: Window
    facts: Ints
    entities: Ints


class SpannedConversation:
    """A labelled conversation whose labels are found in its text, ready to be cut into windows."""

    def __init__(self, label: LabelledConversation, tokenizer: TurnTokenizer) -> None:
        self.label = label
        self.turns = tuple(SpokenTurn(turn.speaker, turn.text) for turn in label.turns)
        self._segments = tokenizer.segments(self.turns)

    @cached_property
    def facts(self) -> list[SpannedFact]:
        """Every fact, with its words found; of several places, an object's is the first."""
        return [self._spanned(number, fact) for number, turn in enumerate(self.label.turns) for fact in turn.facts]

    @cached_property
    def entities(self) -> dict[Span, int]:
        """Type of each span that the facts say something of, and of the same names elsewhere."""
        typed: dict[Span, int] = {}
        names: dict[str, int] = {person: 0 for person in self.label.people if person[:1].isupper()}
        for fact in self.facts:
            kind = _TYPE_OF.get(fact.label.predicate)
            if kind is not None:
                typed[fact.object] = ENTITIES.index(kind)
                names[fact.label.object] = ENTITIES.index(kind)
        for fact in self.facts:
            if fact.subject:
                person = fact.label.predicate in _OF_PERSONS
                kind_of = names.get(
                    fact.label.subject, ENTITIES.index(EntityKind.PERSON if person else EntityKind.THING)
                )
                typed.setdefault(fact.subject, kind_of)
            if fact.time:
                typed[fact.time] = ENTITIES.index("time")
        for name, kind_of in names.items():
            if name[:1].isupper():
                for number, turn in enumerate(self.turns):
                    for start, end in _places(name, turn.text):
                        typed.setdefault((number, start, end), kind_of)
        return typed

    def examples(self, chance: random.Random | None = None) -> Iterator[Example]:
        """Windows over all turns; with `chance` of all sizes, without as the reader cuts them."""
        budgets = iter(lambda: chance.choice(BUDGETS), 0) if chance else repeat(TARGET)
        for window in windows(self._segments, budgets=budgets):
            yield Example(window, self._fact_rows(window), self._entity_rows(window))

    def _spanned(self, number: int, fact: LabelledFact) -> SpannedFact:
        text = self.turns[number].text
        start, end = next(_places(fact.object, text))
        time = next(_places(fact.time, text), None) if fact.time else None
        subject = None if fact.subject in SUBJECTS else self._mention(fact.subject, number, (start, end))
        return SpannedFact(fact, (number, start, end), subject, (number, *time) if time else None)

    def _mention(self, words: str, number: int, beside: tuple[int, int]) -> Span:
        """The place in this turn that is nearest to the object, but not inside it; else the last one before."""
        here = list(_places(words, self.turns[number].text))
        free = [place for place in here if place[1] <= beside[0] or place[0] >= beside[1]] or here
        if free:
            return (number, *min(free, key=lambda place: abs(place[0] - beside[0])))
        for earlier in range(number - 1, -1, -1):
            if there := list(_places(words, self.turns[earlier].text)):
                return (earlier, *there[-1])
        message = f"{self.label.id}: {words!r} was not said"
        raise ValueError(message)

    def _fact_rows(self, window: Window) -> Ints:
        targets = window.targets()
        rows = []
        for fact in self.facts:
            place = window.token_span(*fact.object)
            if place is None or not targets[place[0]]:
                continue
            first, last = _within_sentence(window, place)
            mention = _pointed(window, fact.subject) if fact.subject else (UNKNOWN, UNKNOWN)
            time = _pointed(window, fact.time) if fact.time else (0, 0)
            codes = PREDICATES.index(fact.label.predicate), MODES.index(fact.label.mode), fact.kind
            rows.append((first, last, *codes, *mention, *time))
        return np.array(rows, np.int64).reshape(-1, 9)

    def _entity_rows(self, window: Window) -> Ints:
        targets = window.targets()
        rows = []
        for span, kind in self.entities.items():
            place = window.token_span(*span)
            if place is not None and targets[place[0]]:
                rows.append((*_within_sentence(window, place), kind))
        return np.array(rows, np.int64).reshape(-1, 3)


def _places(words: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the words stand in the text, as whole words where they do at all."""
    whole = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)]
    yield from whole or (match.span() for match in re.finditer(re.escape(words), text))


def _pointed(window: Window, span: Span) -> tuple[int, int]:
    place = window.token_span(*span)
    return _within_sentence(window, place) if place else (UNKNOWN, UNKNOWN)


def _within_sentence(window: Window, place: tuple[int, int]) -> tuple[int, int]:
    """The span widened to whole words, and cut where its longest sentence begins and ends."""
    first, last = place
    while not window.first[first]:
        first -= 1
    while not window.last[last]:
        last += 1
    numbers, counts = np.unique(window.sentences[first : last + 1], return_counts=True)
    kept = np.flatnonzero(window.sentences[first : last + 1] == numbers[counts.argmax()])
    return first + int(kept[0]), first + int(kept[-1])


def spanned(some: Sequence[LabelledConversation], tokenizer: TurnTokenizer) -> list[SpannedConversation]:
    """The conversations, tokenised."""
    return [SpannedConversation(each, tokenizer) for each in some]


def labelled(some: Sequence[SpannedConversation]) -> list[PlacedFact]:
    """The labels, as they are compared."""
    kinds = tuple(SubjectKind)
    return [
        PlacedFact(
            (each.label.id, fact.object[0]),
            kinds[fact.kind],
            fact.label.object,
            fact.object[1],
            fact.label.predicate,
            fact.label.mode,
        )
        for each in some
        for fact in each.facts
    ]
