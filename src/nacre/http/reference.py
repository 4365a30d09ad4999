"""The API as people and programs read it: `/openapi.json`, and `/docs` made of it."""

import base64
import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute

from nacre.http.doors import NEEDS
from nacre.http.idempotency import HEADER, KEY, MAX_KEY, REPLAYED

DOCS = "/docs"
METHODS_THAT_CHANGE = frozenset({"post", "put", "patch", "delete"})
_FAILURE = {"application/json": {"schema": {"$ref": "#/components/schemas/FailureReply"}}}
_SECONDS = {"schema": {"type": "integer", "minimum": 1}, "description": "How many seconds to wait."}
# Every route that needs a permission may answer so.
REFUSALS: dict[str, Any] = {
    "401": {
        "description": "There is no token, or none that is valid.",
        "headers": {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "`Bearer`."}},
        "content": _FAILURE,
    },
    "403": {"description": "The token's role or binding does not allow it.", "content": _FAILURE},
    "429": {"description": "Too many calls.", "headers": {"Retry-After": _SECONDS}, "content": _FAILURE},
}
IDEMPOTENCY: dict[str, Any] = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "A name for this call. Sent again within 24 hours, the same call is answered as the first time.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": KEY},
}
_REPLAYED = {"schema": {"type": "string", "enum": ["true"]}, "description": "The call was answered before."}


def install(app: FastAPI, description: Callable[[], dict[str, Any]]) -> None:
    """Have `app` hand out its description, and give it a page that shows it."""
    app.openapi = description  # type: ignore[method-assign]
    app.add_route(DOCS, page, include_in_schema=False)


def describe(title: str, version: str, description: str, routes: Sequence[BaseRoute]) -> dict[str, Any]:
    """The schema of an application with these routes, and what they have in common."""
    schema = get_openapi(title=title, version=version, description=description, routes=routes)
    for path in schema["paths"].values():
        for method, operation in path.items():
            _complete(method, operation)
    return schema


def _complete(method: str, operation: dict[str, Any]) -> None:
    if NEEDS in operation:
        operation["responses"] |= REFUSALS
    if method in METHODS_THAT_CHANGE:
        operation.setdefault("parameters", []).append(IDEMPOTENCY)
        for status, response in operation["responses"].items():
            if status.startswith("2"):
                response.setdefault("headers", {})[REPLAYED] = _REPLAYED


def page(_request: Request) -> HTMLResponse:
    """The page; it asks this server for the schema and nobody for anything else."""
    return HTMLResponse(_PAGE, headers={"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff"})


def _digest(tag: str) -> str:
    """What a browser compares the content of the page's one `tag` with."""
    found = re.search(f"<{tag}>(.*)</{tag}>", _PAGE, re.DOTALL)
    content = found[1] if found else ""
    return f"'sha256-{base64.b64encode(sha256(content.encode()).digest()).decode()}'"


_PAGE = files("nacre.http").joinpath("reference.html").read_text(encoding="utf-8")
_POLICY = (
    f"default-src 'none'; script-src {_digest('script')}; style-src {_digest('style')}; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
