"""txtai: a hybrid index (BM25 and faiss) with content; what was written is on disk after `save`."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peers.serving import Plain, Said, said, serve
from bench.peers.vectors import Vectors


class Txtai(Plain):
    packages = ("txtai", "faiss-cpu")

    def open(self, folder: Path) -> None:
        vectors = Vectors()

        def transform(texts: Any) -> Any:
            return vectors.arrays(list(texts))

        self._path = str(folder / "index")
        self._index = import_module("txtai").Embeddings(
            method="external", transform=transform, hybrid=True, content=True
        )

    def write(self, turns: Sequence[Said]) -> None:
        self._index.upsert([(turn["id"], said(turn), None) for turn in turns])

    def settle(self) -> None:
        self._index.save(self._path)

    def search(self, question: str, k: int) -> Sequence[str]:
        return [found["id"] for found in self._index.search(question, k)]

    def close(self) -> None:
        self._index.close()


if __name__ == "__main__":
    serve(Txtai())
