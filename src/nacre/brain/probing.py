"""Probing: the public operations of a façade tell the probe of its brain that they happen, where there is one.

What callers hand to them loses its secrets there, where that is wanted.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import Any, TypeVar

from nacre.brain.redaction import redacting
from nacre.domain.short_calls import CALLS
from nacre.wiring import Parts

# Names under which operators look for the same thing.
SAME = {"observe_many": "observe"}
# Handing out another façade, or closing, is doing nothing.
OPENING = frozenset({"agent", "close", "graph_of", "scope", "working"})

T = TypeVar("T")


def probed(family: str, *, parts: str = "_parts", redacts: bool = True) -> Callable[[type[T]], type[T]]:
    """Class decorator: each public operation is told as `family.name`, or by its bare name where there is no family.

    `parts` is the attribute in which the façade holds what its brain is made of. One that does not `redact` is handed
    secrets in order to check them, or files.
    """

    def decorate(facade: type[T]) -> type[T]:
        for name, member in list(vars(facade).items()):
            if inspect.isfunction(member) and not name.startswith("_") and name not in OPENING:
                told = ".".join(filter(None, (family, SAME.get(name, name))))
                setattr(facade, name, _telling(told, member, attrgetter(parts), redacts=redacts))
        return facade

    return decorate


def _telling(
    operation: str, function: Callable[..., Any], parts_of: Callable[[Any], Parts], *, redacts: bool
) -> Callable[..., Any]:
    redacted = redacting(function)

    @wraps(function)
    def told(self: Any, *given: Any, **keywords: Any) -> Any:
        parts = parts_of(self)
        if redacts and parts.settings.redact_secrets:
            given, keywords = redacted(self, *given, **keywords)
        try:
            if parts.probe is None:
                with CALLS.call():
                    return function(self, *given, **keywords)
            with CALLS.call(), parts.probe.operation(operation):
                return function(self, *given, **keywords)
        except BaseException as error:
            # Errors leave nothing behind. An interrupt does where it comes between two instructions of a block's begin.
            if not isinstance(error, Exception):
                parts.database.give_up()
            raise

    return told
