"""Replies of `/api/memory`, in the names of its document: some in camelCase, some in snake_case."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from uuid import UUID

from pydantic import Field

from nacre.domain.answers import Answer, AnswerEntity, AnswerItem, MemoryQuery
from nacre.domain.memories import Memory, Outcome, RememberReport, StructureReport
from nacre.http.wire import CamelReply, Reply

# A result says this much of what it found; `GET /api/memory/{id}` tells all of a memory.
MAX_CONTENT = 500


class ResultReply(Reply):
    """One thing that is known; `content` is cut where it is long. `channels` are there where they were asked for."""

    id: UUID
    content: str
    content_length: int
    truncated: bool
    score: float
    source: str = Field(description="What it is: a memory, a turn, a claim, a link, a document or a summary.")
    source_id: UUID
    session_id: str | None
    source_path: str | None
    type: str
    tags: list[str]
    pinned: bool
    importance: float | None
    who: str | None
    project: str | None
    created_at: datetime
    visibility: str
    scope: str | None
    supplementary: bool
    already_recalled: bool
    channels: dict[str, float] | None = None

    @classmethod
    def shown(cls, item: AnswerItem, answer: Answer, chat: str | None, *, explain: bool) -> Self:
        """What was found."""
        memory = item.memory
        noted = memory.metadata if memory else {}
        channels = {"channels": dict(item.channels)} if explain else {}
        return cls(
            **channels,
            id=item.id,
            content=item.content[:MAX_CONTENT],
            content_length=len(item.content),
            truncated=len(item.content) > MAX_CONTENT,
            score=item.score,
            source=item.kind.value,
            source_id=item.source,
            session_id=item.session,
            source_path=noted.get("source_path") or item.ref,
            type=memory.category if memory else item.kind.value,
            tags=list(memory.tags) if memory else [],
            pinned=memory.pinned if memory else False,
            importance=memory.importance if memory else None,
            who=noted.get("who") or item.speaker,
            project=noted.get("project"),
            created_at=item.at,
            visibility="global" if memory and answer.shared else "private",
            scope=chat,
            supplementary=item.supplementary,
            already_recalled=item.again,
        )


class TimingsReply(CamelReply):
    """How long it took."""

    total_ms: float


class TemporalReply(CamelReply):
    """The span of time that was asked about."""

    since: datetime | None
    until: datetime | None


class DedupeReply(CamelReply):
    """Which session is told nothing twice, and how much was held back for that."""

    session_key: str | None
    held_back: int


class MetaReply(CamelReply):
    """How the answer came about; `notes` say what did not go as usual."""

    total_returned: int
    has_supplementary: bool
    no_hits: bool
    timings: TimingsReply
    temporal: TemporalReply
    dedupe: DedupeReply
    notes: list[str]


class AttributeReply(Reply):
    """Something that is believed."""

    content: str
    status: str
    importance: float


class AspectReply(Reply):
    """A side of an entity."""

    name: str
    attributes: list[AttributeReply]


class CardReply(Reply):
    """An entity that the question names, and what is believed of it."""

    name: str
    type: str
    aspects: list[AspectReply]

    @classmethod
    def shown(cls, known: AnswerEntity) -> Self:
        """What is known of an entity."""
        sides = [
            AspectReply(
                name=side.name,
                attributes=[
                    AttributeReply(content=claim.value, status=claim.status.value, importance=claim.importance)
                    for claim in side.attributes
                ],
            )
            for side in known.aspects
        ]
        return cls(name=known.entity.name, type=known.entity.type.value, aspects=sides)


class AnswerReply(Reply):
    """What is known about a question, best first."""

    results: list[ResultReply]
    query: str
    method: str
    meta: MetaReply
    entities: list[CardReply]

    @classmethod
    def shown(cls, answer: Answer, asked: MemoryQuery, chat: str | None) -> Self:
        """The answer to a question."""
        found = answer.found
        meta = MetaReply(
            total_returned=len(found),
            has_supplementary=any(each.supplementary for each in found),
            no_hits=not found,
            timings=TimingsReply(total_ms=answer.took_ms),
            temporal=TemporalReply(since=asked.since, until=asked.until),
            dedupe=DedupeReply(session_key=asked.session, held_back=answer.held_back),
            notes=list(answer.notes),
        )
        return cls(
            results=[ResultReply.shown(each, answer, chat, explain=asked.explain) for each in found],
            query=asked.query,
            method=answer.method,
            meta=meta,
            entities=[CardReply.shown(each) for each in answer.entities],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorizedReply:
    """The memory as it is now. `deduped` says that another one said the same, which was added to."""

    id: UUID
    type: str
    tags: Sequence[str]
    pinned: bool
    importance: float
    content: str
    embedded: bool
    entities_linked: int
    hints_written: int
    structured: StructureReport | None
    deduped: bool

    @classmethod
    def shown(cls, made: RememberReport, *, entities: int, hints: int, embedded: bool) -> Self:
        """What was kept."""
        memory = made.memory
        return cls(
            id=memory.id,
            type=memory.category,
            tags=memory.tags,
            pinned=memory.pinned,
            importance=memory.importance,
            content=memory.content,
            embedded=embedded,
            entities_linked=entities,
            hints_written=hints,
            structured=made.structured,
            deduped=made.outcome is not Outcome.CREATED,
        )


class EntryReply(Reply):
    """One memory, all of it."""

    id: UUID
    content: str
    type: str
    tags: list[str]
    pinned: bool
    importance: float
    who: str | None
    project: str | None
    source_id: UUID
    source_path: str | None
    metadata: dict[str, str]
    status: str
    archived_at: datetime | None
    archive_reason: str | None
    replaced_by: list[UUID]
    created_at: datetime
    updated_at: datetime
    last_seen_at: datetime

    @classmethod
    def shown(cls, memory: Memory) -> Self:
        """A memory in the words of the document."""
        return cls(
            id=memory.id,
            content=memory.content,
            type=memory.category,
            tags=list(memory.tags),
            pinned=memory.pinned,
            importance=memory.importance,
            who=memory.metadata.get("who"),
            project=memory.metadata.get("project"),
            source_id=memory.source,
            source_path=memory.metadata.get("source_path"),
            metadata=dict(memory.metadata),
            status=memory.status.value,
            archived_at=memory.archived_at,
            archive_reason=memory.archive_reason,
            replaced_by=list(memory.replaced_by),
            created_at=memory.created_at,
            updated_at=memory.updated_at,
            last_seen_at=memory.last_seen_at,
        )


class EntriesReply(Reply):
    """Memories in force, the last seen first."""

    memories: list[EntryReply]
    count: int
    limit: int
    offset: int


class ForgotReply(Reply):
    """A memory that is out of force, or gone for good."""

    id: UUID
    forgotten: bool
    purged: bool
