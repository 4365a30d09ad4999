"""Summaries of a scope's sessions."""

from contextlib import suppress

from nacre.domain import checks, summaries
from nacre.domain.errors import NotFound
from nacre.domain.hits import Kind, Recall
from nacre.domain.navigation import check_offset
from nacre.domain.operations import Selector
from nacre.domain.questions import Question
from nacre.domain.scopes import Scope
from nacre.domain.summaries import MAX_RESULTS, ExpandedSessions, SessionSummary, Summary, SummaryReport
from nacre.graph.identity import naming
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.evidence import summaries as stored
from nacre.wiring import Parts


class Summaries:
    """Summaries of sessions. Dreaming makes them when a session has been quiet for half an hour."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def of(self, session: str) -> Summary:
        """The summary of a session."""
        checks.name("session", session)
        with self._parts.settled.read(self._scope) as tx:
            held = stored.of(tx, session)
            if held is None:
                raise NotFound("summary of a session", session)
            return stored.with_entities(tx, self._graph(tx), [held])[0]

    def list(self, *, limit: int = 50, offset: int = 0) -> list[Summary]:
        """Summaries, the session in which something was said last first."""
        checks.count("limit", limit)
        check_offset(offset)
        with self._parts.settled.read(self._scope) as tx:
            held = stored.page(tx, limit, offset)
            return stored.with_entities(tx, self._graph(tx), held)

    def summarize(self, session: str) -> SummaryReport:
        """Sum up a session now: by the language model where there is one, else in the session's own sentences."""
        checks.name("session", session)
        # A summary is linked to those whom its session speaks of.
        self._parts.learner.settle_for_caller(self._scope)
        made = self._parts.summarize(self._scope, session)
        self._parts.embed_later(self._scope)
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
            span = summaries.span(time_range, tx.now)
            graph = self._graph(tx)
            known = None
            if entity is not None:
                with suppress(NotFound):
                    known = naming.find(graph, entity)
                if known is None:
                    return ExpandedSessions(entity_name=str(entity))
            about = (graph, known.id) if known else None
            found, total = stored.found(tx, span, max_results, session=session, entity=about)
        shown = tuple(self._shown(each) for each in found)
        return ExpandedSessions(entity_name=known.name if known else None, summaries=shown, total=total)

    def _graph(self, tx: Transaction) -> Transaction:
        return sharing.moved(tx, sharing.of(tx).graph_home(self._scope))

    def _shown(self, summary: Summary) -> SessionSummary:
        return SessionSummary(
            id=summary.id,
            session_key=summary.session,
            harness=self._scope.agent,
            earliest_at=summary.earliest_at,
            latest_at=summary.latest_at,
            content=summary.content,
        )
