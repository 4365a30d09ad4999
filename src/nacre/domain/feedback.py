"""Feedback: what people thought of what the agent did."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType
from uuid import UUID

from nacre.domain import checks

SignalId = NewType("SignalId", UUID)

MAX_SUBJECT = 2_000
MAX_DETAIL = 10_000
# How long a signal is worth learning from, and how many one cycle learns from.
WINDOW = timedelta(days=7)
MAX_SIGNALS = 50


class FeedbackKind(StrEnum):
    """How something was received. Few and closed, because a cycle does something different for each."""

    CORRECTION = "correction"  # wrong, and this is what to do: becomes an anti-pattern
    COMPLAINT = "complaint"  # wrong, and nobody said what would be right
    ABANDONMENT = "abandonment"  # given up without a word
    CONFIRMATION = "confirmation"  # right as it was
    PRAISE = "praise"  # better than expected


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One piece of feedback: what it is about, and in `detail` what was wrong or what to do instead."""

    id: SignalId
    kind: FeedbackKind
    subject: str
    at: datetime
    detail: str | None = None
    session: str | None = None
    consumed_at: datetime | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", FeedbackKind(checks.choice("kind", self.kind, FeedbackKind)))
        checks.text("subject", self.subject, limit=MAX_SUBJECT)
        if self.detail is not None:
            checks.text("detail", self.detail, limit=MAX_DETAIL)
        checks.optional_name("session", self.session)
