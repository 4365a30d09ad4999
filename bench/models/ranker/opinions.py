"""Opinions of the large teacher: how much each turn matters for a message, in its own life and in those of others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from bench.models.ranker.questions import Questions

OWN = Path(__file__).parent / "opinions.npz"
CROSSED = Path(__file__).parent / "crossed.npz"


class Opinions:
    """What the large teacher thinks of some turns for the messages of lives; logits."""

    def __init__(self, asked: Questions, part: str) -> None:
        self._messages = [each for each in asked.questions if each.life]
        with np.load(OWN) as stored:
            own = stored[part].astype(np.float32)
        self._own: dict[int, dict[int, float]] = {}
        start = 0
        for number, message in enumerate(self._messages):
            places = sorted({*message.answers, *message.near})
            self._own[number] = dict(zip(places, own[start : start + len(places)].tolist(), strict=True))
            start += len(places)
        with np.load(CROSSED) as stored:
            if stored["turns"] != len(asked):
                raise ValueError(
                    f"{CROSSED.name} is of {stored['turns']} turns and not of {len(asked)}: run `teach` again."
                )
            self._places, self._crossed = stored["places"], stored["opinions"].astype(np.float32)

    def own(self, number: int, places: Sequence[int]) -> list[float]:
        """For the message of this number and turns of its life; without an opinion of a turn, NaN."""
        return [self._own[number].get(place, float("nan")) for place in places]

    def crossed(self, number: int, draw: Random, size: int) -> tuple[list[int], list[float]]:
        """Turns of others, and what they matter for the message of this number."""
        columns = draw.sample(range(self._places.shape[1]), size)
        return self._places[number, columns].tolist(), self._crossed[number, columns].tolist()


def write_own(path: Path, train: NDArray[np.float32], dev: NDArray[np.float32]) -> None:
    """Keep what the large teacher thinks of the turns of each message's own life, by part."""
    np.savez_compressed(path, train=train.astype(np.float16), dev=dev.astype(np.float16))


def write_crossed(path: Path, asked: Questions, places: NDArray[np.int64], opinions: NDArray[np.float32]) -> None:
    """Keep what `Opinions` reads; places are those of the talk at hand, so its number of turns is kept, too."""
    np.savez_compressed(
        path, places=places.astype(np.int32), opinions=opinions.astype(np.float16), turns=np.array(len(asked))
    )
