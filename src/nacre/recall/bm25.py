"""BM25 at four widths: a passage alone, with its neighbours, with what people said around it, and its whole session.

A turn rarely repeats what it is about; what stands around it does. Each width has its own statistics.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nacre.recall import postings

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]
# The terms that a word of the question may be indexed under: they are one word, as rare as all of them together.
Word = tuple[int, ...]

K1 = 1.2
# Half the usual length penalty: passages are turns and notes, and a longer one mostly says more.
B = 0.4
# What the agent itself said lends its neighbours and its session only this much of its words.
AGENT_VOICE = 0.25
# So far on either side stands what a turn is said with, and in talk between people what it is about.
NEAR, FAR = 1, 4


@dataclass(frozen=True, slots=True)
class Widths:
    """What scoring needs to know about the passages of a view, worked out once."""

    voice: Floats
    # The place `len(voice)` stands for "no neighbour" and the last session for "none"; what lands there is dropped.
    before: Places
    after: Places
    session: Places
    # Whether a passage is part of a talk between people; None where none is.
    among_people: npt.NDArray[np.bool_] | None
    alone_norm: Floats
    window_norm: Floats
    talk_norm: Floats
    session_norm: Floats


@dataclass(frozen=True, slots=True)
class Scores:
    """One score per passage at each width."""

    alone: Floats
    window: Floats
    # As `window` where nobody talks with another; None where nobody does at all.
    talk: Floats | None
    session: Floats


@dataclass(frozen=True, slots=True)
class Whole:
    """What is known of all passages, where only some of them are scored."""

    passages: int
    # How many hold each term.
    holders: Mapping[int, int]
    mean_length: float

    def holding(self, word: Word, otherwise: int = 0) -> int:
        """How many hold any term of a word, about; `otherwise` where that is not known of any."""
        known = [self.holders[key] for key in word if key in self.holders]
        return min(sum(known), self.passages) if known else otherwise


@dataclass(frozen=True, slots=True)
class CorpusScale:
    """How many times more there are than are scored: passages, and of them those that hold a term."""

    holders: float = 1.0
    passages: float = 1.0

    def rarity(self, holders: int, total: int) -> np.float32:
        """What a term is worth that so many of those that are scored hold."""
        return rarity(min(holders * self.holders, total * self.passages), total * self.passages)


def _grown(whole: Whole | None, word: Word, holders: int, size: int) -> CorpusScale:
    if whole is None:
        return CorpusScale()
    everywhere = whole.holding(word, holders)
    return CorpusScale(max(1.0, everywhere / max(holders, 1)), max(1.0, whole.passages / size))


def measure(
    lengths: Floats,
    *,
    agent: npt.NDArray[np.bool_],
    before: Places,
    after: Places,
    session: Places,
    sessions: int,
    among_people: npt.NDArray[np.bool_] | None = None,
    mean_length: float | None = None,
) -> Widths:
    """Work out the widths of passages of these lengths and neighbours, in so many `sessions`.

    With a `mean_length` these are some of many passages, of which that is the mean.
    """
    voice = np.where(agent, np.float32(AGENT_VOICE), np.float32(1))
    # "No neighbour" has none itself.
    before, after = (np.append(each, len(lengths)) for each in (before, after))
    voiced = np.append(lengths * voice, np.float32(0))
    talks = np.bincount(session, weights=voiced[:-1], minlength=sessions + 1).astype(np.float32)
    # The last place holds what has no session; it must not count as one huge session.
    talks[-1] = talks[:-1].mean() if sessions else 0
    if mean_length is not None:
        # Of some sessions more is there than of others: as long as they seem, none of them is.
        talks[:] = 1
    windows = [lengths + _around(voiced, before, after, reach) for reach in (NEAR, FAR)]
    return Widths(
        voice,
        before,
        after,
        session,
        among_people,
        length_norm(lengths, mean_length),
        length_norm(windows[0]),
        length_norm(windows[1]),
        length_norm(talks),
    )


def _around(voiced: Floats, before: Places, after: Places, reach: int) -> Floats:
    """What the neighbours of each passage lend to it together."""
    total = np.zeros(len(voiced), np.float32)
    back = forth = np.arange(len(voiced))
    for _ in range(reach):
        back, forth = before[back], after[forth]
        total += voiced[back] + voiced[forth]
    return total[:-1]


def score(widths: Widths, runs: Sequence[postings.Run], words: Sequence[Word], whole: Whole | None = None) -> Scores:
    """Score every passage for `words`; the passages are some of a `whole`, where one is given."""
    size = len(widths.voice)
    alone, sessions = np.zeros(size, np.float32), np.zeros(len(widths.session_norm), np.float32)
    windows = _Windows(widths, widths.window_norm, NEAR)
    among_people = widths.among_people
    talks = None if among_people is None else _Windows(widths, widths.talk_norm, FAR)
    for word in words:
        found, counts = postings.find_any(runs, word)
        if not len(found):
            continue
        docs = found.astype(np.intp)
        said = counts.astype(np.float32)
        voiced = said * widths.voice[docs]
        grown = _grown(whole, word, len(docs), size)
        alone[docs] += grown.rarity(len(docs), size) * _saturated(said, widths.alone_norm[docs])
        windows.add(docs, said, voiced, grown)
        if talks:
            talks.add(docs, said, voiced, grown)
        _add_sessions(sessions, widths, docs, voiced, grown)
    sessions[-1] = 0
    talk = None if talks is None or among_people is None else np.where(among_people, talks.scores, windows.scores)
    return Scores(alone, windows.scores, talk, sessions[widths.session])


def score_alone(
    norm: Floats, runs: Sequence[postings.Run], words: Sequence[Word], whole: Whole | None = None
) -> Floats:
    """Score every passage alone, as `score` does; `norm` is what their lengths count."""
    size = len(norm)
    alone = np.zeros(size, np.float32)
    for word in words:
        docs, counts = postings.find_any(runs, word)
        if len(docs):
            rarity_of_term = _grown(whole, word, len(docs), size).rarity(len(docs), size)
            alone[docs] += rarity_of_term * _saturated(counts.astype(np.float32), norm[docs])
    return alone


def attainable(runs: Sequence[postings.Run], size: int, words: Sequence[Word], whole: Whole | None = None) -> float:
    """What a passage of middling length that holds each of `words` once would score among `size` passages."""
    found = [(word, len(postings.find_any(runs, word)[0])) for word in words]
    return float(sum(_grown(whole, word, held, size).rarity(held, size) for word, held in found))


class _Windows:
    """Scores of passages with their neighbours, term by term."""

    def __init__(self, widths: Widths, norm: Floats, reach: int) -> None:
        size = len(widths.voice)
        self.scores = np.zeros(size, np.float32)
        self._widths, self._norm, self._reach = widths, norm, reach
        # Both have a place for "no neighbour". `_total` is all zeros between terms; `_mark` may hold anything.
        self._total = np.zeros(size + 1, np.float32)
        self._mark = np.empty(size + 1, np.intp)

    def add(self, docs: Places, term_counts: Floats, voiced: Floats, grown: CorpusScale) -> None:
        """Add what a term held by `docs` is worth to each window it appears in."""
        # Past this share of the passages, going over all of them is cheaper than jumping about.
        often = len(docs) * 10 > len(self.scores)
        (self._add_everywhere if often else self._add_around)(docs, term_counts, voiced, grown)

    def _add_around(self, docs: Places, term_counts: Floats, voiced: Floats, grown: CorpusScale) -> None:
        total = self._total
        total[docs] = term_counts
        places = [docs]
        back = forth = docs
        for _ in range(self._reach):
            back, forth = self._widths.before[back], self._widths.after[forth]
            total[back] += voiced
            total[forth] += voiced
            places += [back, forth]
        touched = self._distinct(np.concatenate(places))
        weight = grown.rarity(len(touched), len(self.scores))
        self.scores[touched] += weight * _saturated(total[touched], self._norm[touched])
        total[touched] = 0
        total[-1] = 0

    def _add_everywhere(self, docs: Places, term_counts: Floats, voiced: Floats, grown: CorpusScale) -> None:
        lent = np.zeros(len(self.scores) + 1, np.float32)
        lent[docs] = voiced
        total = _around(lent, self._widths.before, self._widths.after, self._reach)
        total[docs] += term_counts
        weight = grown.rarity(int(np.count_nonzero(total)), len(self.scores))
        self.scores += weight * _saturated(total, self._norm)

    def _distinct(self, places: Places) -> Places:
        """Each place once, except "no neighbour"; sorting them would take longer."""
        order = np.arange(len(places))
        self._mark[places] = order
        distinct: Places = places[(self._mark[places] == order) & (places < len(self.scores))]
        return distinct


def _add_sessions(scores: Floats, widths: Widths, docs: Places, voiced: Floats, grown: CorpusScale) -> None:
    total = np.bincount(widths.session[docs], weights=voiced, minlength=len(scores)).astype(np.float32)
    weight = grown.rarity(int(np.count_nonzero(total[:-1])), len(scores) - 1)
    scores += weight * _saturated(total, widths.session_norm)


def length_norm(lengths: Floats, mean: float | None = None) -> Floats:
    """What the length of each passage counts against it; `mean` is that of all, where these are some."""
    if mean is None:
        mean = float(lengths.mean(dtype=np.float64)) if len(lengths) else 0.0
    return (K1 * (1 - B + B * lengths / (mean or 1.0))).astype(np.float32)


def rarity(holders: float, total: float) -> np.float32:
    """What a term is worth that so many of all passages hold."""
    return np.float32(np.log(1 + (total - holders + 0.5) / (holders + 0.5)))


def _saturated(counts: Floats, norm: Floats) -> Floats:
    return counts * np.float32(K1 + 1) / (counts + norm)
