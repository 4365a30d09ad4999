"""The scoped façade: one agent's memory, for one user and in one chat where these are given."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from nacre.domain import checks, questions
from nacre.domain.contexts import DEFAULT_BUDGET, MAX_BUDGET, Context
from nacre.domain.errors import Invalid
from nacre.domain.hits import Recall
from nacre.domain.memories import GENERAL, Memory
from nacre.domain.questions import Question
from nacre.domain.scopes import Scope
from nacre.domain.turns import Observation, Turn
from nacre.memory import observing, remembering
from nacre.recall import contexts
from nacre.store import turns
from nacre.wiring import Parts


class ScopedNacre:
    """One scope's memory. Nothing it does can see or touch another scope."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    @property
    def scope(self) -> Scope:
        """Whose memory it is."""
        return self._scope

    def observe(
        self,
        role: str,
        text: str,
        *,
        speaker: str | None = None,
        session: str | None = None,
        at: datetime | None = None,
        ref: str | None = None,
    ) -> Observation:
        """Keep one message as evidence; it can be recalled when the call returns."""
        turn = Turn(role=role, text=text, speaker=speaker, session=session, at=at, ref=ref)
        return self.observe_many([turn])[0]

    def observe_many(self, turns: Iterable[Turn]) -> list[Observation]:
        """Keep many messages, all or none."""
        said = list(turns)
        if not all(isinstance(turn, Turn) for turn in said):
            raise Invalid("turns", "must be Turn objects")
        observed = observing.observe(self._parts.database, self._parts.embedder, self.scope, said)
        self._parts.embed_later(self.scope)
        return observed

    def remember(
        self,
        text: str,
        *,
        category: str = GENERAL,
        tags: Iterable[str] = (),
        metadata: Mapping[str, str] | None = None,
    ) -> Memory:
        """Keep `text` as a long-term memory."""
        memory = remembering.remember(
            self._parts.database,
            self._parts.embedder,
            self.scope,
            text,
            category=category,
            tags=tags,
            metadata=metadata or {},
        )
        self._parts.embed_later(self.scope)
        return memory

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        kinds: Iterable[str] | None = None,
        session: str | None = None,
        as_of: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        explain: bool = False,
    ) -> Recall:
        """What is known about `query`, best first.

        `kinds` and `session` narrow what is searched, `since` and `until` when it was said, `as_of` to what was
        known then. `explain` fills each hit's `channels`.
        """
        question = Question(
            text=query,
            limit=limit,
            kinds=questions.kinds(kinds),
            session=session,
            as_of=as_of,
            since=since,
            until=until,
            explain=explain,
        )
        return self._parts.recaller.recall(self.scope, question)

    def context(self, message: str, *, session: str | None = None, budget: int = DEFAULT_BUDGET) -> Context:
        """What an agent should read before it answers `message`, in at most `budget` tokens."""
        checks.count("budget", budget, maximum=MAX_BUDGET)
        recalled = self.recall(message, limit=contexts.MAX_RECALLED + contexts.MAX_REPLAYED)
        conversation: list[turns.Said] = []
        if checks.optional_name("session", session):
            with self._parts.database.read(self.scope) as tx:
                conversation = turns.last(tx, str(session), contexts.MAX_REPLAYED)
        return contexts.build(recalled, conversation, budget)
