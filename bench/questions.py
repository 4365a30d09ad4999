"""What is asked, and of which turns: the shape every data set is loaded into."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from nacre import Turn

Unit = Literal["turn", "session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the ids (turn refs or sessions) that answer it."""

    id: str
    text: str
    kind: str
    evidence: frozenset[str]
    ignored: frozenset[str] = frozenset()
    """Ids that are neither right nor wrong: they are taken out of the ranking."""
    asked_at: datetime | None = None
    """When it is asked, where the set says so: relative dates count from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The turns of one scope and the questions asked of it."""

    key: str
    turns: Sequence[Turn]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    """One benchmark: its pools, what it ranks, and how it is scored."""

    name: str
    title: str
    unit: Unit
    limit: int
    """How many hits are asked of `recall`."""
    metrics: tuple[str, ...]
    pools: tuple[Pool, ...]

    @property
    def question_count(self) -> int:
        return sum(len(pool.questions) for pool in self.pools)

    @property
    def turn_count(self) -> int:
        return sum(len(pool.turns) for pool in self.pools)

    def sample(self, count: int) -> "QuestionSet":
        """The same set with `count` of its questions, always the same ones; pools left without any are dropped."""
        ids = [question.id for pool in self.pools for question in pool.questions]
        if count >= len(ids):
            return self
        kept = frozenset(random.Random(self.name).sample(ids, count))
        pools = (replace(pool, questions=_only(pool.questions, kept)) for pool in self.pools)
        return replace(self, pools=tuple(pool for pool in pools if pool.questions))


def _only(questions: Iterable[Question], ids: frozenset[str]) -> tuple[Question, ...]:
    return tuple(question for question in questions if question.id in ids)
