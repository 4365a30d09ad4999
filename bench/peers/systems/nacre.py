"""Nacre: `observe_many` and `recall` of one scope."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from bench.peers.serving import Plain, Said, serve
from nacre import Nacre, Turn


class OfNacre(Plain):
    packages = ("nacre",)

    def open(self, folder: Path) -> None:
        self._nacre = Nacre(str(folder / "nacre.db"))
        self._scope = self._nacre.scope(agent="bench", user="peers")

    def write(self, turns: Sequence[Said]) -> None:
        self._scope.observe_many([_turn(said) for said in turns])

    def search(self, question: str, k: int) -> Sequence[str]:
        return [hit.source.ref or "" for hit in self._scope.recall(question, limit=k)]

    def close(self) -> None:
        self._nacre.close()


def _turn(said: Said) -> Turn:
    return Turn(
        role=said["role"],
        text=said["text"],
        speaker=said["speaker"],
        session=said["session"],
        at=datetime.fromisoformat(said["at"]) if said["at"] else None,
        ref=said["id"],
    )


if __name__ == "__main__":
    serve(OfNacre())
