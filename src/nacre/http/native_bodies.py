"""What the requests and replies about memories, scratch space, procedures, feedback and conversations hold."""

from datetime import datetime, timedelta
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, StrictBool

from nacre.domain import feedback, skills, working
from nacre.domain.feedback import FeedbackKind
from nacre.domain.summaries import SummaryMethod
from nacre.domain.turns import Role
from nacre.http.audit_bodies import RecordReply
from nacre.http.bodies import (
    WORDS,
    Body,
    Category,
    EvidenceReply,
    Fraction,
    Instant,
    MemoryReply,
    Name,
    Reply,
    Tags,
    Text,
    Whole,
    example,
    told,
)
from nacre.http.queries import KEY, MEMORY_ID, NAMESPACE, SEEN, SKILL
from nacre.store.turns import Said

MAX_TTL = int(working.MAX_TTL.total_seconds())

MemoryId = Annotated[str, told(pattern=MEMORY_ID)]


class ForgetBody(Body):
    """What to forget: exactly one of a memory, all from before a moment, and everything."""

    model_config = example(user="ana", before="2026-05-01T00:00:00Z")

    memory: MemoryId | None = Field(default=None, description="One memory, by its id.")
    before: Instant | None = Field(default=None, description="All that was said and kept before this time.")
    everything: StrictBool = Field(default=False, description="All of it.")
    purge: StrictBool = Field(default=False, description="Remove it for good. Else it stays readable as of earlier.")


class ForgottenReply(Reply):
    """How much went out of force, or for good where `purged`."""

    memories: int
    turns: int
    working: int
    skills: int
    feedback: int
    documents: int
    entities: int
    links: int
    claims: int
    purged: bool
    pending: bool


class MatchReply(Reply):
    """A memory, and how well it fits the question where there was one."""

    memory: MemoryReply
    score: float | None


class MemoriesReply(Reply):
    """Memories, best first; without a question, the last seen first."""

    memories: list[MatchReply]


class CategoriesReply(Reply):
    """How many memories in force each category holds."""

    categories: dict[str, int]


class MemoryChangeReply(Reply):
    """What was done, and what the memory said from then on; nothing where it was gone."""

    record: RecordReply
    memory: MemoryReply | None


class MemoryHistoryReply(Reply):
    """Everything that happened to a memory, the last first."""

    changes: list[MemoryChangeReply]


class MemoryEvidenceReply(Reply):
    """Every source that a memory rests on, first said first."""

    evidence: list[EvidenceReply]


class ImportanceBody(Body):
    """How much a memory matters."""

    model_config = example(user="ana", importance=0.9)

    importance: Fraction = Field(description="From 0 to 1.")


class ScratchBody(Body):
    """An entry for working memory, and who writes it."""

    model_config = example(user="ana", namespace="session/s1", key="draft", data="Dear John, …", ttl=600)

    namespace: Annotated[str, told(**NAMESPACE)] = Field(description="Who writes, such as `session/s1`.")
    key: Annotated[str, told(**KEY)] = Field(description="A key in that namespace; it may hold slashes.")
    data: Text
    ttl: Annotated[Whole, told(minimum=1, maximum=MAX_TTL)] = Field(
        default=int(working.DEFAULT_TTL.total_seconds()), le=MAX_TTL, description="How many seconds it is kept."
    )
    category: Category | None = None
    tags: Tags = Field(default=[])

    def lifetime(self) -> timedelta:
        """How long it is kept."""
        return timedelta(seconds=self.ttl)


class EntryReply(Reply):
    """One entry of working memory under its full path; it is gone when `expires_at` comes."""

    key: str
    value: str
    stored_at: datetime
    expires_at: datetime
    category: str | None
    tags: list[str]


class EntriesReply(Reply):
    """Entries, best first; without a question, the newest first."""

    entries: list[EntryReply]


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
    subject: Annotated[str, told(maxLength=feedback.MAX_SUBJECT, **WORDS)] = Field(description="What it is about.")
    detail: Annotated[str, told(maxLength=feedback.MAX_DETAIL, **WORDS)] | None = Field(
        default=None, description="What was wrong, or what to do instead."
    )
    session: Name | None = None


class SignalReply(Reply):
    """One piece of feedback; `consumed_at` is when it was learned from."""

    id: UUID
    kind: FeedbackKind
    subject: str
    at: datetime
    detail: str | None
    session: str | None
    consumed_at: datetime | None


class SignalsReply(Reply):
    """The feedback of the last seven days, newest first."""

    signals: list[SignalReply]


class SkillBody(Body):
    """A procedure to keep."""

    model_config = example(user="ana", summary="How to answer mail.", content="1. Greet. 2. Answer.", see_also=[])

    summary: Annotated[str, told(maxLength=skills.MAX_SUMMARY, pattern=SEEN)] = Field(description="One line.")
    content: Text
    see_also: Annotated[list[Annotated[str, told(**SKILL)]], told(maxItems=skills.MAX_SEE_ALSO)] = Field(default=[])


class SkillReply(Reply):
    """A whole skill; `missing` names those of `see_also` that are not there."""

    name: str
    summary: str
    content: str
    created_at: datetime
    updated_at: datetime
    see_also: list[str]
    missing: list[str]


class SkillSummaryReply(Reply):
    """What is offered of a skill before it is loaded."""

    name: str
    summary: str


class SkillsReply(Reply):
    """Skills, those that fit the question best first; without a question, by name."""

    skills: list[SkillSummaryReply]


class SessionReply(Reply):
    """A conversation."""

    session: str
    turns: int
    first_at: datetime
    last_at: datetime


class SessionsReply(Reply):
    """Conversations, those in which something was said last first."""

    sessions: list[SessionReply]


class TurnReply(Reply):
    """One message; `seq` is its place."""

    id: UUID
    seq: int
    role: Role
    text: str
    speaker: str | None
    session: str | None
    at: datetime
    ref: str | None

    @classmethod
    def said(cls, said: Said) -> Self:
        """The reply that holds a stored turn."""
        turn = {name: getattr(said.turn, name) for name in ("role", "text", "speaker", "session", "ref")}
        return cls.of({**turn, "id": said.id, "seq": said.seq, "at": said.at})


class TurnsReply(Reply):
    """Messages of a conversation, oldest first; `before` is what to ask with for those that came earlier."""

    turns: list[TurnReply]
    before: int | None


class SessionSummaryReply(Reply):
    """What a session came to."""

    id: UUID
    session: str
    content: str
    method: SummaryMethod
    earliest_at: datetime
    latest_at: datetime
    turns: int
    last_seq: int
    created_at: datetime
    updated_at: datetime
    entities: list[str]


class SummariesReply(Reply):
    """Summaries, the session in which something was said last first."""

    summaries: list[SessionSummaryReply]


class SummarizedReply(Reply):
    """A summary that was just made, notes on what did not go as usual, and what a language model cost."""

    summary: SessionSummaryReply
    notes: list[str]
    input_tokens: int
    output_tokens: int


class SummarizeBody(Body):
    """Whose session it is."""

    model_config = example(user="ana")
