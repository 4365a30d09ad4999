"""Fit the constants of `nacre.recall.relevance` anew, and check them on a set that was kept out.

python -m bench.models.relevance --data DATA

README.md beside this file says what is fitted on what.
"""

import argparse
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from bench.contexts import talks
from bench.contexts.scores import Reliability, auroc, bin_names
from bench.errors import BenchError, MissingData
from bench.quality import observe_all
from bench.questions import Pool, Question, QuestionSet
from bench.sources import DATA, read_json
from bench.tables import number
from nacre import Nacre, ScopedNacre, Settings, Turn
from nacre.recall import relevance
from nacre.recall.relevance import Strength

CONVERSATIONS, QUESTIONS, EXAMPLES = "reader/conversations.jsonl", "reader/questions.jsonl", "training/examples.json"
# Their questions are about the world, so no conversation answers them.
UNRELATED_SOURCES = ("squad", "boolq", "scitail", "selqa", "qamr")
FITTED, CHECKED = ("reader", "longmemeval"), "locomo"
GROUP = 30
# How many unrelated questions are asked of each scope of a set.
UNRELATED = {"reader": 15, "longmemeval": 150, "locomo": 60}
HITS = 60
STEPS = 30
SEED = 1
# Not fitted: so many passages ask for no more nearness than few do.
CROWDED: int = vars(relevance)["_CROWDED"]

Floats = NDArray[np.float64]
Json = dict[str, Any]
# The names and values of the constants.
Constants = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedHit:
    """A hit by its place: its score beside the best one's, and whether it is evidence."""

    place: int
    beside_best: float
    is_evidence: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A question that was asked: of which set, whether something answers it, and what recall found."""

    family: str
    is_related: bool
    strength: Strength
    hits: tuple[RankedHit, ...]


def main() -> None:
    """Fit, check and print."""
    parser = argparse.ArgumentParser(description="Fit the constants of nacre.recall.relevance anew.")
    parser.add_argument("--data", type=Path, default=DATA, help="The folder of the benchmark data.")
    try:
        samples = collect(parser.parse_args().data)
    except BenchError as error:
        parser.error(str(error))
    report(samples)


# Questions


def collect(data: Path) -> list[Sample]:
    """Ask the questions of every set, and unrelated ones of the same scopes."""
    unrelated = read_unrelated(data)
    sets = [load_reader(data), talks.load_longmemeval(data).questions, talks.load_locomo(data).questions]
    samples = []
    # Scores are to be those of recall alone.
    with Nacre(":memory:", settings=Settings(rerank="off", worker="off")) as nacre:
        for questions in sets:
            for pool in questions.pools:
                scope = nacre.scope(agent=questions.name, user=pool.key)
                observe_all(scope, pool.turns, lambda _: None)
                others = [unrelated.pop() for _ in range(UNRELATED[questions.name])]
                samples += ask(scope, questions.name, pool.questions, others)
            print(f"{questions.title}: {sum(each.family == questions.name for each in samples):,} questions asked")
    return samples


def read_unrelated(data: Path) -> list[str]:
    """Questions about the world, in an order that is always the same."""
    questions = [entry["question"] for entry in read_json(data, EXAMPLES) if entry["source"] in UNRELATED_SOURCES]
    random.Random(SEED).shuffle(questions)
    return questions


def load_reader(data: Path) -> QuestionSet:
    """The conversations that were written for this project, thirty to a scope, with the questions about them."""
    asked: dict[str, list[Question]] = defaultdict(list)
    for key, entry in enumerate(read_lines(data / QUESTIONS)):
        evidence = frozenset(f"{entry['conv']}:{place}" for place in entry["evidence"])
        if evidence:
            question = Question(id=str(key), text=entry["q"], kind=entry["kind"], evidence=evidence)
            asked[entry["conv"]].append(question)
    conversations = read_lines(data / CONVERSATIONS)
    random.Random(SEED).shuffle(conversations)
    pools = [to_pool(conversations[start : start + GROUP], asked) for start in range(0, len(conversations), GROUP)]
    return QuestionSet(name="reader", title="reader", unit="turn", limit=HITS, metrics=(), pools=tuple(pools))


def to_pool(conversations: Sequence[Json], asked: Mapping[str, Sequence[Question]]) -> Pool:
    """Conversations of one scope in the order they were had, and what is asked about them."""
    ordered = sorted(conversations, key=lambda conversation: (conversation["at"], conversation["id"]))
    turns = tuple(turn for conversation in ordered for turn in turns_of(conversation))
    questions = tuple(question for conversation in ordered for question in asked.get(conversation["id"], ()))
    return Pool(key=ordered[0]["id"], turns=turns, questions=questions)


def turns_of(conversation: Json) -> Iterator[Turn]:
    """A conversation's turns, a minute apart."""
    noon = datetime.fromisoformat(conversation["at"]).replace(tzinfo=UTC) + timedelta(hours=12)
    for place, turn in enumerate(conversation["turns"]):
        by_agent = turn["speaker"].casefold() == "assistant"
        yield Turn(
            role="assistant" if by_agent else "user",
            text=turn["text"],
            speaker=None if by_agent else turn["speaker"],
            session=conversation["id"],
            at=noon + timedelta(minutes=place),
            ref=f"{conversation['id']}:{place}",
        )


