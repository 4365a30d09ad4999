"""The network: a small BERT over an older and a newer turn, a chance of change, and pointers to the words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from bench.models.encoder import WIDTH
from bench.models.reader.network import ReaderNetwork
from bench.models.succession.pairs import Pair
from nacre.models.reader_windows import TurnTokenizer, Window, pair_window
from nacre.models.readings import SpokenTurn

# First and last token of what was, first and last of what is now.
POINTERS = 4
NOWHERE = -100


class SuccessionNetwork(ReaderNetwork):
    """The reader's encoder with two heads: whether something changed, and a logit a token for each pointer."""

    def __init__(self, layers: int, dropout: float = 0.1, vocabulary: int = 30_522) -> None:
        super().__init__(layers, dropout, vocabulary)
        self.changed, self.pointed = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, POINTERS)

    def judge(self, x: Tensor, types: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """A logit for each pair, and for each pointer over the tokens of its turn."""
        pointed = self.pointed(x).transpose(1, 2)
        mine = torch.stack([types == 0, types == 0, types == 1, types == 1], dim=1) & mask[:, None]
        return self.changed(x[:, 0])[:, 0], pointed.masked_fill(~mine, -1e4)


@dataclass(frozen=True, slots=True)
class PairExample:
    """A pair's tokens, whether it is a change, and the token that each pointer should find.

    Of a pair that nobody labelled nothing but a teacher's opinion is known.
    """

    window: Window
    is_change: bool
    pointers: tuple[int, ...]
    is_labelled: bool = True
    opinion: float | None = None


@dataclass(frozen=True, slots=True)
class PairBatch:
    """Padded pairs."""

    ids: Tensor
    cases: Tensor
    types: Tensor
    mask: Tensor
    changes: Tensor
    pointers: Tensor
    labelled: Tensor
    opinions: Tensor

    def to(self, device: str) -> PairBatch:
        """The same on another device."""
        return PairBatch(*(getattr(self, name).to(device, non_blocking=True) for name in self.__slots__))


def example_of(pair: Pair, tokenizer: TurnTokenizer) -> PairExample:
    """A pair as the network sees it, cut around the words that changed."""
    old, new = (tokenizer.segments([SpokenTurn(each.speaker, each.text)]) for each in (pair.old, pair.new))
    change = pair.change
    was = _place(pair.old.text, change.was) if change else None
    now = _place(pair.new.text, change.now) if change and change.now else None
    first, second = (
        next((part for part in parts if span and part.pieces and part.pieces[-1].end >= span[1]), parts[0])
        for parts, span in ((old, was), (new, now))
    )
    window = pair_window(first, second)
    pointers = (*_tokens(window, 0, was), *_tokens(window, 1, now))
    return PairExample(window, change is not None, pointers)


def _place(text: str, words: str) -> tuple[int, int] | None:
    start = text.find(words)
    return (start, start + len(words)) if start >= 0 else None


def _tokens(window: Window, turn: int, span: tuple[int, int] | None) -> tuple[int, int]:
    return (window.token_span(turn, *span) if span else None) or (NOWHERE, NOWHERE)


def batch_of(some: Sequence[PairExample]) -> PairBatch:
    """Pairs, padded to the longest."""
    size = max(len(each.window.ids) for each in some)
    ids, cases, types = (torch.zeros(len(some), size, dtype=torch.long) for _ in range(3))
    mask = torch.zeros(len(some), size, dtype=torch.bool)
    for row, each in enumerate(some):
        length = len(each.window.ids)
        ids[row, :length] = torch.from_numpy(each.window.ids)
        cases[row, :length] = torch.from_numpy(each.window.cases)
        types[row, :length] = torch.from_numpy(each.window.types)
        mask[row, :length] = True
    changes = torch.tensor([float(each.is_change) for each in some])
    pointers = torch.tensor([each.pointers for each in some])
    labelled = torch.tensor([each.is_labelled for each in some])
    opinions = torch.tensor([math.nan if each.opinion is None else each.opinion for each in some])
    return PairBatch(ids, cases, types, mask, changes, pointers, labelled, opinions)
