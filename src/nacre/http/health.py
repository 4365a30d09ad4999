"""`/health/…` and `/metrics`: whether the process lives, whether it can serve, and what it has counted."""

from typing import Annotated, Literal

import anyio
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from nacre import __version__
from nacre.brain import Nacre, health
from nacre.domain.access import Permission
from nacre.domain.errors import Unavailable
from nacre.http.doors import Entered, brain, needs
from nacre.http.wire import Reply
from nacre.telemetry.metrics import MEDIA_TYPE

router = APIRouter(tags=["server"])

# How long the database may take to answer before requests had better go elsewhere.
SECONDS = 3.0
# Readiness is asked for in threads of its own: it must be known while requests hold all others.
ASKING = 2


class LiveReply(Reply):
    """The process answers."""

    status: Literal["live"]
    version: str


class ReadyReply(Reply):
    """The process can serve requests: its database answers and has the schema of this version."""

    status: Literal["ready"]
    version: str
    schema_revision: str


@router.get("/health/live")
async def live() -> LiveReply:
    """Whether the process answers at all; if not, start it again."""
    return LiveReply(status="live", version=__version__)


@router.get("/health/ready")
async def ready(request: Request, nacre: Annotated[Nacre, Depends(brain)]) -> ReadyReply:
    """Whether requests should be sent here: 503 while the database is away or not current, or the server stops."""
    if request.app.state.stopping.is_set():
        raise Unavailable("The server is stopping.")
    found = await _revision(nacre, _limiter(request))
    return ReadyReply(status="ready", version=__version__, schema_revision=found)


@router.get(
    "/metrics",
    # Failures are JSON here as everywhere.
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "For Prometheus."}},
    **needs(Permission.DIAGNOSTICS),
)
def metrics(door: Entered) -> Response:
    """What was done, how fast and with what outcome, for Prometheus; there where the setting `metrics` is on."""
    served = door.server()
    if served.parts.settings.metrics == "off":
        raise HTTPException(404)
    return Response(served.metrics(), media_type=MEDIA_TYPE)


async def _revision(nacre: Nacre, limiter: CapacityLimiter) -> str:
    try:
        with anyio.fail_after(SECONDS):
            return await run_sync(health.current_revision, nacre.parts, limiter=limiter, abandon_on_cancel=True)
    except TimeoutError as error:
        raise Unavailable(f"The database has not answered within {SECONDS:g} s.") from error


def _limiter(request: Request) -> CapacityLimiter:
    """The limiter of this application; one can only be made where an event loop runs."""
    state = request.app.state
    if not hasattr(state, "readiness"):
        state.readiness = CapacityLimiter(ASKING)
    limiter: CapacityLimiter = state.readiness
    return limiter
