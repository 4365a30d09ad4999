"""Beliefs: statements that hold of somebody or something, as an agent reads them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from nacre.domain.outdated_marks import OutdatedMark


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """One statement that holds now: about whom, since when, what it was before, and the words behind it.

    `since` is when it is said to have begun; None where it is only known when it was said. `before` are earlier
    values of the same, the last first. `topic` is a link's predicate, or the path of a claim. `doubts` are what was
    said later and may have ended it, and `changes` what was said later of the rest of its quoted words.
    """

    id: UUID
    subject: UUID
    name: str
    topic: str
    statement: str
    value: str
    confidence: float
    since: datetime | None = None
    said_at: datetime | None = None
    quote: str | None = None
    before: tuple[str, ...] = ()
    # The turns and memories that it rests on.
    items: tuple[UUID, ...] = ()
    # Those that the earlier values rest on.
    replaced: tuple[UUID, ...] = ()
    doubts: tuple[OutdatedMark, ...] = ()
    changes: tuple[OutdatedMark, ...] = ()
