"""Readings: the facts and entities that the reader finds in the turns of a conversation."""

from dataclasses import dataclass, field
from enum import StrEnum

PREDICATES = (
    "name",
    "role",
    "works_at",
    "studies",
    "lives_in",
    "from",
    "visited",
    "family",
    "partner",
    "friend",
    "knows",
    "colleague",
    "pet",
    "owns",
    "bought",
    "uses",
    "likes",
    "dislikes",
    "favourite",
    "hobby",
    "skill",
    "goal",
    "plan",
    "event",
    "did",
    "health",
    "diet",
    "habit",
    "age",
    "birthday",
    "date",
    "member_of",
    "works_on",
    "made",
    "opinion",
    "cost",
    "contact",
    "decision",
    "status",
    "located_in",
    "part_of",
    "other",
)
MODES = ("now", "past", "ended", "plan", "not")


class SubjectKind(StrEnum):
    """Whom a fact is about; a mention is named by words of this turn or an earlier one."""

    SPEAKER = "speaker"
    ADDRESSEE = "addressee"
    WE = "we"
    MENTION = "mention"


class EntityKind(StrEnum):
    """Type of an entity, as far as the reader tells them apart."""

    PERSON = "person"
    PLACE = "place"
    ORGANISATION = "organisation"
    ANIMAL = "animal"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One turn as it was said; `speaker` may be a name or a role such as `user`."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns in order. Those before `first` are context: they are read, but no facts are taken from them."""

    turns: tuple[SpokenTurn, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Words of one turn: `turn` is its place in the conversation, `start` and `end` are characters of its text."""

    turn: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReading:
    """One fact of a turn. `mention` is set for subjects of the kind mention, where the window shows their words."""

    object: TextSpan
    predicate: str
    subject: SubjectKind
    mention: TextSpan | None
    mode: str
    time: TextSpan | None
    confidence: float
    """Chance that subject and object are right, as measured on conversations kept out of training."""
    predicate_confidence: float
    """Chance that the predicate is right, given that the rest is."""

    @property
    def chance(self) -> float:
        """Chance that all of it is right: subject, object and predicate."""
        return self.confidence * self.predicate_confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityReading:
    """Words that denote a person, a place, an organisation, an animal or a thing."""

    span: TextSpan
    kind: EntityKind
    confidence: float


@dataclass(frozen=True, slots=True)
class TurnReading:
    """What one turn says; facts in the order of their objects."""

    turn: int
    facts: tuple[FactReading, ...] = field(default=())
    entities: tuple[EntityReading, ...] = field(default=())
