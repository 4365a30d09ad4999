"""Requests of `/api/memory`, in the names of its document: some in camelCase, some in snake_case."""

import re
from dataclasses import fields
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from nacre.brain import Door, ScopedNacre
from nacre.domain.answers import MAX_FOUND, MemoryQuery
from nacre.domain.errors import Invalid
from nacre.domain.memories import GENERAL, HINTS, MAX_TAGS, PINNED, YES, RememberReport
from nacre.domain.structures import MAX_HINT, MAX_HINTS, MIN_HINT, to_structure
from nacre.http.bodies import Category, Fraction, Instant, Metadata, Name, Tags, Text, limits

_CRITICAL = re.compile(r"critical:\s*(?=\S)", re.IGNORECASE)
_TAGGED = re.compile(r"\[([^\[\]\n]{1,1000})\]:\s*(?=\S)")
# What is kept in a memory's metadata.
_NOTED = ("who", "project", "source_type", "source_id", "source_path")

Hint = Annotated[str, limits(minLength=MIN_HINT, maxLength=MAX_HINT)]


def _called(name: str, **more: Any) -> Any:
    return Field(default=None, alias=name, **more)


class MemoryBody(BaseModel):
    """Whose memory is meant: the server's own agent's, where none is named."""

    model_config = ConfigDict(extra="forbid")

    agent_id: Name | None = _called("agentId", description="Whose memory; the server's own agent if left out.")
    user_id: Name | None = _called("userId", description="Keep to this user's.")
    chat_id: Name | None = _called("chatId", description="Keep to this chat's.")

    def scope(self, door: Door) -> ScopedNacre:
        """The memory that is meant, if the caller may reach it."""
        return door.scope(self.agent_id, self.user_id, self.chat_id)


class LookupBody(MemoryBody):
    """A question, and what to leave out of its answer.

    A category, tags, who, project, pinned and an importance ask for memories alone.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "What does John do?", "limit": 5, "sessionKey": "s1"}]}
    )

    query: Text
    limit: Annotated[StrictInt, limits(minimum=1, maximum=MAX_FOUND)] = 10
    type: Name | None = Field(default=None, description="A kind such as `turn`, or a category of memories.")
    tags: Tags = Field(default=[], description="Only memories with all of these.")
    who: Name | None = None
    project: Name | None = None
    pinned: StrictBool | None = None
    importance_min: Fraction | None = None
    since: Instant | None = None
    until: Instant | None = None
    session: Name | None = _called("sessionKey", description="The session that is told; nothing twice.")
    include_recalled: StrictBool = Field(
        default=False, alias="includeRecalled", description="Tell it what it was told before as well."
    )
    explain: StrictBool = Field(default=False, description="Say what each channel gave.")

    def lookup(self) -> MemoryQuery:
        """The question that it asks."""
        return MemoryQuery(**{each.name: getattr(self, each.name) for each in fields(MemoryQuery)})


class MemorizeBody(MemoryBody):
    """A memory to keep. `critical:` in front pins it; `[launch, beta]:` in front are tags."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"content": "[launch]: The launch moved to May 3.", "who": "Ana", "importance": 0.8}]
        }
    )

    content: Text
    type: Category = Field(default=GENERAL, description="The category that it belongs to.")
    tags: Tags = []
    importance: Fraction | None = None
    pinned: StrictBool = Field(default=False, description="Keep it from fading and from being pruned.")
    who: Name | None = None
    project: Name | None = None
    source_type: Name | None = _called("sourceType")
    source_id: Name | None = _called("sourceId")
    source_path: Name | None = _called("sourcePath")
    metadata: Metadata | None = None
    hints: Annotated[list[Hint], limits(maxItems=MAX_HINTS)] = Field(default=[], description="Words to find it by.")
    structured: dict[str, Any] | None = Field(default=None, description="What it is about: entities, aspects, hints.")

    def arguments(self) -> dict[str, Any]:
        """What the method takes."""
        text, tags, critical = read_prefixes(self.content)
        pinned = self.pinned or critical
        metadata = {**(self.metadata or {}), **self._noted(), **({PINNED: YES} if pinned else {})}
        given = 1.0 if critical else 0.5
        structured = self.structured
        if structured is not None and self.hints:
            structured = {**structured, HINTS: [*structured.get(HINTS, []), *self.hints]}
        elif self.hints:
            metadata[HINTS] = "\n".join(_checked(self.hints))
        return {
            "text": text,
            "category": self.type,
            "tags": list(dict.fromkeys([*self.tags, *tags])),
            "metadata": metadata,
            "importance": given if self.importance is None else self.importance,
            "structured": structured,
        }

    def hint_count(self, made: RememberReport) -> int:
        """How many hints the memory is found by because of this."""
        return made.structured.applied.hints if made.structured else len(_checked(self.hints))

    def _noted(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in _NOTED if getattr(self, name) is not None}


def read_prefixes(content: str) -> tuple[str, list[str], bool]:
    """A text without what stands in front of it: tags in brackets, and whether it is critical."""
    text, tags, critical = content, list[str](), False
    while True:
        if match := _CRITICAL.match(text):
            critical = True
        elif match := _TAGGED.match(text):
            tags += [tag.strip() for tag in match[1].split(",") if tag.strip()]
        if match is None or len(tags) > MAX_TAGS:
            return text, tags, critical
        text = text[match.end() :]


def _checked(hints: list[str]) -> tuple[str, ...]:
    read = to_structure({HINTS: hints})
    if read.refused:
        raise Invalid(read.refused[0].item, f"cannot be one: {read.refused[0].why}")
    return read.hints
