"""Doors of routes: what a caller needs, and how a request becomes the memory that its caller may reach."""

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Depends, Path, Query
from fastapi.dependencies.models import Dependant
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import Request

from nacre.brain import Door, Nacre, ScopedNacre, enter
from nacre.domain.access import Permission
from nacre.domain.checks import is_loopback
from nacre.domain.errors import Invalid
from nacre.http.bodies import LINE
from nacre.http.idempotency import keyed
from nacre.http.paths import shown

NEEDS = "x-permission"
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")

_bearer = HTTPBearer(auto_error=False, description="A token of `nacre token issue`; none is needed in local mode.")

AgentPath = Annotated[str, Path(examples=["assistant"], json_schema_extra=LINE)]
User = Annotated[str | None, Query(description="Keep to this user's memory.", json_schema_extra=LINE)]
Chat = Annotated[str | None, Query(description="Keep to this chat's memory.", json_schema_extra=LINE)]
AgentId = Annotated[
    str | None, Query(description="Whose knowledge; the server's own agent if left out.", json_schema_extra=LINE)
]


def needs(permission: Permission) -> dict[str, Any]:
    """What a route says of itself: `@router.get("/stats", **needs(Permission.RECALL))`.

    The schema shows it, and it is what `entered` asks of the caller: there is no second place to say it.
    """
    return {"openapi_extra": {NEEDS: permission.value}}


async def brain(request: Request) -> Nacre:
    """The brain behind the application."""
    nacre: Nacre = request.app.state.nacre
    return nacre


def at_home(request: Request) -> bool:
    """Whether whoever calls is at this very machine."""
    # A proxy on this machine calls for others, and a browser for the page that it shows.
    sent_for = any(name in request.headers for name in FORWARDED) or request.app.state.hosts.refusal(
        request.method, request.headers
    )
    return is_loopback(request.client.host if request.client else "") and not sent_for


def _names(dependant: Dependant) -> Iterator[str]:
    """What a route takes in its address, after the question mark."""
    yield from (field.alias for field in dependant.query_params)
    for each in dependant.dependencies:
        yield from _names(each)


def entered(
    request: Request,
    nacre: Annotated[Nacre, Depends(brain)],
    held: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Door:
    """The door of the caller, for the permission that the route needs."""
    route = request.scope["route"]
    address = request.client.host if request.client else ""
    permission = Permission(route.openapi_extra[NEEDS])
    secret = held.credentials if held else None
    called = f"{request.method} {shown(request.scope)}"
    call = keyed(request)
    opened = call.take if call else None
    door = enter(nacre, secret, permission, called=called, address=address, at_home=at_home(request), opened=opened)
    # A misspelt `user` would be the memory of all users together.
    for name in set(request.query_params) - set(_names(route.dependant)):
        raise Invalid(name, "is not a parameter of this route")
    return door


Entered = Annotated[Door, Depends(entered)]


def _of_agent(agent: AgentPath, door: Entered, user: User = None, chat: Chat = None) -> ScopedNacre:
    return door.scope(agent, user, chat)


def _of_agent_id(door: Entered, agent_id: AgentId = None, user_id: User = None, chat_id: Chat = None) -> ScopedNacre:
    return door.scope(agent_id, user_id, chat_id)


def _of_graph(agent: AgentPath, door: Entered, user_id: User = None) -> ScopedNacre:
    return door.scope(agent, user_id)


# The memory that a request without a body means, by the names of each family of routes.
OfAgent = Annotated[ScopedNacre, Depends(_of_agent)]
OfAgentId = Annotated[ScopedNacre, Depends(_of_agent_id)]
OfGraph = Annotated[ScopedNacre, Depends(_of_graph)]
