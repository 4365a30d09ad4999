"""Every way a request can fail, and the one envelope that says so."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from nacre.domain.errors import (
    Closed,
    CommitLost,
    Conflict,
    Damaged,
    Denied,
    Invalid,
    Misconfigured,
    NacreError,
    NotFound,
    RateLimited,
    StillRunning,
    Unauthenticated,
    Unavailable,
    in_full,
)
from nacre.http.bodies import TAGS, Failure, FailureReply
from nacre.http.paths import allowed, shown
from nacre.telemetry import logs

log = logging.getLogger(__name__)

STATUSES: Mapping[type[NacreError], int] = {
    Invalid: 400,
    Damaged: 400,
    Unauthenticated: 401,
    Denied: 403,
    NotFound: 404,
    Conflict: 409,
    RateLimited: 429,
    Misconfigured: 500,
    NacreError: 500,
    Unavailable: 503,
    Closed: 503,
}
CODES: Mapping[int, str] = {
    400: "invalid",
    401: "unauthenticated",
    403: "denied",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
}
INTERNAL = "The server made a mistake; its log says more."
UNREADABLE = "The body cannot be read as JSON in UTF-8."
NOT_AN_OBJECT = "The body must be a JSON object, sent with `Content-Type: application/json`."
PROBLEMS: Mapping[str, str] = {
    "missing": "`{field}` is missing.",
    "extra_forbidden": "`{field}` is not a field of this request.",
    "timezone_aware": "`{field}` has no time zone; write one, as in 2026-05-03T10:00:00Z.",
}
RETRY_AFTER_S = 1
# What of an error a program can use.
TOLD = ("field", "candidates", "retry_after")
MAX_MESSAGE = 1_000


def install(app: FastAPI) -> None:
    """Have every failure of `app` leave in the envelope."""
    for kind in (NacreError, HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, _handle)


def respond(error: Exception) -> JSONResponse:
    """The response that tells a client about `error`."""
    match error:
        case NacreError():
            return _of_nacre(error)
        case RequestValidationError():
            return _of_validation(error)
        case HTTPException():
            code = CODES.get(error.status_code, "invalid" if error.status_code < 500 else "internal")
            return _envelope(error.status_code, code, error.detail, headers=error.headers)
        case _:
            # The server gives the connection up after an error that nobody expected; a client is told.
            return _envelope(500, "internal", INTERNAL, headers={"Connection": "close"})


def status_of(code: str) -> int:
    """The status of an error that has come to be a code and a message."""
    kinds = [NacreError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return next((_status(kind) for kind in kinds if kind.code == code), 500)


def _status(kind: type[NacreError]) -> int:
    return next(STATUSES[each] for each in kind.__mro__ if each in STATUSES)


async def _handle(request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, CommitLost):
        request.state.commit_lost = True
    match error:
        case HTTPException(status_code=400):
            error = HTTPException(400, UNREADABLE)
        case HTTPException(status_code=404):
            error = HTTPException(404, f"No route {shown(request.scope)}.")
        case HTTPException(status_code=405):
            known = allowed(request)
            headers = {"Allow": ", ".join(known)} if known else error.headers
            error = HTTPException(405, f"{request.method} is not allowed here.", headers=headers)
    return respond(error)


def _of_nacre(error: NacreError) -> JSONResponse:
    status = _status(type(error))
    if in_full(error) != str(error):
        log.warning("%s", in_full(error))
    details = {name: getattr(error, name) for name in TOLD if hasattr(error, name)}
    return _envelope(status, error.code, str(error), details, _headers(error, status))


def _headers(error: NacreError, status: int) -> Mapping[str, str] | None:
    if isinstance(error, RateLimited | StillRunning):
        return {"Retry-After": str(error.retry_after)}
    if isinstance(error, Unauthenticated):
        return {"WWW-Authenticate": "Bearer"}
    return {"Retry-After": str(RETRY_AFTER_S)} if status == 503 else None


def _of_validation(error: RequestValidationError) -> JSONResponse:
    """The first problem: a client that mends it is told of the next."""
    problem: dict[str, Any] = error.errors()[0]
    if problem["type"] == "json_invalid":
        why, where = problem["ctx"]["error"], problem["loc"][-1]
        return _envelope(400, "invalid", f"The body is not JSON: {why} at character {where}.")
    field = _place(problem["loc"])
    if not field:
        return _envelope(400, "invalid", NOT_AN_OBJECT)
    said = problem["msg"].removeprefix("Value error, ")
    message = PROBLEMS.get(problem["type"], "`{field}`: {said}.").format(field=field, said=said[:1].lower() + said[1:])
    return _envelope(400, "invalid", message, {"field": field})


def _place(path: Sequence[str | int]) -> str:
    """Where in a request something is, as `turns[3].role`."""
    steps = [step for step in path[1:] if step not in TAGS]
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def _envelope(
    status: int,
    code: str,
    message: str,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    told = {name: _sendable(value) if isinstance(value, str) else value for name, value in (details or {}).items()}
    request_id = logs.request_id.get()
    named = {"request_id": request_id} if request_id else {}
    failure = Failure(code=code, message=_sendable(message), details={**told, **named})
    sent = {**(headers or {}), **({"X-Request-Id": request_id} if request_id else {})}
    return JSONResponse(FailureReply(error=failure).model_dump(), status, sent)


def _sendable(text: str) -> str:
    # A client can name a field with megabytes of text, or with half a surrogate pair, which UTF-8 has no form for.
    return text[:MAX_MESSAGE].encode("utf-8", "replace").decode("utf-8")
