"""Feedback: what people thought of what the agent did, for a cycle to learn from."""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from nacre.brain.memories import remember
from nacre.brain.probing import probed
from nacre.domain.feedback import MAX_SIGNALS, Signal
from nacre.domain.memories import RememberReport
from nacre.domain.scopes import Scope
from nacre.memory import anti_patterns, feedback
from nacre.wiring import Parts


@probed("feedback")
class Feedback:
    """The feedback of one scope."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def record(self, kind: str, subject: str, *, detail: str | None = None, session: str | None = None) -> Signal:
        """Keep a correction, complaint, abandonment, confirmation or praise of `subject`."""
        return feedback.record(self._parts.database, self._scope, kind, subject, detail=detail, session=session)

    def recent(self, *, limit: int = MAX_SIGNALS) -> list[Signal]:
        """The signals of the last seven days, newest first."""
        return feedback.recent(self._parts.database, self._scope, limit=limit)

    def take(self, limit: int = MAX_SIGNALS) -> list[Signal]:
        """The signals of the last seven days to learn from, oldest first; offered again until consumed."""
        return feedback.take(self._parts.database, self._scope, limit=limit)

    def consume(self, ids: Iterable[str | UUID]) -> int:
        """Mark signals as learned from; how many were not yet."""
        return feedback.consume(self._parts.database, self._scope, ids)

    def learn(self) -> list[RememberReport]:
        """Turn the corrections that nothing was learned from yet into memories of what not to do."""
        return anti_patterns.learn(self._parts.database, partial(remember, self._parts), self._scope)
