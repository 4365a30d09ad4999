"""What a page about one entity holds."""

from datetime import datetime
from typing import Literal, Self
from uuid import UUID

from pydantic import Field

from nacre.domain.dossiers import Beliefs, Citation, Connection, TimelineEntry
from nacre.domain.memories import Memory
from nacre.http.audit_bodies import RecordReply
from nacre.http.belief_replies import LinkReply, NamedReply
from nacre.http.knowledge_bodies import AspectReply, AttributeReply
from nacre.http.wire import CamelReply


class PassageReply(CamelReply):
    """The exact words that something rests on, up to 300 characters on either side of them, and who said it when."""

    source_id: UUID = Field(validation_alias="source")
    kind: str
    quote: str
    before: str
    after: str
    start: int
    end: int
    at: datetime
    ref: str | None
    session: str | None
    speaker: str | None
    role: str | None
    flags: list[str]


class VersionedReply(CamelReply):
    """One version of a claim; `holds` says whether it is believed, now or at the moment that was asked about."""

    attribute: AttributeReply = Field(validation_alias="claim")
    holds: bool
    citation: PassageReply | None


class ClaimHistoryReply(CamelReply):
    """Everything a claim said, what holds first; `total` counts what is not shown, too."""

    claim_key: str | None = Field(validation_alias="claim")
    path: str
    versions: list[VersionedReply]
    total: int


class GroupHistoryReply(CamelReply):
    """The claims of a group."""

    group_key: str = Field(validation_alias="group")
    claims: list[ClaimHistoryReply]


class AspectHistoryReply(CamelReply):
    """A side of an entity and its groups."""

    aspect: AspectReply
    groups: list[GroupHistoryReply]


class BeliefsReply(CamelReply):
    """What is, and was, believed of an entity, the weightiest aspects first."""

    entity: NamedReply
    as_of: datetime | None
    aspects: list[AspectHistoryReply]

    @classmethod
    def shown(cls, held: Beliefs) -> Self:
        """The beliefs about an entity."""
        return cls(
            entity=NamedReply.shown(held.entity),
            as_of=held.as_of,
            aspects=[AspectHistoryReply.of(each) for each in held.aspects],
        )


class ConnectionReply(CamelReply):
    """A link at an entity, seen from there."""

    direction: Literal["incoming", "outgoing"]
    link: LinkReply
    citation: PassageReply | None

    @classmethod
    def shown(cls, held: Connection) -> Self:
        """A link with its ends and its words."""
        return cls.model_validate(
            {
                "direction": held.direction,
                "link": LinkReply.shown(held.link, held.source, held.target),
                "citation": PassageReply.of(held.citation) if held.citation else None,
            }
        )


class ConnectionsReply(CamelReply):
    """Links at an entity, the strongest first."""

    items: list[ConnectionReply]
    limit: int
    offset: int


class MentionsReply(CamelReply):
    """Where an entity is spoken of, the last said first."""

    items: list[PassageReply]
    limit: int
    offset: int

    @classmethod
    def shown(cls, held: list[Citation], limit: int, offset: int) -> Self:
        """A page of places."""
        return cls(items=[PassageReply.of(each) for each in held], limit=limit, offset=offset)


class RelatedMemoryReply(CamelReply):
    """A memory that speaks of an entity."""

    id: UUID
    content: str
    category: str
    tags: list[str]
    importance: float
    pinned: bool
    reinforced: int
    created_at: datetime
    last_seen_at: datetime

    @classmethod
    def shown(cls, memory: Memory) -> Self:
        """A memory, briefly."""
        return cls(
            id=memory.id,
            content=memory.content,
            category=memory.category,
            tags=list(memory.tags),
            importance=memory.importance,
            pinned=memory.pinned,
            reinforced=memory.reinforced,
            created_at=memory.created_at,
            last_seen_at=memory.last_seen_at,
        )


class RelatedMemoriesReply(CamelReply):
    """Memories that speak of an entity, the last seen first."""

    items: list[RelatedMemoryReply]
    limit: int
    offset: int


class EventReply(CamelReply):
    """An operation, as the log has it, and the tables in which it touched the entity. Its `id` is what undo takes."""

    record: RecordReply
    touched: list[str]

    @classmethod
    def shown(cls, event: TimelineEntry) -> Self:
        """A line of a timeline."""
        return cls(record=RecordReply.of(event.record), touched=list(event.touched))


class TimelineReply(CamelReply):
    """What was done to an entity, the last first; ask for those `before` the last of them to go on."""

    items: list[EventReply]
