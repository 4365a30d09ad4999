"""What the requests and replies of recall and context hold."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StrictBool

from nacre.domain import checks
from nacre.domain.contexts import DEFAULT_BUDGET, MAX_BUDGET, Block, Label, Seen
from nacre.domain.hits import Kind, Standing
from nacre.domain.questions import Rerank
from nacre.http.bodies import (
    Body,
    Category,
    EvidenceReply,
    Fraction,
    Instant,
    Name,
    Reply,
    Text,
    Whole,
    example,
    told,
)

Categories = Annotated[list[Category], told(minItems=1)]


class RecallBody(Body):
    """A question, and where and when to look for its answer."""

    model_config = example(user="ana", query="What does John do?", limit=5, min_score=0.1)

    query: Text
    limit: Annotated[Whole, told(minimum=1, maximum=checks.MAX_LIMIT)] = 10
    kinds: list[Kind] | None = Field(default=None, description="Only these kinds; all if left out.")
    categories: Categories | None = Field(
        default=None, description="Only long-term memories in these categories or below them."
    )
    min_score: Fraction | None = Field(
        default=None, description="Leave out hits that score less; where none is left, a note says so."
    )
    session: Name | None = Field(default=None, description="Only what was said in this conversation.")
    as_of: Instant | None = Field(default=None, description="Only what was known at this time.")
    asked_at: Instant | None = Field(
        default=None, description="When it is asked: relative dates count from there. Now if left out."
    )
    since: Instant | None = Field(default=None, description="Only what was said at or after this time.")
    until: Instant | None = Field(default=None, description="Only what was said at or before this time.")
    explain: StrictBool = Field(default=False, description="Fill `channels` with each channel's score.")
    rerank: Rerank | None = Field(
        default=None, description="Whether the best hits are read once more; the server's own choice if left out."
    )


class ContextBody(Body):
    """A message that an agent is about to answer."""

    model_config = example(user="ana", message="Tell John about the launch.", budget=800)

    message: Text
    session: Name | None = Field(default=None, description="The conversation whose last turns are replayed.")
    budget: Annotated[Whole, told(minimum=1, maximum=MAX_BUDGET)] = DEFAULT_BUDGET
    namespace: Name | None = Field(default=None, description="Its working memory; the session's own if left out.")
    profile: StrictBool = Field(
        default=True, description="Whether the first turn of a session begins with what is known of the user."
    )
    min_score: Fraction | None = Field(
        default=None, description="Leave out lines that score less; the server's own bar if left out."
    )
    seen: Seen = Field(default=Seen.SHOW, description="`omit` leaves out what the session was shown before.")
    ids: StrictBool = Field(default=False, description="Whether lines show the ids of what they say.")
    blocks: list[Block] | None = Field(default=None, description="Only these parts; the standard ones if left out.")
    asked_at: Instant | None = Field(
        default=None, description="When the message was said: relative dates count from there. Now if left out."
    )
    quick: StrictBool = Field(
        default=False, description="Whether not to rerank and not to wait for what was said last to be learned."
    )


class OutdatedReply(Reply):
    """That something said later gives another value: which words it was, what they give now, and when that was said."""

    by: UUID
    value: str
    new_value: str
    quote: tuple[int, int]
    at: datetime


class HitReply(Reply):
    """One recalled passage; `score` is the probability that it bears on the question, of any question."""

    id: UUID
    kind: Kind
    text: str
    score: float
    at: datetime
    source: EvidenceReply
    channels: dict[str, float]
    standing: Standing | None = Field(description="Whether what it says still holds, as far as that is known.")
    outdated: OutdatedReply | None = Field(description="What was said later of the same, with another value.")


class RecallReply(Reply):
    """Hits, best first, and notes on anything that did not go as usual."""

    hits: list[HitReply]
    notes: list[str]
    related: float = Field(description="The probability that anything is known of what was asked.")


class MessageReply(Reply):
    """One message of a context, labelled with the step that made it."""

    role: str
    text: str
    label: Label


class ContextLineReply(Reply):
    """One line that was recalled: what it says, how relevant it is, and the ids of what it rests on."""

    text: str
    label: Label
    score: float = Field(
        description="The probability that it bears on the message; of the profile, how much it is worth knowing."
    )
    items: list[UUID]
    at: datetime | None = Field(description="When it was said, where that is known.")
    sure: bool = Field(description="False for what is shown beside better matches, because the answer may be there.")


class ContextReply(Reply):
    """What an agent should read: as one text and as messages, and what it costs of its budget."""

    text: str
    messages: list[MessageReply]
    tokens: int
    budget: int
    notes: list[str]
    lines: list[ContextLineReply] = Field(description="What was recalled, line by line, in the order of the text.")
    left_out: int = Field(description="How many relevant lines did not fit into the budget.")
