"""Guards that a request passes before any route sees it."""

import asyncio
import re
from collections.abc import Sequence
from time import monotonic

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nacre.domain.checks import is_loopback
from nacre.domain.errors import Denied
from nacre.http import failures

MAX_BODY = 8 * 2**20
# How long the next piece of a body may take to come, and all of it.
READ_SECONDS, BODY_SECONDS = 30.0, 120.0

_AUTHORITY = re.compile(r"(?:\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<name>[^\s:/@\[\]]+))(?::\d*)?", re.IGNORECASE)
_READING = ("GET", "HEAD", "OPTIONS")
# What a browser says of a request that a page of the same origin, or nobody but its user, has it send.
_OWN_SITES = ("same-origin", "none")
_ORIGIN = re.compile(r"https?://(?P<authority>.+)", re.IGNORECASE)


class KnownHosts:
    """Knows what a web page from elsewhere can have a browser send to a server on its user's own machine."""

    def __init__(self, hosts: Sequence[str] = ()) -> None:
        self.hosts = frozenset(host.lower() for host in hosts)

    def refusal(self, method: str, headers: Headers) -> Denied | None:
        """Why a request of this method with these headers is refused; None when it is not."""
        if not self._known(headers.getlist("host"), required=True):
            return Denied("This server answers only requests to a host it knows, such as 127.0.0.1 or localhost.")
        origins = [_ORIGIN.fullmatch(origin) for origin in headers.getlist("origin")]
        if not self._known([match["authority"] if match else "" for match in origins], required=False):
            return Denied("This server answers no requests from pages of other origins.")
        if method not in _READING and not self._is_own_page(headers):
            return Denied("Only the page of this server may send that; list other hosts in NACRE_HOSTS.")
        return None

    def _is_own_page(self, headers: Headers) -> bool:
        """Whether a request comes from no page, from the one that this server shows, or from a host that is listed.

        Another port of this machine is another page: whatever runs there may show what strangers wrote.
        """
        origin = _ORIGIN.fullmatch(headers.get("origin", ""))
        if origin is None:
            return headers.get("sec-fetch-site", "none") in _OWN_SITES
        return origin["authority"].lower() == headers["host"].lower() or _name(origin["authority"]) in self.hosts

    def _known(self, authorities: Sequence[str], *, required: bool) -> bool:
        if len(authorities) != 1:
            return not authorities and not required
        name = _name(authorities[0])
        return is_loopback(name) or name in self.hosts


def _name(authority: str) -> str:
    match = _AUTHORITY.fullmatch(authority)
    return (match["ipv6"] or match["name"]).lower() if match else ""


class OwnMachine:
    """Refuses, in local mode, what does not come from the machine's own programs.

    Where callers hold tokens nothing has to be refused here: no browser sends one on its own, and a call without one
    is looked at by `doors.entered`.
    """

    def __init__(self, app: ASGIApp, hosts: KnownHosts) -> None:
        self.app = app
        self.known = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] != "lifespan"
        refusal = self.known.refusal(scope.get("method", ""), Headers(scope=scope)) if asked else None
        await (failures.respond(refusal) if refusal else self.app)(scope, receive, send)


class BodyLimit:
    """Stops reading a body at `limit` bytes, whatever length it declared, and one that no longer comes."""

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
        taken, more, until = 0, True, monotonic() + BODY_SECONDS

        async def counted() -> Message:
            nonlocal taken, more
            # After the body comes only the end of the connection, which may take as long as the reply.
            patience = min(READ_SECONDS, until - monotonic())
            try:
                message = await asyncio.wait_for(receive(), patience if more else None)
            except TimeoutError as error:
                raise HTTPException(408, f"The body did not come within {BODY_SECONDS:g} seconds.") from error
            more = bool(message.get("more_body"))
            taken += len(message.get("body", b""))
            if taken > self.limit:
                raise self._too_large()
            return message

        return counted

    def _too_large(self) -> HTTPException:
        return HTTPException(413, f"The body is larger than {self.limit / 2**20:g} MiB.")
