"""A question becomes hits."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np
import numpy.typing as npt

from nacre.domain.errors import Unavailable
from nacre.domain.hits import Hit, Kind, Recall, Standing
from nacre.domain.questions import Question
from nacre.domain.scopes import Scope
from nacre.graph.matching import Found
from nacre.models.embedders import Embedder
from nacre.models.rerankers import Passage
from nacre.recall import (
    associations,
    channels,
    doubts,
    facts,
    filters,
    fusion,
    judgements,
    relevance,
    shortlists,
    successions,
)
from nacre.recall.bm25 import Floats
from nacre.recall.filters import ScopeQuery
from nacre.recall.index import FOREVER, NONE, View
from nacre.recall.indexes import Indexes
from nacre.recall.relevance import Strength
from nacre.recall.reranking import Candidate, Reranking
from nacre.recall.statements import Statements
from nacre.store import associations as stored
from nacre.store import findings, memories, outdated, sharing
from nacre.store import successions as stored_successions
from nacre.store.associations import Known
from nacre.store.columns import to_microseconds
from nacre.store.databases import Transaction, Transactions
from nacre.store.memories import Filter
from nacre.store.outdated import Mark
from nacre.text import periods
from nacre.text.times import Period

_KINDS = list(Kind)
BY_WORDS = frozenset({"lexical", "window", "talk", "session"})
WORDS_ALONE = "Ranked by words alone"
FOUND_BY_WORDS = (
    "Found by words alone, because the scope is too large for memory and has no index of its vectors:"
    " see `nacre db index`."
)
BEHIND = "Not all that was said is part of the graph yet: beliefs may be older than what was said last."
# A memory that says in a hint all that the question asks scores at least this.
HINTED = 0.75
# The passages whose entities may lead to others.
FIRST = 3


@dataclass(frozen=True, slots=True)
class Searched:
    """What one scope has to say to a question: each passage's scores, and which passages count."""

    tx: Transaction
    view: View
    asked: channels.Asked
    scores: Mapping[str, Floats]
    eligible: npt.NDArray[np.bool_]
    # The passages that were found without the graph, and what the graph knows of whom the question names.
    first: Sequence[int] = ()
    known: Sequence[Known] = ()
    # The mean of words and meaning among those that count, where it was worked out on the way.
    mean: Floats | None = None
    # The entities that the question names, where the graph was asked.
    named: Sequence[Found] | None = None

    def strength(self) -> Strength:
        """How strongly the scope answers to a question."""
        named = bool(self.named) or bool(self.scores["speaker"].any())
        return judgements.strength(self.view, self.asked, self.scores, self.eligible, names=named)

    def comparable(self, languages: frozenset[str]) -> dict[str, Floats]:
        """The scores, those of words as a share of what they could be: rare means another thing in each scope."""
        share = np.float32(1 / channels.attainable(self.view, self.asked, languages))
        return {name: scores * share if name in BY_WORDS else scores for name, scores in self.scores.items()}


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may answer a question, best first, and which memories may be replaced by which: newer and older ones."""

    question: Question
    asked: channels.Asked
    searched: Sequence[Searched]
    candidates: Sequence[Candidate]
    doubted: Sequence[tuple[UUID, UUID]]
    # When, where the question says so.
    periods: Sequence[Period]
    notes: tuple[str, ...]

    def named_in(self, scope: Scope) -> Sequence[Found] | None:
        """The entities of a scope that the question names, where its graph was asked."""
        return next((each.named for each in self.searched if each.tx.scope == scope), None)


class Recaller:
    """Answers questions from the indexes of one database."""

    def __init__(
        self,
        database: Transactions,
        indexes: Indexes,
        embedder: Embedder | None,
        reranking: Reranking,
        lacking: Callable[[Scope], None],
        *,
        with_graph: bool = True,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._reranking = reranking
        self._lacking = lacking
        self._with_graph = with_graph
        self.embedder = embedder

    def recall(self, scope: Scope, question: Question) -> Recall:
        """The passages that best answer the question, best first."""
        asked, notes = ask(self.embedder, question.text)
        found = self.answer(scope, question, asked)
        return replace(found, notes=notes + found.notes)

    def answer(self, scope: Scope, question: Question, asked: channels.Asked) -> Recall:
        """The hits for a question whose text was made ready already."""
        with self._database.read(scope) as tx:
            found = self.find(tx, question, asked)
        # No connection is held meanwhile: reranking takes longer than everything before it.
        return self.judge(found)

    def find(self, tx: Transaction, question: Question, asked: channels.Asked) -> Candidates:
        """What may answer a question, as far as it takes a transaction to tell; `judge` makes hits of it."""
        searched = [
            self.search(home, question, held, asked, _among(home, question))
            for place, held in sharing.places(tx).items()
            if question.kinds is None or not held.isdisjoint(question.kinds)
            for home in [sharing.moved(tx, place)]
        ]
        holding = [each for each in searched if len(each.view)]
        asked_of = asked_periods(tx, question)
        candidates, doubted = _best(holding, question, self._reranking.depth(question), Statements(asked_of))
        if self._with_graph and question.categories is None:
            candidates = _with_facts(searched, question, candidates)
        notes = found_by_words(searched) + ((BEHIND,) if tx.behind else ())
        return Candidates(question, asked, searched, candidates, doubted, asked_of, notes)

    def judge(self, found: Candidates) -> Recall:
        """The hits among candidates, best first."""
        question, asked = found.question, found.asked
        holding = [each for each in found.searched if len(each.view)]
        for each in holding:
            if asked.space and asked.space not in each.view.vectors:
                # The embedder speaks of a space that the scope has no vectors of yet.
                self._lacking(each.tx.scope)
        ranked = self._reranking.ranked(question, found.candidates)
        vectors = {each.hit.id: each.vector for each in found.candidates if each.vector is not None}
        ordered = successions.outdated_last(doubts.reorder_hits(ranked.hits, found.doubted), found.periods)
        hits = tuple(ordered[: question.limit])
        # Where the question says when, the order goes by that.
        if not found.periods:
            hits = successions.newest_first(hits, vectors, asked.threshold)
        related = max((relevance.relatedness(each.strength()) for each in holding), default=0.0)
        recalled = Recall(judgements.with_relevance(hits, related), ranked.notes + found.notes, related)
        return recalled if question.min_score is None else judgements.relevant(recalled, question.min_score)

    def search(
        self,
        tx: Transaction,
        question: Question,
        held: frozenset[Kind],
        asked: channels.Asked,
        among: Sequence[int] | None = None,
    ) -> Searched:
        """What the transaction's scope has to say to a question: of the kinds that count there, `among` some of it."""
        sought = ScopeQuery(
            question=question,
            asked=asked,
            held=held,
            among=among,
            periods=asked_periods(tx, question),
            # A scope that only lends its memories or documents keeps its graph to itself.
            with_graph=self._with_graph and held >= facts.KINDS,
        )
        view = self._indexes.answering(tx, asked, sought.wanted)
        searched, beyond = _searched(tx, view, sought)
        if view.part and beyond:
            # The graph knows of passages that neither words nor meaning led to.
            view = shortlists.view(tx, view.part, asked.space, view.revision, beyond)
            searched, _ = _searched(tx, view, sought)
        return searched


