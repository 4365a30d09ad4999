"""Training the succession model on labelled pairs of turns."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from bench.models.corpus import say
from bench.models.reader.training import Learner, Plan, half
from bench.models.succession.network import NOWHERE, PairBatch, PairExample, SuccessionNetwork, batch_of, example_of
from bench.models.succession.pairs import Pair, Talk, draw_pairs
from nacre.models.reader_windows import LOWER, TurnTokenizer

# How much a change counts beside a pair without one, and finding the words beside finding the change.
CHANGE, WORDS = 3.0, 0.25
# How much the label counts where there is one, beside the teachers.
LABELS = 0.4


class PairMaterial:
    """Pairs to train on: all that changed, and other pairs drawn anew for each epoch.

    Beside them, as many pairs that nobody labelled, where `opinions` tell what there is to learn.
    """

    def __init__(
        self,
        talks: Sequence[Talk],
        vocabulary: Path,
        opinions: Mapping[Pair, float] | None = None,
        unlabelled: Sequence[Pair] = (),
    ) -> None:
        self._talks, self._tokenizer = talks, TurnTokenizer(vocabulary)
        self._opinions, self._unlabelled = opinions or {}, unlabelled
        self._made: dict[Pair, PairExample] = {}

    def epoch(self, number: int, plan: Plan) -> Iterator[PairBatch]:
        """The batches of one epoch, pairs of like length together."""
        chance = random.Random(plan.seed * 1_000 + number)
        drawn = draw_pairs(self._talks, chance)
        more = chance.sample(self._unlabelled, min(len(drawn), len(self._unlabelled)))
        groups = [*self._groups(drawn, plan, chance), *self._groups(more, plan, chance, labelled=False)]
        chance.shuffle(groups)
        for group in groups:
            made = batch_of(group)
            hidden = torch.tensor([chance.random() < plan.lower for _ in group])
            made.cases[hidden] = LOWER
            yield made

    def _groups(
        self, pairs: Sequence[Pair], plan: Plan, chance: random.Random, *, labelled: bool = True
    ) -> list[list[PairExample]]:
        rows = [self._example(pair, labelled) for pair in pairs]
        rows.sort(key=lambda each: len(each.window.ids) + chance.uniform(0, 30))
        return [rows[start : start + plan.batch] for start in range(0, len(rows), plan.batch)]

    def _example(self, pair: Pair, labelled: bool) -> PairExample:
        if pair not in self._made:
            made = example_of(pair, self._tokenizer)
            self._made[pair] = replace(made, is_labelled=labelled, opinion=self._opinions.get(pair))
        return self._made[pair]


def loss_of(model: SuccessionNetwork, made: PairBatch, wanted: Tensor | None = None, labels: float = LABELS) -> Tensor:
    """How far the network is from the labels; with `wanted`, mostly from the chances that teachers give."""
    x = model(made.ids, made.cases, made.types, made.mask)
    changed, pointed = model.judge(x, made.types, made.mask)
    goal = made.changes
    if wanted is not None:
        goal = torch.where(made.labelled, labels * made.changes + (1 - labels) * wanted, wanted)
    weight = torch.where(made.changes > 0, CHANGE, 1.0)
    loss = functional.binary_cross_entropy_with_logits(changed.float(), goal, weight=weight)
    if bool((made.pointers != NOWHERE).any()):
        words = functional.cross_entropy(pointed.float().flatten(0, 1), made.pointers.flatten(), ignore_index=NOWHERE)
        loss = loss + WORDS * words
    return loss


def fit(
    model: SuccessionNetwork,
    held: PairMaterial,
    plan: Plan,
    device: str,
    teachers: Sequence[SuccessionNetwork] = (),
    *,
    labels: float = LABELS,
) -> SuccessionNetwork:
    """Train on the labels, and on what teachers think; returns the mean of the weights along the way."""
    torch.manual_seed(plan.seed)
    model.to(device).train()
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = plan.dropout
    learner = Learner(model, plan, plan.epochs * sum(1 for _ in held.epoch(0, plan)))
    for epoch in range(plan.epochs):
        total, steps = torch.zeros((), device=device), 0
        for made in held.epoch(epoch, plan):
            moved = made.to(device)
            with half(device):
                loss = loss_of(model, moved, _opinion(teachers, moved), labels)
            learner.step(loss)
            total += loss.detach()
            steps += 1
        say(f"epoch {epoch + 1} of {plan.epochs}, loss {float(total) / steps:.4f}")
    kept: SuccessionNetwork = learner.mean
    return kept


@torch.no_grad()  # type: ignore[untyped-decorator]
def _opinion(teachers: Sequence[SuccessionNetwork], made: PairBatch) -> Tensor | None:
    """The mean chance that the teachers give, the large one's among them where it was asked."""
    chances = []
    for teacher in teachers:
        x = teacher(made.ids, made.cases, made.types, made.mask)
        chances.append(torch.sigmoid(teacher.judge(x, made.types, made.mask)[0].float()))
    if not bool(made.opinions.isnan().any()):
        chances.append(made.opinions)
    return torch.stack(chances).mean(dim=0) if chances else None
