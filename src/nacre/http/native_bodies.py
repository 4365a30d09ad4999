"""Requests and replies about memories, scratch space, procedures, feedback and conversations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from pydantic import Field, StrictBool

from nacre.domain import feedback, skills, working
from nacre.domain.feedback import FeedbackKind, Signal
from nacre.domain.hits import Evidence
from nacre.domain.memories import MemoryChange, MemoryMatch
from nacre.domain.skills import SkillSummary
from nacre.domain.summaries import Summary
from nacre.domain.turns import SessionInfo, StoredTurn
from nacre.domain.working import WorkingEntry
from nacre.http.bodies import (
    WORDS,
    Body,
    Category,
    Fraction,
    Instant,
    Name,
    Tags,
    Text,
    Whole,
    example,
    limits,
)
from nacre.http.queries import KEY, MEMORY_ID, NAMESPACE, SEEN, SKILL
from nacre.http.wire import Reply

MAX_TTL = int(working.MAX_TTL.total_seconds())

MemoryId = Annotated[str, limits(pattern=MEMORY_ID)]


class ForgetBody(Body):
    """What to forget: exactly one of a memory, all from before a moment, and everything."""

    model_config = example(user="ana", before="2026-05-01T00:00:00Z")

    memory: MemoryId | None = Field(default=None, description="One memory, by its id.")
    before: Instant | None = Field(default=None, description="All that was said and kept before this time.")
    everything: StrictBool = Field(default=False, description="All of it.")
    purge: StrictBool = Field(default=False, description="Remove it for good. Else it stays readable as of earlier.")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesReply:
    """Memories, best first; without a question, the last seen first."""

    memories: Sequence[MemoryMatch]


class CategoriesReply(Reply):
    """How many memories in force each category holds."""

    categories: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHistoryReply:
    """Everything that happened to a memory, the last first."""

    changes: Sequence[MemoryChange]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEvidenceReply:
    """Every source that a memory rests on, first said first."""

    evidence: Sequence[Evidence]


class ImportanceBody(Body):
    """How much a memory matters."""

    model_config = example(user="ana", importance=0.9)

    importance: Fraction = Field(description="From 0 to 1.")


class ScratchBody(Body):
    """An entry for working memory, and who writes it."""

    model_config = example(user="ana", namespace="session/s1", key="draft", data="Dear John, …", ttl=600)

    namespace: Annotated[str, limits(**NAMESPACE)] = Field(description="Who writes, such as `session/s1`.")
    key: Annotated[str, limits(**KEY)] = Field(description="A key in that namespace; it may hold slashes.")
    data: Text
    ttl: Annotated[Whole, limits(minimum=1, maximum=MAX_TTL)] = Field(
        default=int(working.DEFAULT_TTL.total_seconds()), le=MAX_TTL, description="How many seconds it is kept."
    )
    category: Category | None = None
    tags: Tags = Field(default=[])

    def lifetime(self) -> timedelta:
        """How long it is kept."""
        return timedelta(seconds=self.ttl)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesReply:
    """Entries, best first; without a question, the newest first."""

    entries: Sequence[WorkingEntry]


class InventoryReply(Reply):
    """One line an entry, as contexts show them; never the values."""

    text: str


class RemovedReply(Reply):
    """Whether there was something to remove."""

    removed: bool


class FeedbackBody(Body):
    """What somebody thought of what the agent did."""

    model_config = example(user="ana", kind="correction", subject="Dates", detail="Write the day first.", session="s1")

    kind: FeedbackKind
    subject: Annotated[str, limits(maxLength=feedback.MAX_SUBJECT, **WORDS)] = Field(description="What it is about.")
    detail: Annotated[str, limits(maxLength=feedback.MAX_DETAIL, **WORDS)] | None = Field(
        default=None, description="What was wrong, or what to do instead."
    )
    session: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalsReply:
    """The feedback of the last seven days, newest first."""

    signals: Sequence[Signal]


class SkillBody(Body):
    """A procedure to keep."""

    model_config = example(user="ana", summary="How to answer mail.", content="1. Greet. 2. Answer.", see_also=[])

    summary: Annotated[str, limits(maxLength=skills.MAX_SUMMARY, pattern=SEEN)] = Field(description="One line.")
    content: Text
    see_also: Annotated[list[Annotated[str, limits(**SKILL)]], limits(maxItems=skills.MAX_SEE_ALSO)] = Field(default=[])


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsReply:
    """Skills, those that fit the question best first; without a question, by name."""

    skills: Sequence[SkillSummary]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsReply:
    """Conversations, those in which something was said last first."""

    sessions: Sequence[SessionInfo]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsReply:
    """Messages of a conversation, oldest first; `before` is what to ask with for those that came earlier."""

    turns: Sequence[StoredTurn]
    before: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummariesReply:
    """Summaries, the session in which something was said last first."""

    summaries: Sequence[Summary]


class SummarizeBody(Body):
    """Whose session it is."""

    model_config = example(user="ana")
