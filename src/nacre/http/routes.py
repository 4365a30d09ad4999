"""The routes: parse, call one service, render."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from starlette.requests import Request

from nacre import __version__
from nacre.brain import Nacre
from nacre.domain import checks
from nacre.http.bodies import (
    ContextBody,
    ContextReply,
    DatabaseReply,
    FailureReply,
    HealthReply,
    ObservationReply,
    ObserveBody,
    ObserveReply,
    RecallBody,
    RecallReply,
    RememberBody,
    RememberReply,
)

FAILURES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": FailureReply, "description": "The request cannot be served as it is."},
    "5XX": {"model": FailureReply, "description": "The server cannot serve it; after 503, trying again may help."},
}

router = APIRouter(responses=FAILURES)


async def _brain(request: Request) -> Nacre:
    nacre: Nacre = request.app.state.nacre
    return nacre


Brain = Annotated[Nacre, Depends(_brain)]
Agent = Annotated[str, Path(examples=["assistant"], json_schema_extra={"minLength": 1, "maxLength": checks.MAX_NAME})]


@router.get("/health")
def health(nacre: Brain) -> HealthReply:
    """Whether the server and its database answer."""
    database = nacre.parts.database
    database.ping()
    return HealthReply(status="ok", version=__version__, database=DatabaseReply(kind=database.kind, ok=True))


@router.post("/v1/agents/{agent}/observe", status_code=201)
def observe(agent: Agent, body: ObserveBody, nacre: Brain) -> ObserveReply:
    """Keep one message, or many all or none, as evidence that can be recalled at once."""
    observed = body.scope(nacre, agent).observe_many(body.said())
    return ObserveReply(observations=[ObservationReply.of(each) for each in observed])


@router.post("/v1/agents/{agent}/remember", status_code=201)
def remember(agent: Agent, body: RememberBody, nacre: Brain) -> RememberReply:
    """Keep a text as a long-term memory."""
    return RememberReply.of(body.scope(nacre, agent).remember(**body.arguments()))


@router.post("/v1/agents/{agent}/recall")
def recall(agent: Agent, body: RecallBody, nacre: Brain) -> RecallReply:
    """What is known about a question, best first."""
    return RecallReply.of(body.scope(nacre, agent).recall(**body.arguments()))


@router.post("/v1/agents/{agent}/context")
def context(agent: Agent, body: ContextBody, nacre: Brain) -> ContextReply:
    """What an agent should read before it answers a message, within a token budget."""
    return ContextReply.of(body.scope(nacre, agent).context(**body.arguments()))
