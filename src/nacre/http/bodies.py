"""Requests and replies that several routes share, and the types of their fields.

The schema tells clients the limits; the domain enforces them, so a rule has one message on every surface. Bodies
take the names and defaults of the methods they call. Replies refuse fields they do not know, so that a value that
grows cannot leave its schema behind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictInt,
    Tag,
)

from nacre.brain import Door, ScopedNacre
from nacre.domain import checks, memories
from nacre.domain.errors import Invalid
from nacre.domain.memories import GENERAL
from nacre.domain.turns import Observation, Role, Turn
from nacre.http.wire import Reply


def _written_instant(value: object) -> datetime:
    # Left alone, pydantic takes any number for seconds since 1970.
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    raise ValueError("must be a time such as 2026-05-03T10:00:00Z")


def _whole(value: object) -> object:
    # JSON has one kind of number: 5.0 is as whole as 5.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def limits(**limits: Any) -> Any:
    """Limits that the schema tells and the domain enforces."""
    return Field(json_schema_extra=limits)


def example(**fields: Any) -> ConfigDict:
    """What the schema shows of a body."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


# One line that is not blank, and any text that is not blank.
LINE = {
    "minLength": 1,
    "maxLength": checks.MAX_NAME,
    "pattern": r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$",
}
WORDS = {"minLength": 1, "pattern": r"^[^\x00]*[^\s\x00][^\x00]*$"}

Name = Annotated[str, limits(**LINE)]
Text = Annotated[str, limits(maxLength=checks.MAX_TEXT, **WORDS)]
Category = Annotated[str, limits(maxLength=checks.MAX_NAME, pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$")]
Tags = Annotated[list[Name], limits(maxItems=memories.MAX_TAGS)]
Metadata = Annotated[dict[str, str], limits(maxProperties=memories.MAX_METADATA)]
Whole = Annotated[StrictInt, BeforeValidator(_whole)]
Fraction = Annotated[float, limits(minimum=0, maximum=1)]
Instant = Annotated[AwareDatetime, BeforeValidator(_written_instant)]


class Body(BaseModel):
    """Names the user and the chat whose memory is meant."""

    model_config = ConfigDict(extra="forbid")

    user: Name | None = Field(default=None, description="Keep to this user's memory.")
    chat: Name | None = Field(default=None, description="Keep to this chat's memory.")

    def scope(self, door: Door, agent: str) -> ScopedNacre:
        """The memory that is meant, if the caller may reach it."""
        return door.scope(agent, self.user, self.chat)

    def arguments(self) -> dict[str, Any]:
        """The fields that a method of the scope takes, under the same names."""
        return {name: getattr(self, name) for name in type(self).model_fields if name not in Body.model_fields}


class TurnBody(BaseModel):
    """One message of a conversation."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"role": "user", "text": "I prefer dark mode.", "session": "s1"}]},
    )

    role: Role
    text: Text
    speaker: Name | None = Field(default=None, description="Who speaks, by name.")
    session: Name | None = Field(default=None, description="The conversation it belongs to.")
    at: Instant | None = Field(default=None, description="When it was said, with a time zone; now if left out.")
    ref: Name | None = Field(default=None, description="Your own id for the message; recall gives it back.")

    def turn(self) -> Turn:
        """The turn it describes."""
        return Turn(**{name: getattr(self, name) for name in TurnBody.model_fields})


class OneTurn(Body, TurnBody):
    """One message, and whose memory keeps it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"user": "ana", "role": "user", "text": "John works on DevOps at Hostinger.", "session": "s1"}]
        }
    )

    def said(self) -> list[Turn]:
        """The turns to keep."""
        return [self.turn()]


class ManyTurns(Body):
    """Many messages, kept all or none, and whose memory keeps them."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user": "ana",
                    "turns": [
                        {"role": "user", "text": "When is the launch?", "at": "2026-05-01T09:00:00Z"},
                        {"role": "assistant", "text": "On May 3.", "at": "2026-05-01T09:00:05Z"},
                    ],
                }
            ]
        }
    )

    turns: list[TurnBody]

    def said(self) -> list[Turn]:
        """The turns to keep."""
        return [_numbered(number, body) for number, body in enumerate(self.turns)]


def _numbered(number: int, body: TurnBody) -> Turn:
    try:
        return body.turn()
    except Invalid as error:
        raise Invalid(f"turns[{number}].{error.field}", error.problem) from error


# Pydantic names these among the steps to a problem; no client sent them, so `failures` leaves them out.
ONE, MANY = TAGS = ("<one>", "<many>")
ObserveBody = Annotated[
    Annotated[OneTurn, Tag(ONE)] | Annotated[ManyTurns, Tag(MANY)],
    Discriminator(lambda body: MANY if isinstance(body, dict) and "turns" in body else ONE),
]


class RememberBody(Body):
    """A long-term memory to keep."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "user": "ana",
                    "text": "The launch moved to May 3.",
                    "category": "project-context/launch",
                    "tags": ["launch"],
                }
            ]
        }
    )

    text: Text
    category: Category = GENERAL
    tags: Tags = []
    metadata: Metadata | None = None
    importance: Fraction = Field(default=0.5, description="How much it matters, from 0 to 1.")
    structured: dict[str, Any] | None = Field(
        default=None, description="What it is about: entities, aspects and hints, for the knowledge graph."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveReply:
    """What was stored, in the order it was sent."""

    observations: Sequence[Observation]


class DatabaseReply(Reply):
    """The database behind the server."""

    kind: str
    ok: bool


class HealthReply(Reply):
    """The server answers."""

    status: Literal["ok"]
    version: str
    database: DatabaseReply


class Failure(Reply):
    """What went wrong; match on `code`, show `message`."""

    code: str
    message: str
    details: dict[str, Any] = Field(
        description="What a program can use: the `field` at fault, the `candidates`, the `request_id`."
    )


class FailureReply(Reply):
    """The envelope of every failure."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"error": {"code": "invalid", "message": "`text` must not be empty.", "details": {"field": "text"}}}
            ]
        }
    )

    error: Failure
