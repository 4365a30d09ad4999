"""Questions: each becomes hits, stage by stage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from nacre.domain.hits import Hit, Kind, Recall
from nacre.domain.questions import Question, Rerank
from nacre.domain.scopes import Scope
from nacre.graph.identity import matching
from nacre.graph.identity.matching import EntityMatch
from nacre.models.embedders import Embedder
from nacre.recall import (
    channels,
    facts,
    judgements,
    queries,
    relevance,
    rows,
    scores,
    shortlists,
    successions,
    token_ranking,
)
from nacre.recall.bm25 import Floats
from nacre.recall.filters import ScopeQuery
from nacre.recall.indexes import Indexes
from nacre.recall.reranking import RerankCandidate, RerankingPolicy, comparable
from nacre.recall.scores import ScopeScores
from nacre.recall.statements import StatementWeights
from nacre.recall.token_ranking import QuestionReader
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence.learned_transactions import SettledTransactions
from nacre.store.evidence.outdated import LikelySuccessor
from nacre.text.times import Period

FOUND_BY_WORDS = (
    "Found by words alone, because the scope is too large for memory and has no index of its vectors:"
    " see `nacre db index`."
)
BEHIND = "Not all that was said is part of the graph yet: beliefs may be older than what was said last."


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may answer a question, best first, and which memories may be replaced by which: newer and older ones."""

    question: Question
    asked: channels.EmbeddedQuery
    searched: Sequence[ScopeScores]
    candidates: Sequence[RerankCandidate]
    doubted: Sequence[tuple[UUID, UUID]]
    # What likely makes others of them outdated, by those.
    followers: Mapping[UUID, Sequence[LikelySuccessor]]
    # When, where the question says so.
    periods: Sequence[Period]
    notes: tuple[str, ...]
    # Whether the tokens of the best were compared with those of the question.
    compared: bool
    # The probability that what was searched has to do with the question.
    related: float

    @property
    def hits(self) -> list[Hit]:
        """The candidates as hits, best first."""
        return [each.hit for each in self.candidates]

    def named_in(self, scope: Scope) -> Sequence[EntityMatch] | None:
        """The entities of a scope that the question names, where its graph was asked."""
        return next((each.named for each in self.searched if each.tx.scope == scope), None)

    @property
    def fits(self) -> dict[UUID, float]:
        """How well the tokens of those that were compared fit the question."""
        return {each.hit.id: each.fit for each in self.candidates if each.fit is not None}

    def vectors_of(self, hits: Sequence[Hit]) -> dict[UUID, Floats]:
        """The vectors of some hits, of those that have any."""
        wanted = {hit.id for hit in hits}
        return {each.hit.id: each.vector() for each in self.candidates if each.vector and each.hit.id in wanted}

    def fits_in(self, scope: Scope) -> dict[UUID, float]:
        """How well the tokens of turns and memories fit the question, where only a scope's were compared with it."""
        return {} if any(each.tx.scope != scope for each in self.searched) else self.fits


