"""Current beliefs: of what nothing ended, what may be told as it is now."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from nacre.domain.beliefs import Belief
from nacre.text import question_forms

# Plans, events and the state of things are worth telling for so long after they were said.
PASSING = timedelta(days=60)
# Things of which people have one at a time may both hold where they were told within so many days.
TOGETHER = timedelta(days=30)

_PASSING_TOPICS = re.compile(r"^(?:plans/general/plans|life/general/events|state/general/status)$")
# What is healed after some weeks.
_PASSING_ILLS = re.compile(
    r"\b(?:brok\w*|sprain\w*|splint|plaster|cast|cold|flu|fever|cough\w*|stitches|weeks?|days?|month|surgery|operation"
    r"|bloods?|antibiotics?|recover\w*|roto|rota|gripe|fiebre|tos|yeso|semanas?|días?)\b",
    re.IGNORECASE,
)
_REPLACED_TOPICS = frozenset(
    {"lives_in", "works_at", "partner_of", "has_role", "work/general/role", "home/general/address", "diet/general/diet"}
)
_DATED_TOPICS = re.compile(r"^(?:calendar|schedule)/")
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def still_so(belief: Belief, now: datetime) -> bool:
    """Whether a belief that nothing ended may be told as current: a day that is over and an old plan may not."""
    days = _DAY.findall(belief.value)
    if _DATED_TOPICS.search(belief.topic) and days:
        return bool(max(days) >= f"{now:%Y-%m-%d}")
    told = _told_at(belief)
    if told is None or now - told <= PASSING:
        return True
    if days and max(days) >= f"{now:%Y-%m-%d}":
        return True
    ill = belief.topic.startswith("health/") and _PASSING_ILLS.search(belief.value)
    return not (ill or _PASSING_TOPICS.search(belief.topic))


def current(beliefs: Sequence[Belief], message: str, now: datetime) -> list[Belief]:
    """Of beliefs, those that may be told as current; all of them where a message asks how things were.

    Of a home, an employer, a partner or a role that nobody said had ended, the last that was told counts, with those
    of the same weeks: people tell of a new job more often than of the end of the old one.
    """
    if question_forms.asks_of_past(message):
        return list(beliefs)
    last: dict[tuple[UUID, str], datetime] = {}
    for each in beliefs:
        if (counts := _counts_from(each)) and each.topic in _REPLACED_TOPICS:
            place = (each.subject, each.topic)
            last[place] = max(counts, last.get(place, counts))
    return [each for each in beliefs if still_so(each, now) and not _is_older(each, last)]


def _is_older(belief: Belief, last: Mapping[tuple[UUID, str], datetime]) -> bool:
    counts, newest = _counts_from(belief), last.get((belief.subject, belief.topic))
    return counts is not None and newest is not None and newest - counts > TOGETHER


def _counts_from(belief: Belief) -> datetime | None:
    """When it was last told; a job that was told of before it began counts from its first day."""
    told = _told_at(belief)
    return max(told, belief.since or told) if told else None


def _told_at(belief: Belief) -> datetime | None:
    """When it was last told; a role since 2014 may have been told yesterday."""
    return belief.said_at or belief.since
