"""Statements: what the text of a passage says for it or against it, once it is read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from nacre.recall import fusion
from nacre.recall.bm25 import Floats
from nacre.recall.index import View
from nacre.text import periods as told_periods
from nacre.text import sentences
from nacre.text.times import Period

# What a question that one person asks another is worth beside what is told.
QUESTION = 0.85
# What is added for an event of the time that is asked for, where it was told at another time.
TOLD = 0.1
# So many passages are read for when it was that they tell of.
READ = 60


@dataclass(frozen=True, slots=True)
class StatementWeights:
    """How what passages say is weighed: between people, and for a question that speaks of `periods`."""

    periods: Sequence[Period] = ()

    def best(self, views: Sequence[View], scores: Floats, count: int) -> npt.NDArray[np.int64]:
        """The places of the best passages: `count`, and those that may come to stand before them once read."""
        talking = any(view.among_people.any() for view in views)
        if not talking and not self.periods:
            return fusion.best(scores, count)
        docs = fusion.best(scores, max(2 * count, READ if self.periods else 0))
        if self.periods or len(docs) <= count:
            return docs
        near: npt.NDArray[np.int64] = docs[scores[docs] >= QUESTION * scores[docs[count - 1]]]
        return near

    def weigh(self, view: View, doc: int, score: float, text: str, at: datetime) -> float:
        """A passage's score, once its text is read.

        Between people, a question seldom answers another. What happened last weekend was told on Monday.
        """
        if "?" in text and view.among_people[doc]:
            share = view.asking.get(doc)
            if share is None:
                share = view.asking[doc] = _asking_share(text)
            score *= 1.0 - (1.0 - QUESTION) * share
        if self.periods and not _within(at, self.periods) and self._tells_of_then(text, at):
            score += TOLD
        # Rounded, so that what no sum of small numbers tells apart stays a tie.
        return round(score, 6)

    def _tells_of_then(self, text: str, at: datetime) -> bool:
        return any(_overlap(told, asked) for told in told_periods.asked(text, at) for asked in self.periods)


def _within(at: datetime, periods: Iterable[Period]) -> bool:
    return any(each.start <= at < each.end for period in periods for each in [_in_year(period, at.year)] if each)


def _overlap(period: Period, asked: Period) -> bool:
    """Whether two periods share days; one that has no year is taken to be of the other's."""
    asked_then = _in_year(asked, period.start.year)
    # A whole year says little of when in it something was.
    long = period.end - period.start > 3 * (asked.end - asked.start)
    return asked_then is not None and not long and period.start < asked_then.end and asked_then.start < period.end


def _in_year(period: Period, year: int) -> Period | None:
    return period.of_year(year) if period.yearless else period


def _asking_share(text: str) -> float:
    """The share of a text that asks."""
    asking = sum(end - start for start, end in sentences.split(text) if text[start:end].rstrip().endswith("?"))
    return asking / len(text)
