"""Talk sets: LoCoMo and LongMemEval with the turns that answer, and the questions that nothing in them answers."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from bench import locomo, longmemeval
from bench.progress import Advance
from bench.quality import BATCH
from bench.questions import Pool, Question, QuestionSet
from bench.sources import read_json
from bench.stores import Store
from nacre import ScopedNacre

FILES = (locomo.FILE, longmemeval.SESSIONS, longmemeval.QUESTIONS)
ADVERSARIAL = 5
ABSTENTION = "_abs"
UPDATE = "knowledge-update"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkSet:
    """A question set whose evidence is turns, and what else is asked of its pools."""

    questions: QuestionSet
    unanswerable: Mapping[str, tuple[str, ...]]
    """By pool: questions that sound alike and that its turns do not answer."""
    updates: tuple[Question, ...] = ()
    """Questions about what changed; their evidence is two or more sessions."""

    def sample(self, count: int) -> "TalkSet":
        """The same set with `count` questions of each kind, always the same ones."""
        return TalkSet(
            questions=self.questions.sample(count),
            unanswerable={key: draw(texts, count) for key, texts in self.unanswerable.items()},
            updates=draw(self.updates, count),
        )


# Not slotted: the texts by ref are kept once they are asked for.
@dataclass(frozen=True, kw_only=True)
class ObservedPool:
    """A pool whose turns were observed, and the turn behind each id."""

    scope: ScopedNacre
    pool: Pool
    refs: Mapping[UUID, str]

    @cached_property
    def texts(self) -> dict[str, str]:
        """What was said in each turn."""
        return {turn.ref: turn.text for turn in self.pool.turns if turn.ref}


def draw(values: tuple[T, ...], count: int) -> tuple[T, ...]:
    """So many of the values in their order, always the same ones."""
    places = random.Random(len(values)).sample(range(len(values)), min(count, len(values)))
    return tuple(values[place] for place in sorted(places))


def find_missing(data: Path) -> list[Path]:
    """The files that are not in a folder of data."""
    return [data / name for name in FILES if not (data / name).is_file()]


def load_sets(data: Path, names: Iterable[str], sample: int | None = None) -> list[TalkSet]:
    """The sets of these names; `sample` limits the questions of each."""
    loaded = [LOADERS[name](data) for name in names]
    return [talks.sample(sample) for talks in loaded] if sample else loaded


def load_locomo(data: Path) -> TalkSet:
    """Every conversation, and its adversarial questions."""
    adversarial = {
        sample["sample_id"]: tuple(entry["question"] for entry in sample["qa"] if entry["category"] == ADVERSARIAL)
        for sample in read_json(data, locomo.FILE)
    }
    return TalkSet(questions=locomo.load(data), unanswerable=adversarial)


def load_longmemeval(data: Path) -> TalkSet:
    """All sessions in one scope, with the turns that hold an answer, and the abstention questions."""
    by_session = longmemeval.load(data)
    (pool,) = by_session.pools
    answers = read_answers(data)
    questions = tuple(question for asked in pool.questions if (question := with_turns(asked, answers)).evidence)
    entries = read_json(data, longmemeval.QUESTIONS)
    abstention = tuple(entry["question"] for entry in entries if entry["question_id"].endswith(ABSTENTION))
    return TalkSet(
        questions=replace(by_session, unit="turn", pools=(replace(pool, questions=questions),)),
        unanswerable={pool.key: abstention},
        updates=tuple(asked for asked in pool.questions if asked.kind == UPDATE and len(asked.evidence) > 1),
    )


LOADERS: Mapping[str, Callable[[Path], TalkSet]] = {"locomo": load_locomo, "longmemeval": load_longmemeval}


def read_answers(data: Path) -> Mapping[str, frozenset[str]]:
    """The turns of each session that are marked as holding an answer."""
    answers: dict[str, set[str]] = defaultdict(set)
    for session in read_json(data, longmemeval.SESSIONS):
        for number, turn in enumerate(session["turns"]):
            if turn.get("has_answer"):
                answers[session["id"]].add(f"{session['id']}:{number}")
    return {session: frozenset(refs) for session, refs in answers.items()}


def with_turns(question: Question, answers: Mapping[str, frozenset[str]]) -> Question:
    """A question about sessions with the turns in them that answer it."""
    refs: Iterable[frozenset[str]] = (answers.get(session, frozenset()) for session in question.evidence)
    return replace(question, evidence=frozenset().union(*refs))


def observe(store: Store, questions: QuestionSet, pool: Pool, advance: Advance) -> ObservedPool:
    """Observe the turns of a pool in a scope of its own."""
    scope = store.scope(questions.name, pool.key)
    refs: dict[UUID, str] = {}
    for start in range(0, len(pool.turns), BATCH):
        batch = pool.turns[start : start + BATCH]
        observations = scope.observe_many(batch)
        refs |= {each.id: turn.ref for each, turn in zip(observations, batch, strict=True) if turn.ref}
        advance(len(batch))
    scope.learned()
    return ObservedPool(scope=scope, pool=pool, refs=refs)
