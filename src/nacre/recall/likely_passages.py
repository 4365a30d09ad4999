"""Likely passages: of a large view those that may come out on top. They alone get exact cosines, and are fused."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nacre.recall import channels, fusion
from nacre.recall.bm25 import Floats, Places
from nacre.recall.index import View

# So many passages are likely at the least, so many for each hit that is wanted, and one in so many for being near: the
# nearest of all counts for all others.
LEAST, A_HIT, NEAR_ONE_IN = 2_048, 32, 64

Mask = npt.NDArray[np.bool_]


class LikelyPassages:
    """The passages of a view that may be among the first hits, by estimates of their cosines."""

    def __init__(
        self, view: View, asked: channels.EmbeddedQuery, scores: dict[str, Floats], masks: Sequence[Mask], limit: int
    ) -> None:
        """Choose among all `scores`, in which cosines are estimates, for each of `masks`; the mean is of the first."""
        self._view, self._asked, self._scores = view, asked, scores
        self._eligible = masks[0]
        estimates, self._cosines = scores["vector"], np.zeros(len(view), np.float32)
        self._likely = likely = np.zeros(len(view), np.bool_)
        most = max(LEAST, A_HIT * limit)
        for mask in masks:
            words, share = fusion.average_words(view, scores, mask, beside_meaning=True)
            if mask is self._eligible:
                self._words, self._share = words, share
            nearness = np.float32(share / max(fusion.top(estimates, mask), 1e-9)) * estimates
            fused = fusion.fuse(view, scores, mask, words + nearness)
            _add_best(likely, fused, most, mask)
            _add_best(likely, estimates * mask, len(view) // NEAR_ONE_IN, mask)
            if scores["time"].any():
                # Whoever asks for a time is given what is of it, however little that has to do with the rest.
                timely = mask & (scores["time"] > 0)
                _add_best(likely, fused * timely, most, timely)
        self.docs: Places = np.flatnonzero(likely)
        self._set_cosines(self.docs)
        scores["vector"] = self._cosines

    def add(self, docs: Places) -> None:
        """Count some passages as likely, too."""
        self._set_cosines(docs)
        self._likely[docs] = True
        self.docs = np.flatnonzero(self._likely)

    def mean(self) -> Floats:
        """The mean of words and meaning, as `fusion.average` has it."""
        cosines = self._cosines[self.docs]
        nearest = fusion.top(cosines, self._eligible[self.docs])
        if not nearest:
            return fusion.average(self._view, self._scores, self._eligible)
        mean = self._words.copy()
        mean[self.docs] += np.float32(self._share / nearest) * cosines
        return mean

    def _set_cosines(self, docs: Places) -> None:
        self._cosines[docs] = channels.similarity_of(self._view, self._asked, docs)


def _add_best(likely: Mask, scores: Floats, count: int, mask: Mask) -> None:
    """Add the passages of about so many of the highest scores, or all that count where there are no more."""
    least = np.partition(scores, -count)[-count]
    likely |= scores >= least if least > 0 else mask
