"""A search over the vault: documents, episodes and the graph at once, each ranked by how well it fits."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from nacre.domain.documents import DocumentInfo, FoundIn, VaultHit, VaultHits, VaultQuery, visibility_of
from nacre.domain.entities import Entity
from nacre.domain.hits import Hit, Kind
from nacre.domain.questions import Question, Rerank
from nacre.domain.scopes import Scope
from nacre.graph.identity import matching
from nacre.graph.reading import searching as entities
from nacre.recall import channels, fusion, text_ranking
from nacre.recall.bm25 import Floats
from nacre.recall.queries import ask, asked_periods
from nacre.recall.questions import Recaller, found_by_words
from nacre.recall.scores import ScopeScores, fused
from nacre.store.base import sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import documents
from nacre.store.graph import entities as stored_entities
from nacre.store.reads import hit_rows
from nacre.text import markdown
from nacre.text.tokens import content_words

WEIGHTS = {FoundIn.VAULT: 0.4, FoundIn.EPISODES: 0.3, FoundIn.GRAPH: 0.3}
# So many passages are looked at, at most.
_PASSAGES = 1_000
# By so many of its words a query finds entities, so many by each.
_WORDS, _A_WORD = 8, 20


class PassageScore(NamedTuple):
    """A part of a document, and how well it fits."""

    seq: int
    score: float


class VaultSearch:
    """Answers searches over the vaults of one database."""

    def __init__(self, database: Database, recaller: Recaller, graphs: Homes) -> None:
        self._database = database
        self._recaller = recaller
        self._graphs = graphs

    def search(self, scope: Scope, query: VaultQuery) -> VaultHits:
        """What fits a query, best first: a score is relevance beside the best of its origin, times its weight."""
        asked, notes = ask(self._recaller.embedder, query.text)
        looked = {
            FoundIn.VAULT: self._documents,
            FoundIn.EPISODES: self._episodes,
            FoundIn.GRAPH: self._entities,
        }
        found = {origin: look(scope, query, asked) for origin, look in looked.items() if origin in query.origins}
        items = [
            replace(item, score=WEIGHTS[origin] * item.score)
            for origin, each in found.items()
            for item in _beside_the_best(each.items)
        ]
        notes += tuple(dict.fromkeys(note for each in found.values() for note in each.notes))
        # Sorting keeps the order of what scores the same: first documents, then episodes.
        return VaultHits(items=tuple(sorted(items, key=lambda item: -item.score)[: query.limit]), notes=notes)

    def _documents(self, scope: Scope, query: VaultQuery, asked: channels.EmbeddedQuery) -> VaultHits:
        question = Question(text=query.text, limit=query.limit, kinds=frozenset({Kind.DOCUMENT}))
        with self._database.read(scope) as tx:
            homes = [sharing.moved(tx, place) for place in sharing.with_documents(tx) if _wanted(place, query)]
            periods, kinds = asked_periods(tx, question), frozenset({Kind.DOCUMENT})
            searched = [
                self._recaller.search(home, question, kinds, asked, periods=periods, among=_below(home, query.prefix))
                for home in homes
            ]
            best = _best_documents([each for each in searched if len(each.view)], query)
            return VaultHits(items=tuple(best), notes=found_by_words(searched))

    def _episodes(self, scope: Scope, query: VaultQuery, asked: channels.EmbeddedQuery) -> VaultHits:
        kinds = frozenset({Kind.TURN, Kind.MEMORY})
        # Beside documents and entities, which are not reranked either.
        question = Question(text=query.text, limit=query.limit, kinds=kinds, rerank=Rerank.OFF)
        words = content_words(query.text)
        recalled = self._recaller.answer(scope, question, asked)
        return VaultHits(items=tuple(_episode(hit, words) for hit in recalled), notes=recalled.notes)

    def _entities(self, scope: Scope, query: VaultQuery, _asked: channels.EmbeddedQuery) -> VaultHits:
        words = list(dict.fromkeys(content_words(query.text)))
        with self._graphs.read(scope) as tx:
            mentioned = [each.entity_id for each in matching.find(tx, query.text)]
            named = stored_entities.by_id(tx, mentioned).values() if mentioned else ()
            by_words = [each for word in words[:_WORDS] for each in entities.search(tx, word, limit=_A_WORD)]
        known = list({entity.id: entity for entity in [*named, *by_words]}.values())
        texts = [" ".join([each.name, *each.aliases, each.description or ""]) for each in known]
        ranked = text_ranking.rank(texts, query.text, self._recaller.embedder)
        return VaultHits(items=tuple(_entity(known[place], score, words) for place, score in ranked))


def _beside_the_best(items: Sequence[VaultHit]) -> list[VaultHit]:
    best = max((item.score for item in items), default=0.0)
    return [replace(item, score=item.score / best) for item in items] if best > 0 else []


def _wanted(place: Scope, query: VaultQuery) -> bool:
    kept = query.visibility is None or visibility_of(place) is query.visibility
    return kept and (query.team is None or place.team == query.team)


def _below(home: Transaction, prefix: str | None) -> Sequence[int] | None:
    return None if prefix is None else documents.seqs(home, prefix)


def _best_documents(searched: list[ScopeScores], query: VaultQuery) -> Iterator[VaultHit]:
    """The documents whose best passage fits best, each once."""
    scores = fused(searched)
    scores_by_document: list[dict[UUID, PassageScore]] = []
    # Many passages may be of one document; then more of them are looked at.
    for looked in (min(10 * query.limit, _PASSAGES), _PASSAGES):
        best = fusion.best(scores, looked)
        scores_by_document = [_by_document(each, own) for each, own in _own(searched, best, scores)]
        if sum(map(len, scores_by_document)) >= query.limit:
            break
    words = content_words(query.text)
    for each, passages in zip(searched, scores_by_document, strict=True):
        yield from _shown(each.tx, dict(islice(passages.items(), query.limit)), words)


def _own(
    searched: list[ScopeScores], best: Iterable[int], scores: Floats
) -> Iterator[tuple[ScopeScores, list[PassageScore]]]:
    """The passages among the best that are of each scope, best first."""
    start = 0
    for each in searched:
        end = start + len(each.view)
        yield (
            each,
            [PassageScore(int(each.view.seq[doc - start]), float(scores[doc])) for doc in best if start <= doc < end],
        )
        start = end


def _by_document(searched: ScopeScores, passages: list[PassageScore]) -> dict[UUID, PassageScore]:
    part_of = documents.parts(searched.tx, [each.seq for each in passages]) if passages else {}
    scores_by_document: dict[UUID, PassageScore] = {}
    for each in passages:
        if each.seq in part_of:
            scores_by_document.setdefault(part_of[each.seq], each)
    return scores_by_document


def _shown(tx: Transaction, chosen: dict[UUID, PassageScore], words: list[str]) -> Iterator[VaultHit]:
    held = documents.by_id(tx, list(chosen))
    seqs = {Kind.DOCUMENT: [each.seq for each in chosen.values()]} if chosen else {}
    said = hit_rows.load(tx, seqs).get(Kind.DOCUMENT, {})
    for key, each in chosen.items():
        yield _document(held[key].document, said[each.seq].text, each.score, words)


def _document(document: DocumentInfo, text: str, score: float, words: Iterable[str]) -> VaultHit:
    return VaultHit(
        origin=FoundIn.VAULT,
        kind=Kind.DOCUMENT.value,
        id=document.id,
        title=document.title,
        snippet=markdown.snippet(text, words),
        score=score,
        path=document.path,
        visibility=document.visibility,
        team=document.team,
    )


def _episode(hit: Hit, words: Iterable[str]) -> VaultHit:
    who = hit.source.speaker or hit.source.role or hit.kind.value
    return VaultHit(
        origin=FoundIn.EPISODES,
        kind=hit.kind.value,
        id=hit.id,
        title=f"{who}, {hit.at:%Y-%m-%d}",
        snippet=markdown.snippet(hit.text, words),
        score=hit.score,
    )


def _entity(entity: Entity, score: float, words: Iterable[str]) -> VaultHit:
    return VaultHit(
        origin=FoundIn.GRAPH,
        kind=entity.type.value,
        id=entity.id,
        title=entity.name,
        snippet=markdown.snippet(entity.description or "", words),
        score=score,
    )
