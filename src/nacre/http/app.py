"""The FastAPI application around a brain."""

from collections.abc import Sequence

from fastapi import FastAPI

from nacre import __version__
from nacre.brain import Nacre
from nacre.http import failures, routes
from nacre.http.guards import BodyLimit, KnownHosts

DESCRIPTION = """
Memory for AI agents. An agent's memory is kept apart by user and by chat where a body names them.

Every failure has one shape: `{"error": {"code": …, "message": …}}`, with `field` where one part of the request is at
fault.
"""


def create_app(nacre: Nacre, *, hosts: Sequence[str] = ()) -> FastAPI:
    """An application that answers on loopback names, and on `hosts` as well.

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
    app.include_router(routes.router)
    failures.install(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(KnownHosts, hosts=hosts)
    return app
