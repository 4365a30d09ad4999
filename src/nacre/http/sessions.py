"""`/v1/agents/{agent}/sessions` and `/summaries`: what was said, and what it came to."""

from typing import Annotated

from fastapi import APIRouter, Query

from nacre.domain.access import Permission
from nacre.domain.summaries import Summary, SummaryReport
from nacre.http.doors import AgentPath, Entered, OfAgent, needs
from nacre.http.native_bodies import (
    SessionsReply,
    SummariesReply,
    SummarizeBody,
    TurnsReply,
)
from nacre.http.queries import Limit, Offset, SessionPath
from nacre.http.shapes import SnakeRoute

router = APIRouter(prefix="/v1/agents/{agent}", tags=["conversations"], route_class=SnakeRoute)

Before = Annotated[
    int | None,
    Query(description="Go back from the message at this place.", json_schema_extra={"minimum": 1, "maximum": 2**53}),
]


@router.get("/sessions", **needs(Permission.RECALL))
def sessions(scope: OfAgent, limit: Limit = 100, offset: Offset = 0) -> SessionsReply:
    """Conversations, those in which something was said last first."""
    return SessionsReply(sessions=scope.conversations.sessions(limit=limit, offset=offset))


@router.get("/sessions/{session:path}/turns", **needs(Permission.RECALL))
def turns(session: SessionPath, scope: OfAgent, limit: Limit = 20, before: Before = None) -> TurnsReply:
    """The last messages of a conversation, oldest first, or those before one of them."""
    said = scope.conversations.last(session, limit=limit, before=before)
    earlier = said[0].seq if len(said) == limit else None
    return TurnsReply(turns=said, before=earlier)


@router.get("/sessions/{session:path}/summary", **needs(Permission.RECALL))
def summary(session: SessionPath, scope: OfAgent) -> Summary:
    """What a conversation came to, where it was summed up."""
    return scope.summaries.of(session)


@router.post("/sessions/{session:path}/summary", **needs(Permission.REMEMBER))
def summarize(agent: AgentPath, session: SessionPath, body: SummarizeBody, door: Entered) -> SummaryReport:
    """Sum up a conversation now."""
    return body.scope(door, agent).summaries.summarize(session)


@router.get("/summaries", **needs(Permission.RECALL))
def summaries(scope: OfAgent, limit: Limit = 50, offset: Offset = 0) -> SummariesReply:
    """Summaries, the conversation in which something was said last first."""
    return SummariesReply(summaries=scope.summaries.list(limit=limit, offset=offset))
