"""What the reranker is trained on: groups of a question, a passage that answers it, and passages that do not.

In a conversation a passage has one before it, which it often answers. So a passage may carry a previous one:
`[CLS] question [SEP] passage [SEP] previous [SEP]`. The passage comes first, so that a cut takes the previous one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.models.material import LENGTH, QUESTION, Material, Short
from bench.models.scenes import TRAINING, Habits, Scene, Turn
from bench.models.talk import Talk, Tokens

CLS, SEP = 101, 102
PREVIOUS = 32
NEGATIVES = 11
FROM_CONTEXT = 3

# How often a question of each source is asked in one epoch. Tweets and chats are nearest to what memory holds.
SHARES = {
    "tweet": 2.0,
    "molweni": 2.0,
    "selqa": 2.0,
    "squad": 1.0,
    "xquad": 1.0,
    "qamr": 0.7,
    "iirc": 0.7,
    "qasper": 0.7,
    "boolq": 0.4,
    "pubmed": 0.4,
    "scitail": 0.3,
}
# What stands before the passages of a group: nothing, the true passage before, a question about it, anything.
BEFORE = ("nothing", "neighbour", "question", "stray")
WITH_NEIGHBOURS = (0.35, 0.4, 0.15, 0.1)
WITHOUT_NEIGHBOURS = (0.5, 0.0, 0.25, 0.25)
HAVE_SPEAKERS = frozenset({"tweet", "molweni"})


# Joining


def join(question: Tokens, passage: Tokens, previous: Tokens) -> Short:
    """The tokens of a pair; of what stands before, only as much of its end as there is room for."""
    question = question[:QUESTION]
    room = LENGTH - 3 - len(question)
    passage = passage[:room]
    left = min(PREVIOUS, room - len(passage) - 1)
    before = [*previous[-left:], SEP] if previous and left > 0 else []
    return np.array([CLS, *question, SEP, *passage, SEP, *before], np.int32)


class Packed(NamedTuple):
    """Pairs one after the other, without padding."""

    ids: NDArray[np.int64]
    types: NDArray[np.int64]
    """1 for the passage, 0 for all else."""
    places: NDArray[np.int64]
    """Each token's place in its pair."""
    starts: NDArray[np.int32]
    """Where each pair starts, and where the last one ends."""


def packed(rows: Sequence[Short]) -> Packed:
    """Pairs as the models read them."""
    types = [np.zeros(len(row), np.int64) for row in rows]
    for row, kinds in zip(rows, types, strict=True):
        first, second = np.flatnonzero(row == SEP)[:2]
        kinds[first + 1 : second + 1] = 1
    return Packed(
        np.concatenate(rows).astype(np.int64),
        np.concatenate(types),
        np.concatenate([np.arange(len(row)) for row in rows]),
        np.cumsum([0, *map(len, rows)], dtype=np.int32),
    )


# Groups


