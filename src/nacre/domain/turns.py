"""Turns: the messages of a conversation, and the sessions they make."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nacre.domain import checks
from nacre.domain.ids import SourceId


class Role(StrEnum):
    """Who speaks, as language model APIs name them."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message as a caller hands it over; `at` is when it was said, `ref` the caller's own id for it."""

    role: str
    text: str
    speaker: str | None = None
    session: str | None = None
    at: datetime | None = None
    ref: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "role", checks.choice("role", self.role, Role))
        checks.text("text", self.text)
        checks.optional_name("speaker", self.speaker)
        checks.optional_name("session", self.session)
        checks.optional_name("ref", self.ref)
        object.__setattr__(self, "at", checks.optional_instant("at", self.at))

    @property
    def searchable(self) -> str:
        """The text that search sees: who says it matters as much as what is said."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What `observe` did: the evidence it stored."""

    id: SourceId
    at: datetime
    session: str | None = None
    # What to be wary of in its text, such as instructions to its reader.
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A stored turn: its evidence id, its place in the scope, the turn itself, when it was said and when stored."""

    id: SourceId
    seq: int
    turn: Turn
    at: datetime
    stored_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """A session: how many turns it has, and when its first and last were said."""

    session: str
    turns: int
    first_at: datetime
    last_at: datetime
