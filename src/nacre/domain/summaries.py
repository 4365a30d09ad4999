"""Summaries of sessions, each in a few sentences, and how they are asked for."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from nacre.domain.errors import Invalid
from nacre.domain.ids import SourceId

MAX_RESULTS = 50
# The ranges that have a name, and how far back each goes.
RANGES = {"last_week": timedelta(days=7), "last_month": timedelta(days=30)}


class SummaryMethod(StrEnum):
    """How a summary was made: of the session's own sentences, or of a language model's."""

    EXTRACTIVE = "extractive"
    ABSTRACTIVE = "abstractive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a session came to. It covers the turns up to place `last_seq`, and is evidence of its own: `id`."""

    id: SourceId
    session: str
    content: str
    method: SummaryMethod
    earliest_at: datetime
    latest_at: datetime
    turns: int
    last_seq: int
    created_at: datetime
    updated_at: datetime
    # The entities in force that its session speaks of, the most spoken of first.
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReport:
    """A summary that was just made, anything that did not go as usual, and what a language model cost."""

    summary: Summary
    notes: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """A summary as `expand_session` shows it; `harness` is the agent that the session was held with."""

    id: SourceId
    session_key: str
    harness: str
    earliest_at: datetime
    latest_at: datetime
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandedSessions:
    """The sessions that speak of an entity, the newest first; `total` counts those that did not fit, too."""

    entity_name: str | None
    summaries: tuple[SessionSummary, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpan:
    """From when to when; None where there is no bound."""

    since: datetime | None = None
    until: datetime | None = None


def span(value: object, now: datetime) -> TimeSpan:
    """The time that a caller means: a range with a name, an ISO moment to go on from, or two of them: `from/to`."""
    if value is None:
        return TimeSpan()
    if not isinstance(value, str):
        raise Invalid("time_range", f"must be text, not {type(value).__name__}")
    if value in RANGES:
        return TimeSpan(since=now - RANGES[value])
    since, separator, until = value.partition("/")
    found = TimeSpan(since=_moment(since), until=_moment(until, ending=True) if separator else None)
    if found.since and found.until and found.since > found.until:
        raise Invalid("time_range", "must not end before it begins")
    return found


def _moment(text: str, *, ending: bool = False) -> datetime:
    """A moment in UTC, unless the text says otherwise; a bare date that ends a range is in it."""
    try:
        moment = datetime.fromisoformat(text.strip())
        aware = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        is_date = len(text.strip()) <= len("2026-05-01")
        return aware + timedelta(days=1, microseconds=-1) if ending and is_date else aware
    except (ValueError, OverflowError) as error:
        named = ", ".join(f"`{name}`" for name in RANGES)
        raise Invalid("time_range", f"must be {named} or an ISO date or time, not {text!r}") from error
