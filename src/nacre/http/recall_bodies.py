"""Requests and replies of recall and context."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, StrictBool

from nacre.domain import checks
from nacre.domain.contexts import DEFAULT_BUDGET, MAX_BUDGET, Block, ContextLine, Message, SeenPolicy
from nacre.domain.hits import Kind
from nacre.domain.questions import Rerank
from nacre.http.bodies import (
    Body,
    Category,
    Fraction,
    Instant,
    Name,
    Text,
    Whole,
    example,
    limits,
)

Categories = Annotated[list[Category], limits(minItems=1)]


class RecallBody(Body):
    """A question, and where and when to look for its answer."""

    model_config = example(user="ana", query="What does John do?", limit=5, min_score=0.1)

    query: Text
    limit: Annotated[Whole, limits(minimum=1, maximum=checks.MAX_LIMIT)] = 10
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
    speaker: Name | None = Field(
        default=None, description="Who says it, where several people share the scope; the user if left out."
    )
    budget: Annotated[Whole, limits(minimum=1, maximum=MAX_BUDGET)] = DEFAULT_BUDGET
    namespace: Name | None = Field(default=None, description="Its working memory; the session's own if left out.")
    profile: StrictBool = Field(
        default=True, description="Whether the first turn of a session begins with what is known of the user."
    )
    min_score: Fraction | None = Field(
        default=None, description="Leave out lines that score less; the server's own bar if left out."
    )
    seen: SeenPolicy = Field(
        default=SeenPolicy.SHOW, description="`omit` leaves out what the session was shown before."
    )
    ids: StrictBool = Field(default=False, description="Whether lines show the ids of what they say.")
    blocks: list[Block] | None = Field(default=None, description="Only these parts; the standard ones if left out.")
    asked_at: Instant | None = Field(
        default=None, description="When the message was said: relative dates count from there. Now if left out."
    )
    quick: StrictBool = Field(
        default=False, description="Whether not to rerank and not to wait for what was said last to be learned."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReply:
    """What an agent should read: as one text and as messages, and what it costs of its budget."""

    text: str
    messages: Sequence[Message]
    tokens: int
    budget: int
    notes: Sequence[str]
    lines: Annotated[
        Sequence[ContextLine], Field(description="What was recalled, line by line, in the order of the text.")
    ]
    left_out: Annotated[int, Field(description="How many relevant lines did not fit into the budget.")]
