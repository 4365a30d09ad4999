"""Reads ahead: statements that will be run anyway go out with the next one, and are answered when they are asked."""

from collections.abc import Sequence

from sqlalchemy import Connection, Executable

from nacre.store.base import prepared_statements
from nacre.store.base.prepared_statements import Call, PreparedRows, Values


class ReadsAhead:
    """Statements that a transaction which only reads is going to run, and their rows: it sees one moment."""

    __slots__ = ("_results", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[Call] = []
        self._results: dict[Executable, list[tuple[Values | None, PreparedRows]]] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting or self._results)

    def add(self, calls: Sequence[Call]) -> None:
        """Let statements go out with the next one."""
        self._waiting += calls

    def answer(self, connection: Connection, calls: Sequence[Call]) -> Sequence[PreparedRows] | None:
        """What statements return, where any of them was waited for or others go out with them."""
        results = [self._result(call) for call in calls]
        missing = [call for call, result in zip(calls, results, strict=True) if result is None]
        if missing and (self._waiting or len(missing) < len(calls)):
            waiting, self._waiting = self._waiting, []
            sent = waiting + [call for call in missing if call not in waiting]
            rows = prepared_statements.run_all(connection, sent) or ()
            for (statement, values), result in zip(sent, rows, strict=False):
                self._results.setdefault(statement, []).append((values, result))
            results = [self._result(call) for call in calls]
        found = [each for each in results if each is not None]
        return found if len(found) == len(calls) else None

    def _result(self, call: Call) -> PreparedRows | None:
        statement, values = call
        return next((result for given, result in self._results.get(statement, ()) if given == values), None)
