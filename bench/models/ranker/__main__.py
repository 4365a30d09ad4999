"""Train and export the ranker: it starts from the networks that ship, and learns from questions about talk.

python -m bench.models.reranker prepare --training DATA --teacher MODEL --work WORK
python -m bench.models.ranker train --work WORK --out WEIGHTS
python -m bench.models.succession unpack --published GGUF --work WORK       # for the large teacher alone
python -m bench.models.ranker teach --work WORK
python -m bench.models.ranker export --work WORK --weights WEIGHTS/student.safetensors --out src/nacre/models/ranking

`train` wants a GPU. README.md one folder up has the recipe and the figures.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn

from bench.models import encoder, material, shipped
from bench.models.corpus import say, word_piece
from bench.models.groups import Groups
from bench.models.ranker import exam, large_teacher, training
from bench.models.ranker.exam import RankerExam
from bench.models.ranker.questions import Questions
from bench.models.ranker.training import Mixture, Steps
from bench.models.reader import network
from bench.models.reader.training import Plan
from bench.models.succession.large_teacher import PairTokenizer
from bench.models.talk import Talk
from nacre.models.reader_windows import TurnTokenizer

SCALE = 1.0


def train(options: argparse.Namespace) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    vocabulary = options.work / "vocab.txt"
    silent = TurnTokenizer(vocabulary).silent.tolist()
    options.out.mkdir(parents=True, exist_ok=True)
    held = material.load(options.work / "groups.npz")
    made = Groups(held, Talk.of(word_piece(vocabulary)), seed=31)
    train, dev = (Questions(part, vocabulary) for part in ("train", "dev"))
    say(f"{len(train.questions)} questions and messages to train on, {len(dev.questions)} to choose by")
    mixture = Mixture()
    teacher = shipped.reranker("best")
    steps = Steps(made, train, mixture, options.teacher_steps, 41)
    teacher = training.fit_teacher(teacher, steps, 6e-5, options.workers, device)
    _report("teacher", exam.of_teacher(teacher, dev, device))
    encoder.save(teacher, options.out / "teacher.safetensors", ("words", "scales"))
    model = shipped.reader()
    nn.init.constant_(model.counts.bias, SCALE)
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = options.dropout
    plan = Plan(rate=options.rate, head_rate=6e-4, seed=51, batch=24, average=0.999)
    steps = Steps(made, train, mixture, options.steps, 61)
    model = training.fit(
        model, steps, silent, plan=plan, mixture=mixture, teachers=[teacher], workers=options.workers, device=device
    )
    network.save(model, options.out / "student.safetensors")
    examined = RankerExam(model, silent, device)
    _report("ranker", examined.asked(dev))
    say(f"ranker, dev MRR plain: {examined.corpus(held, made, 'plain', every=9):.3f}")


def teach(options: argparse.Namespace) -> None:
    """Train the large teacher and judge it; no student has learned from it so far."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = PairTokenizer(options.work)
    train, dev = (large_teacher.load_messages(part, tokenizer) for part in ("train", "dev"))
    model = large_teacher.fit(options.work, tokenizer, train, device)
    _report("large teacher", large_teacher.report(model, dev, device))


def _report(name: str, standings: dict[str, str]) -> None:
    for kind, figures in standings.items():
        say(f"{name}, {kind}: {figures}")


def export(options: argparse.Namespace) -> None:
    # Needs onnx, which training does not.
    from bench.models.ranker import export as exporting

    exporting.write(network.load(options.weights, options.work / "start.safetensors"), options.out)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train and export the ranker.")
    commands = parser.add_subparsers(required=True)
    first = commands.add_parser("train", help="train the ranker; on a GPU")
    first.add_argument("--work", type=Path, required=True, help="folder that `reranker prepare` wrote")
    first.add_argument("--out", type=Path, required=True, help="folder for the weights")
    first.add_argument("--steps", type=int, default=3_200)
    first.add_argument("--teacher-steps", type=int, default=1_200)
    first.add_argument("--rate", type=float, default=1.5e-4)
    first.add_argument("--dropout", type=float, default=0.1)
    first.add_argument("--workers", type=int, default=14)
    first.set_defaults(run=train)
    third = commands.add_parser("teach", help="train the large teacher; on a GPU")
    third.add_argument("--work", type=Path, required=True, help="folder that `succession unpack` wrote")
    third.set_defaults(run=teach)
    second = commands.add_parser("export", help="write the network as the package ships it")
    second.add_argument("--work", type=Path, required=True, help="folder with start.safetensors")
    second.add_argument("--weights", type=Path, required=True, help="weights that `train` wrote")
    second.add_argument("--out", type=Path, required=True, help="folder of the package data; NOTICE is kept by hand")
    second.set_defaults(run=export)
    return parser.parse_args()


if __name__ == "__main__":
    options = arguments()
    options.run(options)
