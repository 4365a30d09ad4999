"""Background work as server-sent events."""

import time
from collections.abc import AsyncIterator, Callable
from threading import Event
from typing import Annotated, Any

import anyio
from fastapi import Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from nacre.brain import ScopedNacre
from nacre.http.audit_bodies import EndReply, WorkReply
from nacre.http.shapes import shown

DEFAULT, MAX_SECONDS = 30, 300
PAUSE_S = 0.5
MEDIA_TYPE = "text/event-stream"
EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["progress", "end"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["event", "data"],
}
STREAM: dict[str, Any] = {
    "response_class": StreamingResponse,
    "responses": {
        200: {
            "description": "Events: `progress` with a `WorkReply`, at last `end` with an `EndReply`.",
            "content": {MEDIA_TYPE: {"itemSchema": EVENT}},
        }
    },
}

Seconds = Annotated[int, Query(ge=1, le=MAX_SECONDS, description="How long to listen at most.")]


def stream(scope: ScopedNacre, seconds: int, stopping: Event) -> StreamingResponse:
    """The work of a scope as events, for at most so many seconds, or until the server stops."""
    return StreamingResponse(
        _events(lambda: _work(scope), seconds, stopping), media_type=MEDIA_TYPE, headers={"Cache-Control": "no-cache"}
    )


async def _events(work: Callable[[], WorkReply], seconds: int, stopping: Event) -> AsyncIterator[str]:
    """An event at once, one at each change, and one at the end. Between them no thread is held."""
    until, last = time.monotonic() + seconds, None
    while True:
        now = await run_in_threadpool(work)
        if now != last:
            yield _event("progress", now)
            last = now
        if not (now.waiting or now.running) and now.embeddings.complete:
            yield _event("end", EndReply(reason="idle"))
            return
        if stopping.is_set():
            yield _event("end", EndReply(reason="stopping"))
            return
        if time.monotonic() + PAUSE_S > until:
            yield _event("end", EndReply(reason="time"))
            return
        await anyio.sleep(PAUSE_S)


def _work(scope: ScopedNacre) -> WorkReply:
    counts = {status.value: held for status, held in scope.jobs.counts().items()}
    return WorkReply(embeddings=scope.embedding_progress(), **counts)


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {shown(data).model_dump_json()}\n\n"
