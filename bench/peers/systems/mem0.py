"""mem0: `add(infer=False)` and `search` over its in-process Qdrant, the vector store it comes with."""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bench.peers.serving import Plain, Said, said, serve
from bench.peers.vectors import DIMENSIONS, Vectors

_USER = "peers"


class Embedding:
    """What mem0 asks of an embedder."""

    def __init__(self) -> None:
        self._vectors = Vectors()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002 - mem0's name
        return self._vectors.one(text)

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:  # noqa: ARG002
        return self._vectors.of(texts)


class Mem0(Plain):
    packages = ("mem0ai", "qdrant-client")

    def open(self, folder: Path) -> None:
        # It refuses to begin without a key, although nothing here is sent anywhere.
        os.environ.setdefault("OPENAI_API_KEY", "none")
        os.environ["MEM0_TELEMETRY"] = "False"
        os.environ["MEM0_DIR"] = str(folder / "settings")
        store = {
            "provider": "qdrant",
            "config": {
                "path": str(folder / "qdrant"),
                "on_disk": True,
                "embedding_model_dims": DIMENSIONS,
                "collection_name": "turns",
            },
        }
        config = {"vector_store": store, "history_db_path": str(folder / "history.db")}
        self._memory = import_module("mem0").Memory.from_config(config)
        self._memory.embedding_model = Embedding()
        self._ids: dict[str, str] = {}

    def write(self, turns: Sequence[Said]) -> None:
        messages = [{"role": turn["role"], "content": said(turn)} for turn in turns]
        added = self._memory.add(messages, user_id=_USER, infer=False)["results"]
        self._ids.update((result["id"], turn["id"]) for result, turn in zip(added, turns, strict=True))

    def search(self, question: str, k: int) -> Sequence[str]:
        found = self._memory.search(question, filters={"user_id": _USER}, top_k=k)["results"]
        return [self._ids[result["id"]] for result in found]


if __name__ == "__main__":
    serve(Mem0())
