"""Handlers of operations on weights. Rows that went out of force since are left alone."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from nacre.domain.memories import Status
from nacre.domain.operation_results import Effect
from nacre.domain.weight_operations import DecayAspects, WeighAspects, WeighPaths
from nacre.store.base.journals import Journal
from nacre.store.graph import aspects, links
from nacre.store.tables import schema as tables

ASPECT_STEP = 0.02
STRENGTH_STEP = 0.04
CONFIDENCE_STEP = 0.05
DECAY_STEP = 0.005
MIN_WEIGHT = 0.1
MIN_STRENGTH = 0.1
MIN_CONFIDENCE = 0.2
# The heaviest first, so that over some runs every aspect gets its turn.
MAX_DECAYED = 500


def moved(value: float, by: float, floor: float) -> float:
    """`value` moved within its bounds; one that lies below the floor already is not lowered, and not raised to it."""
    if by >= 0:
        return round(max(value, min(1.0, value + by)), 6)
    return round(min(value, max(floor, value + by)), 6)


def _weigh_aspects(journal: Journal, operation: WeighAspects) -> Effect:
    count = _move_aspects(journal, operation.aspects, ASPECT_STEP)
    return Effect(summary=f"Weighed {count} aspect(s).", warnings=_left(operation.aspects, count))


def _weigh_paths(journal: Journal, operation: WeighPaths) -> Effect:
    sign = 1 if operation.useful else -1
    weighed = _move_aspects(journal, operation.aspects, sign * ASPECT_STEP)
    walked = _move_links(journal, operation.links, sign)
    warnings = _left(operation.aspects, weighed) + _left(operation.links, walked)
    return Effect(summary=f"Weighed {weighed} aspect(s) and {walked} link(s).", links=walked, warnings=warnings)


def _move_aspects(journal: Journal, keys: Sequence[UUID], step: float) -> int:
    times = Counter(keys)
    known = aspects.load(journal.tx, tables.aspects.c.id.in_(times), tables.aspects.c.status == Status.ACTIVE.value)
    for aspect in known:
        weight = moved(aspect.weight, step * times[aspect.id], MIN_WEIGHT)
        journal.update(tables.aspects, {"id": aspect.id}, {"weight": weight, "weighed_at": journal.tx.now})
    return len(known)


def _move_links(journal: Journal, keys: Sequence[UUID], sign: int) -> int:
    times = Counter(keys)
    known = [link for link in links.by_id(journal.tx, times).values() if link.status is Status.ACTIVE]
    for link in known:
        values = {
            "strength": moved(link.strength, sign * STRENGTH_STEP * times[link.id], MIN_STRENGTH),
            "confidence": moved(link.confidence, sign * CONFIDENCE_STEP * times[link.id], MIN_CONFIDENCE),
        }
        # Not `updated_at`: a link that was of use was not said again.
        journal.update(tables.links, {"id": link.id}, values)
    return len(known)


def _left(keys: Sequence[UUID], done: int) -> tuple[str, ...]:
    left = len(set(keys)) - done
    return (f"{left} were no longer in force.",) if left else ()


def _decay(journal: Journal, operation: DecayAspects) -> Effect:
    stale = aspects.stale_weights(journal.tx, operation.untouched_since, above=MIN_WEIGHT, limit=MAX_DECAYED)
    for key, weight in stale.items():
        journal.update(tables.aspects, {"id": key}, {"weight": moved(weight, -DECAY_STEP, MIN_WEIGHT)})
    return Effect(summary=f"{len(stale)} aspect(s) count for a little less.")


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {
    WeighAspects: _weigh_aspects,
    WeighPaths: _weigh_paths,
    DecayAspects: _decay,
}
