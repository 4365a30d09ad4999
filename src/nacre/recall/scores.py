"""Scores: what each channel and the graph give to the passages of a scope, and one order of all that was searched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nacre.graph.identity.matching import EntityMatch
from nacre.recall import associations, channels, filters, fusion, relevance, token_ranking
from nacre.recall.bm25 import Floats
from nacre.recall.filters import ScopeQuery
from nacre.recall.index import View
from nacre.recall.likely_passages import LikelyPassages
from nacre.recall.relevance import Strength
from nacre.store.base.databases import Transaction
from nacre.store.reads.associations import FactRow

BY_WORDS = frozenset({"lexical", "window", "talk", "session"})
# The passages whose entities may lead to others.
FIRST = 3
# What a passage is worth that has nothing to do with a question.
LEAST = np.float32(1e-5)


@dataclass(frozen=True, slots=True)
class ScopeScores:
    """What one scope has to say to a question: each passage's scores, and which passages count."""

    tx: Transaction
    view: View
    asked: channels.EmbeddedQuery
    scores: Mapping[str, Floats]
    eligible: npt.NDArray[np.bool_]
    # The passages that were found without the graph, and what the graph knows of whom the question names.
    first: Sequence[int] = ()
    known: Sequence[FactRow] = ()
    # The mean of words and meaning among those that count, where it was worked out on the way.
    mean: Floats | None = None
    # The entities that the question names, where the graph was asked.
    named: Sequence[EntityMatch] | None = None
    # The passages that may be among the first, where not all have exact cosines.
    likely: LikelyPassages | None = None

    def strength(self) -> Strength:
        """How strongly the scope answers to a question."""
        named = bool(self.named) or bool(self.scores["speaker"].any())
        cosine, lexical = (fusion.top(self.scores[name], self.eligible) for name in ("vector", "lexical"))
        words = channels.question_words(self.asked.text, self.view.languages)
        # A number is in many texts, and says nothing of what it counts.
        worded = any(not term.isdecimal() for word in words for term in word)
        return Strength(
            nearness=(cosine - self.asked.threshold) / (1 - self.asked.threshold) if self.asked.vectors else None,
            coverage=lexical / channels.attainable(self.view, self.asked, self.view.languages) if worded else 0.0,
            words=len(words),
            passages=self.view.population,
            names=named,
            voice=relevance.voice_of(self.asked.text),
        )

    def comparable(self, languages: frozenset[str]) -> dict[str, Floats]:
        """The scores, those of words as a share of what they could be: rare means another thing in each scope."""
        share = np.float32(1 / channels.attainable(self.view, self.asked, languages))
        return {name: scores * share if name in BY_WORDS else scores for name, scores in self.scores.items()}


def score_scope(tx: Transaction, view: View, sought: ScopeQuery) -> tuple[ScopeScores, frozenset[int]]:
    """What a view has to say to a question, and the passages that its graph would lend to, were they in it."""
    question, asked = sought.question, sought.asked
    mask = filters.visible(view, question, sought.held)
    if sought.among is not None:
        mask &= np.isin(view.seq, sought.among)
    scores = channels.score(view, asked)
    scores["time"] = channels.timeliness(view.at, sought.periods)
    passable = mask
    if sought.with_graph and question.kinds is not None:
        other = filters.visible(view, replace(question, kinds=None), sought.held)
        passable = mask if np.array_equal(other, mask) else other
    likely = None
    if channels.are_estimates(view, asked):
        masks = [passable] if passable is mask else [passable, mask]
        likely = LikelyPassages(view, asked, scores, masks, question.limit)
    found = ScopeScores(tx, view, asked, scores, mask, likely=likely)
    if not sought.with_graph:
        return found, frozenset()
    mean = likely.mean() if likely else fusion.average(view, scores, passable)
    fused = fusion.fuse(view, scores, passable, mean, likely.docs if likely else None)
    first = fusion.best(fused, FIRST).tolist()
    associated = associations.associate(tx, view, question.text, first, question.as_of)
    if likely and len(associated.docs):
        likely.add(associated.docs)
        mean = likely.mean()
    found = replace(
        found, scores=scores | associated.scores, first=first, known=associated.known, named=associated.named
    )
    return replace(found, mean=mean) if passable is mask else found, associated.beyond


