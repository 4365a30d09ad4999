"""Statements: what the text of a passage says for it or against it, once it is read."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nacre.recall import fusion
from nacre.recall.bm25 import Floats
from nacre.recall.index import View
from nacre.text import sentences

# What a question that one person asks another is worth beside what is told.
QUESTION = 0.85


def best(views: Sequence[View], scores: Floats, count: int) -> npt.NDArray[np.int64]:
    """The places of the best passages: `count`, and in talk between people those that may come to stand before them."""
    if not any(view.among_people.any() for view in views):
        return fusion.best(scores, count)
    docs = fusion.best(scores, 2 * count)
    least = QUESTION * scores[docs[count - 1]] if len(docs) > count else 0.0
    return docs[scores[docs] >= least]


def worth(view: View, doc: int, text: str) -> float:
    """What a passage's score is times: between people, a question seldom answers another."""
    return 1.0 - (1.0 - QUESTION) * _asking_share(text) if view.among_people[doc] and "?" in text else 1.0


def _asking_share(text: str) -> float:
    """The share of a text that asks."""
    asking = sum(end - start for start, end in sentences.split(text) if text[start:end].rstrip().endswith("?"))
    return asking / len(text)
