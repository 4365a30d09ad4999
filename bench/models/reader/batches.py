"""Batches: windows side by side, padded, with their labels as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from bench.models.reader.examples import Example
from nacre.models.reader_windows import LONGEST_SPAN


@dataclass(frozen=True)
class Batch:
    """Padded windows. `facts` and `entities` are rows as in `Example`, led by the number of the window."""

    ids: Tensor
    cases: Tensor
    types: Tensor
    mask: Tensor
    turns: Tensor
    sentences: Tensor
    first: Tensor
    last: Tensor
    facts: Tensor
    entities: Tensor

    @cached_property
    def allowed(self) -> Tensor:
        """Which spans can be an object, as `reader_decoding.candidates` has it."""
        places = torch.arange(self.ids.shape[1], device=self.ids.device)
        apart = places[None, :] - places[:, None]
        near = (apart >= 0) & (apart < LONGEST_SPAN)
        own = self.first & (self.types == 1) & (self.turns >= 0)
        same = (self.turns[:, :, None] == self.turns[:, None]) & (self.sentences[:, :, None] == self.sentences[:, None])
        return near & same & own[:, :, None] & self.last[:, None]

    def to(self, device: str) -> Batch:
        """The batch on another device."""
        return Batch(*(getattr(self, field.name).to(device, non_blocking=True) for field in fields(self)))


def batch(examples: Sequence[Example]) -> Batch:
    """A batch of examples."""
    some = [example.window for example in examples]
    length = max(map(len, some))
    return Batch(
        ids=_padded([window.ids for window in some], length),
        cases=_padded([window.cases for window in some], length),
        types=_padded([window.types for window in some], length),
        mask=_padded([np.ones(len(window), np.bool_) for window in some], length),
        turns=_padded([window.turns for window in some], length, -1),
        sentences=_padded([window.sentences for window in some], length, -1),
        first=_padded([window.first for window in some], length),
        last=_padded([window.last for window in some], length),
        facts=_rows([example.facts for example in examples], 10),
        entities=_rows([example.entities for example in examples], 4),
    )


def _padded(rows: Sequence[np.ndarray], length: int, fill: int = 0) -> Tensor:
    made = np.full((len(rows), length), fill, rows[0].dtype)
    for place, row in enumerate(rows):
        made[place, : len(row)] = row
    return torch.from_numpy(made)


def _rows(each: Sequence[np.ndarray], width: int) -> Tensor:
    numbered = [np.insert(rows, 0, place, axis=1) for place, rows in enumerate(each)]
    return torch.from_numpy(np.concatenate(numbered).reshape(-1, width))
