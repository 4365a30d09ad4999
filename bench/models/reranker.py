"""Train the rerankers: cross-encoders of six layers, and students with fewer that learn from several of them.

python -m bench.models.reranker prepare --training DATA --teacher MODEL --work WORK
python -m bench.models.reranker train --work WORK --out WEIGHTS --teachers 2 --layers 3 4 6

README.md beside this file describes the recipe, the inputs and the figures.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from bench.models import encoder, groups, material
from bench.models.corpus import Recipe, read_corpus, require, say, word_piece
from bench.models.encoder import CrossEncoder
from bench.models.groups import NEGATIVES, Groups, Packed
from bench.models.material import Material, Short
from bench.models.scenes import DEV
from bench.models.talk import Talk

GROUP = 1 + NEGATIVES
WORDS = ("words", "scales")
# Which layers of the large model a student starts from.
KEPT = {3: (0, 2, 5), 4: (0, 2, 4, 5), 6: (0, 1, 2, 3, 4, 5)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How models are trained."""

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
STUDENT = Plan(epochs=14, rate=3e-4, seed=21, dropout=0.05)


class Steps(Dataset[Packed]):  # type: ignore[misc]
    """The steps of one epoch, each a batch of whole groups."""

    def __init__(self, made: Groups, epoch: int) -> None:
        self._groups, self._epoch = made, epoch
        self._steps = made.steps(epoch)

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, place: int) -> Packed:
        return groups.packed(list(self._groups.rows(self._epoch, self._steps[place])))


def half(device: str) -> torch.autocast:
    """Half precision on a GPU; most CPUs have none."""
    return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")


def batches(made: Groups, plan: Plan) -> Iterator[list[Tensor]]:
    """Every batch of every epoch."""
    for epoch in range(plan.epochs):
        steps = Steps(made, epoch)
        pinned = torch.cuda.is_available()
        for parts in DataLoader(steps, batch_size=None, num_workers=plan.workers, pin_memory=pinned):
            yield list(parts)


class Learner:
    """A model with its optimiser."""

    def __init__(self, model: CrossEncoder, plan: Plan, total: int, device: str) -> None:
        self.model = model.to(device).train()
        # Compiled for any number of tokens; the model itself stays as it is.
        self._run = torch.compile(model, dynamic=True) if device == "cuda" else model
        self._clip = plan.clip
        self._optimiser = torch.optim.AdamW(
            model.parameters(), lr=plan.rate, weight_decay=plan.decay, fused=device == "cuda"
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimiser, lambda step: min(1.0, (step + 1) / (plan.warm * total)) * max(0.0, 1 - step / total)
        )

    def step(self, parts: Sequence[Tensor], wanted: Tensor | None, device: str) -> Tensor:
        """Learn from one batch; `wanted` is what teachers think of it."""
        with half(device):
            scores = self._run(*parts).view(-1, GROUP)
        loss = right_first(scores) if wanted is None else like(scores, wanted)
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self._clip)
        self._optimiser.step()
        self._schedule.step()
        return loss.detach()


def fit(
    models: dict[str, CrossEncoder], made: Groups, plan: Plan, teachers: Sequence[CrossEncoder], device: str
) -> None:
    """Train models in place and side by side, on the right answers or on what teachers think of all of them."""
    total = plan.steps or plan.epochs * len(made.steps(0))
    learners = {label: Learner(model, plan, total, device) for label, model in models.items()}
    taught = [torch.compile(teacher, dynamic=True) if device == "cuda" else teacher for teacher in teachers]
    losses: dict[str, list[Tensor]] = defaultdict(list)
    for step, held in enumerate(batches(made, plan)):
        if plan.steps is not None and step >= plan.steps:
            break
        parts = [part.to(device, non_blocking=True) for part in held]
        wanted = opinion(taught, parts, device) if teachers else None
        for label, learner in learners.items():
            losses[label].append(learner.step(parts, wanted, device))
        if step % 500 == 499:
            means = {label: float(torch.stack(each[-500:]).mean()) for label, each in losses.items()}
            say(
                f"step {step + 1} of {total}, loss " + ", ".join(f"{label} {mean:.4f}" for label, mean in means.items())
            )
    for model in models.values():
        model.eval()


def opinion(teachers: Sequence[CrossEncoder], parts: Sequence[Tensor], device: str) -> Tensor:
    """The mean score that teachers give."""
    with torch.no_grad(), half(device):
        return torch.stack([teacher(*parts) for teacher in teachers]).mean(dim=0).view(-1, GROUP)


def right_first(scores: Tensor) -> Tensor:
    """Cross-entropy: the answer is the first of its group."""
    return functional.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long, device=scores.device))


def like(scores: Tensor, wanted: Tensor) -> Tensor:
    """Mostly what the teachers think of the whole group, and a little of what is right."""
    apart = functional.kl_div(
        functional.log_softmax(scores, dim=1), functional.softmax(wanted, dim=1), reduction="batchmean"
    )
    return 0.15 * right_first(scores) + 0.85 * (apart + 0.1 * functional.mse_loss(scores, wanted))


