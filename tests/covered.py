"""Notes which tests send PostgreSQL nothing that others do not: `pytest -n 0 --note-covered` writes `covered.txt`.

They run there only with `--both-databases`. A test that the list does not name runs, so a new one does. One that is the
only proof there of a row of docs/spec.md is never named, nor is one that starts threads or processes: who comes first
is not said by a statement.
"""

import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from sqlalchemy import Engine, event

from tests import tiers

LIST = Path(__file__).with_suffix(".txt")
_OTHERS = re.compile(r"\b(Thread|Barrier|\w+PoolExecutor|Process|Popen|subprocess|get_context)\b")


def names() -> frozenset[str]:
    """The tests of the list."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


class Notebook:
    """A plugin that notes what each test sends to PostgreSQL, and at the end which tests could be left out."""

    def __init__(self) -> None:
        self._sent: dict[str, set[str]] = {}
        self._always: set[str] = set()
        self._running = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note what a test sends, and which rows of the specification it proves."""
        self._running = tiers.name(item)
        given = getattr(item, "callspec", None)
        if given and "postgresql" in given.params.values():
            rows = {f"row {each}" for mark in item.iter_markers("spec") for each in mark.args}
            self._sent.setdefault(self._running, set()).update(rows)
            if tiers.on_postgresql(item.path) is tiers.EVERY or starts_others(getattr(item, "function", None)):
                self._always.add(self._running)
        return (yield)

    def pytest_sessionstart(self) -> None:
        """Listen to every engine."""
        event.listen(Engine, "before_cursor_execute", self._note)

    def pytest_sessionfinish(self) -> None:
        """Write the list."""
        event.remove(Engine, "before_cursor_execute", self._note)
        files = {_file(each) for each in self._sent}
        others = {each for each in names() if _file(each) not in files}
        found = sorted(others.union(covered(self._sent, self._always)))
        LIST.write_text("".join(f"{each}\n" for each in found), encoding="utf-8")

    def _note(self, connection: Any, _cursor: Any, sql: str, _values: Any, context: Any, _many: Any) -> None:
        if connection.dialect.name != "postgresql" or self._running not in self._sent:
            return
        # As it was compiled, lists are not spread yet: their lengths make no other statement.
        self._sent[self._running].add(str(context.compiled.string) if context.compiled else sql)


def starts_others(test: object) -> bool:
    """Whether a test, or a function of its file that it names, starts threads or processes."""
    if not isinstance(test, FunctionType):
        return False
    named = [test.__globals__.get(each) for each in test.__code__.co_names]
    functions = [each for each in (test, *named) if isinstance(each, FunctionType)]
    return any(_OTHERS.search(inspect.getsource(each)) for each in functions if each.__module__ == test.__module__)


def _file(test: str) -> str:
    return test.partition("::")[0]


def covered(sent: Mapping[str, set[str]], always: set[str]) -> set[str]:
    """The tests that send nothing but what the others do: those go first that send most of what is new."""
    left = {test: statements for test, statements in sent.items() if test not in always}
    told = set().union(*(sent[test] for test in always if test in sent))
    while left:
        next_test = max(sorted(left), key=lambda test: len(left[test] - told))
        if left[next_test] <= told:
            break
        told |= left.pop(next_test)
    return set(left)
