"""Conversations: what was said, session by session, and the log that readers work through."""

from nacre.brain.probing import probed
from nacre.domain.scopes import Scope
from nacre.domain.turns import SessionInfo, StoredTurn
from nacre.memory import conversations
from nacre.wiring import Parts


@probed("conversations")
class Conversations:
    """The conversations of one scope."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def last(self, session: str, *, limit: int = 20, before: int | None = None) -> list[StoredTurn]:
        """The last turns of a session, oldest first; `before` is the place of one to go back from."""
        return conversations.last(self._parts.database, self._scope, session, limit=limit, before=before)

    def sessions(self, *, limit: int = 100, offset: int = 0) -> list[SessionInfo]:
        """The sessions in which something was said last, newest first."""
        return conversations.newest_sessions(self._parts.database, self._scope, limit=limit, offset=offset)

    def unread(self, reader: str, *, limit: int = 1_000) -> list[StoredTurn]:
        """The turns that `reader` has not consumed, oldest first; given again until it consumes them."""
        return conversations.unread(self._parts.database, self._scope, reader, limit=limit)

    def consume(self, reader: str, seq: int) -> bool:
        """Note that `reader` is done with every turn up to place `seq`; False when it already was."""
        return conversations.consume(self._parts.database, self._scope, reader, seq)
