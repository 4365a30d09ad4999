"""Addresses as routes see them: a slash within a name, `HEAD`, and every method that an address knows."""

from collections.abc import Sequence
from urllib.parse import unquote

from fastapi import FastAPI
from starlette.convertors import PathConvertor, StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Stands for the slash of a name between a server, which reads `%2F` as one that parts the address, and a route.
_SLASH = "\U0010ff2f"
METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


class Slashes:
    """Keeps an encoded slash within the part of the address that it was sent in: `users/team%2Fana` is a user."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw: bytes = scope.get("raw_path", b"")
        if scope["type"] == "http" and b"%" in raw:
            path = raw.partition(b"?")[0].decode("latin-1")
            parts = [unquote(part) for part in path.replace("%2f", "%2F").split("%2F")]
            scope = {**scope, "path": _SLASH.join(parts)}
        await self._app(scope, receive, send)


class _Name(StringConvertor):
    """A part of an address in which slashes are what they stand for."""

    def convert(self, value: str) -> str:
        """The part as it was meant."""
        return value.replace(_SLASH, "/")


class _Path(PathConvertor):
    """The rest of an address."""

    def convert(self, value: str) -> str:
        """The rest as it was meant."""
        return value.replace(_SLASH, "/")


# Before any route is made: each asks for them by name then.
register_url_convertor("str", _Name())
register_url_convertor("path", _Path())


class Heads:
    """Answers `HEAD` as `GET`, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        answered = False

        async def without_body(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})
                answered = True

        async def heard() -> Message:
            # Streams end: nobody reads on.
            return {"type": "http.disconnect"} if answered else await receive()

        await self._app({**scope, "method": "GET"}, heard, without_body)


def install(app: FastAPI) -> None:
    """Have `app` take names with slashes, and `HEAD`."""
    app.add_middleware(Heads)
    app.add_middleware(Slashes)


def shown(scope: Scope) -> str:
    """The path of a request as it was sent."""
    return str(scope["path"]).replace(_SLASH, "%2F")


def allowed(request: Request) -> Sequence[str]:
    """Every method that the address of a request knows."""
    routes = request.app.router.routes
    asked = ({**request.scope, "method": method} for method in METHODS)
    known = [each["method"] for each in asked if any(route.matches(each)[0] is Match.FULL for route in routes)]
    return [*known, *(["HEAD"] if "GET" in known else [])]
