"""Train and export the succession model: it starts from the ranker that ships.

python -m bench.models.succession start --out WORK
python -m bench.models.succession train --work WORK --out WEIGHTS --teacher 1      # to 4, side by side
python -m bench.models.succession train --work WORK --out WEIGHTS                  # their student
python -m bench.models.succession export --work WORK --weights WEIGHTS/student.safetensors \\
    --out src/nacre/models/succession

`train` wants a GPU. README.md one folder up has the recipe and the figures.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from bench.models.corpus import say
from bench.models.reader.network import WORDS
from bench.models.reader.training import Plan
from bench.models.succession import exam, training
from bench.models.succession.network import SuccessionNetwork
from bench.models.succession.pairs import load_talks

VOCABULARY = Path(__file__).parents[3] / "src" / "nacre" / "models" / "static" / "vocab.txt"
TEACHERS = (
    Plan(seed=1, rate=1e-4, epochs=6),
    Plan(seed=2, rate=6e-5, epochs=8, dropout=0.2),
    Plan(seed=3, rate=1.5e-4, epochs=5, dropout=0.25),
    Plan(seed=4, rate=8e-5, epochs=6, decay=0.1, dropout=0.2),
)
STUDENT = Plan(seed=12, rate=1e-4, epochs=9)


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
    ours, dev = load_talks("train"), load_talks("dev")
    say(
        f"{len(ours)} talks with {sum(len(talk.changes) for talk in ours)} changes to train on, {len(dev)} to choose by"
    )
    begin = options.work / "start.safetensors"
    teachers = []
    if not options.teacher:
        teachers = [read(path, begin).to(device).eval() for path in sorted(options.out.glob("teacher*.safetensors"))]
    plan = replace(TEACHERS[options.teacher - 1] if options.teacher else STUDENT, batch=64)
    model = training.fit(read(begin), training.PairMaterial(ours, VOCABULARY), plan, device, teachers)
    name = f"teacher{options.teacher}" if options.teacher else "student"
    for line in exam.report(exam.scores(model, dev, VOCABULARY, device)):
        say(f"{name}, dev: {line}")
    state = {key: value.detach().cpu() for key, value in model.state_dict().items() if _is_kept(key)}
    save_file(
        {key: value.half().contiguous() for key, value in state.items()}, str(options.out / f"{name}.safetensors")
    )


def _is_kept(name: str) -> bool:
    return name not in WORDS and (_is_encoder(name) or name.startswith(("changed.", "pointed.")))


def export(options: argparse.Namespace) -> None:
    # Needs onnx, which training does not.
    from bench.models.succession import export as exporting

    exporting.write(read(options.weights, options.work / "start.safetensors"), options.out)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train and export the succession model.")
    commands = parser.add_subparsers(required=True)
    first = commands.add_parser("start", help="write the weights that training starts from")
    first.add_argument("--out", type=Path, required=True, help="folder for start.safetensors")
    first.set_defaults(run=start)
    second = commands.add_parser("train", help="train the model; on a GPU")
    second.add_argument("--work", type=Path, required=True, help="folder with start.safetensors")
    second.add_argument("--out", type=Path, required=True, help="folder for the weights")
    second.add_argument("--teacher", type=int, default=0, help=f"number of the teacher, 1 to {len(TEACHERS)}")
    second.set_defaults(run=train)
    third = commands.add_parser("export", help="write the network as the package ships it")
    third.add_argument("--work", type=Path, required=True, help="folder with start.safetensors")
    third.add_argument("--weights", type=Path, required=True, help="weights that `train` wrote")
    third.add_argument("--out", type=Path, required=True, help="folder of the package data; NOTICE is kept by hand")
    third.set_defaults(run=export)
    return parser.parse_args()


if __name__ == "__main__":
    options = arguments()
    options.run(options)
