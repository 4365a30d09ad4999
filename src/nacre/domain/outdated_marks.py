"""Statements that a later one made outdated: the mark on the older one, and the operation that sets it."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from nacre.domain import checks
from nacre.domain.errors import Invalid

MAX_VALUE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkOutdated:
    """Mark a statement of a turn or a memory as outdated, because another one says otherwise later.

    `quote` and `newer_quote` are where the two sentences stand in their texts; `value` and `new_value` what they say.
    A `doubtful` mark says that it may be so: whoever reads the statement is told, and nothing ends.
    """

    operation: ClassVar[str] = "mark_outdated"

    older: UUID
    newer: UUID
    quote: tuple[int, int]
    newer_quote: tuple[int, int]
    value: str
    new_value: str
    # When the newer one was said.
    at: datetime
    reason: str | None = None
    doubtful: bool = False

    def __post_init__(self) -> None:
        if self.older == self.newer and self.quote == self.newer_quote:
            raise Invalid("newer", "must be another statement than the older one")
        for name in ("value", "new_value"):
            checks.text(name, getattr(self, name), limit=MAX_VALUE)
        for name in ("quote", "newer_quote"):
            start, end = getattr(self, name)
            if not 0 <= start < end:
                raise Invalid(name, f"must be where a sentence begins and ends, not {start} to {end}")
        if self.reason is not None:
            checks.text("reason", self.reason, limit=2_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedMark:
    """That something said later gives another value: which words it was, what they give now, and when that was said.

    Where it is `doubtful`, it may do so, or speak of something else.
    """

    # The turn or the memory that says so.
    by: UUID
    value: str
    new_value: str
    quote: tuple[int, int]
    at: datetime
    doubtful: bool = False
