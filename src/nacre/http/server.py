"""Routes about the server itself."""

from typing import Annotated

from fastapi import APIRouter, Depends

from nacre import __version__
from nacre.brain import Nacre
from nacre.http.bodies import DatabaseReply, HealthReply
from nacre.http.doors import brain

router = APIRouter(tags=["server"])


@router.get("/health")
def health(nacre: Annotated[Nacre, Depends(brain)]) -> HealthReply:
    """Whether the server and its database answer; anyone may ask."""
    database = nacre.parts.database
    database.ping()
    return HealthReply(status="ok", version=__version__, database=DatabaseReply(kind=database.kind, ok=True))
