"""`/v1/agents/{agent}/…`: a scope as a file, and what files bring in."""

import tempfile
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TextIO

from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from nacre.domain.access import Permission
from nacre.domain.transfers import Format, Transfer
from nacre.http.doors import AgentPath, Entered, OfAgent, needs
from nacre.http.shapes import SnakeRoute
from nacre.http.transfer_bodies import ImportBody, RestoreBody

router = APIRouter(prefix="/v1/agents/{agent}", tags=["transfer"], route_class=SnakeRoute)

MEDIA_TYPES = {
    "jsonl": "application/x-ndjson",
    "mcp": "application/x-ndjson",
    "markdown": "text/markdown",
    "graphml": "application/graphml+xml",
    "turtle": "text/turtle",
}
FILE: dict[str, Any] = {
    "response_class": StreamingResponse,
    "responses": {
        200: {
            "description": "The file.",
            "content": {media: {"schema": {"type": "string"}} for media in sorted(set(MEDIA_TYPES.values()))},
        }
    },
}
PIECE = 64 * 2**10

ExportFormat = Annotated[
    Literal["jsonl", "mcp", "markdown", "graphml", "turtle"],
    Query(description="`jsonl` holds every row and can be restored; the others hold what is in force."),
]


@router.get("/export", **FILE, **needs(Permission.RECOVER))
def export(scope: OfAgent, format: ExportFormat = "jsonl") -> StreamingResponse:  # noqa: A002 - its name everywhere
    """The whole scope, or its graph, as a file."""
    # Written before it is sent: a slow reader holds no transaction open, and a failure is told as one.
    out = tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed when it is sent
    try:
        scope.transfer.export(out, format=format)
        out.seek(0)
    except BaseException:
        out.close()
        raise
    return StreamingResponse(_pieces(out), media_type=MEDIA_TYPES[format])


def _pieces(file: TextIO) -> Iterator[str]:
    with file:
        while piece := file.read(PIECE):
            yield piece


@router.post("/import", **needs(Permission.MODIFY))
def take_in(agent: AgentPath, body: ImportBody, door: Entered) -> Transfer:
    """Bring in what another system remembers, as operations of one batch that an undo takes back."""
    scope = body.scope(door, agent)
    data = body.content.encode("utf-8", "surrogatepass")
    return scope.transfer.load(data, format=body.format, dry_run=body.dry_run)


@router.post("/restore", **needs(Permission.ADMIN))
def restore(agent: AgentPath, body: RestoreBody, door: Entered) -> Transfer:
    """Bring an exported scope back with its history, into a scope that holds nothing; all of it or nothing."""
    scope = body.scope(door, agent)
    data = body.content.encode("utf-8", "surrogatepass")
    return scope.transfer.load(data, format=Format.JSONL.value, dry_run=body.dry_run)