def _searched(tx: Transaction, view: View, sought: ScopeQuery) -> tuple[Searched, frozenset[int]]:
    """What a view has to say to a question, and the passages that its graph would lend to, were they in it."""
    question, asked = sought.question, sought.asked
    mask = filters.visible(view, question, sought.held)
    if sought.among is not None:
        mask &= np.isin(view.seq, sought.among)
    scores = channels.score(view, asked)
    scores["time"] = channels.time(view, sought.periods)
    if not sought.with_graph:
        return Searched(tx, view, asked, scores, mask), frozenset()
    passable = mask if question.kinds is None else filters.visible(view, replace(question, kinds=None), sought.held)
    mean = fusion.average(view, scores, passable)
    first = fusion.best(fusion.fuse(view, scores, passable, mean), FIRST).tolist()
    associated = associations.associate(tx, view, question.text, first, question.as_of)
    found = Searched(tx, view, asked, scores | associated.scores, mask, first, associated.known, named=associated.named)
    return replace(found, mean=mean) if passable is mask else found, associated.beyond


def asked_periods(tx: Transaction, question: Question) -> list[Period]:
    """The periods that a question speaks of, counted from when it is asked."""
    return periods.asked(question.text, question.asked_at or question.as_of or tx.now)


def _among(tx: Transaction, question: Question) -> Sequence[int] | None:
    """The passages of the memories in the question's categories; None where any will do."""
    if question.categories is None:
        return None
    return sorted({seq for category in question.categories for seq in memories.seqs(tx, Filter(category=category))})


def found_by_words(searched: Sequence[Searched]) -> tuple[str, ...]:
    """A note where a scope was too large for memory and meaning found nothing in it."""
    parts = [each.view.part for each in searched if each.asked.space]
    return (FOUND_BY_WORDS,) if any(part and not part.by_meaning for part in parts) else ()


def ask(embedder: Embedder | None, text: str) -> tuple[channels.Asked, tuple[str, ...]]:
    """The question as the channels take it, and a note when the embedder did not answer."""
    if embedder is None:
        return channels.Asked(text, None, 0.0), ()
    try:
        return channels.Asked(text, embedder.embed_question(text), embedder.threshold), ()
    except Unavailable as error:
        note = f"{WORDS_ALONE}, because the embedder did not answer: {error}"
        return channels.Asked(text, None, 0.0), (note,)


