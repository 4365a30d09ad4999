"""Training: labels for the teachers, and mostly the opinion of the teachers for the one that ships."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

import torch
from torch import Tensor, nn

from bench.models.corpus import say
from bench.models.reader import losses
from bench.models.reader.batches import Batch, batch
from bench.models.reader.examples import Example, spanned
from bench.models.reader.labels import LabelledConversation
from bench.models.reader.network import ReaderNetwork
from nacre.models.reader_windows import LOWER, TurnTokenizer

# How many ways of cutting the conversations into windows are made beforehand; epochs take turns with them.
CUTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a network is trained."""

    epochs: int = 24
    rate: float = 2e-4
    head_rate: float = 6e-4
    seed: int = 1
    batch: int = 24
    warm: float = 0.08
    decay: float = 0.02
    clip: float = 1.0
    dropout: float = 0.15
    jitter: float = 0.25
    lower: float = 0.12
    """Share of windows whose case is hidden: much talk has none."""
    average: float = 0.998
    """Decay of the running mean of the weights, which is what is kept."""
    labels: float = 0.3
    """Weight of the labels beside the teachers' opinion."""
    steps: int | None = None


class Material:
    """Windows to train on: labelled conversations, cut in several ways."""

    def __init__(self, cuts: Sequence[Sequence[Example]]) -> None:
        self._cuts = cuts

    def epoch(self, number: int, plan: Plan) -> Iterator[Batch]:
        """The batches of one epoch, windows of like length together."""
        chance = random.Random(plan.seed * 1_000 + number)
        cut = self._cuts[(number + plan.seed) % len(self._cuts)]
        rows = sorted(cut, key=lambda example: len(example.window) + chance.uniform(0, 40))
        groups = [rows[start : start + plan.batch] for start in range(0, len(rows), plan.batch)]
        chance.shuffle(groups)
        for group in groups:
            made = batch(group)
            hidden = torch.tensor([chance.random() < plan.lower for _ in group])
            made.cases[hidden] = LOWER
            yield made


def material(some: Sequence[LabelledConversation], vocabulary: Path, workers: int) -> Material:
    """Cut the conversations, in several processes."""
    jobs = [(some, vocabulary, seed) for seed in range(CUTS)]
    if workers > 1:
        with Pool(workers) as pool:
            cuts = pool.starmap(_cut, jobs)
    else:
        cuts = [_cut(*job) for job in jobs]
    say(f"{len(cuts[0])} windows of {len(some)} conversations")
    return Material(cuts)


def _cut(some: Sequence[LabelledConversation], vocabulary: Path, seed: int) -> list[Example]:
    chance = random.Random(seed)
    held = spanned(some, TurnTokenizer(vocabulary))
    return [example for each in held for example in each.examples(chance)]


class Learner:
    """A network with its optimiser and the running mean of its weights."""

    def __init__(self, model: ReaderNetwork, plan: Plan, total: int) -> None:
        self.model = model
        self._plan, self._step = plan, 0
        self.mean = copy.deepcopy(model).eval()
        body = [value for name, value in model.named_parameters() if _is_body(name)]
        heads = [value for name, value in model.named_parameters() if not _is_body(name)]
        self._optimiser = torch.optim.AdamW(
            [{"params": body, "lr": plan.rate}, {"params": heads, "lr": plan.head_rate}], weight_decay=plan.decay
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimiser, lambda step: min(1.0, (step + 1) / (plan.warm * total)) * max(0.02, 1 - step / total)
        )

    def step(self, loss: Tensor) -> None:
        """Learn from one batch."""
        self._optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self._plan.clip)
        self._optimiser.step()
        self._schedule.step()
        self._step += 1
        kept = min(self._plan.average, self._step / (self._step + 10))
        with torch.no_grad():
            mine, means = list(self.model.parameters()), list(self.mean.parameters())
            torch._foreach_lerp_(means, mine, 1 - kept)


def _is_body(name: str) -> bool:
    return name.startswith(("layers.", "positions.", "types.", "norm."))


def fit(
    model: ReaderNetwork,
    held: Material,
    plan: Plan,
    device: str,
    teachers: Sequence[ReaderNetwork] = (),
    *,
    unlabelled: Material | None = None,
) -> ReaderNetwork:
    """Train on the labels, or mostly on what teachers think; returns the mean of the weights along the way.

    Of talk without labels as many batches are read as of the labelled: there the teachers' opinion is all.
    """
    torch.manual_seed(plan.seed)
    model.to(device).train()
    per_epoch = len(_epoch(held, unlabelled, 0, plan))
    total = plan.steps or plan.epochs * per_epoch
    learner = Learner(model, plan, total)
    done, sum_of_losses = 0, torch.zeros((), device=device)
    for epoch in range(plan.epochs):
        for made, labelled in _epoch(held, unlabelled, epoch, plan):
            if done >= total:
                break
            moved = made.to(device)
            with half(device):
                x = model(moved.ids, moved.cases, moved.types, moved.mask)
                loss = losses.label_loss(model, x, moved, plan.jitter) if labelled else torch.zeros((), device=device)
                if teachers:
                    wanted = losses.opinion(teachers, moved)
                    loss = plan.labels * loss + (1 - plan.labels) * losses.opinion_loss(model, x, moved, wanted)
            learner.step(loss)
            sum_of_losses += loss.detach()
            done += 1
            if done % 400 == 0:
                say(f"step {done} of {total}, loss {float(sum_of_losses) / 400:.3f}")
                sum_of_losses.zero_()
    kept: ReaderNetwork = learner.mean
    return kept


def _epoch(held: Material, unlabelled: Material | None, number: int, plan: Plan) -> list[tuple[Batch, bool]]:
    """The batches of an epoch, and whether each has labels."""
    batches = [(made, True) for made in held.epoch(number, plan)]
    if unlabelled:
        chance = random.Random(number)
        more = list(unlabelled.epoch(number, plan))
        chance.shuffle(more)
        batches += [(made, False) for made in more[: len(batches)]]
        chance.shuffle(batches)
    return batches


def half(device: str) -> torch.autocast:
    """Half precision on a GPU."""
    return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")
