"""Similarity of names: how alike two of them are."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from nacre.text.letters import fold
from nacre.text.names import canonical

# What an abbreviated form of a name is worth, however little its letters agree: enough to be shown to a person.
ABBREVIATED = 0.93

_GAPS = re.compile(r"[\s.,]+")
_SHORTEST_SHARED = 3
_PAIRS_AT_ONCE = 100_000


def name_similarity(a: str, b: str) -> float:
    """Jaro-Winkler similarity of two names, 0 to 1, over characters; case, accents and the order of words aside.

    Names with the same canonical form have 1. A name whose words are the other's, some cut to their initials
    ("J. Doe" and "John Doe"), has at least `ABBREVIATED`, so that it is looked at but never sure.
    """
    # Jaro pairs letters from the left of its first argument, so the order would matter now and then.
    one, two = sorted((comparable(a), comparable(b)))
    if one == two:
        return 1.0
    best = max(JaroWinkler.similarity(one, two), JaroWinkler.similarity(in_order(one), in_order(two)))
    return max(best, ABBREVIATED) if abbreviates(one, two) else best


def alike(names: Sequence[str], pairs: NDArray[np.int64], threshold: float) -> NDArray[np.bool_]:
    """Whether each pair of places in `names`, which are comparable, has a similarity of at least `threshold`.

    For very many pairs at once. It errs on the side of yes, within the precision of single floats.
    """
    spellings = (names, [in_order(name) for name in names])
    initialled = np.array([any(len(part) == 1 for part in parts(name)) for name in names] or [False])
    found = np.zeros(len(pairs), dtype=np.bool_)
    for start in range(0, len(pairs), _PAIRS_AT_ONCE):
        some = [sorted(pair, key=names.__getitem__) for pair in pairs[start : start + _PAIRS_AT_ONCE].tolist()]
        here = found[start : start + len(some)]
        for spelled in spellings:
            ours, theirs = ([spelled[pair[side]] for pair in some] for side in (0, 1))
            here |= process.cpdist(ours, theirs, scorer=JaroWinkler.similarity) >= threshold - 1e-6
        if threshold <= ABBREVIATED:
            for place in np.flatnonzero(initialled[some].any(axis=1) & ~here):
                here[place] = abbreviates(*(names[each] for each in some[place]))
    return found


def comparable(name: str) -> str:
    """The name as it is compared: its canonical form without accents."""
    return fold(canonical(name))


def in_order(name: str) -> str:
    """The words of a comparable name in alphabetical order."""
    return " ".join(sorted(parts(name)))


def parts(name: str) -> list[str]:
    """The words of a comparable name; full stops and commas part them."""
    return [part for part in _GAPS.split(name) if part]


def abbreviates(a: str, b: str) -> bool:
    """Whether two comparable names agree word by word, where a single letter stands for a word it begins.

    At least one word of three letters is the same in both, and neither name is all initials.
    """
    ours, theirs = parts(a), parts(b)
    if len(ours) != len(theirs) or len(ours) < 2:
        return False
    pairs = list(zip(ours, theirs, strict=True))
    shared = any(one == two and len(one) >= _SHORTEST_SHARED for one, two in pairs)
    return shared and all(one == two or _is_initial(one, two) or _is_initial(two, one) for one, two in pairs)


def _is_initial(short: str, word: str) -> bool:
    return len(short) == 1 and short.isalpha() and word.startswith(short)
