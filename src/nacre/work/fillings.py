"""Fillings: what new passages lack, made behind a write: vectors of whole texts and of tokens, and segments."""

from functools import partial

from nacre.domain.scopes import Scope
from nacre.domain.sharing import own_scope
from nacre.models.embedders import Embedder
from nacre.models.local_ranker import LocalRanker
from nacre.store.base.databases import Database
from nacre.work import passage_segments, token_vectors
from nacre.work.embedding import FillingThread, embed_missing


class Fillings:
    """Has made what passages lack; all but the vectors of texts only where this process `works` in the background."""

    def __init__(
        self, database: Database, embedder: Embedder | None, ranker: LocalRanker | None, *, works: bool
    ) -> None:
        self._embedder = embedder
        self._works = works
        fill = partial(embed_missing, database, embedder) if embedder else None
        self._embedding = FillingThread(fill, "nacre-embedding") if fill else None
        self._fill_tokens = partial(token_vectors.fill_missing, database, ranker) if ranker else None
        self._comparing = FillingThread(self._fill_tokens, "nacre-tokens") if self._fill_tokens else None
        self._pack = partial(passage_segments.write_missing, database)
        self._packing = FillingThread(self._pack, "nacre-segments")

    def visit(self, scope: Scope) -> None:
        """Look after what earlier processes left out, in a scope and in what its agent shares."""
        for thread in (self._embedding, *((self._comparing, self._packing) if self._works else ())):
            if thread:
                thread.visit(scope)
                thread.visit(own_scope(scope.agent))

    def embed_later(self, scope: Scope) -> None:
        """Have the vectors of the scope's new passages made in the background, where the embedder needs that."""
        if self._embedder and not self._embedder.local:
            self.embed_missing(scope)
        if self._works:
            self.compare_later(scope)

    def embed_missing(self, scope: Scope) -> None:
        """Have the vectors that the scope's passages lack made in the background, whatever makes them."""
        if self._embedding:
            self._embedding.wake(scope)

    def compare_later(self, scope: Scope) -> None:
        """Have the vectors of tokens that the scope's passages lack made in the background."""
        if self._comparing:
            self._comparing.wake(scope)

    def pack_later(self, scope: Scope) -> None:
        """Have the scope's passages packed into segments in the background, as far as they fill any."""
        self._packing.wake(scope)

    def pack(self, scope: Scope) -> None:
        """Pack the scope's passages into segments, as far as they fill any, now."""
        self._pack(scope)

    def fill_tokens(self, scope: Scope) -> None:
        """Make the vectors of tokens that the scope's passages lack, now."""
        if self._fill_tokens:
            self._fill_tokens(scope)

    def stop(self) -> None:
        """End every thread, each with the batch at hand."""
        for thread in (self._embedding, self._comparing, self._packing):
            if thread:
                thread.stop()