class Recaller:
    """Answers questions from the indexes of one database."""

    def __init__(
        self,
        database: SettledTransactions,
        indexes: Indexes,
        embedder: Embedder | None,
        reranking: RerankingPolicy,
        lacking: Callable[[Scope], None],
        *,
        ranker: QuestionReader | None = None,
        with_graph: bool = True,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._ranker = ranker
        self._reranking = reranking
        self._lacking = lacking
        self._with_graph = with_graph
        self.embedder = embedder

    def recall(self, scope: Scope, question: Question) -> Recall:
        """The passages that best answer the question, best first."""
        asked, notes = self.ask(question.text, question.rerank)
        found = self.answer(scope, question, asked)
        return replace(found, notes=notes + found.notes)

    def ask(self, text: str, rerank: Rerank | None = None) -> tuple[channels.EmbeddedQuery, tuple[str, ...]]:
        """A text as the channels take it, with the vectors of its tokens where hits are compared with them."""
        asked, notes = queries.ask(self.embedder, text)
        if self._ranker is None or (rerank or self._reranking.default) is not Rerank.FAST or not comparable(text):
            return asked, notes
        return replace(asked, tokens=self._ranker.question_tokens(text)), notes

    def fit_texts(self, asked: channels.EmbeddedQuery) -> Callable[[Sequence[str]], Sequence[float]] | None:
        """Tells how well short texts that stand alone fit a question, where tokens are compared."""
        if self._ranker is None or asked.tokens is None:
            return None
        return partial(token_ranking.text_fits, self._ranker, asked.tokens)

    def answer(self, scope: Scope, question: Question, asked: channels.EmbeddedQuery) -> Recall:
        """The hits for a question whose text was made ready already."""
        with self._database.read(scope, lambda tx: self._names_ahead(tx, question)) as tx:
            found = self.find(tx, question, asked)
        # No connection is held meanwhile: reranking takes longer than everything before it.
        return self.judge(found)

    def _names_ahead(self, tx: Transaction, question: Question) -> Sequence[Call]:
        """What finds the entities that a question names, where its graph is asked."""
        return matching.name_calls(tx, question.text) if self._with_graph else ()

    def find(self, tx: Transaction, question: Question, asked: channels.EmbeddedQuery, whole: int = 0) -> Candidates:
        """What may answer a question, as far as it takes a transaction to tell; `judge` makes hits of it.

        Where no more than `whole` passages are searched, any of them may.
        """
        periods = queries.asked_periods(tx, question)
        searched = [
            self.search(home, question, held, asked, periods=periods, among=queries.among_passages(home, question))
            for place, held in sharing.places(tx).items()
            if question.kinds is None or not held.isdisjoint(question.kinds)
            for home in [sharing.moved(tx, place)]
        ]
        holding = [each for each in searched if len(each.view)]
        ranking = scores.rank(holding, whole)
        related = max((relevance.relatedness(each.strength()) for each in holding), default=0.0)
        compared = bool(ranking.fits)
        depth = 0 if compared else self._reranking.depth(question)
        best = rows.load_candidates(holding, ranking, question, depth, StatementWeights(periods))
        candidates = best.candidates
        if self._with_graph and question.categories is None:
            candidates = rows.with_facts(searched, question, candidates)
        notes = found_by_words(searched) + ((BEHIND,) if tx.behind else ())
        return Candidates(
            question,
            asked,
            searched,
            candidates,
            best.doubted,
            best.followers,
            periods,
            notes,
            compared=compared,
            related=related,
        )

    def judge(self, candidates: Candidates) -> Recall:
        """The hits among candidates, best first."""
        question, asked = candidates.question, candidates.asked
        for each in candidates.searched:
            if len(each.view) and asked.space and asked.space not in each.view.vectors:
                # The embedder speaks of a space that the scope has no vectors of yet.
                self._lacking(each.tx.scope)
        hits = tuple(each.hit for each in candidates.candidates)
        ranked = Recall(hits) if candidates.compared else self._reranking.ranked(question, candidates.candidates)
        ordered = judgements.reorder_hits(ranked.hits, candidates.doubted)
        if candidates.compared:
            ordered = token_ranking.by_fit(ordered, candidates.fits, candidates.periods)
        followers = {} if successions.asks_back(question.text) else candidates.followers
        hits = tuple(successions.outdated_last(ordered, followers, candidates.periods)[: question.limit])
        # Where the question says when, the order goes by that.
        if not candidates.periods:
            hits = successions.newest_first(hits, candidates.vectors_of(hits[: successions.DEPTH]), asked.threshold)
        related = candidates.related
        recalled = Recall(judgements.with_relevance(hits, related), ranked.notes + candidates.notes, related)
        return recalled if question.min_score is None else judgements.relevant(recalled, question.min_score)

    def search(
        self,
        tx: Transaction,
        question: Question,
        kinds: frozenset[Kind],
        asked: channels.EmbeddedQuery,
        *,
        periods: Sequence[Period],
        among: Sequence[int] | None = None,
    ) -> ScopeScores:
        """What the transaction's scope has to say to a question: of the kinds that count there, `among` some of it.

        `periods` are those that the question speaks of.
        """
        sought = ScopeQuery(
            question=question,
            asked=asked,
            held=kinds,
            among=among,
            periods=periods,
            # A scope that only lends its memories or documents keeps its graph to itself.
            with_graph=self._with_graph and kinds >= facts.KINDS,
        )
        view = self._indexes.answering(tx, asked, sought.wanted)
        searched, beyond = scores.score_scope(tx, view, sought)
        if view.part and beyond:
            # The graph knows of passages that neither words nor meaning led to.
            view = shortlists.view(tx, view.part, asked.space, view.revision, beyond)
            searched, _ = scores.score_scope(tx, view, sought)
        return searched


def found_by_words(searched: Sequence[ScopeScores]) -> tuple[str, ...]:
    """A note where a scope was too large for memory and meaning found nothing in it."""
    parts = [each.view.part for each in searched if each.asked.space]
    return (FOUND_BY_WORDS,) if any(part and not part.by_meaning for part in parts) else ()
