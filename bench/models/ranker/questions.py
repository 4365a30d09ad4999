"""Questions and messages about the labelled conversations and lives, with the turns that answer or bear on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from bench.models import lives
from bench.models.corpus import Bm25
from bench.models.ranker.texts import Text, of_turn
from bench.models.reader import labels
from nacre.models.local_ranker import MOST_WINDOWS
from nacre.models.reader_windows import TURNS_BEFORE, Segment, TurnTokenizer
from nacre.models.readings import SpokenTurn

Json = dict[str, Any]

FILE = Path(__file__).parent / "questions.jsonl"
# Of the others in a group, so many may be of the same conversation or life; the rest are drawn from so many that share
# words.
NEAR, NEAR_IN_LIFE, ALIKE = 6, 9, 32


@dataclass(frozen=True, slots=True)
class TalkSession:
    """One session: where its first turn stands among all turns, and the parts of each turn."""

    start: int
    turns: tuple[tuple[Segment, ...], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question and places of turns: of its answers, of others near them, of others that share its words."""

    text: str
    tokens: tuple[int, ...]
    kind: str
    language: str
    life: bool
    answers: tuple[int, ...]
    near: tuple[int, ...]
    alike: tuple[int, ...]


class Questions:
    """All questions of one part of the data, `train` or `dev`."""

    def __init__(self, part: str, vocabulary: Path) -> None:
        self._tokenizer = TurnTokenizer(vocabulary)
        self._sessions: list[TalkSession] = []
        self._owners: list[int] = []
        self._spoken: list[SpokenTurn] = []
        asked = [*self._of_conversations(part), *self._of_lives(part)]
        words = [_tokens(self._turn(place)) for place in range(len(self))]
        index = Bm25(range(len(words)), words)
        self.questions = [self._question(index, *each) for each in asked]

    def __len__(self) -> int:
        return len(self._owners)

    def answered(self) -> list[Question]:
        """Those that a turn answers."""
        return [each for each in self.questions if each.answers]

    def passage(self, place: int) -> list[Text]:
        """A turn in windows, each with what was said before it."""
        session = self._sessions[self._owners[place]]
        at = place - session.start
        before = [part for turn in session.turns[max(0, at - TURNS_BEFORE) : at] for part in turn]
        parts = session.turns[at][:MOST_WINDOWS]
        return [of_turn([*before, *parts[:number]][-TURNS_BEFORE:], part) for number, part in enumerate(parts)]

    def spoken(self, place: int) -> tuple[SpokenTurn, SpokenTurn | None]:
        """A turn as it was said, and the one before it in its session."""
        first = self._sessions[self._owners[place]].start
        return self._spoken[place], self._spoken[place - 1] if place > first else None

    def group(self, question: Question, draw: Random, size: int, near: int | None = None) -> list[int]:
        """Places of turns, of which the first answers the question if any does; `near` of them are of its own life."""
        places = [draw.choice(question.answers)] if question.answers else []
        most = near or (NEAR_IN_LIFE if question.life else NEAR)
        places += draw.sample(question.near, min(most, size - len(places), len(question.near)))
        places += draw.sample(question.alike, min(size - len(places), len(question.alike)))
        while len(places) < size:
            stray = draw.randrange(len(self))
            if stray not in question.answers and stray not in places:
                places.append(stray)
        return places

    def _of_conversations(self, part: str) -> Iterator[tuple[Json, range, list[int]]]:
        talks = {each.id: each for each in labels.conversations(part=part)}
        places = {
            each.id: self._add([SpokenTurn(turn.speaker, turn.text) for turn in each.turns]) for each in talks.values()
        }
        for row in _rows(FILE):
            if row["conv"] in places:
                own = places[row["conv"]]
                asked = {"text": row["q"], "kind": row["kind"], "lang": talks[row["conv"]].language}
                yield asked, own, [own[at] for at in row["evidence"]]

    def _of_lives(self, part: str) -> Iterator[tuple[Json, range, list[int]]]:
        for life in lives.load(part):
            own = [self._add([SpokenTurn(t.speaker, t.text) for t in each.turns]) for each in life.sessions]
            whole = range(own[0].start, own[-1].stop)
            for message in life.messages:
                row = {"text": message.text, "kind": message.kind, "lang": life.language, "life": True}
                yield row, whole, [own[session][turn] for session, turn in message.evidence]

    def _add(self, turns: Sequence[SpokenTurn]) -> range:
        parts: list[list[Segment]] = [[] for _ in turns]
        for segment in self._tokenizer.segments(turns):
            parts[segment.turn].append(segment)
        start = len(self._owners)
        self._owners += [len(self._sessions)] * len(turns)
        self._spoken += turns
        self._sessions.append(TalkSession(start, tuple(map(tuple, parts))))
        return range(start, len(self._owners))

    def _question(self, index: Bm25, row: Json, own: range, answers: Sequence[int]) -> Question:
        (segment,) = self._tokenizer.segments([SpokenTurn("", row["text"])])[:1]
        tokens = tuple(piece.id for piece in segment.pieces)
        alike = [int(place) for place in index.top(np.array(tokens), ALIKE) if place not in own]
        near = [place for place in own if place not in answers]
        return Question(
            row["text"], tokens, row["kind"], row["lang"], "life" in row, tuple(answers), tuple(near), tuple(alike)
        )

    def _turn(self, place: int) -> tuple[Segment, ...]:
        session = self._sessions[self._owners[place]]
        return session.turns[place - session.start]


def _rows(path: Path) -> Iterator[Json]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, filter(str.strip, lines))


def _tokens(parts: Sequence[Segment]) -> np.ndarray:
    return np.array([*parts[0].speaker, *(piece.id for part in parts for piece in part.pieces)], np.int64)
