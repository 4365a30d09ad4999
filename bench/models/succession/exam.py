"""What the succession model finds in talks that it was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bench.models.reader.training import half
from bench.models.succession.network import PairExample, SuccessionNetwork, batch_of, example_of
from bench.models.succession.pairs import Pair, Talk, every_pair
from nacre.models.reader_windows import TurnTokenizer

TOGETHER = 256


@dataclass(frozen=True, slots=True)
class PairScore:
    """A pair with its logit, and whether the words that were are found."""

    pair: Pair
    logit: float
    words: float


@torch.no_grad()  # type: ignore[untyped-decorator]
def scores(model: SuccessionNetwork, talks: Sequence[Talk], vocabulary: Path, device: str) -> list[PairScore]:
    """All pairs of some talks."""
    tokenizer = TurnTokenizer(vocabulary)
    made = [(pair, example_of(pair, tokenizer)) for talk in talks for pair in every_pair(talk)]
    made.sort(key=lambda each: len(each[1].window.ids))
    found = []
    model.to(device).eval()
    for start in range(0, len(made), TOGETHER):
        some = made[start : start + TOGETHER]
        batch = batch_of([example for _, example in some]).to(device)
        with half(device):
            x = model(batch.ids, batch.cases, batch.types, batch.mask)
            changed, pointed = model.judge(x, batch.types, batch.mask)
        best = pointed.argmax(dim=-1).cpu().numpy()
        for (pair, example), logit, places in zip(some, changed.float().cpu().tolist(), best, strict=True):
            found.append(PairScore(pair, logit, _overlap(example, places)))
    return found


@torch.no_grad()  # type: ignore[untyped-decorator]
def logits(model: SuccessionNetwork, pairs: Sequence[Pair], vocabulary: Path, device: str) -> NDArray[np.float32]:
    """What the model thinks of some pairs, in their order."""
    tokenizer = TurnTokenizer(vocabulary)
    made = [example_of(pair, tokenizer) for pair in pairs]
    order = sorted(range(len(made)), key=lambda place: len(made[place].window.ids))
    model.to(device).eval()
    found = np.zeros(len(made), np.float32)
    for start in range(0, len(order), TOGETHER):
        some = order[start : start + TOGETHER]
        batch = batch_of([made[place] for place in some]).to(device)
        with half(device):
            x = model(batch.ids, batch.cases, batch.types, batch.mask)
            changed, _ = model.judge(x, batch.types, batch.mask)
        found[some] = changed.float().cpu().numpy()
    return found


def _overlap(example: PairExample, places: np.ndarray) -> float:
    """Share of the labelled tokens and the found ones that are the same, for what was."""
    (first, last), (ours, end) = example.pointers[:2], places[:2]
    both = max(0, min(last, end) - max(first, ours) + 1)
    return float(2 * both / max(1, (last - first + 1) + max(0, end - ours + 1)))


def report(found: Sequence[PairScore]) -> list[str]:
    """Precision and recall at several chances, the area under the curve, and how many words are right."""
    labels = np.array([each.pair.change is not None for each in found])
    logits = np.array([each.logit for each in found])
    order = np.argsort(logits)
    ranks = np.empty(len(order))
    ranks[order] = np.arange(len(order))
    ones = int(labels.sum())
    area = (ranks[labels].sum() - ones * (ones - 1) / 2) / max(1, ones * (len(labels) - ones))
    chances = 1 / (1 + np.exp(-logits))
    words = np.mean([each.words for each in found if each.pair.change])
    hits = np.cumsum(labels[order[::-1]])
    mean = float((hits / np.arange(1, len(hits) + 1))[labels[order[::-1]]].mean())
    lines = [f"{len(found)} pairs, {ones} changes, AUROC {area:.4f}, average precision {mean:.4f}, words {words:.3f}"]
    for bar in (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98):
        taken = chances >= bar
        right = int((taken & labels).sum())
        lines.append(f"at {bar}: precision {right / max(1, taken.sum()):.3f} recall {right / max(1, ones):.3f}")
    return lines
