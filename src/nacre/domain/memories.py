"""Long-term memory: what an agent was told to keep."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from nacre.domain import checks, replacements
from nacre.domain.audits import CALLER, AuditRecord
from nacre.domain.errors import Invalid
from nacre.domain.ids import MemoryId, ProposalId, SourceId

GENERAL = "general"
ANTI_PATTERNS = "anti-patterns"
# Entries that a program finds again by their key; see `adapters.items`.
ITEMS = "items"
# Metadata of an entry that was split out of another: that one's id.
EXPANDED_FROM = "expanded_from"
# Metadata of an entry that took the place of others: their ids.
MERGED_FROM = "merged_from"
# Metadata by whose words an entry is found, though they are not part of what it says; one hint on a line.
HINTS = "hints"
# Metadata of an entry that neither fades nor is pruned, whatever its importance.
PINNED, YES = "pinned", "true"
MAX_KEPT_HINTS = 100
MAX_TAGS = 50
MAX_METADATA = 100
MAX_IMPORTANCE = 0.95

_CATEGORY = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")


class Status(StrEnum):
    """Whether a memory is in force."""

    ACTIVE = "active"
    ARCHIVED = "archived"


class Outcome(StrEnum):
    """What became of a text that was to be remembered."""

    CREATED = "created"
    REINFORCED = "reinforced"
    EXTENDED = "extended"


def check_category(value: object) -> str:
    """`value`, if it is a path such as `user-preferences/timezone`."""
    category = checks.name("category", value)
    if not _CATEGORY.fullmatch(category):
        raise Invalid("category", f"must be letters, digits, `_` and `-` in parts joined by `/`, not {category!r}")
    return category


def check_tags(values: object) -> tuple[str, ...]:
    """`values` without repeats, in their order, if each is a tag."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise Invalid("tags", "must be a list of tags")
    tags = tuple(dict.fromkeys(checks.name("tags", tag) for tag in values))
    if len(tags) > MAX_TAGS:
        raise Invalid("tags", f"has {len(tags)} tags; at most {MAX_TAGS} are allowed")
    return tags


def check_metadata(values: object) -> dict[str, str]:
    """`values`, if it maps names to text."""
    if not isinstance(values, Mapping):
        raise Invalid("metadata", "must map names to text")
    if len(values) > MAX_METADATA:
        raise Invalid("metadata", f"has {len(values)} entries; at most {MAX_METADATA} are allowed")
    return {checks.name("metadata", key): checks.text("metadata", value, limit=10_000) for key, value in values.items()}


def with_hints(metadata: Mapping[str, str], hints: Iterable[str]) -> dict[str, str]:
    """The metadata with more hints; of too many, the first go."""
    every = list(dict.fromkeys([*metadata.get(HINTS, "").splitlines(), *hints]))[-MAX_KEPT_HINTS:]
    return {**metadata, HINTS: "\n".join(every)} if every else dict(metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A part that was left out, such as `entities[2]`, and why."""

    item: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureCounts:
    """How much became part of the graph; `batch` takes all of it back in one undo.

    `related` counts the weak links between entities that were named together.
    """

    entities: int = 0
    links: int = 0
    related: int = 0
    claims: int = 0
    superseded: int = 0
    hints: int = 0
    batch: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureReport:
    """What a memory's structured part came to; `notes` are what a caller should know of what was applied."""

    applied: StructureCounts
    refused: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A text to be remembered, as a caller hands it over."""

    text: str
    category: str = GENERAL
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    importance: float = 0.5
    # Who has it kept.
    actor: str = CALLER

    def __post_init__(self) -> None:
        checks.text("text", self.text)
        checks.name("actor", self.actor)
        check_category(self.category)
        object.__setattr__(self, "tags", check_tags(self.tags))
        object.__setattr__(self, "metadata", check_metadata(self.metadata))
        checks.fraction("importance", self.importance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One long-term memory entry, and the part of its source that it rests on.

    `replaced_by` are the entries that took its place: a newer one, those that it was split into, or the one that it
    was merged into; `archive_reason` says which.
    """

    id: MemoryId
    content: str
    category: str
    source: SourceId
    quote: tuple[int, int]
    created_at: datetime
    updated_at: datetime
    last_seen_at: datetime
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    importance: float = 0.5
    reinforced: int = 0
    status: Status = Status.ACTIVE
    archived_at: datetime | None = None
    archive_reason: str | None = None
    replaced_by: tuple[MemoryId, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        if self.status is not Status.ACTIVE:
            object.__setattr__(self, "replaced_by", replacements.successors(self.metadata))

    @property
    def short(self) -> str:
        """Twelve characters to call it by; they cost an agent a third of the tokens of the whole id."""
        return self.id.hex[-12:]

    @property
    def pinned(self) -> bool:
        """Whether it is kept from fading and from being pruned."""
        return self.metadata.get(PINNED) == YES

    @property
    def searchable(self) -> str:
        """The text that search sees: content, tags, the category with its separators as spaces, hints, and the names
        of what it replaced.

        Of an item it sees the content alone: tags and category are there for programs.
        """
        if self.category.partition("/")[0] == ITEMS:
            return self.content
        hints = [*self.metadata.get(HINTS, "").splitlines(), *replacements.names(self.metadata)]
        return " ".join([self.content, *self.tags, re.sub(r"[/_-]", " ", self.category), *hints])


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberReport:
    """What `remember` did: the entry as it is now, whether it is new, and what its structured part came to."""

    memory: Memory
    outcome: Outcome
    structured: StructureReport | None = None
    # What to be wary of in the text, such as instructions to its reader; the entry holds them as quotations.
    flags: tuple[str, ...] = ()
    # The entries that it ended, and the proposals to end others, which wait for somebody to decide.
    replaced: tuple[MemoryId, ...] = ()
    proposals: tuple[ProposalId, ...] = ()

    @property
    def id(self) -> MemoryId:
        """The entry's id."""
        return self.memory.id


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryMatch:
    """An entry found by a search; `score` is None where nothing was asked and the newest came first."""

    memory: Memory
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """One step in the life of an entry: the operation, and what it left; None where it took the entry out."""

    record: AuditRecord
    memory: Memory | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which entries are wanted: a category and those below it, all of some tags, a span of time, what matters so much.

    `noted` are pairs that their metadata must hold.
    """

    category: str | None = None
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    importance_min: float | None = None
    pinned: bool | None = None
    noted: tuple[tuple[str, str], ...] = ()

    def passes(self, memory: Memory) -> bool:
        """Whether an entry that is at hand is wanted."""
        return (
            (self.category is None or f"{memory.category}/".startswith(f"{self.category}/"))
            and set(self.tags) <= set(memory.tags)
            and (self.since is None or memory.created_at >= self.since)
            and (self.until is None or memory.created_at <= self.until)
            and (self.importance_min is None or memory.importance >= self.importance_min)
            and self.pinned in (None, memory.pinned)
            and set(self.noted) <= set(memory.metadata.items())
        )
