"""Recall quality: observe a set's turns in a cold store, ask every question, score what comes back."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from bench.metrics import first_appearances, interval, mean, percentile, score
from bench.progress import Advance, Progress
from bench.questions import Question, QuestionSet, Unit
from bench.stores import Store, cold_store, kind_of
from nacre import ScopedNacre, Turn

BATCH = 500
COMPARED = 10
SHOWN_DIFFERENCES = 20

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How the questions are asked."""

    database: str | None = None
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    question: Question
    refs: tuple[str | None, ...]
    ranking: tuple[str | None, ...]
    seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    answers: list[Answer]
    ingest_seconds: float


def measure(sets: Iterable[QuestionSet], plan: Plan, progress: Progress) -> Json:
    """Every set's figures by its name."""
    return {questions.name: measure_set(questions, plan, progress) for questions in sets}


def measure_set(questions: QuestionSet, plan: Plan, progress: Progress) -> Json:
    run = _run_on(plan.database, questions, progress)
    figures = figures_of(questions, run)
    if plan.same_as:
        other = _run_on(plan.same_as, questions, progress)
        figures["same"] = {"database": kind_of(plan.same_as), **agreement(run.answers, other.answers)}
    return figures


def ask_all(store: Store, questions: QuestionSet, advance: Advance) -> Run:
    answers: list[Answer] = []
    ingest = 0.0
    for pool in questions.pools:
        scope = store.scope(questions.name, pool.key)
        ingest += observe_all(scope, pool.turns, advance)
        for question in pool.questions:
            answers.append(ask(scope, question, questions))
            advance(1)
    return Run(answers, ingest)


def observe_all(scope: ScopedNacre, turns: Sequence[Turn], advance: Advance) -> float:
    """Observe turns in batches and learn from them; how many seconds that took."""
    taken = 0.0
    for start in range(0, len(turns), BATCH):
        batch = turns[start : start + BATCH]
        started = perf_counter()
        scope.observe_many(batch)
        taken += perf_counter() - started
        advance(len(batch))
    started = perf_counter()
    scope.learned()
    return taken + perf_counter() - started


def ask(scope: ScopedNacre, question: Question, questions: QuestionSet, rerank: str | None = None) -> Answer:
    started = perf_counter()
    hits = scope.recall(question.text, limit=questions.limit, rerank=rerank, asked_at=question.asked_at)
    seconds = perf_counter() - started
    refs = tuple(hit.source.ref for hit in hits)
    ranked = refs if questions.unit == "turn" else tuple(hit.source.session for hit in hits)
    return Answer(question, refs, ranking_of(ranked, question, questions.unit), seconds, hits.notes)


def ranking_of(ids: Sequence[str | None], question: Question, unit: Unit) -> tuple[str | None, ...]:
    """What is scored: hits as they came for turns, sessions in the order of their best hit, less what is ignored.

    Two hits from one turn keep two places: a user who asks for ten hits gets ten, not ten different turns.
    """
    ordered = ids if unit == "turn" else tuple(first_appearances(ids))
    return tuple(item for item in ordered if item not in question.ignored)


def figures_of(questions: QuestionSet, run: Run) -> Json:
    by_kind: dict[str, list[Answer]] = defaultdict(list)
    for answer in run.answers:
        by_kind[answer.question.kind].append(answer)
    milliseconds = [answer.seconds * 1000 for answer in run.answers]
    return {
        "title": questions.title,
        "unit": questions.unit,
        "turns": questions.turn_count,
        "total": scores_of(run.answers, questions.metrics),
        "interval": intervals_of(run.answers, questions.metrics),
        "by": {kind: scores_of(answers, questions.metrics) for kind, answers in sorted(by_kind.items())},
        "ingest_s": round(run.ingest_seconds, 2),
        "turns_per_s": round(questions.turn_count / run.ingest_seconds, 1) if run.ingest_seconds else 0.0,
        "recall_p50_ms": round(percentile(milliseconds, 50), 2),
        "recall_p95_ms": round(percentile(milliseconds, 95), 2),
        "notes": dict(Counter(note for answer in run.answers for note in answer.notes)),
    }


def scores_of(answers: Sequence[Answer], metrics: Iterable[str]) -> Json:
    scores = {
        name: round(mean(score(name, answer.ranking, answer.question.evidence) for answer in answers), 4)
        for name in metrics
    }
    return {"questions": len(answers), **scores}


def intervals_of(answers: Sequence[Answer], metrics: Iterable[str]) -> Json:
    """What each metric lies between, had other questions of the same kind been asked."""
    scores = {name: [score(name, each.ranking, each.question.evidence) for each in answers] for name in metrics}
    return {name: [round(end, 4) for end in interval(values, name)] for name, values in scores.items()}


def agreement(first: Sequence[Answer], second: Sequence[Answer]) -> Json:
    """For how many questions both runs gave the same turns in the same order, among the first ten hits."""
    pairs = zip(first, second, strict=True)
    different = [a.question.id for a, b in pairs if a.refs[:COMPARED] != b.refs[:COMPARED]]
    return {
        "questions": len(first),
        "identical": len(first) - len(different),
        "different": different[:SHOWN_DIFFERENCES],
    }


def _run_on(database: str | None, questions: QuestionSet, progress: Progress) -> Run:
    steps = questions.turn_count + questions.question_count
    with cold_store(database) as store, progress.track(f"{questions.title} ({store.kind})", steps) as advance:
        return ask_all(store, questions, advance)
