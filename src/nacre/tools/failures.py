"""Failures as an agent is told of them: the code, the sentence, and what to do about it."""

import logging
from collections.abc import Callable, Mapping
from functools import wraps

from nacre.domain.errors import (
    Ambiguous,
    Closed,
    Conflict,
    Denied,
    Full,
    Invalid,
    Misconfigured,
    NacreError,
    NotFound,
    RateLimited,
    SlotConstrained,
    Unauthenticated,
    Unavailable,
    in_full,
)

log = logging.getLogger(__name__)

MAX_MESSAGE = 1_000

HINTS: Mapping[type[NacreError], str] = {
    NotFound: "Look it up first: `recall` shows the ids of memories, `knowledge_graph_search` the names of entities.",
    Ambiguous: "Call again with one of these.",
    SlotConstrained: "Ask the user whether the rule still holds; do not work around it.",
    Full: "Nothing was stored.",
    Conflict: "Look at what is there now, then decide again.",
    Unauthenticated: "Ask the user to check the token of this connection.",
    Denied: "Do not try again: this connection may not do it. Tell the user.",
    Invalid: "Change the argument and call again.",
    RateLimited: "Wait, then call again.",
    Unavailable: "Nothing was changed. Try again in a moment.",
    Misconfigured: "Tell the user: the installation must change first.",
    Closed: "Tell the user: the memory has to be opened again.",
    NacreError: "Tell the user.",
}


def error_text(error: NacreError) -> str:
    """An error as an agent can act on it."""
    if in_full(error) != str(error):
        log.warning("%s", in_full(error))
    hint = next(HINTS[kind] for kind in type(error).__mro__ if kind in HINTS)
    # A caller can put megabytes into an argument, or half a surrogate pair, which UTF-8 has no form for.
    said = str(error)[:MAX_MESSAGE].encode("utf-8", "replace").decode("utf-8")
    return f"{error.code}: {said} {hint}"


def forgiving(tool: Callable[..., str]) -> Callable[..., str]:
    """A tool whose refusals are replies, so that they do not end an agent's run."""

    @wraps(tool)
    def call(*given: object, **keywords: object) -> str:
        try:
            return tool(*given, **keywords)
        except NacreError as error:
            return error_text(error)

    return call
