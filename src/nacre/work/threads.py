"""Calls of an event loop that are made in threads, and what becomes of one that is cancelled."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# How long a cancelled call is waited for, to say what became of it: a thread cannot be stopped.
CANCELLED_SECONDS = 5.0


async def in_thread(call: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> T:
    """Make a call in a thread. One that is cancelled says in its `CancelledError` whether it was carried out."""
    running = asyncio.ensure_future(asyncio.to_thread(call, *given, **named))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError as cancelled:
        await asyncio.wait([running], timeout=CANCELLED_SECONDS)
        cancelled.args = (_became(running),)
        raise


def _became(running: "asyncio.Future[T]") -> str:
    if not running.done():
        return "The call goes on in its thread: whether it is carried out is not known yet."
    if error := running.exception():
        return f"The call came to nothing: {error}"
    return "The call was carried out before it was cancelled."
