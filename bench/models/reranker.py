"""Train the rerankers: a cross-encoder of six layers, and students with fewer.

python -m bench.models.reranker prepare --training DATA --teacher MODEL --work WORK
python -m bench.models.reranker train --work WORK --out WEIGHTS
python -m bench.models.export --weights WEIGHTS/layers3.safetensors --words WORK/start.safetensors --out FILE

README.md beside this file describes the recipe, the inputs and the figures.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from bench.models import encoder, groups
from bench.models.corpus import Recipe, read_corpus, require, say, word_piece
from bench.models.encoder import CrossEncoder
from bench.models.groups import NEGATIVES, Groups, Material

GROUP = 1 + NEGATIVES
WORDS = ("words", "scales")
# Which layers of the large model a student starts from.
KEPT = {3: (0, 2, 5), 4: (0, 2, 4, 5), 6: (0, 1, 2, 3, 4, 5)}

Loss = Callable[[Tensor, Tensor, Tensor], Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one model is trained."""

    epochs: int
    rate: float
    seed: int
    batch: int = 64
    warm: float = 0.06
    decay: float = 0.01
    clip: float = 1.0
    dropout: float = 0.1
    workers: int = 14
    steps: int | None = None
    """Stop after so many steps, for a trial."""


TEACHER = Plan(epochs=6, rate=1e-4, seed=11)
STUDENT = Plan(epochs=10, rate=3e-4, seed=21, dropout=0.05)


class Steps(Dataset[tuple[Tensor, Tensor]]):  # type: ignore[misc]
    """The steps of one epoch, each a batch of whole groups."""

    def __init__(self, made: Groups, epoch: int) -> None:
        self._groups, self._epoch = made, epoch
        self._steps = made.steps(epoch)

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, place: int) -> tuple[Tensor, Tensor]:
        ids, types = groups.padded(list(self._groups.rows(self._epoch, self._steps[place])))
        return torch.from_numpy(ids), torch.from_numpy(types)


def half(device: str) -> torch.autocast:
    """Half precision on a GPU; most CPUs have none."""
    return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")


def batches(material: Material, plan: Plan) -> Iterator[tuple[int, Tensor, Tensor]]:
    """Every batch of every epoch, with the epoch it is of."""
    made = Groups(material, plan.seed, plan.batch)
    for epoch in range(plan.epochs):
        for ids, types in DataLoader(Steps(made, epoch), batch_size=None, num_workers=plan.workers):
            yield epoch, ids, types


def fit(model: CrossEncoder, material: Material, plan: Plan, loss_of: Loss, *, device: str, label: str) -> None:
    """Train a model in place."""
    model.to(device).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.rate, weight_decay=plan.decay, fused=device == "cuda")
    total = plan.steps or plan.epochs * len(Groups(material, plan.seed, plan.batch).steps(0))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / (plan.warm * total)) * max(0.0, 1 - step / total)
    )
    losses: dict[int, list[Tensor]] = defaultdict(list)
    for step, (epoch, *parts) in enumerate(batches(material, plan)):
        if plan.steps is not None and step >= plan.steps:
            break
        ids, types = (part.to(device, non_blocking=True) for part in parts)
        with half(device):
            scores = model(ids, types).view(-1, GROUP)
        loss = loss_of(scores, ids, types)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), plan.clip)
        optimiser.step()
        schedule.step()
        losses[epoch].append(loss.detach())
        if step % 500 == 499:
            say(f"{label}: step {step + 1} of {total}, loss {torch.stack(losses[epoch][-500:]).mean():.4f}")
    model.eval()


def right_first(scores: Tensor, _ids: Tensor, _types: Tensor) -> Tensor:
    """Cross-entropy: the answer is the first of its group."""
    return functional.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long, device=scores.device))


def like(teachers: Sequence[CrossEncoder], device: str) -> Loss:
    """Mostly what the teachers think of the whole group, and a little of what is right."""

    def loss(scores: Tensor, ids: Tensor, types: Tensor) -> Tensor:
        with torch.inference_mode(), half(device):
            wanted = torch.stack([teacher(ids, types) for teacher in teachers]).mean(dim=0).view(-1, GROUP)
        wanted = wanted.clone()
        apart = functional.kl_div(
            functional.log_softmax(scores, dim=1), functional.softmax(wanted, dim=1), reduction="batchmean"
        )
        return 0.15 * right_first(scores, ids, types) + 0.85 * (apart + 0.1 * functional.mse_loss(scores, wanted))

    return loss


# Measuring


def dev_ranks(model: CrossEncoder, material: Material, device: str, *, previous: bool) -> dict[str, list[float]]:
    """One over the place of the first answer among a dev question's candidates, by source."""
    rows = [
        groups.join(
            material.questions[number], material.passages[place], _before(material, place) if previous else None
        )
        for number in material.dev
        for place in material.candidates[number]
    ]
    scores = scored(model, rows, device)
    found: dict[str, list[float]] = defaultdict(list)
    start = 0
    for number in material.dev:
        size = len(material.candidates[number])
        mine = scores[start : start + size]
        best = mine[: len(material.positives[number])].max()
        found[material.asked[number]].append(1 / (1 + int((mine > best).sum())))
        start += size
    return found


