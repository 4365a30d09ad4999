"""Long-term memories found by what they say."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
import numpy.typing as npt

from nacre.domain.hits import Kind
from nacre.domain.memories import Memory, MemoryFilter, MemoryMatch, Note
from nacre.domain.replacements import doubts as doubts_of
from nacre.domain.scopes import Scope
from nacre.memory.duplicates import Neighbour, Neighbourhood
from nacre.models.embedders import Embedder
from nacre.recall import channels, fusion, judgements
from nacre.recall.index import FOREVER, KINDS, View
from nacre.recall.indexes import Indexes
from nacre.recall.queries import ask
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import memories, successions
from nacre.store.graph import row_history
from nacre.store.reads import hit_rows
from nacre.store.reads.shortlists import PassageFilter

NEIGHBOURS = 10
# A cosine this many times the embedder's threshold is enough without a shared word.
SURE = 1.5


@dataclass(frozen=True, slots=True)
class RankedMemory:
    """A memory, how well it fits, its cosine with the question, and whether it shares a word with it."""

    memory: Memory
    score: float
    cosine: float
    in_words: bool


class MemorySearch:
    """Ranks memories by words and meaning alike."""

    def __init__(self, database: Database, indexes: Indexes, embedder: Embedder | None) -> None:
        self._database = database
        self._indexes = indexes
        self._embedder = embedder

    def search(
        self,
        scope: Scope,
        text: str | None,
        memory_filter: MemoryFilter,
        limit: int,
        as_of: datetime | None = None,
        *,
        offset: int = 0,
    ) -> list[MemoryMatch]:
        """Entries that pass a filter: best first, or the last seen first where nothing is asked."""
        if text is None:
            with self._database.read(scope) as tx:
                return [MemoryMatch(memory=memory) for memory in _newest(tx, memory_filter, limit, as_of, offset)]
        asked, _ = ask(self._embedder, text)
        with self._database.read(scope) as tx:
            found = self._find(tx, asked, memory_filter, offset + limit, as_of)[offset:]
        return [MemoryMatch(memory=each.memory, score=each.score) for each in found]

    def relevant(self, tx: Transaction, asked: channels.EmbeddedQuery, limit: int) -> list[Memory]:
        """Entries that truly have to do with a message: they share a word with it, or are surely near in meaning."""
        sure = SURE * asked.threshold
        found = self._find(tx, asked, MemoryFilter(), limit)
        return [each.memory for each in found if each.in_words or each.cosine >= sure > 0]

    def neighbours(self, scope: Scope, note: Note) -> Neighbourhood:
        """The entries that may say what a note says. A save waits for nobody, so a remote embedder is not asked."""
        local = self._embedder if self._embedder and self._embedder.local else None
        asked, _ = ask(local, note.text)
        with self._database.read(scope) as tx:
            # Filtering by category in the database would cost more than looking at a few entries too many.
            view = self._view(tx, asked, None)
            found = _best(tx, view, asked, _eligible(view, None), limit=NEIGHBOURS)
        return Neighbourhood([Neighbour(each.memory, each.cosine or None) for each in found], view.revision)

    def _find(
        self,
        tx: Transaction,
        asked: channels.EmbeddedQuery,
        memory_filter: MemoryFilter,
        limit: int,
        as_of: datetime | None = None,
    ) -> list[RankedMemory]:
        then = None if as_of is None else _then(tx, memory_filter, as_of)
        among = _among(tx, memory_filter) if then is None else list(then)
        view = self._view(tx, asked, among, as_of)
        return _best(tx, view, asked, _eligible(view, among), limit=limit, then=then)

    def _view(
        self, tx: Transaction, asked: channels.EmbeddedQuery, among: list[int] | None, as_of: datetime | None = None
    ) -> View:
        passages = PassageFilter(kinds=frozenset({Kind.MEMORY}), as_of=as_of, among=among)
        return self._indexes.answering(tx, asked, lambda: [passages])


def _best(
    tx: Transaction,
    view: View,
    asked: channels.EmbeddedQuery,
    eligible: npt.NDArray[np.bool_],
    *,
    limit: int,
    then: Mapping[int, Memory] | None = None,
) -> list[RankedMemory]:
    """The best of the eligible entries, as they are now or were `then`."""
    if not eligible.any():
        return []
    lexical = np.where(eligible, channels.words_alone(view, asked), np.float32(0))
    cosine = channels.similarity(view, asked, eligible)
    scores = fusion.hybrid(lexical, cosine)
    # Importance can lift an entry past better matches, so more than are wanted are looked at.
    docs = {int(view.seq[doc]): doc for doc in fusion.best(scores, max(3 * limit, judgements.AMONG))}
    weights = hit_rows.weights_of(tx, list(docs)) if then is None else then
    found = {weights[seq].id: doc for seq, doc in docs.items()}
    given = {weights[seq].id: float(scores[doc]) * _weight(weights[seq].importance) for seq, doc in docs.items()}
    pairs = successions.find_doubted(tx, {weights[seq].id: doubts_of(weights[seq].metadata) for seq in docs})
    better = judgements.settle_scores(given, pairs)
    best = sorted(found, key=lambda key: -better[key])[:limit]
    # Only those that are wanted are loaded whole.
    entries: Mapping[UUID, Memory] = (
        memories.by_id(tx, best) if then is None else {memory.id: memory for memory in then.values()}
    )
    return [
        RankedMemory(entries[key], better[key], float(cosine[found[key]]), bool(lexical[found[key]] > 0))
        for key in best
    ]


def _among(tx: Transaction, memory_filter: MemoryFilter) -> list[int] | None:
    """The passages that pass a filter; None for all that are in force."""
    return None if memory_filter == MemoryFilter() else memories.seqs(tx, memory_filter)


def _eligible(view: View, among: list[int] | None) -> npt.NDArray[np.bool_]:
    if among is None:
        in_force: npt.NDArray[np.bool_] = (view.kind == KINDS[Kind.MEMORY]) & (view.ended == FOREVER)
        return in_force
    wanted_seqs: npt.NDArray[np.bool_] = np.isin(view.seq, among)
    return wanted_seqs


def _then(tx: Transaction, memory_filter: MemoryFilter, moment: datetime) -> dict[int, Memory]:
    """The entries that were in force at a moment and pass a filter, as they were, by their passage then."""
    believed = row_history.believed(tx, moment)
    known = row_history.memories_at(tx, believed.values(), moment)
    return {seq: known[key] for seq, key in believed.items() if key in known and memory_filter.passes(known[key])}


def _newest(
    tx: Transaction, memory_filter: MemoryFilter, limit: int, as_of: datetime | None, offset: int
) -> list[Memory]:
    if as_of is None:
        return memories.newest(tx, memory_filter, limit, offset)
    then = _then(tx, memory_filter, as_of).values()
    last_first = sorted(then, key=lambda memory: (memory.last_seen_at, memory.id), reverse=True)
    return last_first[offset : offset + limit]


def _weight(importance: float) -> float:
    return 0.5 + 0.5 * importance
