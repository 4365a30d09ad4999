"""MemPalace: drawers of a palace on its default backend, and its hybrid `search_memories`."""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peers.serving import Plain, Said, said, serve
from bench.peers.vectors import Vectors


class MemPalace(Plain):
    packages = ("mempalace", "chromadb")

    def open(self, folder: Path) -> None:
        self._palace = str(folder / "palace")
        os.environ |= {
            "MEMPALACE_CONFIG_DIR": str(folder / "settings"),
            "MEMPALACE_EMBEDDING_MODEL": "openai-compat",
            "MEMPALACE_EMBEDDING_API_URL": "http://127.0.0.1:9",
            "MEMPALACE_EMBEDDING_API_MODEL": "static",
        }
        _inject(Vectors())
        self._search = import_module("mempalace.searcher").search_memories
        self._drawers = import_module("mempalace.palace").get_collection(self._palace)

    def write(self, turns: Sequence[Said]) -> None:
        self._drawers.upsert(
            ids=[turn["id"] for turn in turns],
            documents=[said(turn) for turn in turns],
            metadatas=[_about(turn) for turn in turns],
        )

    def search(self, question: str, k: int) -> Sequence[str]:
        found = self._search(question, palace_path=self._palace, n_results=k)
        return [result["drawer_id"] for result in found["results"]]


def _inject(vectors: Vectors) -> None:
    """Put our vectors where its service for embeddings would be asked, so that no request is paid for."""
    embedding: Any = import_module("mempalace.embedding")
    numpy: Any = import_module("numpy")

    def call(self: object, input: list[str]) -> list[Any]:  # noqa: A002, ARG001 - Chroma's name
        return [numpy.asarray(row) for row in vectors.arrays(list(input))]

    embedding.OpenAICompatEmbeddingFunction.__call__ = call


def _about(turn: Said) -> dict[str, str]:
    """What its own writers say of a drawer; a source each, as search keeps one drawer of a source apart."""
    return {
        "wing": "peers",
        "room": turn["session"] or "turns",
        "source_file": turn["id"],
        "filed_at": turn["at"] or "",
    }


if __name__ == "__main__":
    serve(MemPalace())