def _best(
    searched: Sequence[Searched], question: Question, depth: int, reading: Statements
) -> tuple[list[Candidate], list[tuple[UUID, UUID]]]:
    """The best hits of all that was searched, in one order, with what a reranker reads of the first `depth`.

    Beside them, which memories may be replaced by which: pairs of a newer and an older one.
    """
    scores = fused(searched)
    ends = np.cumsum([len(each.view) for each in searched])
    docs = reading.best([each.view for each in searched], scores, max(question.limit, depth, doubts.AMONG))
    candidates: list[Candidate] = []
    doubted: list[tuple[UUID, UUID]] = []
    for each, end in zip(searched, ends, strict=True):
        start = int(end) - len(each.view)
        mine = [int(doc) - start for doc in docs if start <= doc < end]
        before = _before(each.view, [int(doc) - start for doc in docs[:depth] if start <= doc < end], question)
        found = _load(each.tx, each.view, {*mine, *before.values()}, question.as_of)
        # Without the graph nothing is known to have changed.
        known = facts.resting_on(each.tx, found.values()) if "graph" in each.scores and not question.as_of else []
        standing = facts.standing(known)
        doubted += stored_successions.find_doubted(each.tx, {one.id: one.doubts for one in found.values()})
        hinted = {one.id: hint for one in found.values() if (hint := _hinted(each, one))}
        worth = {
            one.id: reading.weigh(each.view, doc, float(scores[start + doc]), one.text, one.at)
            for doc in mine
            if (one := found.get(doc))
        }
        worth = facts.inherited({key: max(score, hinted.get(key, 0.0)) for key, score in worth.items()}, known)
        vectors = each.view.vectors.get(each.asked.space or "")
        marks = outdated.find_marks(each.tx, list(worth), question.as_of)
        # What it said then may have been purged from the log since.
        for doc in (doc for doc in mine if doc in found):
            key = found[doc].id
            gave = _gave(each, doc, hinted.get(key, 0.0)) if question.explain else {}
            hit = successions.mark_hit(_hit(found[doc], worth[key], gave, standing.get(key)), marks.get(key))
            passage = _passage(found[doc], found.get(before.get(doc, NONE)))
            candidates.append(Candidate(hit, passage, None if vectors is None else vectors[doc]))
        candidates += _followers(each, question, marks, worth)
    return sorted(candidates, key=lambda each: -each.hit.score), doubted


def _followers(
    searched: Searched, question: Question, marks: Mapping[UUID, Mark], worth: Mapping[UUID, float]
) -> list[Candidate]:
    """What made hits outdated and was not found itself, as far as the question allows for it: worth as much as they."""
    missing = successions.missing_followers(marks, worth, filters.passing(searched.view, searched.eligible, question))
    return [
        Candidate(_hit(each, seqs[seq], {}, None), _passage(each, None))
        for kind, seqs in missing.items()
        for seq, each in findings.load(searched.tx, kind, list(seqs), question.as_of).items()
    ]


def _with_facts(searched: Sequence[Searched], question: Question, candidates: list[Candidate]) -> list[Candidate]:
    """The candidates, and the links and claims that are hits of their own."""
    asked_for = question.kinds is not None and not facts.KINDS.isdisjoint(question.kinds)
    for each in searched:
        known = [*each.known]
        if asked_for:
            first = _load(each.tx, each.view, each.first, question.as_of).values()
            known += [one for one in stored.resting_on(each.tx, [finding.id for finding in first]) if one.holds]
        hits = facts.hits(each.tx, each.asked, each.view.languages, question, known)
        candidates = candidates + [Candidate(hit, Passage(hit.text)) for hit in hits]
    return sorted(candidates, key=lambda each: -each.hit.score)


def _before(view: View, docs: Iterable[int], question: Question) -> dict[int, int]:
    """The doc that stands before each of `docs` in its session, unless it has ended."""
    as_of = to_microseconds(question.as_of) if question.as_of else FOREVER - 1
    found = {doc: int(view.before[doc]) for doc in docs}
    return {doc: before for doc, before in found.items() if before != NONE and view.ended[before] > as_of}


def _passage(finding: findings.Finding, before: findings.Finding | None) -> Passage:
    """What a reranker reads; who says it counts as much as what is said."""
    return Passage(_said(finding), _said(before) if before else "")


def _said(finding: findings.Finding) -> str:
    speaker = finding.source.speaker
    return f"{speaker}: {finding.text}" if speaker else finding.text


def fused(searched: Sequence[Searched]) -> Floats:
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


def _load(tx: Transaction, view: View, docs: Iterable[int], as_of: datetime | None) -> dict[int, findings.Finding]:
    by_kind: dict[Kind, dict[int, int]] = defaultdict(dict)
    for doc in docs:
        by_kind[_KINDS[view.kind[doc]]][int(view.seq[doc])] = doc
    found: dict[int, findings.Finding] = {}
    for kind, places in by_kind.items():
        found |= {places[seq]: each for seq, each in findings.load(tx, kind, list(places), as_of).items()}
    return found


def _hinted(searched: Searched, finding: findings.Finding) -> float:
    """What a memory is worth for its hints, the words that it is to be found by."""
    languages = searched.view.languages
    return HINTED * max((channels.share(searched.asked, hint, languages) for hint in finding.hints), default=0.0)


def _gave(searched: Searched, doc: int, hint: float) -> dict[str, float]:
    """What each channel gave to a passage."""
    given = {name: float(scores[doc]) for name, scores in searched.scores.items()}
    return {name: score for name, score in {**given, "hint": hint}.items() if score}


def _hit(finding: findings.Finding, score: float, gave: Mapping[str, float], standing: Standing | None) -> Hit:
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
