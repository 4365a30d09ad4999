"""Tuning of the shipped succession model on a CPU: its last layers and its heads learn from newer talks.

The states of the layers below are worked out once, so that an epoch takes minutes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from bench.models.corpus import say
from bench.models.reader.network import FAR, run_layer
from bench.models.succession.network import PairBatch, PairExample, SuccessionNetwork, batch_of, example_of
from bench.models.succession.pairs import Talk, draw_pairs
from bench.models.succession.training import judged_loss
from nacre.models.reader_windows import TurnTokenizer

# Layers that stay as they are, and how much of the other talks is learned from again, so that nothing is forgotten.
KEPT_LAYERS, AGAIN = 4, 3
EPOCHS, BATCH, RATE, HEAD_RATE, DROPOUT = 3, 32, 6e-5, 2e-4, 0.15
# Negative pairs for each change, of newer talks and of the others.
NEGATIVES, NEGATIVES_AGAIN = 5, 3
CHANGE = 2.0
NEWER = tuple(f"s{letter}-" for letter in "cdefghij")


def tune(model: SuccessionNetwork, talks: Sequence[Talk], vocabulary: Path) -> SuccessionNetwork:
    """The model with its last layers trained on newer talks, as the mean of the weights along the way."""
    torch.manual_seed(5)
    chance = random.Random(7)
    examples = _examples(talks, vocabulary, chance)
    say(f"{len(examples)} pairs, {sum(each.is_change for each in examples)} changes")
    states = _states(model, examples)
    upper = model.layers[KEPT_LAYERS:]
    body, heads = list(upper.parameters()), [*model.changed.parameters(), *model.pointed.parameters()]
    for part in model.parameters():
        part.requires_grad_(False)
    for part in (*body, *heads):
        part.requires_grad_(True)
    for part in upper.modules():
        if isinstance(part, nn.Dropout):
            part.p = DROPOUT
    optimiser = torch.optim.AdamW([{"params": body, "lr": RATE}, {"params": heads, "lr": HEAD_RATE}], weight_decay=0.01)
    total = EPOCHS * (len(examples) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / (0.06 * total)) * max(0.02, 1 - step / total)
    )
    means = [part.detach().clone() for part in (*body, *heads)]
    upper.train()
    step = 0
    for epoch in range(EPOCHS):
        for group in _groups(examples, chance):
            made, x = _padded(examples, states, group)
            changed, pointed = model.judge(_upwards(model, x, made, KEPT_LAYERS), made.types, made.mask)
            loss = judged_loss(changed, pointed, made, made.changes, CHANGE)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*body, *heads], 1.0)
            optimiser.step()
            schedule.step()
            step += 1
            with torch.no_grad():
                torch._foreach_lerp_(means, [*body, *heads], 1 - min(0.99, step / (step + 10)))
        say(f"epoch {epoch + 1} of {EPOCHS}")
    with torch.no_grad():
        for part, mean in zip((*body, *heads), means, strict=True):
            part.copy_(mean)
    model.eval()
    return model


def _examples(talks: Sequence[Talk], vocabulary: Path, chance: random.Random) -> list[PairExample]:
    newer = [talk for talk in talks if talk.id.startswith(NEWER)]
    others = [talk for talk in talks if not talk.id.startswith(NEWER)]
    chance.shuffle(others)
    again = others[: len(others) // AGAIN]
    tokenizer = TurnTokenizer(vocabulary)
    pairs = draw_pairs(newer, chance, NEGATIVES) + draw_pairs(again, chance, NEGATIVES_AGAIN)
    return [example_of(pair, tokenizer) for pair in pairs]


@torch.no_grad()  # type: ignore[untyped-decorator]
def _states(model: SuccessionNetwork, examples: Sequence[PairExample]) -> list[Tensor]:
    """What the kept layers make of each example."""
    model.eval()
    found: dict[int, Tensor] = {}
    order = sorted(range(len(examples)), key=lambda place: len(examples[place].window.ids))
    for start in range(0, len(order), 2 * BATCH):
        group = order[start : start + 2 * BATCH]
        made = batch_of([examples[place] for place in group])
        x = _upwards(model, model.embed(made.ids, made.cases, made.types), made, 0, KEPT_LAYERS)
        for row, place in enumerate(group):
            found[place] = x[row, : len(examples[place].window.ids)].half()
    return [found[place] for place in range(len(examples))]


def _upwards(model: SuccessionNetwork, x: Tensor, made: PairBatch, first: int, end: int | None = None) -> Tensor:
    far = torch.zeros(made.mask.shape).masked_fill(~made.mask, FAR)[:, None, None, :]
    for layer in model.layers[first:end]:
        x = run_layer(layer, x, far)
    return x


def _groups(examples: Sequence[PairExample], chance: random.Random) -> Iterator[list[int]]:
    """Batches of examples of like length, in any order."""
    order = sorted(range(len(examples)), key=lambda place: len(examples[place].window.ids) + chance.uniform(0, 30))
    groups = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    chance.shuffle(groups)
    yield from groups


def _padded(
    examples: Sequence[PairExample], states: Sequence[Tensor], group: Sequence[int]
) -> tuple[PairBatch, Tensor]:
    made = batch_of([examples[place] for place in group])
    return made, nn.utils.rnn.pad_sequence([states[place].float() for place in group], batch_first=True)
