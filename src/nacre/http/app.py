"""The FastAPI application around a brain."""

from typing import Any

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from nacre import __version__
from nacre.brain import Nacre
from nacre.http import failures, native, server
from nacre.http.bodies import FailureReply
from nacre.http.guards import BodyLimit, KnownHosts

FAMILIES = (server, native)
FAILURES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": FailureReply, "description": "The request cannot be served as it is."},
    "5XX": {"model": FailureReply, "description": "The server cannot serve it; after 503, trying again may help."},
}
DESCRIPTION = """
Memory for AI agents. An agent's memory is kept apart by user and by chat where a body names them.

Every failure has one shape: `{"error": {"code": …, "message": …, "details": {…}}}`, with `details.field` where one part
of the request is at fault. `x-permission` is what a token must allow; in local mode no token is needed.
"""


def create_app(nacre: Nacre) -> FastAPI:
    """An application that answers on loopback names, and on the settings' `hosts` as well.

    The caller opens and closes the brain. There are no `/docs`: FastAPI's page loads its scripts from other
    people's servers. `/openapi.json` is there.
    """
    app = FastAPI(
        title="Nacre",
        version=__version__,
        description=DESCRIPTION.strip(),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.nacre = nacre
    for family in FAMILIES:
        app.include_router(family.router, responses=FAILURES)
    failures.install(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(GZipMiddleware, minimum_size=1_000)
    app.add_middleware(KnownHosts, hosts=nacre.parts.settings.hosts, open=nacre.parts.settings.auth == "team")
    return app
