"""Callers who go on while something fails, and what must hold for them afterwards."""

import time
from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType
from typing import Self

from nacre import Nacre, NacreError
from tests.faults.test_processes import SCOPE, stored_refs
from tests.recall.test_indexes import assert_equals_fresh

PATIENCE_SECONDS = 60
# What a caller may be told: the call came to nothing for now and may be tried again, or nobody knows whether it did.
TOLD = {"unavailable", "busy", "commit_lost"}


class Crowd:
    """Threads that observe one turn after another in one brain, and go on after an error."""

    def __init__(self, nacre: Nacre, size: int = 4) -> None:
        self.acknowledged: list[str] = []
        self.errors: list[Exception] = []
        self._nacre = nacre
        self._over = Event()
        self._threads = [Thread(target=self._live, args=(f"c{number}",)) for number in range(size)]

    def _live(self, name: str) -> None:
        scope, number = self._nacre.scope(SCOPE.agent), 0
        while not self._over.is_set():
            ref, number = f"{name}-{number}", number + 1
            try:
                scope.observe("user", f"storm {ref} near the harbour", session=name, ref=ref)
                self.acknowledged.append(ref)
            except Exception as error:  # noqa: BLE001 - whatever reached the caller is the finding
                self.errors.append(error)
                time.sleep(0.02)

    def goes_on(self, calls: int = 8) -> None:
        """Wait until so many more calls were answered."""
        wanted = len(self.acknowledged) + calls
        until(lambda: len(self.acknowledged) >= wanted)

    def fails(self) -> None:
        """Wait until one more call has failed."""
        wanted = len(self.errors) + 1
        until(lambda: len(self.errors) >= wanted)

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that has to come."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < patience, "It did not come."
        time.sleep(0.01)


def assert_told_and_kept(nacre: Nacre, crowd: Crowd) -> None:
    """Every error was one of Nacre's, every acknowledged turn is there once, and no turn is there in part."""
    assert [error for error in crowd.errors if not isinstance(error, NacreError) or error.code not in TOLD] == []
    assert all("\n" not in str(error) and str(error).endswith(".") for error in crowd.errors)
    stored = stored_refs(nacre)
    assert set(crowd.acknowledged) <= set(stored)
    assert len(stored) == len(set(stored))
    # A connection can be lost after the commit and before the answer: that call is there whole, or not at all.
    assert len(stored) - len(crowd.acknowledged) <= len(crowd.errors)
    assert [finding for finding in nacre.check().findings if finding.count] == []
    assert_equals_fresh(nacre, SCOPE)
