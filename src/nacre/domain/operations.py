"""Operations: the only way in which the graph changes. Each is a value that is checked when it is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.entities import MAX_ALIASES, EntityType, entity_type
from nacre.domain.errors import Invalid
from nacre.domain.ids import SourceId
from nacre.domain.links import RELATED_TO, check_predicate
from nacre.domain.memories import check_metadata

MAX_DESCRIPTION = 2_000
MAX_VALUE = 10_000

# An entity as a caller names it: by id, by slug or by name.
Selector = str | UUID


def check_selector(field_name: str, value: object) -> Selector:
    """`value`, if it can name an entity."""
    return value if isinstance(value, UUID) else checks.name(field_name, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceQuote:
    """The source that an operation rests on, and the words in it."""

    source: SourceId
    quote: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpsertEntity:
    """Add an entity, or add to the one that has the slug or goes by the name. Nothing it knew is lost."""

    operation: ClassVar[str] = "create_entity"

    name: str
    type: EntityType | str = EntityType.UNKNOWN
    slug: str | None = None
    description: str | None = None
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    confidence: float = 1.0
    evidence: SourceQuote | None = None

    def __post_init__(self) -> None:
        checks.name("name", self.name)
        object.__setattr__(self, "type", entity_type(self.type))
        checks.optional_name("slug", self.slug)
        if self.description is not None:
            checks.text("description", self.description, limit=MAX_DESCRIPTION)
        aliases = tuple(dict.fromkeys(checks.name("aliases", alias) for alias in self.aliases))
        if len(aliases) > MAX_ALIASES:
            raise Invalid("aliases", f"has {len(aliases)} names; at most {MAX_ALIASES} are allowed")
        object.__setattr__(self, "aliases", aliases)
        object.__setattr__(self, "properties", check_metadata(self.properties))
        checks.fraction("confidence", self.confidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveEntity:
    """Take an entity, its links and its claims out of force; a pinned one only by force."""

    operation: ClassVar[str] = "archive_entity"

    entity: Selector
    reason: str | None = None
    force: bool = False

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.optional_name("reason", self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreEntity:
    """Bring an archived entity back into force, by its id or slug, with what was archived together with it."""

    operation: ClassVar[str] = "restore_entity"

    entity: Selector
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameEntity:
    """Give an entity another name; the old one stays one of its aliases."""

    operation: ClassVar[str] = "rename_entity"

    entity: Selector
    new_name: str
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.name("new_name", self.new_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetypeEntity:
    """Say what an entity really is. Unlike a type that is only added, a wrong one is refused."""

    operation: ClassVar[str] = "retype_entity"

    entity: Selector
    type: EntityType | str
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        meant = entity_type(self.type)
        if meant is EntityType.UNKNOWN and self.type != EntityType.UNKNOWN:
            checks.choice("type", self.type, EntityType)
        object.__setattr__(self, "type", meant)


@dataclass(frozen=True, slots=True, kw_only=True)
class PinEntity:
    """Put an entity before all others, and keep it from being cleaned up."""

    operation: ClassVar[str] = "pin_entity"

    entity: Selector
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpinEntity:
    """Let a pinned entity take its usual place."""

    operation: ClassVar[str] = "unpin_entity"

    entity: Selector
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAlias:
    """Let an entity go by one more name."""

    operation: ClassVar[str] = "add_alias"

    entity: Selector
    alias: str
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.name("alias", self.alias)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveAlias:
    """Take one of its other names from an entity."""

    operation: ClassVar[str] = "remove_alias"

    entity: Selector
    alias: str
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.name("alias", self.alias)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeEntities:
    """Make two entities one: `source` gives all it has to `target` and is archived."""

    operation: ClassVar[str] = "merge_entities"

    target: Selector
    source: Selector
    reason: str | None = None
    # A pinned source, or one of another type, is only merged by force.
    force: bool = False

    def __post_init__(self) -> None:
        check_selector("target", self.target)
        check_selector("source", self.source)
        checks.optional_name("reason", self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissDuplicate:
    """Decide that two entities that wait for a decision are two things; the pair is never proposed again."""

    operation: ClassVar[str] = "dismiss_duplicate"

    candidate: UUID
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "candidate", ids.parse("candidate", self.candidate))
        checks.optional_name("reason", self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpsertLink:
    """Add a link, or strengthen the one that says the same. Unknown names become entities of their own."""

    operation: ClassVar[str] = "create_link"

    source: Selector
    predicate: str
    target: Selector | None = None
    value: str | None = None
    # What new entities at its ends are.
    source_type: str = EntityType.UNKNOWN.value
    target_type: str = EntityType.UNKNOWN.value
    confidence: float = 1.0
    strength: float = 1.0
    reason: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    evidence: SourceQuote | None = None

    def __post_init__(self) -> None:
        check_selector("source", self.source)
        object.__setattr__(self, "predicate", check_predicate(self.predicate))
        if (self.target is None) == (self.value is None):
            raise Invalid("target", "or a plain `value` must be given, and not both")
        if self.target is not None:
            check_selector("target", self.target)
        else:
            checks.text("value", self.value, limit=MAX_VALUE)
        checks.fraction("confidence", self.confidence)
        checks.fraction("strength", self.strength)
        checks.optional_name("reason", self.reason)
        if self.predicate == RELATED_TO and not self.reason:
            raise Invalid("reason", f"is needed where the predicate is `{RELATED_TO}`")
        object.__setattr__(self, "properties", check_metadata(self.properties))
        for name in ("valid_from", "valid_to"):
            object.__setattr__(self, name, checks.optional_instant(name, getattr(self, name)))
        if self.valid_from and self.valid_to and self.valid_from >= self.valid_to:
            raise Invalid("valid_from", "must be earlier than `valid_to`")


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateLink:
    """Change how sure or strong a link is, why it is there, or when it holds; what is not given stays."""

    operation: ClassVar[str] = "update_link"

    link: UUID | str
    confidence: float | None = None
    strength: float | None = None
    reason: str | None = None
    properties: Mapping[str, str] | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    def __post_init__(self) -> None:
        for name in ("confidence", "strength"):
            if getattr(self, name) is not None:
                checks.fraction(name, getattr(self, name))
        checks.optional_name("reason", self.reason)
        if self.properties is not None:
            object.__setattr__(self, "properties", check_metadata(self.properties))
        for name in ("valid_from", "valid_to"):
            object.__setattr__(self, name, checks.optional_instant(name, getattr(self, name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLink:
    """Take a link out of force."""

    operation: ClassVar[str] = "archive_link"

    link: UUID | str
    reason: str | None = None

    def __post_init__(self) -> None:
        checks.optional_name("reason", self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneGraph:
    """Take every entity and link below a confidence out of force, and the links of those entities."""

    operation: ClassVar[str] = "prune_graph"

    min_confidence: float
    reason: str | None = None

    def __post_init__(self) -> None:
        checks.fraction("min_confidence", self.min_confidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanUpGraph:
    """Take entities out of force that were neither changed nor spoken of since a moment, and their links."""

    operation: ClassVar[str] = "clean_up_graph"

    untouched_since: datetime
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "untouched_since", checks.instant("untouched_since", self.untouched_since))
