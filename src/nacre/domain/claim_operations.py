"""Operations on aspects and claims."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from nacre.domain import checks
from nacre.domain.claims import MAX_VALUE, Cardinality, ClaimKind, Slot
from nacre.domain.errors import Invalid
from nacre.domain.ids import MemoryId
from nacre.domain.operations import Selector, SourceQuote, check_selector


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAspect:
    """Give an entity a side to hold claims; an archived one comes back into force, and a weight is kept."""

    operation: ClassVar[str] = "create_aspect"

    entity: Selector
    name: str
    weight: float | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.name("name", self.name)
        if self.weight is not None:
            checks.fraction("weight", self.weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameAspect:
    """Give an aspect another name."""

    operation: ClassVar[str] = "rename_aspect"

    entity: Selector
    aspect: str
    new_name: str
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.name("aspect", self.aspect)
        checks.name("new_name", self.new_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveAspect:
    """Take an aspect and its claims out of force; one that holds a constraint only by force."""

    operation: ClassVar[str] = "archive_aspect"

    entity: Selector
    aspect: str
    reason: str | None = None
    force: bool = False

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.name("aspect", self.aspect)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeAspects:
    """Make two aspects of an entity one: `source` gives its claims to `target` and is archived."""

    operation: ClassVar[str] = "merge_aspects"

    entity: Selector
    target: str
    source: str
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.name("target", self.target)
        checks.name("source", self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimStatement:
    """What every operation says that gives a claim a value. `aspect`, `group` and `claim` name its slot."""

    entity: Selector
    aspect: str
    value: str
    group: str | None = None
    claim: str | None = None
    entity_type: str = "unknown"
    kind: ClaimKind | str = ClaimKind.ATTRIBUTE
    confidence: float = 1.0
    importance: float = 0.5
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    evidence: SourceQuote | None = None
    memory: MemoryId | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        check_selector("entity", self.entity)
        checks.name("aspect", self.aspect)
        self._check_value()
        _ = self.slot
        object.__setattr__(self, "kind", ClaimKind(checks.choice("kind", self.kind, list(ClaimKind))))
        checks.fraction("confidence", self.confidence)
        checks.fraction("importance", self.importance)
        for name in ("valid_from", "valid_to"):
            object.__setattr__(self, name, checks.optional_instant(name, getattr(self, name)))
        if self.valid_from and self.valid_to and self.valid_from >= self.valid_to:
            raise Invalid("valid_from", "must be earlier than `valid_to`")
        if self.reason is not None:
            checks.text("reason", self.reason, limit=2_000)

    @property
    def slot(self) -> Slot:
        """Where the value belongs."""
        return Slot.of(self.aspect, self.group, self.claim)

    def _check_value(self) -> None:
        checks.text("value", self.value, limit=MAX_VALUE)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddClaimValue(ClaimStatement):
    """Add a value beside those that a claim has; the same value is only kept once."""

    operation: ClassVar[str] = "add_claim_value"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetClaimValue(ClaimStatement):
    """Make a value the one that a claim has; what it said before stays readable. Constraints only give way to force."""

    operation: ClassVar[str] = "set_claim_value"

    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordClaim(ClaimStatement):
    """Take in a value that somebody stated, and decide what it does to the values that the claim has.

    `said` is the sentence it was stated in: "no longer" and "also" change what it means. `retracted` says that the
    value no longer holds; without a value, that the one value no longer holds which the claim has.
    """

    operation: ClassVar[str] = "record_claim"

    value: str = ""
    said: str | None = None
    retracted: bool = False

    def _check_value(self) -> None:
        if self.value or not self.retracted:
            checks.text("value", self.value, limit=MAX_VALUE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersedeClaimValue:
    """Replace one value of a claim, named by its id or by what it says, with a new one or with one that is there."""

    operation: ClassVar[str] = "supersede_claim_value"

    attribute_id: UUID | str | None = None
    entity: Selector | None = None
    aspect: str | None = None
    group: str | None = None
    claim: str | None = None
    kind: ClaimKind | str | None = None
    old_value: str | None = None
    new_value: str | None = None
    superseded_by: UUID | str | None = None
    valid_from: datetime | None = None
    evidence: SourceQuote | None = None
    reason: str | None = None
    force: bool = False

    def __post_init__(self) -> None:
        if self.attribute_id is None and None in (self.entity, self.aspect, self.claim, self.old_value):
            raise Invalid("attribute_id", "or entity, aspect, claim and old_value together must be given")
        if (self.new_value is None) == (self.superseded_by is None):
            raise Invalid("new_value", "or `superseded_by` must be given, and not both")
        if self.new_value is not None:
            checks.text("new_value", self.new_value, limit=MAX_VALUE)
        if self.kind is not None:
            object.__setattr__(self, "kind", ClaimKind(checks.choice("kind", self.kind, list(ClaimKind))))
        object.__setattr__(self, "valid_from", checks.optional_instant("valid_from", self.valid_from))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveClaimValue:
    """Take one value of a claim out of force; a constraint only by force."""

    operation: ClassVar[str] = "archive_claim_value"

    attribute_id: UUID | str
    reason: str | None = None
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreClaimVersion:
    """Let a claim say again what it said in an earlier version; that makes a new version."""

    operation: ClassVar[str] = "restore_claim_version"

    attribute_id: UUID | str
    reason: str | None = None
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareCardinality:
    """Say whether a claim, `aspect/group/claim`, or a predicate holds one value at a time or several."""

    operation: ClassVar[str] = "declare_cardinality"

    key: str
    cardinality: Cardinality | str
    reason: str | None = None

    def __post_init__(self) -> None:
        checks.name("key", self.key)
        choice = checks.choice("cardinality", self.cardinality, list(Cardinality))
        object.__setattr__(self, "cardinality", Cardinality(choice))