class Groups:
    """One epoch after the other of groups, the answer first in each; the same for the same seed."""

    def __init__(self, material: Material, talk: Talk, seed: int = 0, batch: int = 64) -> None:
        self._material, self._talk = material, talk
        self._seed, self._batch = seed, batch
        self._of_source = {source: np.flatnonzero(np.array(material.sources) == source).tolist() for source in SHARES}
        self._about: dict[int, list[int]] = defaultdict(list)
        self._asked_in: dict[str, list[int]] = defaultdict(list)
        for number in material.train.tolist():
            self._asked_in[material.asked[number]].append(number)
            for place in material.positives[number].tolist():
                self._about[place].append(number)

    def steps(self, epoch: int) -> list[list[int]]:
        """The questions of each step."""
        draw = np.random.default_rng((self._seed, epoch))
        shares = np.array([SHARES[self._material.asked[number]] for number in self._material.train])
        times = np.floor(shares + draw.random(len(shares))).astype(np.int64)
        order = draw.permutation(np.repeat(self._material.train, times)).tolist()
        return [order[at : at + self._batch] for at in range(0, len(order) - self._batch + 1, self._batch)]

    def rows(self, epoch: int, numbers: Sequence[int]) -> Iterator[Short]:
        """The pairs of these questions' groups, one group after the other."""
        for number in numbers:
            draw = Random(f"{self._seed} {epoch} {number}")
            places = self._places(number, draw)
            yield from self._group(number, places, self._before(places, draw), TRAINING, draw)

    def dev_rows(self, number: int, habits: Habits) -> list[Short]:
        """The pairs of a dev question with its candidates, its answers first; the same every time."""
        places = self._material.candidates[number].tolist()
        return list(self._group(number, places, "neighbour", habits, Random(number)))

    def _places(self, number: int, draw: Random) -> list[int]:
        held = self._material
        around = held.context[number].tolist()
        chosen = draw.sample(around, min(FROM_CONTEXT, len(around)))
        alike = [place for place in held.negatives[number].tolist() if place not in chosen]
        chosen += draw.sample(alike, min(NEGATIVES - len(chosen), len(alike)))
        while len(chosen) < NEGATIVES:
            stray = draw.choice(self._of_source[held.asked[number]])
            if stray not in held.positives[number]:
                chosen.append(stray)
        draw.shuffle(chosen)
        return [draw.choice(held.positives[number].tolist()), *chosen]

    # What stands before

    def _before(self, places: Sequence[int], draw: Random) -> str:
        near = bool(self._material.follows[places].any())
        (kind,) = draw.choices(BEFORE, WITH_NEIGHBOURS if near else WITHOUT_NEIGHBOURS)
        # Were the answer the one passage without a fitting question, that would give it away.
        known = len(self._about[places[0]]) > 1
        return kind if kind != "question" or known else "nothing"

    def _previous(self, kind: str, number: int, place: int, draw: Random) -> Tokens:
        held = self._material
        if kind == "neighbour":
            return self._passage(place - 1) if held.follows[place] else []
        if kind == "question":
            # Another question about the same passage, as if someone had asked it and this were the reply.
            return self._other_question(number, place, draw)
        return self._stray(number, draw) if kind == "stray" else []

    def _other_question(self, number: int, place: int, draw: Random) -> Tokens:
        about = [each for each in self._about[place] if each != number]
        other = draw.choice(about or self._asked_in[self._material.asked[number]])
        asked: Tokens = self._material.questions[other].tolist()
        return asked

    def _stray(self, number: int, draw: Random) -> Tokens:
        return self._passage(draw.choice(self._of_source[self._material.asked[number]]))

    def _passage(self, place: int) -> Tokens:
        tokens: Tokens = self._material.passages[place].tolist()
        return tokens

    # One group

    def _group(self, number: int, places: Sequence[int], kind: str, habits: Habits, draw: Random) -> Iterator[Short]:
        held = self._material
        answers, around = held.positives[number].tolist(), held.context[number].tolist()
        scene = Scene(
            talk=self._talk,
            draw=draw,
            question=held.questions[number].tolist(),
            turns=[
                Turn(
                    self._passage(place), self._previous(kind, number, place, draw), place in answers or place in around
                )
                for place in places
            ],
            answers=sum(place in answers for place in places),
            named=held.asked[number] in HAVE_SPEAKERS,
            another=self._other_question(number, places[0], draw),
            after=self._after(places[0], answers),
            strays=lambda: self._stray(number, draw),
        )
        scene.change(habits)
        for turn in scene.turns:
            yield join(scene.question, turn.said, turn.before)

    def _after(self, place: int, answers: Sequence[int]) -> Tokens:
        """What stands after a passage, unless that is an answer too."""
        known = place + 1 < len(self._material.passages) and self._material.follows[place + 1]
        return self._passage(place + 1) if known and place + 1 not in answers else []
