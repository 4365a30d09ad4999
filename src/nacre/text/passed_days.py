"""Days that a text told of while they were to come, and that are over since: "dentist on Thursday at 3"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from nacre.text import clauses, sentences, times
from nacre.text.letters import small_letters
from nacre.text.times import SINCE

# Beside these a day that is over ends nothing: what was, what comes again, and what begins that day.
_GOES_ON = re.compile(
    r"\b(?:was|were|had|did|went|got|came|saw|met|been|took|bought|every|each|birthday|anniversary|born|begin\w*|start\w*"
    r"|join\w*|mov(?:e|es|ed|ing)|opens?|fue|fui|fuimos|era|hubo|cumple\w*|cada|todos|todas|empie\w+|comienza|mud\w+|abre)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PassedDay:
    """The words for a day, and when it was over."""

    words: str
    over: datetime


def passed_days(text: str, at: datetime, now: datetime) -> Iterator[PassedDay]:
    """The days that were to come when a text was said at a moment, and are over now."""
    # Most texts name no day at all: finding their sentences takes many times as long as finding that.
    if now - at < timedelta(days=1) or not times.may_name_day(small_letters(text)):
        return
    for sentence in sentences.split(text):
        for part in clauses.parts(text[slice(*sentence)]):
            if _GOES_ON.search(part):
                continue
            for day in times.coming(small_letters(part), at):
                over = day.at + timedelta(days=1)
                if day.lead not in SINCE and over <= now:
                    yield PassedDay(part[day.start : day.end], over)
