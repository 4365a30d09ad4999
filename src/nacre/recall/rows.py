"""Rows of the best passages, loaded and made into candidates: hits, and what a reranker reads for each."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

import numpy as np

from nacre.domain.hits import Hit, HitStanding, Kind
from nacre.domain.questions import Question
from nacre.models.rerankers import RerankPassage
from nacre.recall import channels, facts, filters, fusion, judgements, successions, token_ranking
from nacre.recall.index import FOREVER, NONE, View
from nacre.recall.reranking import RerankCandidate
from nacre.recall.scores import PassageScores, ScopeScores
from nacre.recall.statements import StatementWeights
from nacre.store.base.databases import Transaction
from nacre.store.evidence import outdated
from nacre.store.evidence import successions as stored_successions
from nacre.store.evidence.outdated import LikelySuccessor, Mark
from nacre.store.reads import associations as stored
from nacre.store.reads import hit_rows
from nacre.store.reads.associations import FactRow
from nacre.store.tables.columns import to_microseconds

_KINDS = list(Kind)
# A memory that says in a hint all that the question asks scores at least this.
HINTED = 0.75
# What a reranker reads of a passage where none does.
UNREAD = RerankPassage("")
# So many turns are kept as they were read, if they are no longer than this.
MOST_KEPT, LONGEST_KEPT = 4_096, 1_000
# So many links and claims are looked through for what took the place of something.
LOOKED_AT = 200


class TopPassages(NamedTuple):
    """Candidates, the memories that may be replaced: newer and older, and what likely makes candidates outdated."""

    candidates: list[RerankCandidate]
    doubted: list[tuple[UUID, UUID]]
    followers: Mapping[UUID, Sequence[LikelySuccessor]]


def load_candidates(
    searched: Sequence[ScopeScores], ranking: PassageScores, question: Question, depth: int, reading: StatementWeights
) -> TopPassages:
    """The best hits of all that was searched, in one order, with what a reranker reads of the first `depth`."""
    among = token_ranking.AMONG if ranking.fits else judgements.AMONG
    best = reading.best([each.view for each in searched], ranking.scores, max(question.limit, depth, among))
    docs: list[int] = best.tolist()
    loaded = TopPassages([], [], {})
    start = 0
    for each in searched:
        end = start + len(each.view)
        own = [doc - start for doc in docs if start <= doc < end]
        before = _before(each.view, [doc - start for doc in docs[:depth] if start <= doc < end], question)
        fits = {doc: ranking.fits[start + doc] for doc in own if start + doc in ranking.fits}
        of_scope = _of_scope(
            each,
            PassageScores(ranking.scores[start:end], fits, ranking.alone[start:end]),
            question,
            own,
            before,
            reading=reading,
            reranked=depth > 0,
        )
        loaded = TopPassages(
            loaded.candidates + of_scope.candidates,
            loaded.doubted + of_scope.doubted,
            {**loaded.followers, **of_scope.followers},
        )
        start = end
    return loaded._replace(candidates=sorted(loaded.candidates, key=lambda each: -each.hit.score))


def _of_scope(
    searched: ScopeScores,
    ranking: PassageScores,
    question: Question,
    docs: Sequence[int],
    before: Mapping[int, int],
    *,
    reading: StatementWeights,
    reranked: bool,
) -> TopPassages:
    """The candidates among some passages of one scope, and what took the place of any of them."""
    found = load(searched.tx, searched.view, {*docs, *before.values()}, question.as_of)
    # What it said then may have been purged from the log since.
    docs = [doc for doc in docs if doc in found]
    items = {found[doc].id for doc in docs}
    tx = searched.tx
    tx.read_ahead([*outdated.mark_calls(tx, items), *outdated.successor_calls(tx, items)])
    # Without the graph nothing is known to have changed.
    known = facts.resting_on(searched.tx, found.values()) if "graph" in searched.scores and not question.as_of else []
    standing = facts.standing(known)
    doubted = stored_successions.find_doubted(searched.tx, {one.id: one.doubts for one in found.values()})
    hinted = {one.id: hint for one in found.values() if one.hints and (hint := _hinted(searched, one))}
    scores: list[float] = ranking.scores[docs].tolist()
    worth = {
        one.id: reading.weigh(searched.view, doc, score, one.text, one.at)
        for doc, score in zip(docs, scores, strict=True)
        for one in [found[doc]]
    }
    for key in hinted.keys() & worth.keys():
        worth[key] = max(worth[key], hinted[key])
    worth = facts.inherited(worth, known)
    told = [doc for doc in docs if doc in ranking.fits and not ranking.alone[doc]]
    fits = _inherited_fits({found[doc].id: ranking.fits[doc] for doc in told}, known)
    vectors = searched.view.vectors.get(searched.asked.space or "")
    marks = outdated.find_marks(searched.tx, list(worth), question.as_of)
    given = _given(searched, docs) if question.explain else [{} for _ in docs]
    candidates: list[RerankCandidate] = []
    for doc, gave in zip(docs, given, strict=True):
        row = found[doc]
        key = row.id
        if question.explain and key in hinted:
            gave["hint"] = hinted[key]
        if question.explain and (fit := ranking.fits.get(doc)):
            gave["tokens"] = fit
        hit = _hit(row, worth[key], gave, standing.get(key))
        if marks:
            hit = successions.mark_hit(hit, marks.get(key, ()))
        passage = _passage(row, found.get(before.get(doc, NONE))) if reranked else UNREAD
        vector = None if vectors is None else partial(vectors.__getitem__, doc)
        candidates.append(RerankCandidate(hit, passage, vector, fits.get(key) if fits else None))
    followers = _followers(searched, question, marks, worth)
    candidates += _compared(searched, followers) if ranking.fits else followers
    brought = {each.hit.id for each in candidates}
    candidates += [each for each in _successors(searched, question, known, worth) if each.hit.id not in brought]
    return TopPassages(candidates, doubted, outdated.find_successors(tx, items, successions.FOLLOWED_BY))


def _inherited_fits(fits: Mapping[UUID, float], known: Sequence[FactRow]) -> dict[UUID, float]:
    """How well items fit, where what replaced another fits as well as that does."""
    least = min(fits.values(), default=0.0)
    return {
        key: fit + least for key, fit in facts.inherited({key: fit - least for key, fit in fits.items()}, known).items()
    }


def _compared(searched: ScopeScores, candidates: Sequence[RerankCandidate]) -> list[RerankCandidate]:
    """Candidates that were not found, with how well their tokens fit."""
    tokens = searched.asked.tokens
    items = {each.hit.id for each in candidates}
    fits = token_ranking.item_fits(tokens, searched.tx, items, {}) if tokens and items else {}
    return [each._replace(fit=fits.get(each.hit.id)) for each in candidates]


def _followers(
    searched: ScopeScores, question: Question, marks: Mapping[UUID, Sequence[Mark]], worth: Mapping[UUID, float]
) -> list[RerankCandidate]:
    """What made hits outdated and was not found itself, as far as the question allows for it: worth as much as they."""
    missing = successions.missing_followers(marks, worth, filters.passing(searched.view, searched.eligible, question))
    items = {mark.outdated.by for some in marks.values() for mark in some if mark.seq in missing.get(mark.kind, ())}
    searched.tx.read_ahead(outdated.successor_calls(searched.tx, items))
    loaded = {
        kind: _load_seqs(searched.tx, searched.view, kind, sorted(seqs), question.as_of)
        for kind, seqs in missing.items()
    }
    # What made another outdated may have been outdated itself since.
    gone = outdated.find_marks(searched.tx, items, question.as_of) if items else {}
    return [
        RerankCandidate(
            successions.mark_hit(_hit(each, missing[kind][seq], {}, None), gone.get(each.id, ())), _passage(each, None)
        )
        for kind, some in loaded.items()
        for seq, each in some.items()
    ]


class LaterHits(NamedTuple):
    """What made hits outdated and was not found itself, worth nothing; and of each hit what perhaps makes it so."""

    hits: list[Hit]
    likely: Mapping[UUID, LikelySuccessor]


def read_later_ahead(searched: ScopeScores, hits: Sequence[Hit]) -> None:
    """Have what `find_later` needs of the store come with other reads."""
    tx = searched.tx
    items = _later_items(
        hits, _likeliest(outdated.find_successors(tx, {hit.id for hit in hits}, successions.SHOWN_WITH))
    )
    if items:
        tx.read_ahead([*hit_rows.item_calls(tx, items), *outdated.mark_calls(tx, items)])


def find_later(searched: ScopeScores, question: Question, hits: Sequence[Hit]) -> LaterHits:
    """What followed upon hits, as far as the question allows for it."""
    tx = searched.tx
    likely = _likeliest(outdated.find_successors(tx, {hit.id for hit in hits}, successions.SHOWN_WITH))
    items = _later_items(hits, likely)
    if not items:
        return LaterHits([], likely)
    found = _load_passing(searched, question, items)
    marks = outdated.find_marks(tx, items)
    later = [successions.mark_hit(_hit(each, 0.0, {}, None), marks.get(each.id, ())) for each in found]
    return LaterHits(later, likely)


def _load_passing(searched: ScopeScores, question: Question, items: Collection[UUID]) -> list[hit_rows.HitRow]:
    """Those of some turns and memories that a question allows for, as they are now."""
    passes = filters.passing(searched.view, searched.eligible, question)
    return [each for seq, each in hit_rows.load_items(searched.tx, items).items() if passes(seq)]


def _likeliest(successors: Mapping[UUID, Sequence[LikelySuccessor]]) -> dict[UUID, LikelySuccessor]:
    return {older: newer[-1] for older, newer in successors.items()}


def _later_items(hits: Sequence[Hit], likely: Mapping[UUID, LikelySuccessor]) -> list[UUID]:
    """What made hits outdated, or may have, and is none of them."""
    items = {mark.by for hit in hits for mark in hit.outdated}.union(each.id for each in likely.values())
    return sorted(items - {hit.id for hit in hits}, key=attrgetter("int"))


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
    tx = searched.tx
    tx.read_ahead([*outdated.mark_calls(tx, items), *outdated.successor_calls(tx, items)])
    loaded = _load_passing(searched, question, items)
    marks = outdated.find_marks(tx, items)
    return [
        RerankCandidate(
            successions.mark_hit(_hit(each, items[each.id], {}, HitStanding.CURRENT), marks.get(each.id, ())),
            _passage(each, None),
        )
        for each in loaded
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


def load(tx: Transaction, view: View, docs: Iterable[int], as_of: datetime | None) -> dict[int, hit_rows.HitRow]:
    """The rows of some passages of a view, as they are now or were then; what was said does not change."""
    wanted = list(docs)
    rows_by_doc = {doc: row for doc in wanted if (row := view.turns.get(doc))}
    missing = [doc for doc in wanted if doc not in rows_by_doc]
    by_kind: dict[Kind, dict[int, int]] = defaultdict(dict)
    for doc, kind, seq in zip(missing, view.kind[missing].tolist(), view.seq[missing].tolist(), strict=True):
        by_kind[_KINDS[kind]][seq] = doc
    loaded = hit_rows.load(tx, {kind: list(places) for kind, places in by_kind.items()}, as_of)
    for kind, places in by_kind.items():
        fresh = {places[seq]: each for seq, each in loaded[kind].items()}
        if kind is Kind.TURN:
            _keep(view, fresh)
        rows_by_doc |= fresh
    return rows_by_doc


def _load_seqs(
    tx: Transaction, view: View, kind: Kind, seqs: Sequence[int], as_of: datetime | None
) -> dict[int, hit_rows.HitRow]:
    """The rows of passages of one kind by sequence number, of which some may be out of view."""
    places = dict(zip(seqs, view.docs(seqs), strict=True))
    kept = {seq: row for seq, doc in places.items() if (row := view.turns.get(doc))}
    missing = [seq for seq in seqs if seq not in kept]
    loaded = hit_rows.load(tx, {kind: missing}, as_of)[kind] if missing else {}
    return {seq: row for seq in seqs if (row := kept.get(seq) or loaded.get(seq))}


def _keep(view: View, turns: Mapping[int, hit_rows.HitRow]) -> None:
    """Keep turns that were read beside their index, which is emptied of them when there are too many."""
    if len(view.turns) + len(turns) > MOST_KEPT:
        view.turns.clear()
    view.turns.update({doc: row for doc, row in turns.items() if len(row.text) <= LONGEST_KEPT})


def _hinted(searched: ScopeScores, finding: hit_rows.HitRow) -> float:
    """What a memory is worth for its hints, the words that it is to be found by."""
    languages = searched.view.languages
    return HINTED * max((channels.share(searched.asked, hint, languages) for hint in finding.hints), default=0.0)


def _given(searched: ScopeScores, docs: Sequence[int]) -> list[dict[str, float]]:
    """What each channel gave to passages, of those that gave them anything."""
    places = np.array(docs, np.intp)
    gifts: list[dict[str, float]] = [{} for _ in docs]
    for name, scores in searched.scores.items():
        for gave, score in zip(gifts, scores[places].tolist(), strict=True):
            if score:
                gave[name] = score
    return gifts


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
