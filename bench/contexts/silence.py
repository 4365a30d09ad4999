"""Silence: messages that have nothing to do with a scope, and whether it says something all the same."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.contexts.precision import BUDGET, PROFILE
from bench.errors import MissingData
from bench.metrics import mean
from bench.progress import Advance
from bench.sources import ROOT
from nacre import ScopedNacre

FILE = ROOT / "bench" / "labels" / "unrelated.jsonl"

Json = dict[str, Any]


def load(path: Path = FILE) -> tuple[str, ...]:
    """The unrelated messages."""
    if not path.is_file():
        raise MissingData(path)
    return tuple(json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines() if line)


def ask(scope: ScopedNacre, messages: Sequence[str], advance: Advance) -> Json:
    """Send each message in a session of its own, and count those that get anything beside the profile."""
    answered, lines = 0, []
    for place, message in enumerate(messages):
        context = scope.context(message, session=f"unrelated-{place}", budget=BUDGET)
        answered += any(part.label != PROFILE for part in context.messages)
        lines.append(sum(line.label != PROFILE for line in context.lines))
        advance(1)
    return {"messages": len(messages), "answered": answered, "lines": round(mean(lines), 2)}


def best_scores(scope: ScopedNacre, messages: Iterable[str], advance: Advance) -> list[float]:
    """The score of the best hit of each message, 0 where there is none."""
    scores = []
    for message in messages:
        hits = scope.recall(message, limit=1)
        scores.append(hits[0].score if hits else 0.0)
        advance(1)
    return scores
