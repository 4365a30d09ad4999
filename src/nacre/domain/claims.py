"""Claims: what is believed of an entity, as entity → aspect → group → claim → versions."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nacre.domain import checks, keys
from nacre.domain.errors import Invalid
from nacre.domain.ids import AspectId, ClaimId, EntityId, MemoryId, ProposalId, SourceId
from nacre.domain.memories import Status

GENERAL_GROUP = "general"
# A key shorter than this says nothing of what a claim is about.
MIN_CLAIM_KEY = 3
MAX_VALUE = 10_000
MAX_VERSION = 1_000_000
NEW_WEIGHT = 0.5


class ClaimKind(StrEnum):
    """A fact, or a rule that nothing replaces unless somebody insists."""

    ATTRIBUTE = "attribute"
    CONSTRAINT = "constraint"


class ClaimStatus(StrEnum):
    """Whether a version is what is believed now."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


class Cardinality(StrEnum):
    """Whether a slot holds one value at a time, or several."""

    SINGLE = "single"
    MULTI = "multi"


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a claim stands under its entity. Every operation spells the keys alike."""

    aspect: str
    group: str
    claim: str | None

    @classmethod
    def of(cls, aspect: object, group: object, claim: object) -> "Slot":
        """The slot that a caller names; no group is the group `general`."""
        return cls(
            keys.canonical("aspect", aspect),
            GENERAL_GROUP if group is None else keys.canonical("group", group),
            None if claim is None else _claim_key(claim),
        )

    @classmethod
    def at(cls, path: object) -> "Slot":
        """The slot at `aspect/group/claim`, or at `aspect/claim` in the group `general`."""
        parts = checks.name("path", path).split("/")
        if len(parts) == 2:
            return cls.of(parts[0], None, parts[1])
        if len(parts) != 3:
            raise Invalid("path", f"must be `aspect/group/claim` or `aspect/claim`, not {path!r}")
        return cls.of(*parts)

    def __str__(self) -> str:
        return "/".join((self.aspect, self.group, self.claim or "-"))


def _claim_key(value: object) -> str:
    key = keys.canonical("claim", value)
    if len(key) < MIN_CLAIM_KEY:
        raise Invalid("claim", f"must have at least {MIN_CLAIM_KEY} letters or digits, not {value!r}")
    return key


def normalized(value: str) -> str:
    """A value as two values are compared: width, case and spaces do not count."""
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split()).rstrip(".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """A side of an entity; the weightier are read first."""

    id: AspectId
    entity: EntityId
    name: str
    key: str
    weight: float
    created_at: datetime
    updated_at: datetime
    status: Status = Status.ACTIVE
    archived_at: datetime | None = None
    archived_by: str | None = None
    archive_reason: str | None = None
    proposal: ProposalId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One version of one claim. Versions of a claim share `root`.

    `decision` says in words why it was written as it was; `actor` who wrote it.
    """

    id: ClaimId
    entity: EntityId
    aspect: AspectId
    slot: Slot
    value: str
    created_at: datetime
    updated_at: datetime
    kind: ClaimKind = ClaimKind.ATTRIBUTE
    confidence: float = 1.0
    importance: float = 0.5
    status: ClaimStatus = ClaimStatus.ACTIVE
    version: int = 1
    root: ClaimId
    previous: ClaimId | None = None
    superseded_by: ClaimId | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    memory: MemoryId | None = None
    evidence: SourceId | None = None
    quote: tuple[int, int] | None = None
    actor: str
    decision: str | None = None
    archived_at: datetime | None = None
    archived_by: str | None = None
    archive_reason: str | None = None
    proposal: ProposalId | None = None

    @property
    def since(self) -> datetime:
        """From when it holds: as it was said, or else since it was learned."""
        return self.valid_from or self.created_at