def read_lines(path: Path) -> list[Json]:
    """A file of JSON lines."""
    if not path.is_file():
        raise MissingData(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


# Recall


def ask(scope: ScopedNacre, family: str, questions: Iterable[Question], unrelated: Iterable[str]) -> list[Sample]:
    """Ask a scope the questions that it can answer, and others."""
    nothing = Question(id="", text="", kind="", evidence=frozenset())
    asked = [(question.text, question) for question in questions] + [(text, nothing) for text in unrelated]
    samples = []
    for text, question in asked:
        with recording() as strengths:
            hits = scope.recall(text, limit=HITS)
        ranked = [
            RankedHit(place=place, beside_best=hit.score, is_evidence=hit.source.ref in question.evidence)
            for place, hit in enumerate(hits)
            if hit.source.session not in question.ignored
        ]
        samples.append(
            Sample(family=family, is_related=question is not nothing, strength=strengths[0], hits=tuple(ranked))
        )
    return samples


@contextmanager
def recording() -> Iterator[list[Strength]]:
    """Recall that hands out what relevance is worked out from: the strengths, and as scores those beside the best."""
    strengths: list[Strength] = []

    def relate(strength: Strength) -> float:
        strengths.append(strength)
        return 1.0

    def place(beside_best: float, place: int) -> float:  # noqa: ARG001 - the place is known without it
        return beside_best

    with patch.object(relevance, "relatedness", relate), patch.object(relevance, "placement", place):
        yield strengths


# Fits


def fit_all(samples: Sequence[Sample]) -> Constants:
    """Every constant that is fitted, under its name in the module."""
    return {**fit_relatedness(samples), **fit_words(samples), **fit_placement(samples)}


def fit_relatedness(samples: Sequence[Sample], *, beside: bool = True) -> Constants:
    """How near a question must be; with `beside`, what the number of passages and a known name change in that."""

    def describe(strength: Strength) -> tuple[float, ...]:
        nearness = 0.0 if strength.nearness is None else strength.nearness
        return (nearness, crowd(strength), float(strength.names)) if beside else (nearness,)

    steep, *others, shift = fit_logistic(*_related(samples, describe))
    constants = {"_EVEN": -shift / steep, "_STEEP": steep}
    return constants | ({"_CROWD": -others[0] / steep, "_NAMED": others[1]} if beside else {})


def fit_words(samples: Sequence[Sample]) -> Constants:
    """What the words of a question tell where there are no vectors."""

    def describe(strength: Strength) -> tuple[float, ...]:
        return (strength.coverage * math.sqrt(strength.words),)

    return dict(zip(("_BREADTH", "_WORDS"), fit_logistic(*_related(samples, describe)), strict=True))


def fit_placement(samples: Sequence[Sample]) -> Constants:
    """How likely a hit of a question that has an answer is evidence."""
    hits = [(sample.family, hit) for sample in samples if sample.is_related for hit in sample.hits]
    features = np.array([(hit.beside_best, math.log1p(hit.place)) for _, hit in hits])
    truth = np.array([hit.is_evidence for _, hit in hits], np.float64)
    fitted = fit_logistic(features, truth, balance([family for family, _ in hits]))
    return dict(zip(("_BESIDE", "_PLACE", "_ANY"), fitted, strict=True))


def crowd(strength: Strength) -> float:
    """By how many e-folds there are more passages than need no more nearness."""
    return max(0.0, math.log(max(strength.passages, 1) / CROWDED))


def _related(
    samples: Sequence[Sample], describe: Callable[[Strength], tuple[float, ...]]
) -> tuple[Floats, Floats, Floats]:
    features = np.array([describe(sample.strength) for sample in samples])
    truth = np.array([sample.is_related for sample in samples], np.float64)
    return features, truth, balance([(sample.family, sample.is_related) for sample in samples])


def balance(groups: Sequence[Hashable]) -> Floats:
    """Weights with which every group counts the same, one on average."""
    counts = Counter(groups)
    weights = np.array([1 / counts[group] for group in groups])
    return np.asarray(weights / weights.mean())


def fit_logistic(features: Floats, truth: Floats, weights: Floats) -> list[float]:
    """The coefficients of a logistic regression and its constant, by Newton's steps."""
    given = np.column_stack([features, np.ones(len(features))])
    fitted = np.zeros(given.shape[1])
    # Too little to matter, enough for a feature that never varies.
    ridge = 1e-6 * np.eye(len(fitted))
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-given @ fitted))
        slope = given.T @ (weights * (truth - chances)) - ridge @ fitted
        curvature = (given * (weights * chances * (1 - chances))[:, None]).T @ given + ridge
        fitted += np.linalg.solve(curvature, slope)
    return [float(each) for each in fitted]


