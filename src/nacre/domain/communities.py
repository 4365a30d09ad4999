"""Groups of entities that are linked more closely with each other than with the rest."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType
from uuid import UUID

from nacre.domain.ids import EntityId

CommunityId = NewType("CommunityId", UUID)

STRONG = 0.6
MODERATE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An entity of a community."""

    id: EntityId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """A group, named for its most mentioned member; `cohesion` is the share of its pairs that are linked.

    `members` are the most mentioned of them, `member_count` says how many there are.
    """

    id: CommunityId
    name: str
    cohesion: float
    member_count: int
    summary: str
    created_at: datetime
    updated_at: datetime
    members: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Communities:
    """A page of communities, how many there are in all, and how well they part the graph; None before the first."""

    items: tuple[Community, ...]
    count: int
    modularity: float | None
    verdict: str | None
    refreshed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityRefresh:
    """What a refresh came to: communities, entities in them, and how many communities kept their id."""

    communities: int
    members: int
    kept: int
    modularity: float
    verdict: str


def verdict(modularity: float) -> str:
    """How well communities part a graph: strong, moderate or weak."""
    if modularity > STRONG:
        return "strong"
    return "moderate" if modularity >= MODERATE else "weak"
