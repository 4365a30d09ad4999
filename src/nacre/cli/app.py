"""The commands of `nacre`."""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any

import typer

from nacre import __version__
from nacre import settings as environment
from nacre.brain import Nacre, ScopedNacre
from nacre.cli import jobs, options, output
from nacre.cli.addresses import Address
from nacre.cli.options import STDIN
from nacre.domain.contexts import DEFAULT_BUDGET, Context
from nacre.domain.errors import Invalid, Misconfigured, NacreError
from nacre.domain.hits import Recall
from nacre.domain.memories import GENERAL, Remembered
from nacre.domain.scopes import Scope
from nacre.domain.turns import Observation, Role

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    *,
    database: options.Database = None,
    agent: options.Agent = None,
    user: options.User = None,
    chat: options.Chat = None,
) -> None:
    """Memory for AI agents. These options may also follow a command."""
    context.obj = {"database": database, "agent": agent, "user": user, "chat": chat}
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


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


@app.command()
@scoped
def observe(
    scope: ScopedNacre,
    text: options.Text = STDIN,
    *,
    role: options.Role = Role.USER,
    speaker: options.Speaker = None,
    session: options.Session = None,
    at: options.At = None,
    ref: options.Ref = None,
) -> Observation:
    """Keep one message of a conversation."""
    return scope.observe(role, text, speaker=speaker, session=session, at=at, ref=ref)


@app.command()
@scoped
def remember(
    scope: ScopedNacre,
    text: options.Text = STDIN,
    *,
    category: options.Category = GENERAL,
    tag: options.Tags = None,
    metadata: options.Metadata = None,
) -> Remembered:
    """Keep a long-term memory."""
    return scope.remember(text, category=category, tags=tag or (), metadata=options.pairs("metadata", metadata or ()))


@app.command()
@scoped
def recall(
    scope: ScopedNacre,
    query: options.Query,
    *,
    limit: options.Limit = 10,
    kind: options.Kinds = None,
    session: options.OnlySession = None,
    as_of: options.AsOf = None,
    since: options.Since = None,
    until: options.Until = None,
    explain: options.Explain = False,
) -> Recall:
    """Show what is known about a question, best first."""
    return scope.recall(
        query, limit=limit, kinds=kind, session=session, as_of=as_of, since=since, until=until, explain=explain
    )


@app.command()
@scoped
def context(
    scope: ScopedNacre,
    message: options.Query,
    *,
    session: options.Session = None,
    budget: options.Budget = DEFAULT_BUDGET,
) -> Context:
    """Print what an agent should read before it answers a message."""
    return scope.context(message, session=session, budget=budget)


@app.command()
def serve(
    context: typer.Context,
    *,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8765,
    database: options.Database = None,
    agent: options.Agent = None,
    as_json: options.AsJson = False,
) -> None:
    """Answer HTTP requests from this machine."""
    # FastAPI and uvicorn take as long to import as all the rest, and no other command needs them.
    from nacre.cli import serving  # noqa: PLC0415

    with (
        serving.listening(host, port) as listener,
        opened(context.obj, {"database": database, "agent": agent}) as (
            nacre,
            scope,
        ),
    ):
        output.show(Address.of(listener, scope.agent), as_json=as_json)
        nacre.parts.work_later()
        serving.server(nacre).run(sockets=[listener])


@app.command()
def version(*, as_json: options.AsJson = False) -> None:
    """Print the version."""
    output.show({"version": __version__}, as_json=as_json)


jobs.add_to(app, opened)


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command; a failure is one line on standard error and an exit code."""
    try:
        return int(app(list(arguments), prog_name="nacre", standalone_mode=False) or 0)
    except typer.TyperException as error:
        return output.fail(error.format_message(), error.exit_code)
    except (Invalid, Misconfigured) as error:
        return output.fail(str(error), 2)
    except NacreError as error:
        return output.fail(str(error), 1)
