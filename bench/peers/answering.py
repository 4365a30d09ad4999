"""What each system finds: LoCoMo's questions, every conversation in a store of its own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.errors import PeerEnded
from bench.metrics import mean, score
from bench.peers.catalogue import System
from bench.peers.children import Child
from bench.peers.measuring import BATCH, K, Notice, travelling
from bench.progress import Advance, Progress
from bench.questions import Pool, QuestionSet

METRICS = ("R@5", "R@10", "hit@10")
PATIENCE_SECONDS = 600.0

Json = dict[str, Any]


def measure(
    systems: Sequence[tuple[System, Path]], questions: QuestionSet, folder: Path, progress: Progress, notice: Notice
) -> Json:
    """Scores by system; for one that ended, what it said."""
    figures: Json = {}
    for system, python in systems:
        with (
            progress.track(f"{questions.title} by {system.title}", questions.question_count) as advance,
            Child(system, python, folder / system.name) as child,
        ):
            try:
                figures[system.name] = scores(child, questions, folder / system.name, advance)
            except PeerEnded as error:
                notice(str(error))
                figures[system.name] = {"failed": f"ended at {error.command}"}
    return figures


def scores(child: Child, questions: QuestionSet, folder: Path, advance: Advance) -> Json:
    found: list[tuple[list[str], frozenset[str]]] = []
    for number, pool in enumerate(questions.pools):
        store = folder / str(number)
        store.mkdir()
        found += _ask_pool(child, pool, store)
        advance(len(pool.questions))
    return {
        "questions": len(found),
        **{name: round(mean(score(name, ids, evidence) for ids, evidence in found), 4) for name in METRICS},
    }


def _ask_pool(child: Child, pool: Pool, store: Path) -> list[tuple[list[str], frozenset[str]]]:
    child.ask("open", folder=str(store))
    turns = [travelling(turn) for turn in pool.turns]
    for start in range(0, len(turns), BATCH):
        child.ask("write", turns=turns[start : start + BATCH], single=False, seconds=PATIENCE_SECONDS)
    child.ask("settle")
    asked = [question.text for question in pool.questions]
    found = child.ask("search", questions=asked, k=K, seconds=PATIENCE_SECONDS)["found"]
    child.ask("close")
    return [(ids, question.evidence) for ids, question in zip(found, pool.questions, strict=True)]
