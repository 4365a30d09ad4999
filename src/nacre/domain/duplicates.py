"""Duplicates: two entities that may be one, what was decided about them, and what a merge would move."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from nacre.domain.ids import EntityId, ProposalId

CandidateId = NewType("CandidateId", UUID)


class Decision(StrEnum):
    """What became of a pair."""

    PENDING = "pending"
    DISMISSED = "dismissed"
    MERGED = "merged"


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateCandidate:
    """Two entities that may be the same, the smaller id first."""

    id: CandidateId
    entity_a: EntityId
    entity_b: EntityId
    similarity: float
    status: Decision
    created_at: datetime
    decided_at: datetime | None = None


MAX_GROUPS = 100
# How sure it is that entities of one name are one thing: of one type, and of several.
SAME_TYPE = 0.86
OTHER_TYPE = 0.72


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeEntity:
    """As much of an entity as is needed to decide on it."""

    id: EntityId
    name: str
    slug: str
    type: str
    mentions: int
    pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeImpact:
    """What a merge moves: how often the sources were mentioned, where memories speak of them, and what they hold."""

    source_mentions: int
    memory_mentions: int
    aspects: int
    attributes: int
    links: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlan:
    """Entities that may be one: `target` would stay, `sources` would become part of it.

    The risk is `low`, `review_required` where the types differ, or `blocked` where a source is pinned: then nothing is
    proposed. `proposals` are those that wait for a decision on just these merges.
    """

    target: MergeEntity
    sources: tuple[MergeEntity, ...]
    confidence: float
    risk: str
    impact: MergeImpact
    proposals: tuple[ProposalId, ...] = ()
