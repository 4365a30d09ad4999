"""The indexes a process holds: loaded on first use, kept in step by revision, bounded in bytes."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock

from nacre.domain.ids import ScopeId
from nacre.recall import passage_columns, shortlists
from nacre.recall.channels import EmbeddedQuery
from nacre.recall.index import Index, View
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.base.scopes import ScopeState
from nacre.store.evidence import passage_segments, passages, vectors
from nacre.store.reads.shortlists import PassageFilter


class LockedIndex:
    """An index and the lock that guards it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.index = Index()
        # What the index took up when it was last looked at.
        self.nbytes = 0


class Indexes:
    """One index per scope, the least recently used dropped first when memory runs short."""

    def __init__(self, limit_bytes: int, most_passages: int = 1_000_000) -> None:
        self._limit = limit_bytes
        # A scope that was given more is not held.
        self._most = most_passages
        self._lock = Lock()
        self._held: OrderedDict[ScopeId, LockedIndex] = OrderedDict()
        self._total = 0
        # How often an index was in step, had to take in new rows, or had to be loaded whole.
        self.hits = self.refreshes = self.loads = 0

    def answering(
        self, tx: Transaction, asked: EmbeddedQuery, passage_filters: Callable[[], Iterable[PassageFilter]]
    ) -> View:
        """The scope's index, or of a scope too large for memory what is `passage_filters` and likely answers a
        question.
        """
        state = scopes.state(tx)
        if state.passages <= self._most:
            return self.view(tx, asked.space, state)
        self.drop(tx.scope_id)
        return shortlists.view(
            tx, shortlists.choose(tx, asked, passage_filters(), state.passages), asked.space, state.revision
        )

    def view(self, tx: Transaction, space: str | None, state: ScopeState | None = None) -> View:
        """The scope's whole index as of this transaction, with its vectors of `space`."""
        held = self._hold(tx.scope_id)
        with held.lock:
            before, revision = held.index, held.index.revision
            held.index = in_step(tx, before, space, state)
            view = held.index.view
            self._count(revision if held.index is before else 0, held.index.revision)
            self._weigh(tx.scope_id, held)
        return view

    def _count(self, before: int, after: int) -> None:
        if before == after:
            self.hits += 1
        elif before:
            self.refreshes += 1
        else:
            self.loads += 1

    def __len__(self) -> int:
        """How many scopes have an index here."""
        return len(self._held)

    def drop(self, scope_id: ScopeId) -> None:
        """Hold nothing of a scope any more."""
        with self._lock:
            self._let_go(scope_id)

    @property
    def nbytes(self) -> int:
        """Memory held by all indexes."""
        return self._total

    def _hold(self, scope_id: ScopeId) -> LockedIndex:
        with self._lock:
            held = self._held.setdefault(scope_id, LockedIndex())
            self._held.move_to_end(scope_id)
            return held

    def _weigh(self, scope_id: ScopeId, locked_index: LockedIndex) -> None:
        """Count what an index has grown by, and drop others where that is too much; it may be dropped already."""
        nbytes = locked_index.index.nbytes
        with self._lock:
            if self._held.get(scope_id) is not locked_index:
                return
            self._total += nbytes - locked_index.nbytes
            locked_index.nbytes = nbytes
            while self._total > self._limit and (oldest := next(iter(self._held))) != scope_id:
                self._let_go(oldest)

    def _let_go(self, scope_id: ScopeId) -> None:
        dropped = self._held.pop(scope_id, None)
        self._total -= dropped.nbytes if dropped else 0


def in_step(tx: Transaction, index: Index, space: str | None, state: ScopeState | None = None) -> Index:
    """`index` brought to the scope's present state, or a new one where it cannot be."""
    state = state or scopes.state(tx)
    if not state.purged_revision <= index.revision <= state.revision:
        index = Index()
    if not index.revision and state.revision:
        # A new one also where nothing was in it: loading may fail half-way.
        index = Index()
        _load(tx, index, state.revision)
    elif index.revision < state.revision:
        index.apply(passages.changed(tx, after=index.revision), state.revision)
    if space is None:
        return index
    after = index.vector_revision(space)
    if not after and state.revision:
        index.load_vectors(space, vectors.in_order(tx, space), state.revision)
    elif after < state.revision:
        index.apply_vectors(space, vectors.changed(tx, space, after=after), state.revision)
    return index


def _load(tx: Transaction, index: Index, revision: int) -> None:
    """Take in a whole scope: what is in segments from these, the rest from its rows."""
    index.load(map(passage_columns.unpack, passage_segments.in_order(tx)), revision)
    last = passage_segments.last_seq(tx)
    if last:
        index.end(passages.ended(tx, until_seq=last))
    index.load(map(passage_columns.from_rows, passages.in_order(tx, after_seq=last)), revision)
