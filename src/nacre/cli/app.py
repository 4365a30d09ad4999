"""The commands of `nacre`."""

import sys
from collections.abc import Sequence

import typer

from nacre import __version__
from nacre import settings as environment
from nacre.brain import ScopedNacre
from nacre.cli import jobs, options, output, upkeep
from nacre.cli.addresses import Address
from nacre.cli.options import STDIN
from nacre.cli.scoped import opened, scoped
from nacre.domain.contexts import DEFAULT_BUDGET, Context
from nacre.domain.errors import Invalid, Misconfigured, NacreError
from nacre.domain.hits import Recall
from nacre.domain.memories import GENERAL, Remembered
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
        serving.listening(host, port, environment.load().auth) as listener,
        opened(context.obj, {"database": database, "agent": agent}) as (
            nacre,
            scope,
        ),
    ):
        output.show(Address.of(listener, scope.agent), as_json=as_json)
        nacre.parts.work_later()
        serving.serve(nacre, listener)


app.command("extract")(scoped(upkeep.extract))
app.command("dream")(scoped(upkeep.dream))
app.command("worker")(jobs.worker)
app.add_typer(jobs.app, name="jobs")


@app.command()
def version(*, as_json: options.AsJson = False) -> None:
    """Print the version."""
    output.show({"version": __version__}, as_json=as_json)


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
