"""Lives: people's chats with an assistant or with each other over months, and messages labelled with what they need."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "ranker" / "lives.jsonl"
# One life of so many chooses and calibrates; nothing is trained on it.
DEV = 7


@dataclass(frozen=True, slots=True)
class LifeTurn:
    """Who said what: `user`, `assistant` or a name."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class LifeSession:
    """One conversation and its day."""

    at: str
    turns: tuple[LifeTurn, ...]


@dataclass(frozen=True, slots=True)
class LifeMessage:
    """A message after all of it, and the turns that a good answer needs, by session and place; none for some."""

    text: str
    kind: str
    evidence: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Life:
    """One person or group."""

    id: str
    language: str
    sessions: tuple[LifeSession, ...]
    messages: tuple[LifeMessage, ...]

    @property
    def part(self) -> str:
        """`dev` or `train`, by a hash of the id that no later life changes."""
        return "train" if int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % DEV else "dev"


def load(part: str, path: Path = FILE) -> list[Life]:
    """The lives of one part."""
    with path.open(encoding="utf-8") as lines:
        return [life for life in map(_parsed, filter(str.strip, lines)) if life.part == part]


def _parsed(line: str) -> Life:
    row = json.loads(line)
    sessions = tuple(
        LifeSession(each["at"], tuple(LifeTurn(turn["by"], turn["text"]) for turn in each["turns"]))
        for each in row["sessions"]
    )
    messages = tuple(
        LifeMessage(each["text"], each["kind"], tuple((session, turn) for session, turn in each["evidence"]))
        for each in row["messages"]
    )
    return Life(row["id"], row["lang"], sessions, messages)
