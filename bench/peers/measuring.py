"""The run: all systems take turns at every size, so that a busy machine slows all alike."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import synthetic
from bench.errors import PeerEnded
from bench.metrics import percentile
from bench.peers.catalogue import System
from bench.peers.children import Child
from bench.peers.serving import Said
from bench.progress import Progress
from nacre import Turn

SECONDS = 120
BATCH = 500
SINGLES_ROUND = 25
SINGLES_SECONDS = 20.0
QUESTIONS_ROUND = 20
QUESTIONS_SECONDS = 60.0
K = 10
# Everything lazy is loaded on a store that is thrown away: models, rules, compiled statements.
WARMING = 200

Json = dict[str, Any]
Notice = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    sizes: Sequence[int]
    questions: int = 200
    singles: int = 300
    """How many of a size's turns are written one by one, at its end."""
    seconds: float = SECONDS
    """How long a system may write to reach the next size."""


@dataclass(slots=True)
class Runner:
    """A system on its way: how many turns it holds, and what it took at this size."""

    child: Child
    folder: Path
    notice: Notice
    held: int = 0
    failed: str | None = None
    filled: int = 0
    fill_seconds: float = 0.0
    singles: int = 0
    single_seconds: float = 0.0
    times: list[float] = field(default_factory=list)

    def ask(self, do: str, **arguments: Any) -> Json:
        """Its answer; nothing for one that ended, now or before."""
        if self.failed:
            return {}
        try:
            return self.child.ask(do, **arguments)
        except PeerEnded as error:
            # Its last words may name folders, so they are shown and not kept.
            self.notice(str(error))
            self.failed = f"ended at {error.command}"
            return {}

    def begin_size(self) -> None:
        self.filled = self.singles = 0
        self.fill_seconds = self.single_seconds = 0.0
        self.times = []


def measure(
    systems: Sequence[tuple[System, Path]], plan: Plan, folder: Path, progress: Progress, notice: Notice
) -> Json:
    """Every size's figures by system; the same stores grow from size to size."""
    turns = [travelling(turn) for turn in synthetic.turns(plan.sizes[-1])]
    figures: Json = {}
    with running(systems, folder, notice) as runners:
        versions = {runner.child.system.name: _open(runner, turns[:WARMING]) for runner in runners}
        going = runners
        for size in plan.sizes:
            with progress.track(f"{size:,} turns beside {len(going)} systems", 3) as advance:
                figures[str(size)] = measure_size(going, turns, size, plan, advance)
                # One that missed a size would only miss the next.
                going = [runner for runner in going if figures[str(size)][runner.child.system.name]["finished"]]
    return {"versions": versions, "sizes": figures}


def measure_size(
    runners: Sequence[Runner], turns: Sequence[Said], size: int, plan: Plan, advance: Callable[[int], None]
) -> Json:
    for runner in runners:
        runner.begin_size()
    _in_turns(runners, lambda runner: _fill(runner, turns, size - plan.singles, plan.seconds))
    for runner in runners:
        runner.fill_seconds += runner.ask("settle").get("seconds", 0.0)
    advance(1)
    _in_turns(runners, lambda runner: _write_singly(runner, turns, plan.singles))
    for runner in runners:
        runner.ask("settle")
    advance(1)
    questions = synthetic.queries(size, plan.questions)
    for runner in runners:
        runner.ask("search", questions=questions[:QUESTIONS_ROUND], k=K, seconds=QUESTIONS_SECONDS)
    _in_turns(runners, lambda runner: _search(runner, questions))
    advance(1)
    return {runner.child.system.name: _figures(runner, size - plan.singles) for runner in runners}


@contextmanager
def running(systems: Sequence[tuple[System, Path]], folder: Path, notice: Notice) -> Iterator[list[Runner]]:
    """All systems as processes at once; an idle one costs the others nothing but memory."""
    with ExitStack() as stack:
        yield [
            Runner(stack.enter_context(Child(system, python, folder / system.name)), folder / system.name, notice)
            for system, python in systems
        ]


def travelling(turn: Turn) -> Said:
    return Said(
        id=turn.ref or "",
        text=turn.text,
        role=str(turn.role),
        speaker=turn.speaker,
        session=turn.session,
        at=turn.at.isoformat() if turn.at else None,
    )


def disk_bytes(folder: Path) -> int:
    """What the folder takes on disk."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def _open(runner: Runner, warming: Sequence[Said]) -> Json:
    """Open a store that was never used in a process that was; the versions it runs."""
    aside = runner.folder.with_name(f"{runner.folder.name}-warm")
    aside.mkdir()
    runner.ask("open", folder=str(aside))
    runner.ask("write", turns=warming, single=False, seconds=SINGLES_SECONDS)
    runner.ask("search", questions=[turn["text"] for turn in warming[:5]], k=K, seconds=SINGLES_SECONDS)
    runner.ask("close")
    versions: Json = runner.ask("open", folder=str(runner.folder)).get("versions", {})
    return versions


def _in_turns(runners: Sequence[Runner], step: Callable[[Runner], bool]) -> None:
    """Round after round, until no system has anything left to do."""
    going = list(runners)
    while going:
        going = [runner for runner in going if step(runner)]


def _fill(runner: Runner, turns: Sequence[Said], wanted: int, limit: float) -> bool:
    """One batch towards the size."""
    some = turns[runner.held : min(wanted, runner.held + BATCH)]
    if not some or runner.fill_seconds > limit:
        return False
    done = runner.ask("write", turns=some, single=False, seconds=limit)
    runner.held += done.get("written", 0)
    runner.filled += done.get("written", 0)
    runner.fill_seconds += done.get("seconds", 0.0)
    return runner.failed is None


def _write_singly(runner: Runner, turns: Sequence[Said], wanted: int) -> bool:
    some = turns[runner.held : runner.held + min(SINGLES_ROUND, wanted - runner.singles)]
    if not some or runner.single_seconds > SINGLES_SECONDS:
        return False
    done = runner.ask("write", turns=some, single=True, seconds=SINGLES_SECONDS)
    runner.held += done.get("written", 0)
    runner.singles += done.get("written", 0)
    runner.single_seconds += done.get("seconds", 0.0)
    return runner.failed is None


def _search(runner: Runner, questions: Sequence[str]) -> bool:
    asked = len(runner.times)
    some = questions[asked : asked + QUESTIONS_ROUND]
    if not some or sum(runner.times) > QUESTIONS_SECONDS:
        return False
    runner.times += runner.ask("search", questions=some, k=K, seconds=QUESTIONS_SECONDS).get("times", [])
    return runner.failed is None


def _figures(runner: Runner, wanted: int) -> Json:
    """What one system took at this size. It missed the size when batches did not bring it there in time."""
    memory = runner.ask("memory").get("resident_mb")
    known = runner.failed is None
    return {
        "held": runner.held,
        "filled": runner.filled,
        "finished": known and runner.held >= wanted,
        "failed": runner.failed,
        "batch_per_s": _rate(runner.filled, runner.fill_seconds),
        "fill_seconds": round(runner.fill_seconds, 1),
        "single_per_s": _rate(runner.singles, runner.single_seconds),
        "recall_p50_ms": round(percentile(runner.times, 50) * 1000, 3) if runner.times else None,
        "recall_p95_ms": round(percentile(runner.times, 95) * 1000, 3) if runner.times else None,
        "asked": len(runner.times),
        "resident_mb": round(memory, 1) if memory else None,
        "bytes": disk_bytes(runner.folder) if known else None,
    }


def _rate(count: int, seconds: float) -> float | None:
    return round(count / seconds, 1) if count and seconds else None
