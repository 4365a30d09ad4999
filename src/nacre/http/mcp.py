"""`/mcp`: the Model Context Protocol over streamable HTTP, behind the same checks and the same door as every route."""

from urllib.parse import unquote

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from nacre.brain import Nacre, enter
from nacre.domain.access import Permission
from nacre.domain.errors import NacreError, Unauthenticated
from nacre.http import failures, oauth
from nacre.http.doors import at_home
from nacre.http.guards import MAX_BODY
from nacre.mcp import servers
from nacre.mcp.callers import Visitor
from nacre.tools.catalogue import SESSION

PATH = "/mcp"
HEADER = "x-nacre-"
TOOLS = "tools"
BEARER = "bearer "


def route() -> Route:
    """The route to be added to the application."""
    return Route(PATH, endpoint=Endpoint(), methods=["POST"], include_in_schema=False)


class Endpoint:
    """Every request stands for itself, so that any process can answer any of them."""

    def __init__(self) -> None:
        self._few = servers.create(_caller)
        self._every = servers.create(_caller, every=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            request.state.visitor = await run_in_threadpool(self._visitor, request)
        except NacreError as error:
            response = failures.respond(error)
            if isinstance(error, Unauthenticated):
                response.headers["WWW-Authenticate"] = oauth.challenge(request.app.state.nacre.parts.settings)
            await response(scope, receive, send)
            return
        server = self._every if request.query_params.get(TOOLS) == "all" else self._few
        # A body that is too large must be refused here, where the application still hears of it.
        whole = _whole(await request.body(), receive)
        # Hosts and origins were checked before; see `KnownHosts`.
        manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=MAX_BODY
        )
        async with manager.run():
            await manager.handle_request(scope, whole, send)

    def _visitor(self, request: Request) -> Visitor:
        nacre: Nacre = request.app.state.nacre
        address = request.client.host if request.client else ""
        held = request.headers.get("authorization", "")
        secret = held[len(BEARER) :].strip() if held.lower().startswith(BEARER) else None
        called = f"POST {PATH}"
        # Each tool asks for its own permission; this finds out who calls.
        door = enter(
            nacre,
            secret,
            Permission.RECALL,
            called=called,
            address=address,
            at_home=at_home(request),
            granted=oauth.is_on(nacre.parts.settings),
        )
        named = {name: _named(request, name) for name in ("agent", "user", "chat")}
        session = _named(request, "session") or SESSION
        return Visitor(nacre=nacre, principal=door.principal, session=session, **named)


def _whole(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, and then whatever else happens to the request."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return messages.pop() if messages else await receive()

    return received


def _named(request: Request, part: str) -> str | None:
    """A name from a header; letters that headers cannot hold come percent-encoded."""
    value = request.headers.get(HEADER + part)
    return unquote(value) if value else None


def _caller(request: Request | None) -> Visitor:
    if request is None:
        raise TypeError("This server answers HTTP requests only.")
    visitor: Visitor = request.state.visitor
    return visitor