class PassageScores(NamedTuple):
    """One score for each passage of all that was searched, and how well the tokens fit of those that were compared.

    `alone` says which of all are no part of a talk, of which the ranker has learned less.
    """

    scores: Floats
    fits: Mapping[int, float]
    alone: npt.NDArray[np.bool_]


def rank(searched: Sequence[ScopeScores], whole: int = 0) -> PassageScores:
    """All passages in one order, the best of them compared with the question token by token.

    Where there are no more than `whole`, each of them counts for a little, the later ones for more.
    """
    scores = fused(searched)
    if 0 < len(scores) <= whole:
        counts = np.concatenate([each.eligible for each in searched]) & (scores <= 0)
        scores = np.where(counts, LEAST * np.linspace(1, 2, len(scores), dtype=np.float32), scores)
    fits = _fits(searched, scores)
    alone = np.zeros(len(scores), np.bool_)
    if fits:
        alone = np.concatenate([each.view.alone for each in searched])
        scores = token_ranking.rescored(scores, fits, alone)
    return PassageScores(scores, fits, alone)


def fused(searched: Sequence[ScopeScores]) -> Floats:
    """One score for each passage of all that was searched, one scope after the other."""
    if len(searched) == 1:
        only = searched[0]
        return fusion.fuse(only.view, only.scores, only.eligible, only.mean, only.likely.docs if only.likely else None)
    if not searched:
        return np.zeros(0, np.float32)
    # Fused as one, so that the best of a scope with little to say does not count as much as that of another.
    views = [each.view for each in searched]
    whole = replace(
        views[0],
        seq=np.concatenate([view.seq for view in views]),
        role=np.concatenate([view.role for view in views]),
        session=np.concatenate([view.session for view in views]),
    )
    languages = frozenset().union(*(view.languages for view in views))
    compared = [each.comparable(languages) for each in searched]
    if any("talk" in each for each in compared):
        # Where nobody talks with another, what stands around a turn is its window.
        compared = [{"talk": each["window"], **each} for each in compared]
    names = dict.fromkeys(name for each in compared for name in each)
    none = [np.zeros(len(view), np.float32) for view in views]
    scores = {
        name: np.concatenate([each.get(name, zeros) for each, zeros in zip(compared, none, strict=True)])
        for name in names
    }
    return fusion.fuse(whole, scores, np.concatenate([each.eligible for each in searched]))


def _fits(searched: Sequence[ScopeScores], scores: Floats) -> dict[int, float]:
    """How well the tokens of the best passages fit those of the question.

    Of a small scope, all passages are compared: what bears on "suggest a dinner" has none of its words.
    """
    tokens = next((each.asked.tokens for each in searched), None)
    if tokens is None:
        return {}
    docs = fusion.best(scores, token_ranking.DEPTH).tolist()
    small = len(scores) <= token_ranking.WHOLE
    others = set(_unscored(searched, scores).tolist()) if small else set()
    fits: dict[int, float] = {}
    start = 0
    for each in searched:
        end = start + len(each.view)
        places = {int(each.view.seq[doc - start]): doc for doc in (*docs, *others) if start <= doc < end}
        fits |= {places[seq]: fit for seq, fit in token_ranking.fits(tokens, each.tx, list(places)).items()}
        start = end
    fits = {doc: fit for doc, fit in fits.items() if doc not in others or fit >= token_ranking.LEAST}
    # Where most of them have no vectors yet, others can tell better.
    return fits if 2 * sum(doc not in others for doc in fits) >= len(docs) else {}


def _unscored(searched: Sequence[ScopeScores], scores: Floats) -> npt.NDArray[np.int64]:
    """The passages that count and that no channel found."""
    eligible = np.concatenate([each.eligible for each in searched])
    return np.flatnonzero(eligible & (scores <= 0))
