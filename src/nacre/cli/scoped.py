"""Commands that speak for one scope, or for a whole brain: the options that choose it, and what opens it."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import update_wrapper
from typing import Any

import typer

from nacre import settings as environment
from nacre.brain import Nacre, ScopedNacre
from nacre.cli import options, output
from nacre.domain.scopes import Scope
from nacre.settings import Settings

# The brain that a background server has open, while it runs a command.
_lent: ContextVar[Nacre | None] = ContextVar("lent", default=None)


@contextmanager
def lending(nacre: Nacre) -> Iterator[None]:
    """Have commands work with a brain that is open already, for as long as this lasts."""
    token = _lent.set(nacre)
    try:
        yield
    finally:
        _lent.reset(token)


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

    return joined(command, function)


def whole(function: Callable[..., object]) -> Callable[..., None]:
    """A command that hands `function` the brain its options choose, and shows what comes back."""

    def command(
        context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False, **given: Any
    ) -> None:
        # Opening takes an agent, which these commands have no use for.
        with opened(context.obj, {"database": database, "agent": None}) as (nacre, _):
            output.show(function(nacre, **given), as_json=as_json)

    return joined(command, function)


def joined(command: Callable[..., Any], function: Callable[..., object], *, own: int = 1) -> Callable[..., Any]:
    """`command` with the options of `function` before its own, which follow its first parameter.

    Typer reads a command's options from its signature. The first `own` parameters of the function are no options.
    """
    given = [each.replace(kind=each.KEYWORD_ONLY) for each in _parameters(function)[own:]]
    first, *shared = _parameters(command)[:-1]
    update_wrapper(command, function)
    command.__signature__ = inspect.Signature([first, *given, *shared])  # type: ignore[attr-defined]
    return command


def _parameters(function: Callable[..., object]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def address(before: Mapping[str, str | None], database: str | None) -> str:
    """The database chosen after the command, else before it, else by the settings."""
    return database or before.get("database") or environment.load().database


def settled(before: Mapping[str, str | None], **after: object) -> Settings:
    """The settings, with what stands after the command or before it in their place."""
    given = {**before, **{name: value for name, value in after.items() if value is not None}}
    return environment.load().model_copy(update={name: value for name, value in given.items() if value is not None})


@contextmanager
def opened(
    before: Mapping[str, str | None], after: Mapping[str, str | None], *, lasting: bool = False
) -> Iterator[tuple[Nacre, Scope]]:
    """The brain and the scope chosen after the command, else before it, else by the settings.

    Nobody watches a command that is over in a moment; one that is `lasting` counts and traces as the settings say.
    """
    settings = environment.load()
    if not lasting:
        settings = settings.model_copy(update={"metrics": "off", "traces": "off"})
    named = {**settings.model_dump(include=set(after)), **_given(before), **_given(after)}
    database = named.pop("database")
    scope = Scope(**named)
    if lent := _lent.get():
        yield lent, scope
        return
    with Nacre(database, settings=settings) as nacre:
        yield nacre, scope


def _given(chosen: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in chosen.items() if value is not None}
