"""The question sets by name."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from bench import locomo, longmemeval, multihop
from bench.errors import UnknownSet
from bench.questions import QuestionSet

SETS: dict[str, Callable[[Path], QuestionSet]] = {
    "locomo": locomo.load,
    "longmemeval": longmemeval.load,
    "longmemeval-48": longmemeval.load_small,
    **{name: partial(multihop.load, name=name) for name in multihop.TITLES},
}


def load(names: Iterable[str], data: Path, sample: int | None = None) -> list[QuestionSet]:
    """The named sets, all of them when none is named; `sample` limits the questions of each."""
    chosen = list(names) or list(SETS)
    for name in chosen:
        if name not in SETS:
            raise UnknownSet(name, list(SETS))
    loaded = [SETS[name](data) for name in chosen]
    return [questions.sample(sample) for questions in loaded] if sample else loaded
