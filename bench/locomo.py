"""LoCoMo: long conversations between two people, and questions with the turns that answer them."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.questions import Pool, Question, QuestionSet
from bench.sources import read_json
from nacre import Turn

FILE = "locomo-dev.json"
KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
METRICS = ("R@5", "R@10", "R@20", "hit@5", "hit@10", "hit@20", "MRR")

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


def load(data: Path) -> QuestionSet:
    pools = tuple(pool_of(conversation) for conversation in read_json(data, FILE))
    return QuestionSet(name="locomo", title="LoCoMo", unit="turn", limit=20, metrics=METRICS, pools=pools)


def pool_of(sample: Mapping[str, Any]) -> Pool:
    """One conversation: its turns, and those of its questions that have usable evidence."""
    key: str = sample["sample_id"]
    turns = tuple(turns_of(sample["conversation"]))
    known = {turn.ref for turn in turns if turn.ref}
    questions = (question_of(f"{key}/{number}", entry, known) for number, entry in enumerate(sample["qa"]))
    return Pool(key=key, turns=turns, questions=tuple(question for question in questions if question))


def turns_of(conversation: Mapping[str, Any]) -> Iterable[Turn]:
    numbers = sorted(int(found[1]) for found in map(_SESSION.fullmatch, conversation) if found)
    for number in numbers:
        session = f"session_{number}"
        at = parse_date(conversation[f"{session}_date_time"])
        for turn in conversation[session]:
            yield Turn(
                role="user", text=text_of(turn), speaker=turn["speaker"], session=session, at=at, ref=turn["dia_id"]
            )


def text_of(turn: Mapping[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shared image: {caption}]" if caption else str(turn["text"])


def question_of(key: str, entry: Mapping[str, Any], known: Collection[str]) -> Question | None:
    """The question, or nothing when it is adversarial or none of its evidence exists."""
    kind = KINDS.get(entry["category"])
    evidence = parse_evidence(entry.get("evidence", ()), known)
    if kind is None or not evidence:
        return None
    return Question(id=key, text=entry["question"], kind=kind, evidence=evidence)


def parse_evidence(labels: Iterable[str], known: Collection[str]) -> frozenset[str]:
    """Turn ids out of hand-written labels: `D8:6; D9:17`, `D:11:26`, `D30:05`. Ids nobody said are dropped."""
    pairs = (pair for label in labels for pair in _EVIDENCE.findall(label))
    return frozenset(ref for session, turn in pairs if (ref := f"D{int(session)}:{int(turn)}") in known)


def parse_date(written: str) -> datetime:
    """`1:56 pm on 8 May, 2023`, taken as UTC."""
    return datetime.strptime(written, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
