"""Sessions: how many turns each has, and when they were said."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """A session: how many turns it has, and when its first and last were said."""

    session: str
    turns: int
    first_at: datetime
    last_at: datetime
