"""Offers of recall, and whether they were of use."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from nacre.domain.ids import AspectId, EntityId, LinkId


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An item that a session was offered about an entity, and the aspect and links that led to it."""

    session: str
    item: UUID
    entity: EntityId
    score: float
    at: datetime
    used_at: datetime | None = None
    aspect: AspectId | None = None
    links: tuple[LinkId, ...] = ()


class Trend(StrEnum):
    """Where the win rate of an entity is going."""

    IMPROVING = "improving"
    STABLE = "stable"
    DECLINING = "declining"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityHealth:
    """How well what is offered about an entity serves.

    A session that was offered something is one comparison, and won if any of it was used. `avg_margin` is how much
    higher the used were scored than the unused, over the sessions that had both.
    """

    entity_id: EntityId
    entity_name: str
    comparison_count: int
    win_rate: float
    avg_margin: float
    trend: Trend


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightUpkeep:
    """What the upkeep of weights did; nothing, where it was not yet time."""

    due: bool = False
    aspects_decayed: int = 0
    links_learned: int = 0
    offers_dropped: int = 0
