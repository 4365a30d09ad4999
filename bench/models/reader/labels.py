"""Labelled conversations: reading them, and the split that every figure rests on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.models import lives

FILE = Path(__file__).parent / "conversations.jsonl"
# Talk without labels, written for the succession model.
STORIES = Path(__file__).parents[1] / "succession" / "stories.jsonl"
# So much of a long turn, and so many turns of a story that goes on for months.
MAX_TEXT, TOGETHER = 1_500, 4
# Of a hundred conversations, these many are never trained on, and these many choose and calibrate.
HELD_OUT, DEV = 10, 8


@dataclass(frozen=True, slots=True)
class LabelledFact:
    """Subject, predicate, object, mode and time words, as GUIDE.md describes them."""

    subject: str
    predicate: str
    object: str
    mode: str
    time: str | None


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """One turn with its facts."""

    speaker: str
    text: str
    facts: tuple[LabelledFact, ...]


@dataclass(frozen=True, slots=True)
class LabelledConversation:
    """One conversation of the set."""

    id: str
    language: str
    people: tuple[str, ...]
    turns: tuple[LabelledTurn, ...]

    @property
    def part(self) -> str:
        """`held-out`, `dev` or `train`, by a hash of the id that no later conversation changes."""
        place = int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 100
        return "held-out" if place < HELD_OUT else "dev" if place < HELD_OUT + DEV else "train"


def conversations(path: Path = FILE, part: str | None = None) -> list[LabelledConversation]:
    """The conversations of a file, or of one part of it."""
    with path.open(encoding="utf-8") as lines:
        return [each for each in _parsed(lines) if part is None or each.part == part]


def unlabelled() -> list[LabelledConversation]:
    """Talk that nobody labelled: on it a student learns what its teachers think."""
    some = []
    for life in lives.load("train"):
        for number, session in enumerate(life.sessions):
            said = [(turn.speaker, turn.text) for turn in session.turns]
            some.append(_bare(f"{life.id}-{number}", life.language, said))
    with STORIES.open(encoding="utf-8") as lines:
        for story in map(json.loads, filter(str.strip, lines)):
            told = [(turn["speaker"], turn["text"]) for turn in story["turns"]]
            for start in range(0, len(told), TOGETHER):
                some.append(_bare(f"{story['id']}-{start}", story["lang"], told[start : start + TOGETHER]))
    return [each for each in some if each.turns]


def _bare(name: str, language: str, said: Iterable[tuple[str, str]]) -> LabelledConversation:
    turns = tuple(LabelledTurn("User" if by == "user" else by, text[:MAX_TEXT], ()) for by, text in said)
    return LabelledConversation(name, language, tuple({turn.speaker for turn in turns}), turns)


def _parsed(lines: Iterable[str]) -> Iterator[LabelledConversation]:
    for row in map(json.loads, filter(str.strip, lines)):
        turns = tuple(
            LabelledTurn(
                turn["speaker"],
                turn["text"],
                tuple(LabelledFact(f["s"], f["p"], f["o"], f["m"], f.get("t") or None) for f in turn["facts"]),
            )
            for turn in row["turns"]
        )
        yield LabelledConversation(row["id"], row["lang"], tuple(row["people"]), turns)
