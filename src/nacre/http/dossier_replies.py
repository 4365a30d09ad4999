"""Replies for a page about one entity."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self, cast

from nacre.domain.dossiers import Citation, Connection, TimelineEntry
from nacre.domain.memories import Memory
from nacre.http.belief_replies import LinkReply
from nacre.http.wire import Shape

Direction = Literal["incoming", "outgoing"]
RelatedMemory = Annotated[
    Memory,
    Shape(
        "RelatedMemoryReply",
        "A memory that speaks of an entity.",
        only=(
            "id",
            "content",
            "category",
            "tags",
            "importance",
            "pinned",
            "reinforced",
            "created_at",
            "last_seen_at",
        ),
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionReply:
    """A link at an entity, seen from there."""

    direction: Direction
    link: LinkReply
    citation: Citation | None

    @classmethod
    def shown(cls, held: Connection) -> Self:
        """A link with its ends and its words."""
        link = LinkReply.shown(held.link, held.source, held.target)
        return cls(direction=cast("Direction", held.direction), link=link, citation=held.citation)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionsReply:
    """Links at an entity, the strongest first."""

    items: Sequence[ConnectionReply]
    limit: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionsReply:
    """Where an entity is spoken of, the last said first."""

    items: Sequence[Citation]
    limit: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedMemoriesReply:
    """Memories that speak of an entity, the last seen first."""

    items: Sequence[RelatedMemory]
    limit: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineReply:
    """What was done to an entity, the last first; ask for those `before` the last of them to go on."""

    items: Sequence[TimelineEntry]
