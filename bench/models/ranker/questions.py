"""Questions about the labelled conversations, with the turns that answer them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from bench.models.corpus import Bm25
from bench.models.ranker.texts import Text, of_question, of_turn
from bench.models.reader.labels import LabelledConversation
from nacre.models.reader_windows import TURNS_BEFORE, Segment, TurnTokenizer
from nacre.models.readings import SpokenTurn

FILE = Path(__file__).parent / "questions.jsonl"
# Of the others in a group, so many may be of the same conversation; the rest are drawn from so many that share words.
NEAR, ALIKE = 5, 32


@dataclass(frozen=True, slots=True)
class AskedConversation:
    """A conversation's turns as tokens, and where they begin among all turns."""

    start: int
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Tokens of a question, the places of the turns that answer it, and of others that share its words."""

    tokens: tuple[int, ...]
    conversation: int
    answers: tuple[int, ...]
    kind: str
    alike: tuple[int, ...]


class Questions:
    """All questions about some conversations."""

    def __init__(self, some: Sequence[LabelledConversation], vocabulary: Path, path: Path = FILE) -> None:
        tokenizer = TurnTokenizer(vocabulary)
        self.conversations: list[AskedConversation] = []
        self._owners: list[int] = []
        for number, each in enumerate(some):
            segments = tuple(_first_parts(tokenizer, each))
            self.conversations.append(AskedConversation(len(self._owners), segments))
            self._owners += [number] * len(segments)
        index = Bm25(range(len(self._owners)), [_tokens(self._segment(place)) for place in range(len(self._owners))])
        numbers = {each.id: number for number, each in enumerate(some)}
        self.questions = list(_parsed(path, tokenizer, numbers, self.conversations, index))

    def __len__(self) -> int:
        return len(self._owners)

    def text(self, place: int) -> Text:
        """A turn with what was said before it."""
        owner = self.conversations[self._owners[place]]
        at = place - owner.start
        return of_turn(owner.segments[max(0, at - TURNS_BEFORE) : at], owner.segments[at])

    def group(self, question: Question, draw: Random, size: int) -> tuple[Text, list[Text]]:
        """The question and turns, of which the first answers it."""
        owner = self.conversations[question.conversation]
        around = [owner.start + at for at in range(len(owner.segments)) if owner.start + at not in question.answers]
        chosen = draw.sample(around, min(NEAR, len(around)))
        chosen += draw.sample(question.alike, min(size - 1 - len(chosen), len(question.alike)))
        while len(chosen) < size - 1:
            stray = draw.randrange(len(self._owners))
            if stray not in question.answers and stray not in chosen:
                chosen.append(stray)
        places = [draw.choice(question.answers), *chosen]
        return of_question(question.tokens), [self.text(place) for place in places]

    def _segment(self, place: int) -> Segment:
        owner = self.conversations[self._owners[place]]
        return owner.segments[place - owner.start]


def _first_parts(tokenizer: TurnTokenizer, said: LabelledConversation) -> Iterator[Segment]:
    """A segment for each turn; of a long turn only its first part."""
    turn = -1
    for segment in tokenizer.segments([SpokenTurn(each.speaker, each.text) for each in said.turns]):
        if segment.turn != turn:
            yield segment
        turn = segment.turn


def _parsed(
    path: Path,
    tokenizer: TurnTokenizer,
    numbers: dict[str, int],
    conversations: Sequence[AskedConversation],
    index: Bm25,
) -> Iterator[Question]:
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["conv"] not in numbers or not row["evidence"]:
                continue
            number = numbers[row["conv"]]
            owner = conversations[number]
            answers = tuple(owner.start + at for at in row["evidence"])
            (segment,) = tokenizer.segments([SpokenTurn("", row["q"])])[:1]
            tokens = tuple(piece.id for piece in segment.pieces)
            own = range(owner.start, owner.start + len(owner.segments))
            alike = tuple(int(place) for place in index.top(np.array(tokens), ALIKE) if place not in own)
            yield Question(tokens, number, answers, row["kind"], alike)


def _tokens(segment: Segment) -> np.ndarray:
    return np.array([*segment.speaker, *(piece.id for piece in segment.pieces)], np.int64)
