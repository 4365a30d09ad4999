"""Operations by which what was said becomes part of the graph."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.ids import SourceId
from nacre.domain.links import check_predicate
from nacre.domain.memories import check_metadata
from nacre.domain.operations import MAX_VALUE, Selector, SourceQuote, UpsertEntity, check_selector


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLink:
    """Take in a link that somebody stated, and decide what it does to the links that are there.

    `said` is the sentence it was stated in. `retracted` says that the link no longer holds; with `valid_to`, that it
    held until then, so that it is known as past even where nobody had spoken of it. A link that is retracted may be
    named by any words for its end, as `value`, and without either the one link ends that is held. `instead_of` is the
    target whose place it takes: nothing is recorded where no link leads there.
    """

    operation: ClassVar[str] = "record_link"

    source: Selector
    predicate: str
    target: Selector | None = None
    value: str | None = None
    said: str | None = None
    retracted: bool = False
    instead_of: UUID | None = None
    confidence: float = 1.0
    reason: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    evidence: SourceQuote | None = None

    def __post_init__(self) -> None:
        check_selector("source", self.source)
        object.__setattr__(self, "predicate", check_predicate(self.predicate))
        ends = (self.target, self.value).count(None)
        if ends == 0 or (ends == 2 and not self.retracted):
            raise Invalid("target", "or a plain `value` must be given, and not both")
        if self.target is not None:
            check_selector("target", self.target)
        elif self.value is not None:
            checks.text("value", self.value, limit=MAX_VALUE)
        checks.fraction("confidence", self.confidence)
        object.__setattr__(self, "properties", check_metadata(self.properties))
        for name in ("valid_from", "valid_to"):
            object.__setattr__(self, name, checks.optional_instant(name, getattr(self, name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEntities:
    """Have entities for what a text speaks of: those that nobody goes by are added, all at once."""

    operation: ClassVar[str] = "note_entities"

    entities: tuple[UpsertEntity, ...]

    def __post_init__(self) -> None:
        if not self.entities:
            raise Invalid("entities", "must not be empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMentions:
    """Note that a source speaks of entities, and where: `places` are entities with the words that mean them."""

    operation: ClassVar[str] = "note_mentions"

    source: SourceId
    places: tuple[tuple[UUID, int, int], ...]

    def __post_init__(self) -> None:
        if not self.places:
            raise Invalid("places", "must not be empty")
        for _, start, end in self.places:
            if not 0 <= start < end:
                raise Invalid("places", f"must be where some words begin and end, not {start} to {end}")
