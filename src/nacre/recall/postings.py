"""Postings: which passages hold a term, and how often. Immutable runs that merge as they grow."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Docs = npt.NDArray[np.int32]
Counts = npt.NDArray[np.uint8]

_MOST = np.iinfo(np.uint8).max
_NONE = (np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8))


@dataclass(frozen=True, slots=True)
class Run:
    """Postings of some passages, grouped by term: term `keys[i]` owns `starts[i]:starts[i + 1]`."""

    keys: Keys
    starts: npt.NDArray[np.int64]
    docs: Docs
    counts: Counts

    @property
    def nbytes(self) -> int:
        return self.keys.nbytes + self.starts.nbytes + self.docs.nbytes + self.counts.nbytes

    def find(self, key: np.uint64) -> tuple[Docs, Counts]:
        """The passages that hold the term, and how often each does."""
        place = int(self.keys.searchsorted(key))
        if place == len(self.keys) or self.keys[place] != key:
            return _NONE
        own = slice(self.starts[place], self.starts[place + 1])
        return self.docs[own], self.counts[own]

    def shifted(self, first: int) -> "Run":
        """The same postings of passages that are counted from `first` on."""
        return replace(self, docs=self.docs + np.int32(first)) if first else self


def build(keys: Keys, docs: Docs, counts: Counts) -> Run:
    """A run from one entry per (term, passage)."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    firsts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.zeros(0, np.int64)
    return Run(keys[firsts], np.append(firsts, len(keys)), docs[order], counts[order])


def join(runs: Sequence[Run]) -> Run:
    """One run of several, each of later passages than the one before it."""
    if len(runs) == 1:
        return runs[0]
    return build(
        np.concatenate([np.repeat(run.keys, np.diff(run.starts)) for run in runs]),
        np.concatenate([run.docs for run in runs]),
        np.concatenate([run.counts for run in runs]),
    )


def add(runs: Sequence[Run], newer: Run) -> tuple[Run, ...]:
    """`runs` and one more; runs of like size merge, so there are only ever a few."""
    kept = list(runs)
    while kept and len(kept[-1].docs) <= 2 * len(newer.docs):
        newer = join((kept.pop(), newer))
    return (*kept, newer)


def find(runs: Sequence[Run], key: np.uint64) -> tuple[Docs, Counts]:
    """The passages that hold the term in any run, in order."""
    found = [run.find(key) for run in runs]
    if len(found) == 1:
        return found[0]
    return (
        np.concatenate([docs for docs, _ in found]) if found else _NONE[0],
        np.concatenate([counts for _, counts in found]) if found else _NONE[1],
    )


def find_any(runs: Sequence[Run], keys: Sequence[int]) -> tuple[Docs, Counts]:
    """The passages that hold any of some terms, in order, and how often they hold them together."""
    found = [entries for key in keys for entries in [find(runs, np.uint64(key))] if len(entries[0])]
    if len(found) < 2:
        return found[0] if found else _NONE
    docs, places = np.unique(np.concatenate([docs for docs, _ in found]), return_inverse=True)
    counts = np.bincount(places, weights=np.concatenate([counts for _, counts in found]))
    return docs, np.minimum(counts, _MOST).astype(np.uint8)
