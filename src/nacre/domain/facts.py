"""Facts of a text: the entities it names, and statements about them. Not stored yet, and not resolved to anything."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nacre.domain import checks
from nacre.domain.entities import EntityType
from nacre.domain.errors import Invalid
from nacre.domain.links import PREDICATES

_PATH = re.compile(r"[^\W_]\w*/[^\W_]\w*/[^\W_]\w*")


class Voice(StrEnum):
    """The one who says "I": the user of the agent, or another person whose name the turn gives."""

    USER = "user"
    SPEAKER = "speaker"


class Polarity(StrEnum):
    """Whether a text says that something holds, or that it no longer does."""

    STATED = "stated"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    """An entity spoken of, and where: the words from `start` to `end` may be its name, another name, or a pronoun.

    `addressed` is true for a person spoken to rather than about. `description` and `aliases` are what else is known.
    """

    name: str
    type: EntityType
    start: int
    end: int
    confidence: float = 1.0
    addressed: bool = False
    description: str | None = None
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        checks.name("name", self.name)
        checks.fraction("confidence", self.confidence)
        _check_span("start", self.start, self.end)


Subject = NamedEntity | Voice


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement: a link to a named `object`, a link to a plain `value`, or a claim (`path` and `value`).

    What is retracted may be less exact. Of a link, `value` is then any words for its object: a name in small letters,
    or `dog` where the dog's name is held. Without object and value, the one thing ends that is held of the predicate
    or path: "I got laid off".

    `quote` holds the offsets of the words it rests on. `confidence` is the share of a rule's facts that are right.
    `detail` is what the predicate leaves out: `family_of` with the detail `brother` says that the object is the
    subject's brother. A fact with `instead_of` counts only where the same is held of that, and ends it.
    """

    subject: Subject
    quote: tuple[int, int]
    confidence: float
    rule: str
    predicate: str | None = None
    object: NamedEntity | None = None
    path: str | None = None
    value: str | None = None
    detail: str | None = None
    instead_of: NamedEntity | None = None
    polarity: Polarity = Polarity.STATED
    correction: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    speaker: str | None = None

    def __post_init__(self) -> None:
        checks.fraction("confidence", self.confidence)
        _check_span("quote", *self.quote)
        if (self.predicate is None) == (self.path is None):
            raise Invalid("predicate", "is needed where there is no claim path, and only there")
        ends = (self.object, self.value).count(None)
        if ends == 0 or (ends == 2 and self.polarity is Polarity.STATED):
            raise Invalid("object", "is needed where there is no value, and only there")
        if self.predicate is not None:
            checks.choice("predicate", self.predicate, PREDICATES)
        if self.path is not None and (self.object is not None or not _PATH.fullmatch(self.path)):
            raise Invalid("path", f"must be aspect/group/claim with a value, not {self.path!r}")
        if self.valid_from and self.valid_to and self.valid_from > self.valid_to:
            raise Invalid("valid_to", "lies before valid_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedFacts:
    """All that was found in a text, in the order of the text; `notes` say what was left out and why."""

    names: tuple[NamedEntity, ...] = ()
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()


def _check_span(field: str, start: int, end: int) -> None:
    if not 0 <= start < end:
        raise Invalid(field, f"must be where some words begin and end, not {start} to {end}")
