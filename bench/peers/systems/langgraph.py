"""LangGraph's InMemoryStore with an index of vectors: `put` and `search` in one namespace, nothing on disk."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bench.peers.serving import Plain, Said, said, serve
from bench.peers.vectors import DIMENSIONS, Vectors

_NAMESPACE = ("peers", "turns")


class LangGraph(Plain):
    packages = ("langgraph-checkpoint",)

    def open(self, folder: Path) -> None:  # noqa: ARG002 - it keeps nothing there
        vectors = Vectors()
        self._put = import_module("langgraph.store.base").PutOp
        self._store = import_module("langgraph.store.memory").InMemoryStore(
            index={"dims": DIMENSIONS, "embed": lambda texts: vectors.of(list(texts)), "fields": ["text"]}
        )

    def write(self, turns: Sequence[Said]) -> None:
        self._store.batch([self._put(_NAMESPACE, turn["id"], {"text": said(turn)}) for turn in turns])

    def search(self, question: str, k: int) -> Sequence[str]:
        return [item.key for item in self._store.search(_NAMESPACE, query=question, limit=k)]


if __name__ == "__main__":
    serve(LangGraph())
