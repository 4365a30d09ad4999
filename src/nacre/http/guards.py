"""What a request must satisfy before any route sees it."""

import re
from collections.abc import Sequence
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nacre.domain.errors import Denied
from nacre.http import failures

MAX_BODY = 8 * 2**20

_AUTHORITY = re.compile(r"(?:\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<name>[^\s:/@\[\]]+))(?::\d*)?", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://(?P<authority>.+)", re.IGNORECASE)


def is_loopback(name: str) -> bool:
    """Whether only this machine can be meant by `name`."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


class KnownHosts:
    """Knows what a web page from elsewhere can have a browser send to a server on its user's own machine."""

    def __init__(self, hosts: Sequence[str] = ()) -> None:
        self.hosts = frozenset(host.lower() for host in hosts)

    def refusal(self, headers: Headers) -> Denied | None:
        """Why a request with these headers is refused; None when it is not."""
        if not self._known(headers.getlist("host"), required=True):
            return Denied("This server answers only requests to a host it knows, such as 127.0.0.1 or localhost.")
        origins = [_ORIGIN.fullmatch(origin) for origin in headers.getlist("origin")]
        if not self._known([match["authority"] if match else "" for match in origins], required=False):
            return Denied("This server answers no requests from pages of other origins.")
        return None

    def _known(self, authorities: Sequence[str], *, required: bool) -> bool:
        if len(authorities) != 1:
            return not authorities and not required
        match = _AUTHORITY.fullmatch(authorities[0])
        name = (match["ipv6"] or match["name"]).lower() if match else ""
        return is_loopback(name) or name in self.hosts


class OwnMachine:
    """Refuses, in local mode, what does not come from the machine's own programs.

    Where callers hold tokens nothing has to be refused here: no browser sends one on its own, and a call without one
    is looked at by `doors.entered`.
    """

    def __init__(self, app: ASGIApp, known: KnownHosts) -> None:
        self.app = app
        self.known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["type"] == "lifespan" else self.known.refusal(Headers(scope=scope))
        await (failures.respond(refusal) if refusal else self.app)(scope, receive, send)


class BodyLimit:
    """Stops reading a body at `limit` bytes, whatever length it declared."""

    def __init__(self, app: ASGIApp, limit: int = MAX_BODY) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        if length.isdecimal() and int(length) > self.limit:
            await failures.respond(self._too_large())(scope, receive, send)
            return
        await self.app(scope, self._counting(receive), send)

    def _counting(self, receive: Receive) -> Receive:
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.limit:
                raise self._too_large()
            return message

        return counted

    def _too_large(self) -> HTTPException:
        return HTTPException(413, f"The body is larger than {self.limit / 2**20:g} MiB.")
