"""The child's side: one system answers commands, a JSON object a line, and says how long each call took.

It runs in the system's own environment, so it needs nothing but the standard library.
"""

import json
import os
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TypedDict

Json = dict[str, Any]


class Said(TypedDict):
    """A turn as it travels to the child."""

    id: str
    text: str
    role: str
    speaker: str | None
    session: str | None
    at: str | None


class Peer(Protocol):
    """A system under measurement."""

    @property
    def packages(self) -> tuple[str, ...]:
        """Distributions whose versions are told."""

    def open(self, folder: Path) -> None:
        """Begin with an empty store in the folder."""

    def write(self, turns: Sequence[Said]) -> None:
        """Keep these turns by one call of the system, or by the fewest it can take."""

    def settle(self) -> None:
        """Make durable what a write leaves in memory, where there is such a call."""

    def search(self, question: str, k: int) -> Sequence[str]:
        """The ids of the best turns, best first."""

    def close(self) -> None:
        """Give back what it holds."""

    def processes(self) -> Sequence[int]:
        """The processes whose memory is the system's."""


class Plain:
    """What most systems need: nothing to settle, no other process."""

    packages: tuple[str, ...] = ()

    def settle(self) -> None:
        """Every write is as durable as it will be."""

    def close(self) -> None:
        """Nothing is held that the end of the process does not give back."""

    def processes(self) -> Sequence[int]:
        return [os.getpid()]


def said(turn: Said) -> str:
    """The words with their speaker in front, for systems that have no place for one."""
    return f"{turn['speaker']}: {turn['text']}" if turn["speaker"] else turn["text"]


def serve(peer: Peer) -> None:
    """Answer until the parent has no more to ask. An error ends the process: its last words are in the log."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Whatever a library prints goes to the log instead.
    os.dup2(2, 1)
    for line in sys.stdin:
        replies.write(json.dumps(answer(peer, json.loads(line))) + "\n")
        replies.flush()


def answer(peer: Peer, command: Json) -> Json:
    match command["do"]:
        case "open":
            started = perf_counter()
            peer.open(Path(command["folder"]))
            versions = {name: metadata.version(name) for name in peer.packages}
            return {"seconds": perf_counter() - started, "versions": versions}
        case "write":
            return _write(peer, command["turns"], command["seconds"], single=command["single"])
        case "settle":
            started = perf_counter()
            peer.settle()
            return {"seconds": perf_counter() - started}
        case "search":
            return _search(peer, command["questions"], command["k"], command["seconds"])
        case "memory":
            return {"resident_mb": sum(map(resident, peer.processes()))}
        case "close":
            peer.close()
            return {}
    raise ValueError(command["do"])


def resident(process: int) -> float:
    """Resident memory of a process in MB."""
    status = Path(f"/proc/{process}/status")
    if status.is_file():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024
    import resource

    # Elsewhere only the own peak is known; macOS gives it in bytes.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024


def _write(peer: Peer, turns: Sequence[Said], limit: float, *, single: bool) -> Json:
    """Write one by one until time is up, or all by one call."""
    written, started = 0, perf_counter()
    for piece in [[turn] for turn in turns] if single else [turns]:
        peer.write(piece)
        written += len(piece)
        if perf_counter() - started > limit:
            break
    return {"written": written, "seconds": perf_counter() - started}


def _search(peer: Peer, questions: Sequence[str], k: int, limit: float) -> Json:
    """Search for one question after the other until time is up."""
    found: list[list[str]] = []
    times: list[float] = []
    for question in questions:
        started = perf_counter()
        ids = peer.search(question, k)
        times.append(perf_counter() - started)
        found.append(list(ids))
        if sum(times) > limit:
            break
    return {"found": found, "times": times}