# Measuring


def dev_ranks(
    model: CrossEncoder, held: Material, rows: Sequence[Sequence[Short]], device: str
) -> dict[str, list[float]]:
    """One over the place of the first answer among a dev question's candidates, by source."""
    scores = scored(model, [row for each in rows for row in each], device)
    found: dict[str, list[float]] = defaultdict(list)
    start = 0
    for number, each in zip(held.dev.tolist(), rows, strict=True):
        mine = scores[start : start + len(each)]
        best = mine[: len(held.positives[number])].max()
        found[held.asked[number]].append(1 / (1 + int((mine > best).sum())))
        start += len(each)
    return found


def scored(model: CrossEncoder, rows: Sequence[Short], device: str, batch: int = 4096) -> np.ndarray:
    """A score for each pair."""
    model.to(device).eval()
    scores = []
    for start in range(0, len(rows), batch):
        parts = [torch.from_numpy(part).to(device) for part in groups.packed(rows[start : start + batch])]
        with torch.inference_mode(), half(device):
            scores.append(model(*parts).cpu().numpy())
    return np.concatenate(scores)


class Exam:
    """The dev questions, asked in every way; made once, since that takes longer than the asking."""

    def __init__(self, held: Material, made: Groups) -> None:
        self._held = held
        self._rows = {
            kind: [made.dev_rows(number, habits) for number in held.dev.tolist()] for kind, habits in DEV.items()
        }

    def report(self, label: str, model: CrossEncoder, device: str) -> dict[str, dict[str, float]]:
        """Say and return the dev MRR by source for each way of asking."""
        found = {}
        for kind, rows in self._rows.items():
            ranks = dev_ranks(model, self._held, rows, device)
            means = {source: float(np.mean(values)) for source, values in sorted(ranks.items())}
            means["mean"] = float(np.mean(list(means.values())))
            found[kind] = {source: round(value, 4) for source, value in means.items()}
            say(f"dev MRR {label}, {kind}: " + " ".join(f"{source} {value:.3f}" for source, value in means.items()))
        return found


# Commands


def prepare(options: argparse.Namespace) -> None:
    require(options.training, ["passages.json", "examples.json"], "training data")
    require(options.teacher, ["model.safetensors", "vocab.txt"], "starting weights")
    options.work.mkdir(parents=True, exist_ok=True)
    tokenizer = word_piece(options.teacher / "vocab.txt")
    material.save(material.prepare(read_corpus(options.training, tokenizer), Recipe()), options.work / "groups.npz")
    shutil.copy(options.teacher / "vocab.txt", options.work)
    torch.manual_seed(0)
    encoder.save(encoder.from_minilm(options.teacher / "model.safetensors"), options.work / "start.safetensors")
    say(f"wrote groups.npz, vocab.txt and start.safetensors to {options.work}")


def train(options: argparse.Namespace) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    held = material.load(options.work / "groups.npz")
    talk = Talk.of(word_piece(options.work / "vocab.txt"))
    say(f"{len(held.train)} questions to train on, {len(held.dev)} held out; {device}")
    exam = Exam(held, Groups(held, talk))
    options.out.mkdir(parents=True, exist_ok=True)
    start = options.work / "start.safetensors"

    def made(models: dict[str, CrossEncoder], plan: Plan, teachers: Sequence[CrossEncoder]) -> list[CrossEncoder]:
        """Train the models, or read those that an earlier run left."""
        paths = {label: options.out / f"{label}.safetensors" for label in models}
        models = {
            label: encoder.load(paths[label], start) if paths[label].exists() else models[label] for label in models
        }
        new = {label: model for label, model in models.items() if not paths[label].exists()}
        if new:
            torch.manual_seed(plan.seed)
            chosen = replace(plan, workers=options.workers, steps=options.steps)
            fit(new, Groups(held, talk, plan.seed, plan.batch), chosen, teachers, device)
        for label, model in new.items():
            encoder.save(model, paths[label], WORDS)
            scores = exam.report(label, model, device)
            paths[label].with_suffix(".json").write_text(json.dumps(scores, indent=2) + "\n")
        return [model.to(device).eval() for model in models.values()]

    teachers = [
        each
        for number in range(options.teachers)
        for each in made({f"teacher{number}": encoder.load(start)}, replace(TEACHER, seed=TEACHER.seed + number), [])
    ]
    students = {
        f"layers{layers}": encoder.student_of(teachers[0], KEPT[layers], STUDENT.dropout) for layers in options.layers
    }
    made(students, STUDENT, teachers)


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
    second.add_argument("--layers", type=int, nargs="*", default=[3, 6], help="one student for each number of layers")
    second.add_argument("--teachers", type=int, default=2, help="how many large models teach together")
    second.add_argument("--workers", type=int, default=14, help="processes that put batches together")
    second.add_argument("--steps", type=int, help="train so many steps only, for a trial")
    second.set_defaults(run=train)
    return parser.parse_args()


if __name__ == "__main__":
    options = arguments()
    options.run(options)
