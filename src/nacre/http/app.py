"""The FastAPI application around a brain."""

from functools import cache
from threading import Event
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.gzip import GZipMiddleware

from nacre import __version__
from nacre.brain import Nacre
from nacre.http import (
    assertions,
    dashboard,
    dossiers,
    failures,
    health,
    insights,
    kg,
    knowledge,
    mcp,
    memory,
    native,
    oauth,
    ontology,
    paths,
    proposals,
    reference,
    server,
    sessions,
    transfer,
    upkeep,
    vault,
    working,
    world,
)
from nacre.http.bodies import FailureReply
from nacre.http.guards import BodyLimit, KnownHosts, OwnMachine
from nacre.http.idempotency import Idempotency, ReplayedCall, replay
from nacre.http.requests import Requests

FAMILIES = (
    server,
    health,
    native,
    working,
    vault,
    sessions,
    upkeep,
    kg,
    knowledge,
    dossiers,
    insights,
    ontology,
    proposals,
    assertions,
    memory,
    transfer,
    world,
)
FAILURES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": FailureReply, "description": "The request cannot be served as it is."},
    "5XX": {"model": FailureReply, "description": "The server cannot serve it; after 503, trying again may help."},
}
TITLE = "Nacre"
DESCRIPTION = """
Memory for AI agents. An agent's memory is kept apart by user and by chat where a request names them.

Every failure has one shape: `{"error": {"code": …, "message": …, "details": {…}}}`, with `details.field` where one part
of the request is at fault. `x-permission` is what a token must allow; in local mode no token is needed.

A call that changes something may be sent twice under one `Idempotency-Key`: it is carried out once.
""".strip()


def create_app(nacre: Nacre) -> FastAPI:
    """An application that answers on loopback names, and on the settings' `hosts` as well.

    The caller opens and closes the brain. FastAPI's own pages load their scripts from other people's servers, so
    `/docs` is a page of our own; see `reference`.
    """
    app = FastAPI(
        title=TITLE,
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.nacre = nacre
    # Set once the server is told to stop: streams end, and no more requests should be sent.
    app.state.stopping = Event()
    app.state.hosts = hosts = KnownHosts(nacre.parts.settings.hosts)
    app.router.routes.extend(_families().routes)
    app.router.routes.append(mcp.route())
    app.router.routes.extend(oauth.routes(nacre))
    failures.install(app)
    app.add_exception_handler(ReplayedCall, replay)
    reference.install(app, _description)
    dashboard.install(app)
    # The last is the first to see a request. Compression leaves event streams alone.
    paths.install(app)
    app.add_middleware(Idempotency)
    app.add_middleware(BodyLimit)
    app.add_middleware(GZipMiddleware, minimum_size=1_000, compresslevel=6)
    if nacre.parts.settings.auth == "local":
        app.add_middleware(OwnMachine, hosts=hosts)
    app.add_middleware(Requests)
    return app


@cache
def _families() -> APIRouter:
    """The routes of every family; what they take is worked out once, however many applications a process makes."""
    router = APIRouter(generate_unique_id_function=_operation_id)
    for family in FAMILIES:
        router.include_router(family.router, responses=FAILURES)
    return router


@cache
def _description() -> dict[str, Any]:
    """The OpenAPI document. It is about the families alone, so that one serves every application of a process."""
    return reference.describe(TITLE, __version__, DESCRIPTION, _families().routes)


def _operation_id(route: APIRoute) -> str:
    return f"{route.endpoint.__module__.rpartition('.')[2]}_{route.name}"
