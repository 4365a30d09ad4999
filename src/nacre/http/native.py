"""`/v1/agents/{agent}/…`: what the Python surface does."""

from fastapi import APIRouter

from nacre.domain.access import Permission
from nacre.http.bodies import (
    ContextBody,
    ContextReply,
    ObservationReply,
    ObserveBody,
    ObserveReply,
    RecallBody,
    RecallReply,
    RememberBody,
    RememberReply,
)
from nacre.http.doors import AgentPath, Entered, needs

router = APIRouter(prefix="/v1/agents/{agent}", tags=["memory"])


@router.post("/observe", status_code=201, **needs(Permission.REMEMBER))
def observe(agent: AgentPath, body: ObserveBody, door: Entered) -> ObserveReply:
    """Keep one message, or many all or none, as evidence that can be recalled at once."""
    observed = body.scope(door, agent).observe_many(body.said())
    return ObserveReply(observations=[ObservationReply.of(each) for each in observed])


@router.post("/remember", status_code=201, **needs(Permission.REMEMBER))
def remember(agent: AgentPath, body: RememberBody, door: Entered) -> RememberReply:
    """Keep a text as a long-term memory."""
    return RememberReply.of(body.scope(door, agent).remember(**body.arguments()))


@router.post("/recall", **needs(Permission.RECALL))
def recall(agent: AgentPath, body: RecallBody, door: Entered) -> RecallReply:
    """What is known about a question, best first."""
    return RecallReply.of(body.scope(door, agent).recall(**body.arguments()))


@router.post("/context", **needs(Permission.RECALL))
def context(agent: AgentPath, body: ContextBody, door: Entered) -> ContextReply:
    """What an agent should read before it answers a message, within a token budget."""
    return ContextReply.of(body.scope(door, agent).context(**body.arguments()))
