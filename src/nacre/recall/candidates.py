"""Candidates: the best passages of all that was searched, scored in one order and loaded as hits."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt

from nacre.domain.hits import Hit, HitStanding, Kind
from nacre.domain.questions import Question
from nacre.graph.identity.matching import EntityMatch
from nacre.models.rerankers import RerankPassage
from nacre.recall import channels, facts, filters, fusion, judgements, successions, token_ranking
from nacre.recall.bm25 import Floats
from nacre.recall.index import FOREVER, NONE, View
from nacre.recall.relevance import Strength
from nacre.recall.reranking import RerankCandidate
from nacre.recall.statements import StatementWeights
from nacre.store.base.databases import Transaction
from nacre.store.evidence import outdated
from nacre.store.evidence import successions as stored_successions
from nacre.store.evidence.outdated import Mark
from nacre.store.reads import associations as stored
from nacre.store.reads import hit_rows
from nacre.store.reads.associations import FactRow
from nacre.store.tables.columns import to_microseconds

_KINDS = list(Kind)
BY_WORDS = frozenset({"lexical", "window", "talk", "session"})
# A memory that says in a hint all that the question asks scores at least this.
HINTED = 0.75
# So many links and claims are looked through for what took the place of something.
LOOKED_AT = 200


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

    def strength(self) -> Strength:
        """How strongly the scope answers to a question."""
        named = bool(self.named) or bool(self.scores["speaker"].any())
        return judgements.strength(self.view, self.asked, self.scores, self.eligible, names=named)

    def comparable(self, languages: frozenset[str]) -> dict[str, Floats]:
        """The scores, those of words as a share of what they could be: rare means another thing in each scope."""
        share = np.float32(1 / channels.attainable(self.view, self.asked, languages))
        return {name: scores * share if name in BY_WORDS else scores for name, scores in self.scores.items()}


class TopPassages(NamedTuple):
    """Candidates in one order; memories that may be replaced, newer and older; whether tokens were compared."""

    candidates: list[RerankCandidate]
    doubted: list[tuple[UUID, UUID]]
    compared: bool


def best_of(searched: Sequence[ScopeScores], question: Question, depth: int, reading: StatementWeights) -> TopPassages:
    """The best hits of all that was searched, in one order, with what a reranker reads of the first `depth`."""
    ends = np.cumsum([len(each.view) for each in searched])
    scores = fused(searched)
    if fits := _fits(searched, scores, ends):
        alone = np.concatenate([_stands_alone(each.view) for each in searched])
        scores, depth = token_ranking.rescored(scores, fits, alone), 0
    docs = reading.best([each.view for each in searched], scores, max(question.limit, depth, judgements.AMONG))
    candidates: list[RerankCandidate] = []
    doubted: list[tuple[UUID, UUID]] = []
    for each, end in zip(searched, ends, strict=True):
        start = int(end) - len(each.view)
        mine = [int(doc) - start for doc in docs if start <= doc < end]
        before = _before(each.view, [int(doc) - start for doc in docs[:depth] if start <= doc < end], question)
        found = load(each.tx, each.view, {*mine, *before.values()}, question.as_of)
        # Without the graph nothing is known to have changed.
        known = facts.resting_on(each.tx, found.values()) if "graph" in each.scores and not question.as_of else []
        standing = facts.standing(known)
        doubted += stored_successions.find_doubted(each.tx, {one.id: one.doubts for one in found.values()})
        hinted = {one.id: hint for one in found.values() if one.hints and (hint := _hinted(each, one))}
        worth = {
            one.id: reading.weigh(each.view, doc, float(scores[start + doc]), one.text, one.at)
            for doc in mine
            if (one := found.get(doc))
        }
        worth = facts.inherited({key: max(score, hinted.get(key, 0.0)) for key, score in worth.items()}, known)
        vectors = each.view.vectors.get(each.asked.space or "")
        marks = outdated.find_marks(each.tx, list(worth), question.as_of)
        # What it said then may have been purged from the log since.
        mine = [doc for doc in mine if doc in found]
        given = _given(each, mine) if question.explain else None
        for place, doc in enumerate(mine):
            key = found[doc].id
            beside = {"hint": hinted.get(key, 0.0), "tokens": fits.get(start + doc, 0.0)} if given else {}
            gave = {name: score for name, score in {**given[place], **beside}.items() if score} if given else {}
            hit = successions.mark_hit(_hit(found[doc], worth[key], gave, standing.get(key)), marks.get(key))
            passage = _passage(found[doc], found.get(before.get(doc, NONE)))
            candidates.append(RerankCandidate(hit, passage, None if vectors is None else vectors[doc]))
        candidates += _followers(each, question, marks, worth)
        candidates += _successors(each, question, known, worth)
    return TopPassages(sorted(candidates, key=lambda each: -each.hit.score), doubted, bool(fits))


def _fits(searched: Sequence[ScopeScores], scores: Floats, ends: npt.NDArray[np.int64]) -> dict[int, float]:
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
    for each, end in zip(searched, ends.tolist(), strict=True):
        start = end - len(each.view)
        places = {int(each.view.seq[doc - start]): doc for doc in (*docs, *others) if start <= doc < end}
        fits |= {places[seq]: fit for seq, fit in token_ranking.fits(tokens, each.tx, list(places)).items()}
    fits = {doc: fit for doc, fit in fits.items() if doc not in others or fit >= token_ranking.LEAST}
    # Where most of them have no vectors yet, others can tell better.
    return fits if 2 * sum(doc not in others for doc in fits) >= len(docs) else {}


def _unscored(searched: Sequence[ScopeScores], scores: Floats) -> npt.NDArray[np.int64]:
    """The passages that count and that no channel found."""
    eligible = np.concatenate([each.eligible for each in searched])
    return np.flatnonzero(eligible & (scores <= 0))


def _stands_alone(view: View) -> npt.NDArray[np.bool_]:
    """Which passages are not part of a talk: the only ones of their session, or of none."""
    if not len(view):
        return np.zeros(0, np.bool_)
    sizes = np.bincount(view.session - NONE)
    sizes[0] = 0
    alone: npt.NDArray[np.bool_] = sizes[view.session - NONE] < 2
    return alone


def _followers(
    searched: ScopeScores, question: Question, marks: Mapping[UUID, Mark], worth: Mapping[UUID, float]
) -> list[RerankCandidate]:
    """What made hits outdated and was not found itself, as far as the question allows for it: worth as much as they."""
    missing = successions.missing_followers(marks, worth, filters.passing(searched.view, searched.eligible, question))
    return [
        RerankCandidate(_hit(each, seqs[seq], {}, None), _passage(each, None))
        for kind, seqs in missing.items()
        for seq, each in hit_rows.load(searched.tx, kind, list(seqs), question.as_of).items()
    ]


def _successors(
    searched: ScopeScores, question: Question, fact_rows: Sequence[FactRow], worth: Mapping[UUID, float]
) -> list[RerankCandidate]:
    """What tells the value that took the place of one which a hit tells, and was not found itself: worth as much.

    "I moved to Nice" has none of the words of "where do I live", and answers it.
    """
    gone = facts.replaced(fact_rows, worth)
    if not gone:
        return []
    held = stored.facts_of_entities(searched.tx, {subject for subject, _ in gone}, LOOKED_AT)
    items = facts.sole_successors(held, gone, worth)
    if not items:
        return []
    passes = filters.passing(searched.view, searched.eligible, question)
    seqs = {seq: items[item] for item, some in stored.places(searched.tx, list(items)).items() for seq in some[:1]}
    seqs = {seq: score for seq, score in seqs.items() if passes(seq)}
    return [
        RerankCandidate(_hit(each, seqs[seq], {}, HitStanding.CURRENT), _passage(each, None))
        for kind in (Kind.TURN, Kind.MEMORY)
        for seq, each in hit_rows.load(searched.tx, kind, list(seqs), question.as_of).items()
    ]


def with_facts(
    searched: Sequence[ScopeScores], question: Question, candidates: list[RerankCandidate]
) -> list[RerankCandidate]:
    """The candidates, and the links and claims that are hits of their own."""
    asked_for = question.kinds is not None and not facts.KINDS.isdisjoint(question.kinds)
    for each in searched:
        known = [*each.known]
        if asked_for:
            first = load(each.tx, each.view, each.first, question.as_of).values()
            known += [one for one in stored.resting_on(each.tx, [finding.id for finding in first]) if one.holds]
        hits = facts.hits(each.tx, each.asked, each.view.languages, question, known)
        candidates = candidates + [RerankCandidate(hit, RerankPassage(hit.text)) for hit in hits]
    return sorted(candidates, key=lambda each: -each.hit.score)


def _before(view: View, docs: Iterable[int], question: Question) -> dict[int, int]:
    """The doc that stands before each of `docs` in its session, unless it has ended."""
    as_of = to_microseconds(question.as_of) if question.as_of else FOREVER - 1
    found = {doc: int(view.before[doc]) for doc in docs}
    return {doc: before for doc, before in found.items() if before != NONE and view.ended[before] > as_of}


def _passage(finding: hit_rows.HitRow, before: hit_rows.HitRow | None) -> RerankPassage:
    """What a reranker reads; who says it counts as much as what is said."""
    return RerankPassage(_said(finding), _said(before) if before else "")


def _said(finding: hit_rows.HitRow) -> str:
    speaker = finding.source.speaker
    return f"{speaker}: {finding.text}" if speaker else finding.text


def fused(searched: Sequence[ScopeScores]) -> Floats:
    """One score for each passage of all that was searched, one scope after the other."""
    if len(searched) == 1:
        only = searched[0]
        return fusion.fuse(only.view, only.scores, only.eligible, only.mean)
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


def load(tx: Transaction, view: View, docs: Iterable[int], as_of: datetime | None) -> dict[int, hit_rows.HitRow]:
    by_kind: dict[Kind, dict[int, int]] = defaultdict(dict)
    for doc in docs:
        by_kind[_KINDS[view.kind[doc]]][int(view.seq[doc])] = doc
    hit_rows_by_seq: dict[int, hit_rows.HitRow] = {}
    for kind, places in by_kind.items():
        hit_rows_by_seq |= {places[seq]: each for seq, each in hit_rows.load(tx, kind, list(places), as_of).items()}
    return hit_rows_by_seq


def _hinted(searched: ScopeScores, finding: hit_rows.HitRow) -> float:
    """What a memory is worth for its hints, the words that it is to be found by."""
    languages = searched.view.languages
    return HINTED * max((channels.share(searched.asked, hint, languages) for hint in finding.hints), default=0.0)


def _given(searched: ScopeScores, docs: Sequence[int]) -> list[dict[str, float]]:
    """What each channel gave to passages."""
    names = list(searched.scores)
    columns = [searched.scores[name][docs].tolist() for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _hit(finding: hit_rows.HitRow, score: float, gave: Mapping[str, float], standing: HitStanding | None) -> Hit:
    factor = fusion.CURRENTNESS[standing] if standing else 1.0
    return Hit(
        id=finding.id,
        kind=finding.kind,
        text=finding.text,
        score=min(score * factor, 1.0),
        at=finding.at,
        source=finding.source,
        channels={**gave, "currentness": factor} if gave and standing else gave,
        standing=standing,
    )
