"""Projections: memories and turns as points on a plane, close together where they mean the same."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from nacre.domain.hits import Kind

MAX_POINTS = 2_000
# What can be drawn.
KINDS = (Kind.MEMORY, Kind.TURN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A memory or a turn, the beginning of what it says, and where it stands, from -1 to 1 on both axes.

    Only memories have a category and an importance.
    """

    id: UUID
    kind: Kind
    content: str
    x: float
    y: float
    created_at: datetime
    category: str | None = None
    importance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """The newest items that have a vector, and how many there are in all; `notes` say why there are none."""

    items: tuple[Point, ...] = ()
    total: int = 0
    notes: tuple[str, ...] = ()
