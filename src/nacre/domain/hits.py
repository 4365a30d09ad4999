"""Hits of recall: a passage, how well it fits, and the evidence behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import overload
from uuid import UUID

from nacre.domain.ids import SourceId
from nacre.domain.outdated_marks import OutdatedMark


class Kind(StrEnum):
    """What kind of thing a passage is."""

    TURN = "turn"
    MEMORY = "memory"
    CLAIM = "claim"
    LINK = "link"
    DOCUMENT = "document"
    # Derived from turns, so recall leaves it out unless it is asked for.
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Where a hit comes from: the source, and the exact words in it."""

    id: SourceId
    quote: str
    start: int
    end: int
    ref: str | None = None
    session: str | None = None
    speaker: str | None = None
    role: str | None = None
    # What to be wary of in the source, such as instructions to its reader.
    flags: tuple[str, ...] = ()


class HitStanding(StrEnum):
    """Whether what a passage says still holds, as far as that is known."""

    CURRENT = "current"
    # Some of it was replaced or taken back since.
    MIXED = "mixed"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One recalled passage.

    `score` is its relevance: the probability that it bears on the question, which means the same for every question.
    `standing` is None where the graph learned nothing from it and nothing said later is known to differ. `outdated`
    tells what does.
    """

    id: UUID
    kind: Kind
    text: str
    score: float
    at: datetime
    source: Evidence
    channels: Mapping[str, float] = field(default_factory=dict)
    standing: HitStanding | None = None
    outdated: tuple[OutdatedMark, ...] = ()

    def scored(self, score: float) -> "Hit":
        """The same hit with another score. Every recall says this of every hit, so it is not left to `replace`."""
        if score == self.score:
            return self
        return Hit(
            id=self.id,
            kind=self.kind,
            text=self.text,
            score=score,
            at=self.at,
            source=self.source,
            channels=self.channels,
            standing=self.standing,
            outdated=self.outdated,
        )


@dataclass(frozen=True, slots=True)
class Recall(Sequence[Hit]):
    """Hits, best first, and notes on anything that did not go as usual.

    `related` is the probability that anything is known of what was asked.
    """

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    related: float = 0.0

    def __len__(self) -> int:
        return len(self.hits)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]
