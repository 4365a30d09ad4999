"""The succession model that ships in the package: which words of an older turn a newer one makes outdated."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path

import numpy as np

from nacre.models import static_embedder
from nacre.models.reader_decoding import Floats
from nacre.models.reader_heads import ReaderHeads
from nacre.models.reader_windows import LONGEST_SPAN, TurnTokenizer, Window, pair_window
from nacre.models.readings import SpokenTurn
from nacre.models.talk_encoder import TalkEncoder

DATA = Path(__file__).parent / "succession"
# Of a long turn so many parts are compared.
MOST_PARTS = 2
OLDER, NEWER = 0, 1
# So many are compared with a newer turn, if they are like it at all by the first of their characters.
MOST_COMPARED, LEAST_ALIKE, MOST_CHARACTERS = 6, 0.05, 1_000


@dataclass(frozen=True, slots=True)
class SuccessionReading:
    """Chance that a newer turn makes words of an older one outdated, and the words of both, by characters."""

    chance: float
    was: tuple[int, int]
    now: tuple[int, int]


@cache
def load() -> "LocalSuccession":
    """The succession model; one a process, whoever asks."""
    return LocalSuccession()


class LocalSuccession:
    """Compares turns. Nothing is loaded before the first pair comes."""

    def __init__(self, data: Path = DATA) -> None:
        self._data = data
        self._encoder = TalkEncoder(data / "succession.onnx")

    def nearest(self, newer: str, older: Sequence[str], most: int = MOST_COMPARED) -> list[int]:
        """Which of some texts are most like a newer one, by their places; those that are not like it are left out."""
        if not older:
            return []
        vectors = static_embedder.load().embed([newer[:MOST_CHARACTERS], *(text[:MOST_CHARACTERS] for text in older)])
        alike = vectors.matrix[1:] @ vectors.matrix[0]
        order = np.argsort(-alike, kind="stable")[:most]
        return [int(place) for place in order if alike[place] >= LEAST_ALIKE]

    def read_pair(self, older: SpokenTurn, newer: SpokenTurn) -> SuccessionReading | None:
        """What the newer of two turns makes outdated, however unlikely; None where either has no words."""
        segments = ((each for each in self._tokenizer.segments([turn]) if each.pieces) for turn in (older, newer))
        parts = [list(some)[:MOST_PARTS] for some in segments]
        readings = [self._read(pair_window(*pair)) for pair in product(*parts)]
        return max(readings, key=lambda each: each.chance, default=None)

    def _read(self, window: Window) -> SuccessionReading:
        states = self._encoder.states(window)
        pointers = self._heads.change_pointers(states).T
        was, now = _words(window, OLDER, *pointers[:2]), _words(window, NEWER, *pointers[2:])
        return SuccessionReading(self._heads.change(states), was, now)

    @cached_property
    def _tokenizer(self) -> TurnTokenizer:
        return TurnTokenizer(static_embedder.DATA / "vocab.txt")

    @cached_property
    def _heads(self) -> ReaderHeads:
        with np.load(self._data / "heads.npz") as held:
            return ReaderHeads({name: held[name] for name in held.files})


def _words(window: Window, turn: int, first: Floats, last: Floats) -> tuple[int, int]:
    """The likeliest words of a turn: whole ones of one sentence."""
    opens = np.flatnonzero((window.turns == turn) & window.first)
    closes = np.flatnonzero((window.turns == turn) & window.last)
    apart = closes[None, :] - opens[:, None]
    fits = (apart >= 0) & (apart < LONGEST_SPAN)
    fits &= window.sentences[opens][:, None] == window.sentences[closes][None, :]
    worth = np.where(fits, first[opens][:, None] + last[closes][None, :], -np.inf)
    begin, end = np.unravel_index(int(worth.argmax()), worth.shape)
    return int(window.starts[opens[begin]]), int(window.ends[closes[end]])
