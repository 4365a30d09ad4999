"""Pages, details, outlines and counts: a graph as people look through it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from nacre.domain import checks
from nacre.domain.claims import Aspect
from nacre.domain.entities import Entity
from nacre.domain.errors import Invalid
from nacre.domain.ids import EntityId
from nacre.domain.links import Link

MAX_PAGE = 200
MAX_OFFSET = 1_000_000
MAX_DEPTH = 3
MAX_LABELS = 1_000
DIRECTIONS = ("incoming", "outgoing", "both")


class LabelKind(StrEnum):
    """What can have a label."""

    ENTITY = "entity"
    CLAIM = "claim"
    LINK = "link"
    ASSERTION = "assertion"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityOverview:
    """An entity, when evidence last spoke of it, and how much of it is in force.

    Dependencies are its links to and from other entities.
    """

    entity: Entity
    last_mentioned_at: datetime | None
    aspect_count: int
    attribute_count: int
    constraint_count: int
    dependency_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityPage:
    """Some of the entities, in the order in which people look through them."""

    items: tuple[EntityOverview, ...]
    limit: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDetail:
    """One entity in numbers; `structural_density` is the sum of its aspects, claims and dependencies."""

    entity: Entity
    last_mentioned_at: datetime | None
    aspect_count: int
    attribute_count: int
    constraint_count: int
    dependency_count: int
    incoming_dependency_count: int
    outgoing_dependency_count: int
    structural_density: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What an id stands for, in force or not.

    An entity has a name. A claim is that of `name`, about `key`, and says `text`; a link leads from `name` to `text`;
    an assertion about `name` says `text`.
    """

    id: UUID
    kind: LabelKind
    name: str
    key: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOutline:
    """A claim: how many of its versions are in force or superseded, and what the last one in force says."""

    claim_key: str | None
    active_count: int
    superseded_count: int
    latest_updated_at: datetime
    preview: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupOutline:
    """A group of claims; `claims` are the first of them, `claim_count` says how many there are."""

    group_key: str
    attribute_count: int
    constraint_count: int
    claim_count: int
    claims: tuple[ClaimOutline, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectOutline:
    """An aspect; `groups` are the first of its groups, `group_count` says how many there are."""

    aspect: Aspect
    attribute_count: int
    constraint_count: int
    group_count: int
    claim_count: int
    groups: tuple[GroupOutline, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLimits:
    """How much of a tree is shown: 1 level is aspects, 2 are groups as well, 3 are claims, too."""

    max_aspects: int = 20
    max_groups: int = 20
    max_claims: int = 50
    depth: int = MAX_DEPTH

    def __post_init__(self) -> None:
        checks.count("max_aspects", self.max_aspects, maximum=100)
        checks.count("max_groups", self.max_groups, maximum=100)
        checks.count("max_claims", self.max_claims, maximum=200)
        checks.count("depth", self.depth, maximum=MAX_DEPTH)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityTree:
    """Entity → aspects → groups → claims, the weightiest aspects and the fullest groups first."""

    entity: Entity
    items: tuple[AspectOutline, ...]
    limits: TreeLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A link between two entities, seen from one of them."""

    link: Link
    direction: str
    source_name: str
    target_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedEntity:
    """A pinned entity."""

    id: EntityId
    name: str
    pinned_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStats:
    """The graph in numbers; only what is in force counts.

    A memory is assigned when a claim rests on it or on its evidence, or when its evidence is known to speak of an
    entity. `coverage_percent` is the share of such memories, and 0 where there are no memories. The counts of weights
    are of aspects at the ceiling and at the floor of what feedback may do.
    """

    entity_count: int
    aspect_count: int
    attribute_count: int
    constraint_count: int
    dependency_count: int
    memory_count: int
    unassigned_memory_count: int
    coverage_percent: float
    feedback_updated_aspect_count: int
    average_aspect_weight: float
    max_weight_aspect_count: int
    min_weight_aspect_count: int


def check_offset(value: object) -> int:
    """`value`, if it is a place in a list."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_OFFSET:
        raise Invalid("offset", f"must be a whole number from 0 to {MAX_OFFSET:,}, not {value!r}")
    return value


def page(limit: object, offset: object) -> slice:
    """The part of a list that a caller asks for."""
    start = check_offset(offset)
    return slice(start, start + checks.count("limit", limit, maximum=MAX_PAGE))
