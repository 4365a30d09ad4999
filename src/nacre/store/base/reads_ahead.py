"""Reads ahead: statements that will be run anyway go out with the next one, and are answered when they are asked."""

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, Executable

from nacre.store.base import prepared_statements
from nacre.store.base.prepared_statements import Call, PreparedRows, Values

# What is read because of what others returned.
Following = Callable[[Sequence[PreparedRows]], Sequence[Call]]


class ReadsAhead:
    """Statements that a transaction is going to run, and their rows, which it does not change itself."""

    __slots__ = ("_following", "_results", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[Call] = []
        self._following: list[tuple[Sequence[Call], Following]] = []
        self._results: dict[Executable, list[tuple[Values | None, PreparedRows]]] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting or self._results)

    def add(self, calls: Sequence[Call], following: Following | None = None) -> None:
        """Let statements go out with the next one, and what follows from their rows with the one after it."""
        self._waiting += calls
        if calls and following:
            self._following.append((calls, following))

    def finish(self, connection: Connection) -> None:
        """Send what waits together with the end of the transaction."""
        waiting, self._waiting = self._waiting, []
        rows = prepared_statements.run_all(connection, waiting, last=True) if waiting else None
        self._keep(waiting, rows or ())

    def answer(self, connection: Connection, calls: Sequence[Call]) -> Sequence[PreparedRows] | None:
        """What statements return, where any of them was waited for or others go out with them."""
        results = [self._result(call) for call in calls]
        missing = [place for place, result in enumerate(results) if result is None]
        if not self._waiting and len(missing) == len(calls):
            return None
        if missing:
            waiting, self._waiting = self._waiting, []
            others = [place for place in missing if calls[place] not in waiting]
            rows = prepared_statements.run_all(connection, [*waiting, *(calls[place] for place in others)])
            if rows is None:
                return None
            self._keep(waiting, rows)
            fresh = dict(zip(others, rows[len(waiting) :], strict=True))
            results = [fresh.get(place) or self._result(call) for place, call in enumerate(calls)]
            self._follow()
        return [each for each in results if each is not None]

    def _keep(self, calls: Sequence[Call], results: Sequence[PreparedRows]) -> None:
        for (statement, values), result in zip(calls, results, strict=False):
            self._results.setdefault(statement, []).append((values, result))

    def _follow(self) -> None:
        following, self._following = self._following, []
        for calls, then in following:
            results = [each for call in calls if (each := self._result(call)) is not None]
            if len(results) == len(calls):
                self._waiting += then(results)

    def _result(self, call: Call) -> PreparedRows | None:
        statement, values = call
        return next((result for given, result in self._results.get(statement, ()) if given == values), None)
