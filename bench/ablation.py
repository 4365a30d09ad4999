"""What each channel adds: the same questions with one channel at a time left out of the fusion."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from bench.progress import Progress
from bench.quality import Answer, ask, observe_all, scores_of
from bench.questions import QuestionSet
from bench.stores import cold_store
from bench.tables import Table, share
from nacre.recall import fusion

SETS = ("locomo", "longmemeval", "musique", "wikihop")
CHANNELS = (*fusion.WEIGHTS, *fusion.BONUSES, "currentness")

Json = dict[str, Any]


def measure(sets: Iterable[QuestionSet], progress: Progress) -> Json:
    """The scores of every set with all channels, and without each of them."""
    return {"sets": {questions.name: _measure(questions, progress) for questions in sets}}


def _measure(questions: QuestionSet, progress: Progress) -> Json:
    variants: tuple[str | None, ...] = (None, *CHANNELS)
    steps = questions.turn_count + len(variants) * questions.question_count
    answers: dict[str | None, list[Answer]] = {channel: [] for channel in variants}
    with cold_store(None) as store, progress.track(questions.title, steps) as advance:
        for pool in questions.pools:
            scope = store.scope(questions.name, pool.key)
            observe_all(scope, pool.turns, advance)
            for channel in variants:
                with without(channel):
                    answers[channel] += [ask(scope, question, questions) for question in pool.questions]
                advance(len(pool.questions))
    metrics = questions.metrics
    scored = {channel: scores_of(given, metrics) for channel, given in answers.items()}
    without_each = {channel: scored[channel] for channel in CHANNELS}
    return {"title": questions.title, "metrics": list(metrics), "all": scored[None], "without": without_each}


@contextmanager
def without(channel: str | None) -> Iterator[None]:
    """Recall as if a channel found nothing."""
    if channel is None:
        yield
        return
    table: dict[Any, float]
    for table in (fusion.WEIGHTS, fusion.BONUSES):
        if channel in table:
            with patch.dict(table, {channel: 0.0}):
                yield
            return
    with patch.dict(fusion.CURRENTNESS, dict.fromkeys(fusion.CURRENTNESS, 1.0)):
        yield


def tables(document: Json) -> list[Table]:
    """One table a set: the scores, and what leaving each channel out takes from them."""
    return [_table(figures) for figures in document["sets"].values()]


def _table(figures: Json) -> Table:
    metrics, whole = figures["metrics"], figures["all"]
    rows = [("all channels", *(share(name, whole[name]) for name in metrics))]
    rows += [
        (f"without {channel}", *(f"{100 * (scores[name] - whole[name]):+.1f}" for name in metrics))
        for channel, scores in figures["without"].items()
    ]
    return Table(f"{figures['title']}: what each channel adds", ("", *metrics), tuple(rows))
