"""A question of the documents' own form: filtered, told once to a session, and with what the graph knows."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from nacre.domain import checks
from nacre.domain.answers import Answer, AnswerAspect, AnswerEntity, AnswerItem, MemoryQuery
from nacre.domain.claims import Claim
from nacre.domain.hits import Hit, Kind
from nacre.domain.memories import MemoryFilter, MemoryMatch
from nacre.domain.questions import Question, Rerank
from nacre.domain.scopes import Scope
from nacre.graph.identity import matching
from nacre.recall.memories import MemorySearch
from nacre.recall.queries import WORDS_ALONE
from nacre.recall.questions import Recaller
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction, Transactions
from nacre.store.evidence import memories, offers
from nacre.store.graph import claims, entities

MAX_ENTITIES = 5
MAX_ASPECTS = 10
MAX_ATTRIBUTES = 20
MAX_CLAIMS = 500
# What is known of entities is told beside the results, so it is none of them.
PASSAGES = frozenset({Kind.TURN, Kind.MEMORY, Kind.DOCUMENT})


class Lookups:
    """Answers questions for the scopes of one database."""

    def __init__(self, database: Transactions, recaller: Recaller, search: MemorySearch, *, with_graph: bool) -> None:
        self._database = database
        self._recaller = recaller
        self._search = search
        self._with_graph = with_graph

    def answer(self, scope: Scope, asked: MemoryQuery) -> Answer:
        """What is known about a question. What a session is told is noted."""
        began = perf_counter()
        with self._database.read(scope) as tx:
            seen = offers.shown_items(tx, asked.session) if asked.session else set()
            known = self._entities(tx, scope, asked.query) if self._with_graph else []
            shared = sharing.of(tx).share_memory
        # What is held back must not take the place of what is not.
        wanted = asked.limit if asked.include_recalled else min(asked.limit + len(seen), checks.MAX_LIMIT)
        found, notes = self._find(scope, asked, wanted)
        told = [replace(each, again=each.id in seen) for each in found]
        shown = [each for each in told if asked.include_recalled or not each.again][: asked.limit]
        fresh = [each.id for each in shown if not each.again]
        if asked.session and fresh:
            with self._database.write(scope) as tx:
                offers.note_shown(tx, asked.session, fresh)
        return Answer(
            found=tuple(shown),
            entities=tuple(known),
            method="keyword" if self._by_words(notes) else "hybrid",
            held_back=sum(each.again for each in told) if not asked.include_recalled else 0,
            notes=notes,
            shared=shared,
            took_ms=round((perf_counter() - began) * 1_000, 1),
        )

    def _by_words(self, notes: Sequence[str]) -> bool:
        return self._recaller.embedder is None or any(note.startswith(WORDS_ALONE) for note in notes)

    def _find(self, scope: Scope, asked: MemoryQuery, limit: int) -> tuple[list[AnswerItem], tuple[str, ...]]:
        if asked.of_memories:
            return self._memories(scope, asked, limit), ()
        recalled = self._recaller.recall(scope, _question(asked, asked.kind, limit))
        with self._database.read(scope) as tx:
            home = sharing.moved(tx, sharing.of(tx).memory_home(scope))
            entries = memories.by_id(home, [hit.id for hit in recalled if hit.kind is Kind.MEMORY])
        return [replace(_of_hit(hit), memory=entries.get(hit.id)) for hit in recalled], recalled.notes

    def _memories(self, scope: Scope, asked: MemoryQuery, limit: int) -> list[AnswerItem]:
        if asked.kind not in (None, Kind.MEMORY):
            return []
        wanted = MemoryFilter(
            category=asked.category,
            tags=asked.tags,
            since=asked.since,
            until=asked.until,
            importance_min=asked.importance_min,
            pinned=asked.pinned,
            noted=tuple((name, value) for name, value in (("who", asked.who), ("project", asked.project)) if value),
        )
        with self._database.read(scope) as tx:
            home = sharing.of(tx).memory_home(scope)
        found = [_of_match(match) for match in self._search.search(home, asked.query, wanted, limit)]
        if not asked.explain:
            return found
        explaining = replace(_question(asked, Kind.MEMORY, checks.MAX_LIMIT), rerank=Rerank.OFF)
        every = self._recaller.recall(scope, explaining)
        channels = {hit.id: hit.channels for hit in every}
        return [replace(each, channels=channels.get(each.id, {})) for each in found]

    def _entities(self, tx: Transaction, scope: Scope, query: str) -> list[AnswerEntity]:
        """What is believed of the entities that a question names."""
        graph = sharing.moved(tx, sharing.of(tx).graph_home(scope))
        named = [each.entity_id for each in matching.find(graph, query)[:MAX_ENTITIES]]
        held = entities.by_id(graph, named)
        return [
            AnswerEntity(entity=held[key], aspects=_aspects(claims.of_entity(graph, key, limit=MAX_CLAIMS)))
            for key in named
        ]


def _question(asked: MemoryQuery, kind: Kind | None, limit: int) -> Question:
    return Question(
        text=asked.query,
        limit=limit,
        kinds=frozenset({kind}) if kind else PASSAGES,
        since=asked.since,
        until=asked.until,
        explain=asked.explain,
    )


def _aspects(stored_claims: Sequence[Claim]) -> tuple[AnswerAspect, ...]:
    """Claims by aspect, the weightiest aspects and the most important claims first."""
    sides: dict[str, list[Claim]] = defaultdict(list)
    for claim in stored_claims:
        sides[claim.slot.aspect].append(claim)
    return tuple(
        AnswerAspect(name=name, attributes=tuple(sorted(side, key=lambda each: -each.importance)[:MAX_ATTRIBUTES]))
        for name, side in list(sides.items())[:MAX_ASPECTS]
    )


def _of_hit(hit: Hit) -> AnswerItem:
    return AnswerItem(
        id=hit.id,
        kind=hit.kind,
        content=hit.text,
        score=hit.score,
        at=hit.at,
        source=hit.source.id,
        session=hit.source.session,
        ref=hit.source.ref,
        speaker=hit.source.speaker,
        channels=hit.channels,
    )


def _of_match(match: MemoryMatch) -> AnswerItem:
    memory = match.memory
    return AnswerItem(
        id=memory.id,
        kind=Kind.MEMORY,
        content=memory.content,
        score=match.score or 0.0,
        at=memory.created_at,
        source=memory.source,
        memory=memory,
    )
