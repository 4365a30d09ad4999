"""Chroma: a persistent collection, `add` and `query` with given vectors."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bench.peers.serving import Plain, Said, said, serve
from bench.peers.vectors import Vectors


class Chroma(Plain):
    packages = ("chromadb",)

    def open(self, folder: Path) -> None:
        chromadb = import_module("chromadb")
        settings = chromadb.config.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(folder / "chroma"), settings=settings)
        self._collection = client.create_collection(
            "turns", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        self._vectors = Vectors()

    def write(self, turns: Sequence[Said]) -> None:
        texts = [said(turn) for turn in turns]
        self._collection.add(
            ids=[turn["id"] for turn in turns], documents=texts, embeddings=self._vectors.arrays(texts)
        )

    def search(self, question: str, k: int) -> Sequence[str]:
        found = self._collection.query(query_embeddings=self._vectors.arrays([question]), n_results=k)
        ids: list[str] = found["ids"][0]
        return ids


if __name__ == "__main__":
    serve(Chroma())
