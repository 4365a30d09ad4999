"""Builds the concrete things from the settings."""

from functools import cache
from pathlib import Path

from nacre.domain.clocks import Clock
from nacre.domain.errors import Misconfigured
from nacre.domain.scopes import Scope
from nacre.models.embedders import Embedder
from nacre.models.remote_embedder import RemoteEmbedder
from nacre.models.static_embedder import StaticEmbedder
from nacre.recall.indexes import Indexes
from nacre.recall.recalling import Recaller
from nacre.settings import Settings
from nacre.store.databases import Database
from nacre.work.embedding import EmbeddingThread


class Parts:
    """What a brain is made of."""

    def __init__(self, address: str | Path | None, settings: Settings, embedder: Embedder | None, clock: Clock) -> None:
        self._own_embedder = None if embedder else _embedder(settings)
        self.embedder = embedder or self._own_embedder
        self.database = Database(settings.database if address is None else address, clock)
        self.indexes = Indexes(settings.index_memory_mb * 2**20)
        self.recaller = Recaller(self.database, self.indexes, self.embedder)
        self._embedding = EmbeddingThread(self.database, self.embedder) if self.embedder else None

    def visit(self, scope: Scope) -> None:
        """Look after a scope that this process has not worked with before."""
        if self._embedding:
            self._embedding.visit(scope)

    def embed_later(self, scope: Scope) -> None:
        """Have the vectors of the scope's new passages made in the background, where the embedder needs that."""
        if self._embedding and self.embedder and not self.embedder.local:
            self._embedding.wake(scope)

    def close(self) -> None:
        """Stop background work and give back every connection."""
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


@cache
def _static() -> StaticEmbedder:
    # Read-only and thread-safe, so every brain of a process shares one.
    return StaticEmbedder()
