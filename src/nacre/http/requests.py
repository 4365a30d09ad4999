"""Requests as operators see them: a line in the log, metrics, a span; and the id by which people find them again.

None of it holds an address, a body or a question: a request is known by the pattern of its route.
"""

import logging
import re
from collections.abc import Mapping
from contextlib import nullcontext
from time import perf_counter
from typing import Any
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nacre.domain.short_calls import CALLS
from nacre.telemetry import logs
from nacre.telemetry.probes import Request

HEADER = "X-Request-Id"
GIVEN = re.compile(r"[\w.:-]{1,100}", re.ASCII)
# What a client that went away would have been told.
GONE = 499

log = logging.getLogger(logs.REQUESTS)


class Requests:
    """Gives each request its id, and tells what became of it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = _id(headers)
        # A failure that nobody foresaw is answered further out, so the id must outlive this call.
        logs.request_id.set(request_id)
        probe, began = scope["app"].state.nacre.parts.probe, perf_counter()
        told = probe.request(scope["method"], headers) if probe else nullcontext(Request())
        with CALLS.call(), told as request:
            request.status = GONE

            async def sending(message: Message) -> None:
                if message["type"] == "http.response.start":
                    request.status = message["status"]
                    given = MutableHeaders(scope=message)
                    given[HEADER] = request_id
                    # A browser must not take a text that somebody wrote for a page.
                    given["X-Content-Type-Options"] = "nosniff"
                await send(message)

            try:
                await self.app(scope, receive, sending)
            except Exception:
                request.status = 500
                raise
            finally:
                request.route = _route(scope)
                _write(scope["method"], request, perf_counter() - began)


def _id(headers: Mapping[str, str]) -> str:
    given = headers.get(HEADER, "")
    return given if GIVEN.fullmatch(given) else uuid4().hex


def _route(scope: Mapping[str, Any]) -> str:
    """The pattern of the route that answered; addresses that lead nowhere are all one."""
    return getattr(scope.get("route"), "path", None) or "other"


def _write(method: str, request: Request, seconds: float) -> None:
    level = logging.WARNING if request.status >= 500 else logging.INFO
    told = {"method": method, "route": request.route, "status": request.status, "ms": round(seconds * 1_000, 1)}
    log.log(level, "request", extra=told)