# Report


def report(samples: Sequence[Sample]) -> None:
    """Print the constants beside those in use, and how reliable the scores are with each on the set kept out."""
    training = [sample for sample in samples if sample.family in FITTED]
    checking = [sample for sample in samples if sample.family == CHECKED]
    fitted = fit_all(training)
    alone = fit_relatedness(training, beside=False)
    in_use = shipped(fitted)
    print("\nconstant     fitted  nearness alone  in use")
    for name, value in fitted.items():
        by_itself = f"{alone[name]:.3f}" if name in alone else "–"
        print(f"{name:10} {value:8.3f}  {by_itself:>14}  {in_use[name]:6.3f}")
    variants = {
        "fitted": fitted,
        "nearness alone": {**fitted, **alone, "_CROWD": 0.0, "_NAMED": 0.0},
        "in use": in_use,
    }
    for title, constants in variants.items():
        print(f"\n{CHECKED}, {title}")
        print_reliability(checking, constants)


def shipped(names: Iterable[str]) -> Constants:
    """The constants in use."""
    return {name: vars(relevance)[name] for name in names}


def print_reliability(samples: Iterable[Sample], constants: Constants) -> None:
    """Print how many hits of each range of scores are evidence, and how well the best scores tell questions apart."""
    reliability = Reliability()
    best: dict[bool, list[float]] = {True: [], False: []}
    with patch.dict(vars(relevance), constants):
        for sample in samples:
            related = relevance.relatedness(sample.strength)
            scores = [related * relevance.placement(hit.beside_best, hit.place) for hit in sample.hits]
            best[sample.is_related].append(max(scores, default=0.0))
            if sample.is_related:
                for hit, score in zip(sample.hits, scores, strict=True):
                    reliability.add_score(score, is_evidence=hit.is_evidence)
    figures = reliability.figures()
    print(f"{'score':14} {'hits':>7} {'mean':>6} {'evidence':>9}")
    for name in bin_names():
        each = figures[name]
        print(f"{name:14} {each['hits']:7,} {number(each['score'], 3):>6} {number(each['evidence'], 3):>9}")
    area = auroc(best[True], best[False])
    print(f"AUROC against unrelated questions: {area:.3f}" if area is not None else "No unrelated questions.")


if __name__ == "__main__":
    main()