def _before(material: Material, place: int) -> groups.Short | None:
    return material.passages[place - 1] if material.follows[place] else None


def scored(model: CrossEncoder, rows: Sequence[groups.Short], device: str, batch: int = 1024) -> np.ndarray:
    """A score for each pair."""
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
    scores = np.zeros(len(rows), np.float32)
    model.to(device).eval()
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        ids, types = (torch.from_numpy(part).to(device) for part in groups.padded([rows[place] for place in chosen]))
        with torch.inference_mode(), half(device):
            scores[chosen] = model(ids, types).cpu().numpy()
    return scores


def report(label: str, model: CrossEncoder, material: Material, device: str, log: dict[str, dict[str, float]]) -> None:
    """Say and keep the dev MRR by source, with passages alone and with the ones before them."""
    for kind, previous in (("alone", False), ("with previous", True)):
        ranks = dev_ranks(model, material, device, previous=previous)
        means = {source: float(np.mean(values)) for source, values in sorted(ranks.items())}
        means["mean"] = float(np.mean(list(means.values())))
        log[f"{label}, {kind}"] = {source: round(value, 4) for source, value in means.items()}
        say(f"dev MRR {label}, {kind}: " + " ".join(f"{source} {value:.3f}" for source, value in means.items()))


# Commands


def prepare(options: argparse.Namespace) -> None:
    require(options.training, ["passages.json", "examples.json"], "training data")
    require(options.teacher, ["model.safetensors", "vocab.txt"], "starting weights")
    options.work.mkdir(parents=True, exist_ok=True)
    tokenizer = word_piece(options.teacher / "vocab.txt")
    material = groups.prepare(read_corpus(options.training, tokenizer), tokenizer, Recipe())
    groups.save(material, options.work / "groups.npz")
    torch.manual_seed(0)
    encoder.save(encoder.from_minilm(options.teacher / "model.safetensors"), options.work / "start.safetensors")
    say(f"wrote groups.npz and start.safetensors to {options.work}")


def train(options: argparse.Namespace) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    material = groups.load(options.work / "groups.npz")
    say(f"{len(material.train)} questions to train on, {len(material.dev)} held out; {device}")
    options.out.mkdir(parents=True, exist_ok=True)
    log: dict[str, dict[str, float]] = {}
    trial = {"steps": options.steps} if options.steps else {}

    start = options.work / "start.safetensors"

    def made(label: str, model: CrossEncoder, plan: Plan, loss: Loss) -> CrossEncoder:
        """Train the model, or read it where an earlier run left it."""
        path = options.out / f"{label}.safetensors"
        if path.exists():
            earlier = encoder.load(path, start)
            earlier.to(device).eval()
            return earlier
        torch.manual_seed(plan.seed)
        fit(model, material, replace(plan, workers=options.workers, **trial), loss, device=device, label=label)
        report(label, model, material, device, log)
        encoder.save(model, path, WORDS)
        (options.out / f"{label}.json").write_text(json.dumps(log, indent=2) + "\n")
        return model

    teachers = [
        made(f"teacher{number}", encoder.load(start), replace(TEACHER, seed=TEACHER.seed + number), right_first)
        for number in range(options.teachers)
    ]
    for layers in options.layers:
        student = encoder.student_of(teachers[0], KEPT[layers], STUDENT.dropout)
        made(f"layers{layers}", student, STUDENT, like(teachers, device))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the rerankers that ship in the package.")
    commands = parser.add_subparsers(required=True)
    first = commands.add_parser("prepare", help="tokenise, split, and find hard negatives; on the CPU")
    first.add_argument("--training", type=Path, required=True, help="folder of passages.json and examples.json")
    first.add_argument("--teacher", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    first.add_argument("--work", type=Path, required=True, help="folder for what training reads")
    first.set_defaults(run=prepare)
    second = commands.add_parser("train", help="train the large model and its students; on a GPU")
    second.add_argument("--work", type=Path, required=True, help="folder that prepare wrote")
    second.add_argument("--out", type=Path, required=True, help="folder for the weights and the dev scores")
    second.add_argument("--layers", type=int, nargs="*", default=[3], help="one student for each number of layers")
    second.add_argument("--teachers", type=int, default=1, help="how many large models teach together")
    second.add_argument("--workers", type=int, default=14, help="processes that put batches together")
    second.add_argument("--steps", type=int, help="train so many steps only, for a trial")
    second.set_defaults(run=train)
    return parser.parse_args()


if __name__ == "__main__":
    options = arguments()
    options.run(options)
