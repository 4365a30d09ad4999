"""LongMemEval: sessions with an assistant, and questions with the sessions that answer them.

Two pools: all sessions at once, and 48 a question (its evidence and random others). Neither is an official split.
"""

import random
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.questions import Pool, Question, QuestionSet
from bench.sources import read_json
from nacre import Turn

SESSIONS = "longmemeval-sessions.json"
QUESTIONS = "longmemeval-dev-questions.json"
METRICS = ("any@5", "any@10", "all@5", "all@10", "NDCG@10")
SMALL_POOL = 48
# Enough hits for ten sessions even when the best ones fill many places with their turns.
LIMIT = 200

# The number of a session within its family. Longer numbers name the family itself (`answer_ultrachat_113156`).
_NUMBER = re.compile(r"_\d{1,3}$")


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    at: datetime
    turns: tuple[Turn, ...]


def load(data: Path) -> QuestionSet:
    """All sessions in one scope."""
    sessions, questions = _read(data)
    turns = tuple(turn for session in sessions for turn in session.turns)
    pool = Pool(key="all", turns=turns, questions=questions)
    return _question_set("longmemeval", "LongMemEval, all sessions", [pool])


def load_small(data: Path) -> QuestionSet:
    """A scope of 48 sessions for every question."""
    sessions, questions = _read(data)
    pools = [small_pool(question, sessions) for question in questions]
    return _question_set("longmemeval-48", "LongMemEval, 48 sessions", pools)


def small_pool(question: Question, sessions: Sequence[Session], size: int = SMALL_POOL) -> Pool:
    """The question's evidence, filled up to `size` with sessions drawn by its id, in the order they happened."""
    others = [s.id for s in sessions if s.id not in question.evidence and s.id not in question.ignored]
    wanted = min(len(others), max(0, size - len(question.evidence)))
    chosen = question.evidence | set(random.Random(question.id).sample(others, wanted))
    turns = tuple(turn for session in sessions if session.id in chosen for turn in session.turns)
    return Pool(key=question.id, turns=turns, questions=(question,))


def session_of(entry: Mapping[str, Any]) -> Session:
    at = parse_date(entry["date"])
    key: str = entry["id"]
    turns = (
        Turn(role=turn["role"], text=turn["content"], session=key, at=at, ref=f"{key}:{number}")
        for number, turn in enumerate(entry["turns"])
    )
    return Session(key, at, tuple(turns))


def questions_of(entries: Iterable[Mapping[str, Any]], sessions: Collection[str]) -> Iterable[Question]:
    """Every question that has an answer."""
    for entry in entries:
        if not entry["question_id"].endswith("_abs"):
            evidence = frozenset(entry["answer_session_ids"]) & frozenset(sessions)
            yield Question(
                id=entry["question_id"],
                text=entry["question"],
                kind=entry["question_type"],
                evidence=evidence,
                ignored=relatives(evidence, sessions),
                asked_at=parse_date(entry["question_date"]),
            )


def relatives(evidence: Collection[str], sessions: Iterable[str]) -> frozenset[str]:
    """Sessions of the evidence's families that are not evidence themselves."""
    families = {family(session) for session in evidence}
    return frozenset(session for session in sessions if family(session) in families) - frozenset(evidence)


def family(session: str) -> str:
    """The id without its last `_n`."""
    return _NUMBER.sub("", session)


def parse_date(written: str) -> datetime:
    """`2023/04/10 (Mon) 17:50`, taken as UTC."""
    return datetime.strptime(written, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)


def _read(data: Path) -> tuple[list[Session], tuple[Question, ...]]:
    sessions = sorted(map(session_of, read_json(data, SESSIONS)), key=lambda session: (session.at, session.id))
    known = {session.id for session in sessions}
    return sessions, tuple(q for q in questions_of(read_json(data, QUESTIONS), known) if q.evidence)


def _question_set(name: str, title: str, pools: Sequence[Pool]) -> QuestionSet:
    return QuestionSet(name=name, title=title, unit="session", limit=LIMIT, metrics=METRICS, pools=tuple(pools))
