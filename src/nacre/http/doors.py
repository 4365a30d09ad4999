"""How a route says what its caller needs, and how a request becomes the memory that its caller may reach."""

from typing import Annotated, Any

from fastapi import Depends, Path, Query
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import Request

from nacre.brain import Door, Nacre, ScopedNacre, enter
from nacre.domain import checks
from nacre.domain.access import Permission
from nacre.http.guards import is_loopback

NEEDS = "x-permission"
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")

_bearer = HTTPBearer(auto_error=False, description="A token of `nacre token issue`; none is needed in local mode.")

_LIMITS = {"minLength": 1, "maxLength": checks.MAX_NAME}
AgentPath = Annotated[str, Path(examples=["assistant"], json_schema_extra=_LIMITS)]
User = Annotated[str | None, Query(description="Keep to this user's memory.", json_schema_extra=_LIMITS)]
Chat = Annotated[str | None, Query(description="Keep to this chat's memory.", json_schema_extra=_LIMITS)]
AgentId = Annotated[
    str | None, Query(description="Whose knowledge; the server's own agent if left out.", json_schema_extra=_LIMITS)
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


def entered(
    request: Request,
    nacre: Annotated[Nacre, Depends(brain)],
    held: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Door:
    """The door of the caller, for the permission that the route needs."""
    address = request.client.host if request.client else ""
    # A proxy on this machine calls for others.
    at_home = is_loopback(address) and not any(name in request.headers for name in FORWARDED)
    permission = Permission(request.scope["route"].openapi_extra[NEEDS])
    secret = held.credentials if held else None
    called = f"{request.method} {request.url.path}"
    return enter(nacre, secret, permission, called=called, address=address, at_home=at_home)


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
