"""Builds the concrete things from the settings."""

from functools import cache
from pathlib import Path

from nacre.domain.clocks import Clock
from nacre.domain.errors import Misconfigured
from nacre.domain.memories import Note, Remembered
from nacre.domain.scopes import Scope
from nacre.domain.sharing import Sharing, own_scope
from nacre.memory.expanding import Expander
from nacre.memory.remembering import Rememberer
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel, RemoteLanguageModel
from nacre.models.remote_embedder import RemoteEmbedder
from nacre.models.static_embedder import StaticEmbedder
from nacre.recall.contexts import ContextBuilder
from nacre.recall.indexes import Indexes
from nacre.recall.memories import MemorySearch
from nacre.recall.recalling import Recaller
from nacre.settings import Settings
from nacre.store.databases import Database
from nacre.store.sharing import Homes
from nacre.work.embedding import EmbeddingThread
from nacre.work.handlers import handlers
from nacre.work.schedules import Schedule
from nacre.work.workers import Worker


class Parts:
    """What a brain is made of."""

    def __init__(self, address: str | Path | None, settings: Settings, embedder: Embedder | None, clock: Clock) -> None:
        self._own_embedder = None if embedder else _embedder(settings)
        self.embedder = embedder or self._own_embedder
        self.database = Database(settings.database if address is None else address, clock)
        self.graphs = Homes(self.database, Sharing.graph_home)
        self.memories = Homes(self.database, Sharing.memory_home)
        self.indexes = Indexes(settings.index_memory_mb * 2**20)
        self._embedding = EmbeddingThread(self.database, self.embedder) if self.embedder else None
        self.recaller = Recaller(self.database, self.indexes, self.embedder, self._embed_missing)
        self.memory_search = MemorySearch(self.database, self.indexes, self.embedder)
        self.contexts = ContextBuilder(
            self.database, self.recaller, self.memory_search, with_graph=settings.graph == "on"
        )
        neighbours = self.memory_search.neighbours
        expander = Expander(
            self.database,
            self.embedder,
            _language_model(settings),
            directives=settings.directives,
            neighbours=neighbours,
        )
        self.rememberer = Rememberer(self.database, self.embedder, neighbours, expander.request)
        self._works = settings.worker == "thread"
        self.worker = Worker(self.database, handlers(expander), Schedule(self.database), after=self.embed_later)

    def visit(self, scope: Scope) -> None:
        """Look after what earlier processes left to do, in a scope that this one has not worked with before."""
        if self._works:
            self.worker.visit()
        if self._embedding:
            self._embedding.visit(scope)
            self._embedding.visit(own_scope(scope.agent))

    def work_later(self) -> None:
        """Have the jobs that were just enqueued done in the background, unless other processes do that."""
        if self._works:
            self.worker.wake()

    def remember(self, scope: Scope, note: Note) -> Remembered:
        """Keep a note as a long-term memory, where those of the scope are kept."""
        home = self.memories.of(scope)
        remembered = self.rememberer.remember(home, note)
        self.embed_later(home)
        return remembered

    def embed_later(self, scope: Scope) -> None:
        """Have the vectors of the scope's new passages made in the background, where the embedder needs that."""
        if self.embedder and not self.embedder.local:
            self._embed_missing(scope)

    def _embed_missing(self, scope: Scope) -> None:
        if self._embedding:
            self._embedding.wake(scope)

    def scrub(self, scope: Scope) -> None:
        """After a purge: hold nothing of the scope in memory, and leave no bytes of it behind."""
        self.indexes.drop(scope.id)
        self.database.scrub()

    def close(self) -> None:
        """Stop background work and give back every connection."""
        self.worker.stop()
        if self._embedding:
            self._embedding.stop()
        if self._own_embedder:
            self._own_embedder.close()
        self.database.close()


def _embedder(settings: Settings) -> Embedder | None:
    """The embedder the settings ask for; None where recall ranks by words alone."""
    if settings.embedding_endpoint:
        if not settings.embedding_model:
            raise Misconfigured("An embedding endpoint needs a model: set NACRE_EMBEDDING_MODEL.")
        key = settings.embedding_api_key
        return RemoteEmbedder(
            settings.embedding_endpoint,
            settings.embedding_model,
            key.get_secret_value() if key else None,
            threshold=settings.embedding_threshold,
            max_chars=settings.embedding_max_chars,
        )
    return _static() if settings.embedder == "local" else None


def _language_model(settings: Settings) -> LanguageModel | None:
    """The language model the settings ask for; None where rules do its work."""
    if not settings.llm_model:
        return None
    key = settings.llm_api_key
    return RemoteLanguageModel(
        settings.llm_model, endpoint=settings.llm_endpoint, api_key=key.get_secret_value() if key else None
    )


@cache
def _static() -> StaticEmbedder:
    # Read-only and thread-safe, so every brain of a process shares one.
    return StaticEmbedder()
