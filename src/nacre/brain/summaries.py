"""Summaries of a scope's sessions."""

from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.hits import Kind, Recall
from nacre.domain.navigation import check_offset
from nacre.domain.operations import Selector
from nacre.domain.questions import Question
from nacre.domain.scopes import Scope
from nacre.domain.summaries import MAX_RESULTS, ExpandedSessions, Summary, SummaryReport
from nacre.memory import summarizing
from nacre.wiring import Parts


@probed("summaries")
class Summaries:
    """Summaries of sessions. Dreaming makes them when a session has been quiet for half an hour."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def of(self, session: str) -> Summary:
        """The summary of a session."""
        checks.name("session", session)
        with self._parts.settled.read(self._scope) as tx:
            return summarizing.of(tx, session)

    def list(self, *, limit: int = 50, offset: int = 0) -> list[Summary]:
        """Summaries, the session in which something was said last first."""
        checks.count("limit", limit)
        check_offset(offset)
        with self._parts.settled.read(self._scope) as tx:
            return summarizing.listed(tx, limit, offset)

    def summarize(self, session: str) -> SummaryReport:
        """Sum up a session now: by the language model where there is one, else in the session's own sentences."""
        checks.name("session", session)
        # A summary is linked to those whom its session speaks of.
        self._parts.learner.settle_for_caller(self._scope)
        made = self._parts.summarize(self._scope, session)
        self._parts.fillings.embed_later(self._scope)
        return made

    def search(self, query: str, *, limit: int = 10) -> Recall:
        """Summaries by words and meaning, best first."""
        question = Question(text=query, limit=limit, kinds=frozenset({Kind.SUMMARY}))
        return self._parts.recaller.recall(self._scope, question)

    def expand(
        self,
        entity: Selector | None = None,
        *,
        session: str | None = None,
        time_range: str | None = None,
        max_results: int = 10,
    ) -> ExpandedSessions:
        """The sessions that speak of an entity or in which it speaks, the newest first; none where it is unknown.

        `time_range` is `last_week`, `last_month`, an ISO moment to go on from, or two of them: `from/to`.
        """
        checks.optional_name("session", session)
        checks.count("max_results", max_results, maximum=MAX_RESULTS)
        with self._parts.settled.read(self._scope) as tx:
            return summarizing.expanded(tx, entity, session, time_range, max_results)
