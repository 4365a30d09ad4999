"""Train and export the ranker: it learns from the one that ships, from questions about talk, and from teachers.

python -m bench.models.reranker prepare --training DATA --teacher MODEL --work WORK
python -m bench.models.succession unpack --published GGUF --work WORK       # for the large teacher alone
python -m bench.models.ranker opine --work WORK --out OWN                    # what the ranker that ships thinks itself
python -m bench.models.ranker teach --work WORK --out FIRST --like OWN
python -m bench.models.ranker teach --work WORK --out SECOND --like OWN --seed 32 --both-ways
python -m bench.models.ranker blend --work WORK --opinions OWN FIRST SECOND
python -m bench.models.ranker tutor --work WORK --out WEIGHTS
python -m bench.models.ranker train --work WORK --out WEIGHTS
python -m bench.models.ranker train --work WORK --out WEIGHTS --name other --rate 3.5e-4 --corpus 36 --questions 20
python -m bench.models.ranker mean --weights WEIGHTS/student.safetensors WEIGHTS/other.safetensors --out MEAN
python -m bench.models.ranker export --work WORK --weights MEAN --out src/nacre/models/ranking

`train` wants a GPU. README.md one folder up has the recipe and the figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from bench.models import encoder, material, shipped
from bench.models.corpus import say, word_piece
from bench.models.groups import Groups
from bench.models.material import Material
from bench.models.ranker import crossing, exam, large_teacher, opinions, training
from bench.models.ranker.exam import RankerExam
from bench.models.ranker.opinions import FOLDER, Opinions, WrittenOpinions
from bench.models.ranker.questions import Questions
from bench.models.ranker.training import Mixture, Steps
from bench.models.reader import network
from bench.models.reader.training import Plan
from bench.models.succession.large_teacher import LargeTeacher, PairTokenizer
from bench.models.talk import Talk
from nacre.models.reader_windows import TurnTokenizer


def tutor(options: argparse.Namespace) -> None:
    """Train the cross-encoder that teaches what the large teacher was not asked."""
    device = _device()
    made, train, dev = _groups(options)[1], *_questions(options)
    steps = Steps(made, train, Mixture(messages=28), count=options.steps, seed=41)
    teacher = training.fit_teacher(shipped.reranker("best"), steps, 6e-5, options.workers, device)
    _report("teacher", exam.of_teacher(teacher, dev, device))
    options.out.mkdir(parents=True, exist_ok=True)
    encoder.save(teacher, options.out / "teacher.safetensors", ("words", "scales"))


def train(options: argparse.Namespace) -> None:
    """Train the ranker further, from the one that ships."""
    device = _device()
    silent = TurnTokenizer(options.work / "vocab.txt").silent.tolist()
    (held, made), (train, dev) = _groups(options), _questions(options)
    say(f"{len(train.questions)} questions and messages to train on, {len(dev.questions)} to choose by")
    teacher = shipped.reranker("best")
    teacher.load_state_dict(load_file(str(options.out / "teacher.safetensors")), strict=False)
    model = shipped.ranker()
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = options.dropout
    _report("shipped", RankerExam(model, silent, device).asked(dev))
    plan = Plan(rate=options.rate, head_rate=6e-4, seed=51, batch=24, average=0.999)
    mixture = Mixture(corpus=options.corpus, questions=options.questions)
    steps = Steps(made, train, mixture, count=options.steps, seed=61, opinions=Opinions(train))
    model = training.fit(
        model,
        steps,
        silent,
        plan=plan,
        mixture=mixture,
        teachers=[teacher.to(device).eval()],
        workers=options.workers,
        device=device,
    )
    network.save(model, options.out / f"{options.name}.safetensors")
    examined = RankerExam(model, silent, device)
    _report(options.name, examined.asked(dev))
    say(f"{options.name}, dev MRR plain: {examined.corpus(held, made, 'plain', every=9):.3f}")


def mean(options: argparse.Namespace) -> None:
    """Write the mean of the weights of several runs that started from the same network."""
    runs = [load_file(str(path)) for path in options.weights]
    save_file({name: _mean([run[name] for run in runs]) for name in runs[0]}, str(options.out))


def _mean(values: Sequence[Tensor]) -> Tensor:
    # What is kept as whole numbers is not trained: all runs have the same.
    if not values[0].is_floating_point():
        return values[0]
    return torch.stack([each.float() for each in values]).mean(dim=0).to(values[0].dtype)


def teach(options: argparse.Namespace) -> None:
    """Train a large teacher, judge it, and write what it thinks of the turns of each message's life and of others."""
    device = _device()
    tokenizer = PairTokenizer(options.work)
    train, dev = (large_teacher.load_messages(part, tokenizer) for part in ("train", "dev"))
    model = LargeTeacher(options.work, tokenizer, both_ways=options.both_ways)
    model = large_teacher.fit(model, train, device, seed=options.seed)
    own, examined = (large_teacher.thoughts(model, some, device) for some in (train, dev))
    _report("large teacher", large_teacher.report(examined, dev))
    questions = Questions("train", options.work / "vocab.txt")
    places = opinions.read(options.like).places
    say(f"{places.size} pairs to ask about")
    crossed = crossing.ask(model, tokenizer, questions, places, device)
    opinions.write(options.out, WrittenOpinions(own, examined, places, crossed, len(questions)))


