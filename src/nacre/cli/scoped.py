"""Commands that speak for one scope: the options that choose it, and what opens it."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any

import typer

from nacre import settings as environment
from nacre.brain import Nacre, ScopedNacre
from nacre.cli import options, output
from nacre.domain.scopes import Scope


def scoped(function: Callable[..., object]) -> Callable[..., None]:
    """A command that hands `function` the memory its options choose, and shows what comes back."""

    def command(
        context: typer.Context,
        *,
        database: options.Database = None,
        agent: options.Agent = None,
        user: options.User = None,
        chat: options.Chat = None,
        as_json: options.AsJson = False,
        **given: Any,
    ) -> None:
        chosen = {"database": database, "agent": agent, "user": user, "chat": chat}
        with opened(context.obj, chosen) as (nacre, scope):
            output.show(function(ScopedNacre(nacre.parts, scope), **given), as_json=as_json)

    # Typer reads a command's options from its signature: the function's own, then those that every command takes.
    own = [each.replace(kind=each.KEYWORD_ONLY) for each in _parameters(function)[1:]]
    context, *shared = _parameters(command)[:-1]
    update_wrapper(command, function)
    command.__signature__ = inspect.Signature([context, *own, *shared])  # type: ignore[attr-defined]
    return command


def _parameters(function: Callable[..., object]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


@contextmanager
def opened(before: Mapping[str, str | None], after: Mapping[str, str | None]) -> Iterator[tuple[Nacre, Scope]]:
    """The brain and the scope chosen after the command, else before it, else by the settings."""
    settings = environment.load()
    named = {**settings.model_dump(include=set(after)), **_given(before), **_given(after)}
    database = named.pop("database")
    scope = Scope(**named)
    with Nacre(database, settings=settings) as nacre:
        yield nacre, scope


def _given(chosen: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in chosen.items() if value is not None}
