"""The succession model that ships in the package: which words of an older turn a newer one makes outdated."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from math import log
from pathlib import Path

import numpy as np

from nacre.models import static_embedder
from nacre.models.reader_decoding import Floats
from nacre.models.reader_heads import ReaderHeads
from nacre.models.reader_windows import LONGEST_SPAN, TurnTokenizer, Window, pair_window
from nacre.models.readings import SpokenTurn
from nacre.models.talk_encoder import TalkEncoder
from nacre.text import clauses, sentences
from nacre.text.tokens import terms

DATA = Path(__file__).parent / "succession"
# Of a long turn so many parts are compared.
MOST_PARTS = 2
OLDER, NEWER = 0, 1
# So many are compared with a newer turn, if they are like it at all by the first of their characters.
MOST_COMPARED, LEAST_ALIKE, MOST_CHARACTERS = 6, 0.05, 1_000
# What a word that two turns share adds to how alike they are, for each e-fold that it is rarer.
SHARED = 0.05


@dataclass(frozen=True, slots=True)
class SuccessionReading:
    """Chance that a newer turn makes words of an older one outdated, and the words of both, by characters."""

    chance: float
    was: tuple[int, int]
    now: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TurnWords:
    """A turn as others are looked for that speak of the same: a vector for each of its parts, and its terms."""

    vectors: Floats
    terms: frozenset[str]


# What was said is compared with one turn after another.
@lru_cache(maxsize=1_000)
def _turn_words(text: str) -> TurnWords:
    parts = [part for span in sentences.split(text) for part in clauses.parts(text[slice(*span)]) if " " in part]
    return TurnWords(static_embedder.load().embed(parts or [text]).matrix, frozenset(terms(text)))


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
        """Which of some texts are most like a newer one, by their places; those that are not like it are left out.

        Turns are about several things, so it is their parts that are compared, and the rare words that they share.
        """
        if not older:
            return []
        said, *others = (_turn_words(text[:MOST_CHARACTERS]) for text in (newer, *older))
        number = Counter(term for each in others for term in each.terms & said.terms)
        rarity = {term: SHARED * log((len(others) + 1) / count) for term, count in number.items()}
        alike = [
            float((each.vectors @ said.vectors.T).max()) + sum(rarity[term] for term in each.terms & said.terms)
            for each in others
        ]
        order = sorted(range(len(older)), key=lambda place: -alike[place])[:most]
        return [place for place in order if alike[place] >= LEAST_ALIKE]

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
