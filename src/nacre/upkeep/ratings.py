"""Ratings of entries: as they were given, as time leaves them, and whether they are enough to be protected.

An entry that nobody has seen for thirty days halves its importance every forty-five days. The rating itself is kept in
the entry's metadata, so the importance at any moment follows from the rating and the time alone, however often it was
worked out in between. Protection goes by the rating, so nothing loses it by growing old.
"""

import json
import math
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from nacre.domain.memories import Memory

GRACE = timedelta(days=30)
HALF_LIFE = timedelta(days=45)
FLOOR = 0.10
# Importance fades in steps, so that a night writes down only the entries that took one.
STEP = 0.05

PROTECTED_IMPORTANCE = 0.80
PROTECTED_REINFORCED = 5

FADED = "faded"


@dataclass(frozen=True, slots=True, kw_only=True)
class FadedRating:
    """What metadata keep of an entry that fades: its rating, what is left of it, and when it was last seen or rated."""

    rating: float
    left: float
    seen: str
    rated: str | None = None

    def text(self) -> str:
        """As metadata hold it."""
        return json.dumps(asdict(self), sort_keys=True)


def faded(memory: Memory) -> FadedRating | None:
    """How far an entry has faded; None for one that has not, or whose note of it cannot be read."""
    try:
        held = json.loads(memory.metadata.get(FADED, ""))
        return FadedRating(
            rating=float(held["rating"]),
            left=float(held["left"]),
            seen=str(held["seen"]),
            rated=None if held["rated"] is None else str(held["rated"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def rating(memory: Memory) -> float:
    """The importance of an entry before time took its share."""
    known = faded(memory)
    return memory.importance if known is None else max(known.rating, memory.importance)


def is_protected(memory: Memory) -> bool:
    """Whether an entry is never pruned: it is pinned, matters much, or was said often."""
    return memory.pinned or rating(memory) >= PROTECTED_IMPORTANCE or memory.reinforced >= PROTECTED_REINFORCED


def left(rated: float, since: datetime, now: datetime) -> float:
    """What is left of a rating when an entry was last seen at `since`."""
    waited = now - since - GRACE
    if waited <= timedelta(0) or rated <= FLOOR:
        return rated
    exact = rated * math.exp2(-(waited / HALF_LIFE))
    # A breath under the next step counts as on it: 0.5 halves to 0.25, not to 0.30.
    stepped = math.ceil(round(exact / STEP, 6)) * STEP
    return min(rated, max(FLOOR, round(stepped, 2)))
