"""The large teacher: a language model that reads an older and a newer turn and says whether something is outdated."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from bench.models import language_model
from bench.models.corpus import say
from bench.models.reader.training import Learner, Plan, half
from bench.models.succession.pairs import Pair, PairTurn, Talk, draw_pairs
from bench.models.succession.training import CHANGE

# Of either turn no more is read.
LONGEST = 140
EARLIER, LATER = "Earlier, ", "\nLater, "
QUESTION = "\nDoes the later message make anything in the earlier one outdated? Answer:"
ANSWERS = " Yes", " No"
TOGETHER = 512
# Steps between two lines of the log.
EVERY = 200


class PairTokenizer:
    """The tokens of pairs, as the language model reads them; each turn is read once."""

    def __init__(self, work: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(work / language_model.TOKENIZER))
        self._made: dict[PairTurn, list[int]] = {}
        self._earlier, self._later, self._question = (self.ids(text) for text in (EARLIER, LATER, QUESTION))
        self.yes, self.no = (self.ids(answer)[0] for answer in ANSWERS)

    def read(self, pair: Pair) -> list[int]:
        """The tokens of one pair, and the question about it."""
        return [*self._earlier, *self._turn(pair.old), *self._later, *self._turn(pair.new), *self._question]

    def _turn(self, turn: PairTurn) -> list[int]:
        if turn not in self._made:
            self._made[turn] = self.ids(f"{turn.speaker}: {turn.text}")[:LONGEST]
        return self._made[turn]

    def ids(self, text: str) -> list[int]:
        """The tokens of a text."""
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids


class LargeTeacher(nn.Module):  # type: ignore[misc]
    """The language model, and a head on its last state that begins as its own yes less its no."""

    def __init__(self, work: Path, tokenizer: PairTokenizer, *, both_ways: bool) -> None:
        super().__init__()
        self.model, self._both_ways = language_model.load(work), both_ways
        self.changed = nn.Linear(language_model.WIDTH, 1)
        with torch.no_grad():
            words = self.model.words.weight
            self.changed.weight.copy_((words[tokenizer.yes] - words[tokenizer.no])[None])
            self.changed.bias.zero_()

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """A logit for each pair."""
        mask = torch.arange(ids.shape[1], device=ids.device) < lengths[:, None] if self._both_ways else None
        last = self.model(ids, mask)[torch.arange(len(ids), device=ids.device), lengths - 1]
        logits: Tensor = self.changed(last)[:, 0]
        return logits.float()


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Padded pairs as a language model reads them."""

    ids: Tensor
    lengths: Tensor
    changes: Tensor


def batch_of(some: Sequence[tuple[list[int], bool]], device: str) -> TextBatch:
    """Pairs, padded to the longest."""
    lengths = [len(ids) for ids, _ in some]
    rows = np.zeros((len(some), max(lengths)), np.int64)
    for row, (ids, _) in zip(rows, some, strict=True):
        row[: len(ids)] = ids
    changes = torch.tensor([float(change) for _, change in some])
    parts = torch.from_numpy(rows), torch.tensor(lengths), changes
    return TextBatch(*(part.to(device) for part in parts))


def epoch(
    talks: Sequence[Talk], tokenizer: PairTokenizer, number: int, plan: Plan
) -> list[list[tuple[list[int], bool]]]:
    """The pairs of one epoch, in batches of like length."""
    chance = random.Random(plan.seed * 1_000 + number)
    rows = [(tokenizer.read(pair), pair.change is not None) for pair in draw_pairs(talks, chance)]
    rows.sort(key=lambda row: len(row[0]) + chance.uniform(0, 12))
    groups = [rows[start : start + plan.batch] for start in range(0, len(rows), plan.batch)]
    chance.shuffle(groups)
    return groups


def fit(model: LargeTeacher, talks: Sequence[Talk], tokenizer: PairTokenizer, plan: Plan, device: str) -> LargeTeacher:
    """Train on the labels; returns the mean of the weights along the way."""
    torch.manual_seed(plan.seed)
    model.to(device).train()
    groups = [group for number in range(plan.epochs) for group in epoch(talks, tokenizer, number, plan)]
    groups = groups[: plan.steps]
    learner = Learner(model, plan, len(groups))
    total = torch.zeros((), device=device)
    for step, group in enumerate(groups, 1):
        made = batch_of(group, device)
        with half(device):
            logits = model(made.ids, made.lengths)
        weight = torch.where(made.changes > 0, CHANGE, 1.0)
        loss = functional.binary_cross_entropy_with_logits(logits, made.changes, weight=weight)
        learner.step(loss)
        total += loss.detach()
        if step % EVERY == 0:
            say(f"step {step} of {len(groups)}, loss {float(total) / EVERY:.4f}")
            total.zero_()
    kept: LargeTeacher = learner.mean
    return kept


def logits_of(model: LargeTeacher, pairs: Sequence[Pair], tokenizer: PairTokenizer, device: str) -> NDArray[np.float32]:
    """What the teacher thinks of some pairs, in their order."""
    logits: NDArray[np.float32] = logits_of_rows(model, [tokenizer.read(pair) for pair in pairs], device)
    return logits


@torch.no_grad()  # type: ignore[untyped-decorator]
def logits_of_rows(model: LargeTeacher, rows: Sequence[list[int]], device: str) -> NDArray[np.float32]:
    """What the teacher thinks of some texts, in their order."""
    model.to(device).eval()
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
    found = np.zeros(len(rows), np.float32)
    for start in range(0, len(order), TOGETHER):
        some = order[start : start + TOGETHER]
        made = batch_of([(rows[place], False) for place in some], device)
        with half(device):
            logits = model(made.ids, made.lengths)
        found[some] = logits.cpu().numpy()
    return found
