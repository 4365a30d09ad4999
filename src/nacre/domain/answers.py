"""Answers of `/api/memory/recall` as the documents have it, and the queries that ask for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from nacre.domain import checks
from nacre.domain.claims import Claim
from nacre.domain.entities import Entity
from nacre.domain.errors import Invalid
from nacre.domain.hits import Kind
from nacre.domain.memories import Memory, check_category, check_tags

MAX_FOUND = 50
DERIVED = frozenset({Kind.CLAIM, Kind.LINK, Kind.SUMMARY})


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuery:
    """What somebody wants to be told. What only memories have, such as tags, leaves all else out.

    `type` is a kind of thing, or a category of memories and those below it. A `session` is not told the same twice,
    unless it wants that.
    """

    query: str
    limit: int = 10
    type: str | None = None
    tags: tuple[str, ...] = ()
    who: str | None = None
    project: str | None = None
    pinned: bool | None = None
    importance_min: float | None = None
    since: datetime | None = None
    until: datetime | None = None
    session: str | None = None
    include_recalled: bool = False
    explain: bool = False

    def __post_init__(self) -> None:
        checks.text("query", self.query)
        checks.count("limit", self.limit, maximum=MAX_FOUND)
        if self.type is not None and self.type not in list(Kind):
            _check_type(self.type)
        object.__setattr__(self, "tags", check_tags(self.tags))
        for name in ("who", "project", "session"):
            checks.optional_name(name, getattr(self, name))
        if self.importance_min is not None:
            checks.fraction("importance_min", self.importance_min)
        for name in ("since", "until"):
            object.__setattr__(self, name, checks.optional_instant(name, getattr(self, name)))
        if self.since and self.until and self.since > self.until:
            raise Invalid("since", "must not be later than `until`")

    @property
    def kind(self) -> Kind | None:
        """The kind of thing that is wanted; None for all but summaries."""
        return Kind(self.type) if self.type in list(Kind) else None

    @property
    def category(self) -> str | None:
        """The category of memories that is wanted."""
        return None if self.kind else self.type

    @property
    def of_memories(self) -> bool:
        """Whether something is asked for that memories alone have."""
        asked = (self.category, self.who, self.project, self.pinned, self.importance_min)
        return bool(self.tags) or any(each is not None for each in asked)


def _check_type(value: object) -> None:
    try:
        check_category(value)
    except Invalid as error:
        raise Invalid("type", f"{error.problem}; or one of {', '.join(Kind)}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerItem:
    """One thing that is known; `memory` is the whole entry where it is one, `again` says that the session was told."""

    id: UUID
    kind: Kind
    content: str
    score: float
    at: datetime
    source: UUID
    session: str | None = None
    ref: str | None = None
    speaker: str | None = None
    memory: Memory | None = None
    again: bool = False
    channels: Mapping[str, float] = field(default_factory=dict)

    @property
    def supplementary(self) -> bool:
        """Whether it was made of other things: a claim, a link or a summary."""
        return self.kind in DERIVED


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAspect:
    """A side of an entity, and what is believed there."""

    name: str
    attributes: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEntity:
    """An entity that the question names, and what is believed of it."""

    entity: Entity
    aspects: tuple[AnswerAspect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was found, best first, and what is known of the entities that the question names.

    `held_back` counts what the session was told before, `method` is `hybrid`, or `keyword` where words alone decided.
    `shared` says that the agent shares its memories among its users.
    """

    found: tuple[AnswerItem, ...]
    entities: tuple[AnswerEntity, ...]
    method: str
    held_back: int = 0
    notes: tuple[str, ...] = ()
    shared: bool = False
    took_ms: float = 0.0
