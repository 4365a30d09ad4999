"""Days that a text told of while they were to come, and that are over since: "dentist on Thursday at 3"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from nacre.text import clauses, sentences, times
from nacre.text.letters import small_letters
from nacre.text.times import SINCE, Time

# Beside these a day that is over ends nothing: what was, what comes again, and what begins that day.
_GOES_ON = re.compile(
    r"\b(?:was|were|had|did|went|got|came|saw|met|been|took|bought|every|each|birthday|anniversary|born|begin\w*|start\w*"
    r"|join\w*|mov(?:e|es|ed|ing)|opens?|first (?:day|shift|lesson|class|week)|from (?:the )?\d"
    r"|as of|onwards?|primer día|fue|fui|fuimos|era|hubo|cumple\w*|cada|todos|todas|empie\w+|comienza|mud\w+|abre)\b",
    re.IGNORECASE,
)
# So many words beside a day tell what was to be then.
_NEAR = 4
_ENDS = " .!?…"


@dataclass(frozen=True, slots=True)
class PassedDay:
    """The words for a day, those of them that tell what was to be then, and when it was over.

    Those are no more than the words for the day where a text has one clause: then all of it is over.
    """

    words: str
    clause: str
    over: datetime


def passed_days(text: str, at: datetime, now: datetime) -> Iterator[PassedDay]:
    """The days that were to come when a text was said at a moment, and are over now."""
    # Most texts name no day at all: finding their sentences takes many times as long as finding that.
    if now - at < timedelta(days=1) or not times.may_name_day(small_letters(text)):
        return
    parts = [part for sentence in sentences.split(text) for part in clauses.parts(text[slice(*sentence)])]
    alone = sum(bool(part.strip()) for part in parts) == 1
    for part in parts:
        if _GOES_ON.search(part):
            continue
        for day in times.coming(small_letters(part), at):
            over = day.at + timedelta(days=1)
            if day.lead not in SINCE and over <= now:
                words = part[day.start : day.end]
                yield PassedDay(words, words if alone else _clause(part, day), over)


def _clause(part: str, day: Time) -> str:
    """A few words of a clause around its day: "keys tomorrow", "… with Eva in town on friday"."""
    before, after = part[: day.start].split(), part[day.end :].strip(_ENDS).split()
    first, last = before[-_NEAR:], [] if before else after[:_NEAR]
    cut = ["…"] if len(first) < len(before) else [], ["…"] if last and len(last) < len(after) else []
    return " ".join([*cut[0], *first, part[day.start : day.end], *last, *cut[1]])
