"""Vectors made in the background, for embedders too slow to wait for."""

import logging
from collections.abc import Callable
from threading import Condition, Thread

from nacre.domain.errors import Closed, NacreError, Unavailable
from nacre.domain.ids import ScopeId
from nacre.domain.progress import Progress
from nacre.domain.scopes import Scope
from nacre.models.embedders import Embedder, pack
from nacre.store.base import scopes
from nacre.store.base.databases import Database
from nacre.store.base.forks import GATE
from nacre.store.evidence import passages, vectors
from nacre.store.reads import hit_rows
from nacre.work.fault_logs import FaultLog
from nacre.work.finalizers import STOP_SECONDS

BATCH = 64
RETRY_SECONDS = 5.0
# A server may meet millions of scopes in its life.
MAX_VISITED = 10_000

log = logging.getLogger(__name__)


def embed_missing(
    database: Database, embedder: Embedder, scope: Scope, goes_on: Callable[[], bool] = lambda: True
) -> int:
    """Give every passage of the scope that lacks one a vector, while it `goes_on`; return how many were given one.

    A text that the scope has seen before keeps its vector: only new words are sent to the embedder.
    What is missing is read from the rows themselves, so a stopped process loses nothing, and two processes that do
    the same passage at once leave one vector.
    """
    space = embedder.embed(["space"]).space
    given, after = 0, 0
    while goes_on():
        with database.read(scope) as tx:
            state = scopes.state(tx)
            texts = hit_rows.searchable(tx, vectors.missing(tx, space, after_seq=after, limit=BATCH))
            known = vectors.known(tx, space, {passages.digest(text) for text in texts.values()})
        if not texts:
            break
        known |= _embed(embedder, space, {text for text in texts.values() if passages.digest(text) not in known})
        with database.write(scope) as tx:
            if not scopes.is_unpurged(tx, state):
                after = 0
                continue
            revision = scopes.advance(tx).revision
            present = passages.keep_present(tx, list(texts))
            packed = {seq: known[passages.digest(text)] for seq, text in texts.items() if seq in present}
            vectors.add(tx, space, packed, revision=revision)
        given, after = given + len(packed), max(texts)
    return given


def _embed(embedder: Embedder, space: str, texts: set[str]) -> dict[bytes, bytes]:
    """Packed vectors of new texts, by digest."""
    if not texts:
        return {}
    ordered = sorted(texts)
    made = embedder.embed(ordered)
    if made.space != space:
        raise Unavailable(f"The embedder changed from {space} to {made.space}.")
    return {passages.digest(text): data for text, data in zip(ordered, pack(made.matrix), strict=True)}


class FillingThread:
    """Gives scopes what their passages still lack, one scope at a time, and tries again while that fails."""

    # What fills is told whether it goes on: asked before each batch, so that closing waits for one of them at most.
    def __init__(self, fill: Callable[[Scope, Callable[[], bool]], int], name: str) -> None:
        self._fill = fill
        self._name = name
        self._change = Condition()
        self._faults = FaultLog(log, name)
        self._waiting: dict[Scope, None] = {}
        self._visited: set[ScopeId] = set()
        self._stopping = False
        self._thread: Thread | None = None

    def visit(self, scope: Scope) -> None:
        """Look whether the scope lacks something: an earlier process may have left some, or used another model.

        Once is enough, so visits are remembered; after very many that begins anew.
        """
        if scope.id in self._visited:
            return
        if len(self._visited) >= MAX_VISITED:
            self._visited.clear()
        self._visited.add(scope.id)
        self.wake(scope)

    def wake(self, scope: Scope) -> None:
        """Say that the scope has passages that lack something."""
        with self._change:
            self._waiting[scope] = None
            self._change.notify()
            if self._thread is None and not self._stopping:
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Finish the batch at hand and end."""
        with self._change:
            self._stopping = True
            self._change.notify()
        if self._thread:
            self._thread.join(timeout=STOP_SECONDS)

    def _run(self) -> None:
        while scope := self._next():
            try:
                with GATE:
                    self._fill(scope, self._goes_on)
            except Closed:
                return
            except NacreError as error:
                self._faults.tell(error)
                self._rest(scope)
            except Exception:
                # What nobody foresaw never ends the thread that the others wait for.
                log.exception("Embedding failed in a way that nobody foresaw; it goes on.")
                self._rest(scope)

    def _goes_on(self) -> bool:
        GATE.step_aside()
        return not self._stopping

    def _next(self) -> Scope | None:
        with self._change:
            self._change.wait_for(lambda: self._stopping or self._waiting)
            return None if self._stopping else self._waiting.popitem()[0]

    def _rest(self, scope: Scope) -> None:
        with self._change:
            self._waiting[scope] = None
            self._change.wait_for(lambda: self._stopping, timeout=RETRY_SECONDS)


def progress(database: Database, embedder: Embedder | None, scope: Scope) -> Progress:
    """How many passages of a scope have a vector of the embedder."""
    space = embedder.embed_question("space").space if embedder else ""
    with database.read(scope) as tx:
        done, total = vectors.coverage(tx, space)
    return Progress(done=done, total=total if embedder else 0)