def opine(options: argparse.Namespace) -> None:
    """Cross messages with turns of others, and write what the ranker that ships thinks of all pairs."""
    silent = TurnTokenizer(options.work / "vocab.txt").silent.tolist()
    exam_of_shipped, (train, dev) = RankerExam(shipped.ranker(), silent, _device()), _questions(options)
    places = crossing.cross(exam_of_shipped, train)
    own, crossed = exam_of_shipped.thoughts(train, places)
    examined, _ = exam_of_shipped.thoughts(dev)
    opinions.write(options.out, WrittenOpinions(own, examined, places, crossed, len(train)))


def blend(options: argparse.Namespace) -> None:
    """Write the mean of several opinions, and judge each and the mean on the lives that choose."""
    some = [opinions.read(folder) for folder in options.opinions]
    mean_of_all = opinions.blend(some)
    dev = large_teacher.load_messages("dev", PairTokenizer(options.work))
    for name, each in zip([*map(str, options.opinions), "mean"], [*some, mean_of_all], strict=True):
        _report(name, large_teacher.report(each.dev, dev))
    opinions.write(options.out, mean_of_all)


def _device() -> str:
    torch.backends.cuda.matmul.allow_tf32 = True
    return "cuda" if torch.cuda.is_available() else "cpu"


def _groups(options: argparse.Namespace) -> tuple[Material, Groups]:
    held = material.load(options.work / "groups.npz")
    return held, Groups(held, Talk.of(word_piece(options.work / "vocab.txt")), seed=31)


def _questions(options: argparse.Namespace) -> tuple[Questions, Questions]:
    train, dev = (Questions(part, options.work / "vocab.txt") for part in ("train", "dev"))
    return train, dev


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
    first.set_defaults(run=train)
    first.add_argument("--rate", type=float, default=2.5e-4)
    first.add_argument("--dropout", type=float, default=0.1)
    first.add_argument("--corpus", type=int, default=Mixture().corpus, help="groups of the corpus in a step")
    first.add_argument("--questions", type=int, default=Mixture().questions, help="questions about talk in a step")
    first.add_argument("--name", default="student", help="name of the file with the weights")
    fourth = commands.add_parser("tutor", help="train the small teacher; on a GPU")
    fourth.set_defaults(run=tutor)
    for each, steps in ((first, 4_500), (fourth, 900)):
        each.add_argument("--work", type=Path, required=True, help="folder that `reranker prepare` wrote")
        each.add_argument("--out", type=Path, required=True, help="folder for the weights")
        each.add_argument("--steps", type=int, default=steps)
        each.add_argument("--workers", type=int, default=14)
    third = commands.add_parser("teach", help="train the large teacher and ask it; on a GPU")
    third.add_argument("--work", type=Path, required=True, help="folder that `succession unpack` wrote, with vocab.txt")
    third.add_argument("--out", type=Path, required=True, help="folder for its opinions")
    third.add_argument(
        "--like", type=Path, required=True, help="folder that `opine` wrote: the same pairs are asked about"
    )
    third.add_argument("--seed", type=int, default=large_teacher.PLAN.seed)
    third.add_argument("--both-ways", action="store_true", help="each token sees those after it as well")
    third.set_defaults(run=teach)
    sixth = commands.add_parser(
        "opine", help="draw the pairs, and write what the ranker that ships thinks of them; on a GPU"
    )
    sixth.add_argument("--work", type=Path, required=True, help="folder with vocab.txt")
    sixth.add_argument("--out", type=Path, required=True, help="folder for its opinions")
    sixth.set_defaults(run=opine)
    seventh = commands.add_parser("blend", help="write the mean of several opinions, which `train` reads")
    seventh.add_argument("--work", type=Path, required=True, help="folder that `succession unpack` wrote")
    seventh.add_argument("--opinions", type=Path, nargs="+", required=True, help="folders of opinions")
    seventh.add_argument("--out", type=Path, default=FOLDER, help="folder for the mean")
    seventh.set_defaults(run=blend)
    fifth = commands.add_parser("mean", help="write the mean of the weights of several runs")
    fifth.set_defaults(run=mean)
    fifth.add_argument("--weights", type=Path, nargs="+", required=True, help="files that `train` wrote")
    fifth.add_argument("--out", type=Path, required=True, help="file for the mean")
    second = commands.add_parser("export", help="write the network as the package ships it")
    second.add_argument("--work", type=Path, required=True, help="folder with start.safetensors")
    second.add_argument("--weights", type=Path, required=True, help="weights that `train` wrote")
    second.add_argument("--out", type=Path, required=True, help="folder of the package data; NOTICE is kept by hand")
    second.set_defaults(run=export)
    return parser.parse_args()


if __name__ == "__main__":
    options = arguments()
    options.run(options)
