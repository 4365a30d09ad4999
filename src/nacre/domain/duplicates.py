"""Duplicate candidates: two entities that may be one, and what was decided about them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from nacre.domain.ids import EntityId

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
