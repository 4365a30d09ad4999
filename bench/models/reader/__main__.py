"""Train and export the reader.

python -m bench.models.reader prepare --teacher MODEL --work WORK
python -m bench.models.reader train --work WORK --out WEIGHTS
python -m bench.models.reader export --work WORK --weights WEIGHTS/student.safetensors --out src/nacre/models/reading

`prepare` and `export` run on a CPU, `train` wants a GPU. README.md one folder up has the recipe and the figures.
"""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import replace
from pathlib import Path

import torch

from bench.models.corpus import require, say
from bench.models.reader import labels, measuring, network, training
from bench.models.reader.examples import SpannedConversation, labelled, spanned
from bench.models.reader.network import ReaderNetwork
from bench.models.reader.scores import recall_at, reliability, verdicts
from bench.models.reader.training import Plan
from nacre.models.reader_windows import TurnTokenizer

TEACHERS = (
    Plan(epochs=15, dropout=0.15, seed=11),
    Plan(epochs=15, dropout=0.2, seed=12, rate=3e-4),
    Plan(epochs=18, dropout=0.25, seed=13),
    Plan(epochs=10, dropout=0.15, seed=14),
)
STUDENT = Plan(epochs=12, dropout=0.1, batch=32)
LAYERS = (0, 1, 2, 3, 4, 5)
BANDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
FACT_THRESHOLD, ENTITY_THRESHOLD = 0.45, 0.5


def prepare(options: argparse.Namespace) -> None:
    require(options.teacher, ["model.safetensors", "vocab.txt"], "starting weights")
    options.work.mkdir(parents=True, exist_ok=True)
    shutil.copy(options.teacher / "vocab.txt", options.work)
    network.write_start(options.teacher / "model.safetensors", options.work / "start.safetensors")


def train(options: argparse.Namespace) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    vocabulary, start = options.work / "vocab.txt", options.work / "start.safetensors"
    options.out.mkdir(parents=True, exist_ok=True)
    held = training.material(labels.conversations(part="train"), vocabulary, options.workers)
    dev = spanned(labels.conversations(part="dev"), TurnTokenizer(vocabulary))
    teachers = []
    for number, plan in enumerate(TEACHERS):
        shortened = replace(plan, steps=options.steps)
        teachers.append(training.fit(network.from_start(start, plan.dropout), held, shortened, device))
        report(f"teacher {number}", [teachers[-1]], dev, device)
    report("teachers together", teachers, dev, device)
    student = network.student_of(teachers[0], LAYERS, STUDENT.dropout)
    more = training.material(labels.unlabelled(), vocabulary, options.workers)
    student = training.fit(student, held, replace(STUDENT, steps=options.steps), device, teachers, unlabelled=more)
    report("student", [student], dev, device)
    network.save(student, options.out / "student.safetensors")


def report(label: str, models: list[ReaderNetwork], dev: list[SpannedConversation], device: str) -> None:
    """Say how well models read the dev conversations."""
    known = labelled(dev)
    found = measuring.read(models, dev, device)
    weights = measuring.calibrate(found, known)
    judged = verdicts([measuring.weighed(fact, spans, weights) for fact, spans in found], known)
    say(f"{label}: " + ", ".join(f"{name} {value:.3f}" for name, value in measuring.summary(judged, len(known))))


def export(options: argparse.Namespace) -> None:
    # These need onnx, which training does not.
    from bench.models.reader import export as exporting
    from nacre.models.local_reader import LocalReader

    model = network.load(options.weights, options.work / "start.safetensors")
    exporting.write(model, options.out)
    dev = spanned(labels.conversations(part="dev"), TurnTokenizer(options.work / "vocab.txt"))
    found = list(measuring.shipped(LocalReader(options.out), dev))
    facts = [(measuring.placed(each, spans.window, fact), fact) for each, spans in found for fact in spans.facts]
    known = labelled(dev)
    weights = measuring.calibrate(facts, known)
    thresholds = FACT_THRESHOLD, ENTITY_THRESHOLD
    exporting.write_calibration(options.out, weights, measuring.calibrate_entities(found), thresholds)
    judged = verdicts([measuring.weighed(fact, spans, weights) for fact, spans in facts], known)
    say("dev: " + ", ".join(f"{name} {value:.3f}" for name, value in measuring.summary(judged, len(known))))
    for low, high, count, sure, right in reliability(judged, BANDS):
        say(f"confidence {low:.1f} to {high:.1f}: {count} facts, mean {sure:.2f}, right {right:.2f}")
    say(json.dumps({"recall at 70 %": round(recall_at(judged, len(known), 0.7), 3)}))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the reader that ships in the package.")
    commands = parser.add_subparsers(required=True)
    first = commands.add_parser("prepare", help="write the starting weights")
    first.add_argument("--teacher", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    second = commands.add_parser("train", help="train teachers and the one that learns from them")
    second.add_argument("--out", type=Path, required=True, help="folder for the weights")
    second.add_argument("--workers", type=int, default=8, help="processes that cut windows")
    second.add_argument("--steps", type=int, help="train so many steps only, for a trial")
    third = commands.add_parser("export", help="write the package data and calibrate it")
    third.add_argument("--weights", type=Path, required=True, help="weights that `train` wrote")
    third.add_argument("--out", type=Path, required=True, help="folder of the package data; NOTICE is kept by hand")
    for command, run in ((first, prepare), (second, train), (third, export)):
        command.add_argument("--work", type=Path, required=True, help="folder of what `prepare` wrote")
        command.set_defaults(run=run)
    return parser.parse_args()


if __name__ == "__main__":
    options = arguments()
    options.run(options)
