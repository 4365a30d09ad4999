"""Opinions of teachers: how much each turn matters for a message, in its own life and in those of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from bench.models.ranker.questions import Questions

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

OWN, CROSSED = "opinions.npz", "crossed.npz"
# Where the opinions lie that the ranker learns from.
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class WrittenOpinions:
    """Logits as they lie in files: of all turns of each message's life, by part, and of crossed places."""

    train: Floats
    dev: Floats
    places: Ints
    crossed: Floats
    turns: int
    """How many turns there were to cross with: places are those of the talk at hand."""


def read(folder: Path) -> WrittenOpinions:
    """What some teacher thinks, or the mean of several."""
    with np.load(folder / OWN) as own, np.load(folder / CROSSED) as crossed:
        return WrittenOpinions(
            own["train"].astype(np.float32),
            own["dev"].astype(np.float32),
            crossed["places"].astype(np.int64),
            crossed["opinions"].astype(np.float32),
            int(crossed["turns"]),
        )


def write(folder: Path, written: WrittenOpinions) -> None:
    """Keep what `read` reads, in half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / OWN, train=written.train.astype(np.float16), dev=written.dev.astype(np.float16))
    np.savez_compressed(
        folder / CROSSED,
        places=written.places.astype(np.int32),
        opinions=written.crossed.astype(np.float16),
        turns=np.array(written.turns),
    )


def blend(some: Sequence[WrittenOpinions]) -> WrittenOpinions:
    """The mean of what several teachers think of the same pairs."""
    first = some[0]
    if any(not np.array_equal(first.places, each.places) for each in some):
        raise ValueError("These teachers were asked about different places: use `teach --like`.")
    return WrittenOpinions(
        np.mean([each.train for each in some], axis=0),
        np.mean([each.dev for each in some], axis=0),
        first.places,
        np.mean([each.crossed for each in some], axis=0),
        first.turns,
    )


class Opinions:
    """What teachers think of some turns for the messages of lives; logits."""

    def __init__(self, asked: Questions) -> None:
        self._messages = [each for each in asked.questions if each.life]
        written = read(FOLDER)
        own = written.train
        self._own: dict[int, dict[int, float]] = {}
        start = 0
        for number, message in enumerate(self._messages):
            places = sorted({*message.answers, *message.near})
            self._own[number] = dict(zip(places, own[start : start + len(places)].tolist(), strict=True))
            start += len(places)
        if written.turns != len(asked):
            raise ValueError(f"{CROSSED} is of {written.turns} turns and not of {len(asked)}: run `teach` again.")
        self._places, self._crossed = written.places, written.crossed

    def own(self, number: int, places: Sequence[int]) -> list[float]:
        """For the message of this number and turns of its life; without an opinion of a turn, NaN."""
        return [self._own[number].get(place, float("nan")) for place in places]

    def crossed(self, number: int, draw: Random, size: int) -> tuple[list[int], list[float]]:
        """Turns of others, and what they matter for the message of this number."""
        columns = draw.sample(range(self._places.shape[1]), size)
        return self._places[number, columns].tolist(), self._crossed[number, columns].tolist()
