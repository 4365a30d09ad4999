"""The measurements of one size. Each runs in a process of its own, so that memory and caches do not mix.

Nacre and bare take turns in short rounds: whatever else the machine does meets both.
"""

import gc
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import count, islice, takewhile
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, TypeVar

from bench import synthetic
from bench.bare import BareStore, BareVectors
from bench.metrics import percentile
from bench.stores import Store
from nacre import Nacre, ScopedNacre, Settings, Turn

SINGLES = 300
SINGLES_ROUND = 50
REFRESHES = 50
QUERIES = 200
CONTEXTS = 100
QUERIES_ROUND = 20
REMEMBERS = 50
BATCH = 500
# Who likes more and more, how many likes are timed, and how long it may take to get there.
SPEAKER, MORE_LIKES, HOLD_SECONDS = "Ana", 20, 180.0
SMALLEST = 2 * (SINGLES + REFRESHES)

Json = dict[str, Any]
T = TypeVar("T")


def write(folder: Path, size: int) -> Json:
    """Fill a scope to `size` turns: in batches, then by single calls, then by calls each followed by a recall."""
    path, bare_path = folder / "nacre.db", folder / "bare.db"
    bulk, singles, refreshes = parts(synthetic.turns(size))
    questions = synthetic.queries(size, REFRESHES)
    # Without a thread behind them: a call's time is its own, and learning is timed apart.
    with (
        Nacre(str(path), settings=Settings(worker="off", extraction="rules")) as nacre,
        closing(BareStore(bare_path)) as bare,
    ):
        scope = _scope(nacre)
        learning = 0.0

        def observe_and_learn(turns: Sequence[Turn]) -> None:
            nonlocal learning
            scope.observe_many(turns)
            begun = perf_counter()
            nacre.settle()
            learning += perf_counter() - begun

        many, bare_many = race(rounds(bulk, BATCH), observe_and_learn, bare.insert)
        each, bare_each = race(
            rounds(singles, SINGLES_ROUND), lambda turns: _observe_each(scope, turns), bare.insert_each
        )
        _recall(scope, questions[0])
        refreshed = [_recall_after_observe(scope, *pair) for pair in zip(refreshes, questions, strict=True)]
        bare.insert(refreshes)
        nacre.settle()
        remembered = [timed(scope.remember, turn.text) for turn in islice(synthetic.conversation(seed=1), REMEMBERS)]
    return {
        "observe_per_s": len(singles) / sum(each),
        "observe_many_per_s": len(bulk) / (sum(many) - learning),
        "observe_many_learned_per_s": len(bulk) / sum(many),
        "remember_p50_ms": percentile(remembered, 50) * 1000,
        "recall_after_observe_p50_ms": percentile(refreshed, 50) * 1000,
        "bytes": path.stat().st_size,
        "bare_insert_per_s": len(singles) / sum(bare_each),
        "bare_insert_many_per_s": len(bulk) / sum(bare_many),
        "bare_bytes": bare_path.stat().st_size,
    }


def read(folder: Path, size: int) -> Json:
    """Open a filled store, recall once cold and many times warm, and see what stays in memory.

    The first recall of all goes to an empty scope, so that loading models is not counted as loading the scope.
    """
    questions = synthetic.queries(size, QUERIES)
    gc.collect()
    with Nacre(str(folder / "nacre.db")) as nacre:
        before = resident()
        models = _recall(_scope(nacre, "empty"), questions[0])
        scope = _scope(nacre)
        cold = _recall(scope, questions[0])
        again = [_recall(scope, question) for question in [questions[0], *islice(questions, QUERIES_ROUND)]]
        after = resident()
        warm, scans = _recall_beside_scans(scope, questions, BareVectors(size))
        contexts = [timed(scope.context, question) for question in islice(questions, CONTEXTS)]
    return {
        "first_recall_ms": models * 1000,
        "cold_load_ms": max(0.0, cold - again[0]) * 1000,
        "recall_p50_ms": percentile(warm, 50) * 1000,
        "recall_p95_ms": percentile(warm, 95) * 1000,
        "context_p50_ms": percentile(contexts, 50) * 1000,
        "start_mb": before,
        "resident_mb": after,
        "bare_scan_p50_ms": percentile(scans, 50) * 1000,
    }


def hold(folder: Path, most: int) -> Json:
    """What it costs to store and learn one more like of a speaker who has 10, 100, … up to `most` already.

    Processor time of this thread, which alone is at work. What takes too long to be reached is left out.
    """
    figures, until = {}, perf_counter() + HOLD_SECONDS
    with Nacre(str(folder / "likes.db"), settings=Settings(worker="off", extraction="rules")) as nacre:
        scope = _scope(nacre)
        likes = (Turn(role="user", text=f"I like X{number}.", speaker=SPEAKER) for number in count())
        for wanted in takewhile(lambda number: number <= most, (10**power for power in count(1))):
            while (held := _held(scope)) < wanted and perf_counter() < until:
                scope.observe_many(islice(likes, min(BATCH, wanted - held)))
                nacre.settle()
            if held < wanted:
                break
            used = [_learned_cpu(scope, turn) for turn in islice(likes, MORE_LIKES)]
            figures[str(wanted)] = round(percentile(used, 50) * 1000, 2)
    return figures


def _held(scope: ScopedNacre) -> int:
    return len(scope.graph.links(SPEAKER)) if scope.graph.search(SPEAKER) else 0


def _learned_cpu(scope: ScopedNacre, turn: Turn) -> float:
    begun = thread_time()
    scope.observe_many([turn])
    scope.learned()
    return thread_time() - begun


def race(
    work: Iterable[T], ours: Callable[[T], object], theirs: Callable[[T], object]
) -> tuple[list[float], list[float]]:
    """Give every piece of work to one and then to the other; the seconds each took for each."""
    pairs = [(timed(ours, piece), timed(theirs, piece)) for piece in work]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def rounds(items: Sequence[T], size: int) -> list[Sequence[T]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def timed(work: Callable[[T], object], piece: T) -> float:
    started = perf_counter()
    work(piece)
    return perf_counter() - started


def parts(turns: Sequence[Turn]) -> tuple[Sequence[Turn], Sequence[Turn], Sequence[Turn]]:
    """The turns observed in bulk, one by one, and one by one with a recall after each."""
    last = len(turns) - REFRESHES
    return turns[: last - SINGLES], turns[last - SINGLES : last], turns[last:]


def resident() -> float:
    """Resident memory of this process in MB."""
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024
    import resource

    # Elsewhere only the peak is known; macOS gives it in bytes.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024


def _recall_beside_scans(
    scope: ScopedNacre, questions: Sequence[str], vectors: BareVectors
) -> tuple[list[float], list[float]]:
    recalls, scans = [], []
    for asked in rounds(questions, QUERIES_ROUND):
        recalls += [_recall(scope, question) for question in asked]
        scans += [timed(vectors.best, vectors.question()) for _ in asked]
    return recalls, scans


def _scope(nacre: Nacre, user: str = "speed") -> ScopedNacre:
    return Store(nacre, "sqlite").scope("bench", user)


def _observe_each(scope: ScopedNacre, turns: Iterable[Turn]) -> None:
    for turn in turns:
        scope.observe(turn.role, turn.text, speaker=turn.speaker, session=turn.session, at=turn.at, ref=turn.ref)


def _recall_after_observe(scope: ScopedNacre, turn: Turn, question: str) -> float:
    _observe_each(scope, [turn])
    return _recall(scope, question)


def _recall(scope: ScopedNacre, question: str) -> float:
    return timed(lambda asked: scope.recall(asked, limit=10), question)
