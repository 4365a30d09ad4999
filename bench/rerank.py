"""What the reranker is worth: the same questions without it, with the fast one and with the best one."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Any

from bench.metrics import DRAWS, interval, mean, percentile, score
from bench.progress import Advance, Progress
from bench.quality import Answer, ask, observe_all, scores_of
from bench.questions import QuestionSet
from bench.stores import Store, cold_store
from bench.tables import Table, number, share
from nacre.models.local_reranker import load
from nacre.models.rerankers import RerankPassage

MODES = ("off", "fast", "best")
SIZES = (20, 30, 50)
TIMED = 30
# No question goes unranked because the machine is busy.
DEADLINE = 600.0

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers to every question of a set, by mode."""

    questions: QuestionSet
    answers: dict[str, list[Answer]]


def measure(sets: Iterable[QuestionSet], progress: Progress) -> Json:
    """Scores and differences of every set, and how long reranking takes."""
    asked = [_ask(questions, progress) for questions in sets]
    figures = {each.questions.name: figures_of(each) for each in asked}
    return {"sets": figures, "times": {each.questions.name: times_of(each.questions) for each in asked}}


def _ask(questions: QuestionSet, progress: Progress) -> Asked:
    steps = questions.turn_count + len(MODES) * questions.question_count
    with cold_store(None, rerank_deadline=DEADLINE) as store, progress.track(questions.title, steps) as advance:
        return Asked(questions, _ask_all(store, questions, advance))


def _ask_all(store: Store, questions: QuestionSet, advance: Advance) -> dict[str, list[Answer]]:
    answers: dict[str, list[Answer]] = defaultdict(list)
    for pool in questions.pools:
        scope = store.scope(questions.name, pool.key)
        observe_all(scope, pool.turns, advance)
        for question in pool.questions:
            for mode in MODES:
                answers[mode].append(ask(scope, question, questions, mode))
                advance(1)
    return answers


def figures_of(asked: Asked) -> Json:
    """A set's scores by mode, and what each mode changes against none, in all and by kind of question."""
    metrics = asked.questions.metrics
    kinds = sorted({answer.question.kind for answer in asked.answers["off"]})

    def of(mode: str, kind: str | None) -> list[Answer]:
        return [answer for answer in asked.answers[mode] if kind in (None, answer.question.kind)]

    return {
        "title": asked.questions.title,
        "metrics": list(metrics),
        "total": {mode: scores_of(of(mode, None), metrics) for mode in MODES},
        "by": {kind: {mode: scores_of(of(mode, kind), metrics) for mode in MODES} for kind in kinds},
        "change": {
            mode: {name: change(name, of("off", None), of(mode, None)) for name in metrics} for mode in MODES[1:]
        },
        "moved": {
            kind: {mode: moved(metrics[1], of("off", kind), of(mode, kind)) for mode in MODES[1:]} for kind in kinds
        },
        "recall_p50_ms": {
            mode: round(percentile([answer.seconds * 1000 for answer in of(mode, None)], 50), 1) for mode in MODES
        },
    }


def change(metric: str, before: Sequence[Answer], after: Sequence[Answer]) -> Json:
    """The mean difference, question by question, and what 95 % of draws with replacement lie between."""
    differences = [_score(metric, b) - _score(metric, a) for a, b in zip(before, after, strict=True)]
    low, high = interval(differences, metric)
    return {"mean": round(mean(differences), 4), "low": round(low, 4), "high": round(high, 4)}


def moved(metric: str, before: Sequence[Answer], after: Sequence[Answer]) -> Json:
    """How many questions fare better and worse by a metric."""
    pairs = [(_score(metric, a), _score(metric, b)) for a, b in zip(before, after, strict=True)]
    return {"better": sum(b > a for a, b in pairs), "worse": sum(b < a for a, b in pairs), "of": len(pairs)}


def _score(metric: str, answer: Answer) -> float:
    return score(metric, answer.ranking, answer.question.evidence)


def times_of(questions: QuestionSet) -> Json:
    """The median milliseconds in which each reranker reads so many passages of a set."""
    draw = random.Random(questions.name)
    turns = [turn for pool in questions.pools for turn in pool.turns]
    asked = [question.text for pool in questions.pools for question in pool.questions]
    passages = [RerankPassage(after.searchable, before.searchable) for before, after in pairwise(turns)]

    def median(mode: str, size: int) -> float:
        taken = []
        for _ in range(TIMED):
            question, some = draw.choice(asked), draw.sample(passages, min(size, len(passages)))
            started = perf_counter()
            load(mode).score(question, some, DEADLINE)
            taken.append((perf_counter() - started) * 1000)
        return round(percentile(taken, 50), 1)

    return {mode: {str(size): median(mode, size) for size in SIZES} for mode in MODES[1:]}


# Tables


def tables(document: Json) -> list[Table]:
    """Scores by kind of question, the difference with its interval, who moved, and times."""
    sets: Json = document["sets"]
    return [*(table for figures in sets.values() for table in _tables(figures)), _times(document)]


def _tables(figures: Json) -> Iterable[Table]:
    metrics = figures["metrics"]
    rows = [
        (kind, str(scores[mode]["questions"]), mode, *(share(name, scores[mode][name]) for name in metrics))
        for kind, scores in [("all", figures["total"]), *figures["by"].items()]
        for mode in MODES
    ]
    yield Table(figures["title"], ("questions", "n", "rerank", *metrics), tuple(rows))
    rows = [(mode, *(_interval(figures["change"][mode][name]) for name in metrics)) for mode in figures["change"]]
    yield Table(
        f"{figures['title']}: difference to off, in points",
        ("rerank", *metrics),
        tuple(rows),
        f"95 % intervals of {DRAWS:,} paired draws over questions.",
    )
    rows = [
        (kind, *(f"{each['better']} / {each['worse']} of {each['of']}" for each in modes.values()))
        for kind, modes in figures["moved"].items()
    ]
    yield Table(f"{figures['title']}: better / worse by {metrics[1]}", ("questions", *MODES[1:]), tuple(rows))


def _interval(change: Json) -> str:
    return f"{100 * change['mean']:+.1f} [{100 * change['low']:+.1f}, {100 * change['high']:+.1f}]"


def _times(document: Json) -> Table:
    rows = [
        (document["sets"][name]["title"], mode, *(number(sizes[str(size)]) for size in SIZES))
        for name, modes in document["times"].items()
        for mode, sizes in modes.items()
    ]
    return Table(
        "Reading passages, ms",
        ("set", "rerank", *(f"{size} passages" for size in SIZES)),
        tuple(rows),
        f"Medians of {TIMED} calls with passages drawn at random, each with the turn before it; two threads.",
    )
