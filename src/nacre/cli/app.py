"""The commands of `nacre`."""

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from socket import socket

import typer
from typer.models import CommandInfo

from nacre import __version__, environment
from nacre import settings as files
from nacre.cli import (
    agents,
    background,
    clients,
    config,
    db,
    everyday,
    histories,
    jobs,
    knowledge,
    mcp,
    memory,
    ontology,
    options,
    output,
    token,
    transfer,
    upkeep,
    vault,
    working,
    world,
)
from nacre.cli.addresses import Address, announce
from nacre.cli.arguments import command_of
from nacre.cli.listeners import listening
from nacre.cli.scoped import scoped, settled
from nacre.domain.errors import Invalid, Misconfigured, NacreError, in_full
from nacre.domain.scopes import Scope

HELP = "--help"

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    *,
    database: options.Database = None,
    agent: options.Agent = None,
    user: options.User = None,
    chat: options.Chat = None,
    config: options.Config = None,
    version: options.Version = False,
) -> None:
    """Memory for AI agents. These options may also follow a command, all but --config."""
    if version:
        typer.echo(__version__)
        raise typer.Exit
    chosen = environment.config_of_command(str(config) if config else None)
    context.with_resource(files.reading(Path(chosen) if chosen else None))
    context.obj = {"database": database, "agent": agent, "user": user, "chat": chat}
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command("observe")(scoped(everyday.observe))
app.command("remember")(scoped(everyday.remember))
app.command("recall")(scoped(everyday.recall))
app.command("context")(scoped(everyday.context))


@app.command()
def serve(
    context: typer.Context,
    *,
    host: options.Host = None,
    port: options.Port = None,
    workers: options.Workers = None,
    database: options.Database = None,
    agent: options.Agent = None,
    as_json: options.AsJson = False,
) -> None:
    """Answer HTTP requests, from this machine unless callers hold tokens."""
    given = {"host": host, "port": port, "workers": workers, "database": database, "agent": agent}
    settings = settled(context.obj, **given)
    run = _server(settings.workers)
    with listening(settings.host, settings.port, settings.auth) as listener:
        shown = Address.of(listener, Scope(agent=settings.agent).agent, token=settings.auth == "team")
        if not run(settings, listener, partial(announce, shown, log=settings.log, as_json=as_json)):
            raise typer.Exit(1)


def _server(workers: int) -> Callable[[files.Settings, socket, Callable[[], None]], bool]:
    """What runs a server: FastAPI takes longer to import than all the rest, and a supervisor leaves it to others."""
    if workers > 1:
        from nacre.cli.supervisors import supervise  # noqa: PLC0415

        return supervise
    from nacre.cli.servers import alone  # noqa: PLC0415

    return alone


@app.command()
def up(
    context: typer.Context,
    *,
    foreground: background.Foreground = False,
    database: options.Database = None,
    as_json: options.AsJson = False,
) -> None:
    """Start a server in the background; it ends by itself when nobody calls it for a while."""
    if foreground:
        background.stay(context.obj, database, run)
    else:
        background.start(context.obj, database, as_json=as_json)


app.command("down")(background.down)
app.command("status")(background.status)
app.command("open")(background.show_dashboard)
app.command("install")(clients.install)
app.command("uninstall")(clients.uninstall)
app.command("hook")(clients.hook)
app.command("history")(scoped(histories.history))
app.command("undo")(scoped(histories.undo))
app.command("extract")(scoped(upkeep.extract))
app.command("dream")(scoped(upkeep.dream))
app.command("export")(scoped(transfer.export))
app.command("import")(scoped(transfer.load))
app.command("worker")(jobs.worker)
app.command("mcp")(mcp.mcp)
app.command("doctor")(db.doctor)
app.add_typer(memory.app, name="memory")
app.add_typer(working.app, name="working")
app.add_typer(vault.app, name="vault")
app.add_typer(world.app, name="world")
app.add_typer(knowledge.app, name="knowledge")
app.add_typer(ontology.app, name="ontology")
app.add_typer(histories.sessions, name="sessions")
app.add_typer(histories.summaries, name="summaries")
app.add_typer(agents.app, name="agent")
app.add_typer(upkeep.dreams, name="dreams")
app.add_typer(jobs.app, name="jobs")
app.add_typer(token.app, name="token")
app.add_typer(db.app, name="db")
app.add_typer(config.app, name="config")


@app.command()
def version(*, as_json: options.AsJson = False) -> None:
    """Print the version."""
    output.show(output.ShortResult(__version__, {"version": __version__}), as_json=as_json)


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))


@cache
def _command(name: str | None) -> Callable[..., int | None]:
    """The command line, of a command that has this name alone: reading every signature takes a third of a second."""
    commands = [each for each in app.registered_commands if name and name == _name(each)]
    groups = [each for each in app.registered_groups if name and name == each.name]
    if not (commands or groups):
        return typer.main.get_command(app)
    part = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    part.registered_callback = app.registered_callback
    part.registered_commands, part.registered_groups = commands, groups
    return typer.main.get_command(part)


def _name(command: CommandInfo) -> str | None:
    return command.name or getattr(command.callback, "__name__", None)


def _chosen(arguments: Sequence[str]) -> str | None:
    """The command that is run; none where help is asked for before it, which shows all of them."""
    name = command_of(arguments)
    return None if HELP in takewhile(lambda each: each != name, arguments) else name


def run(arguments: Sequence[str]) -> int:
    """Run a command; a failure is one line on standard error and an exit code."""
    try:
        return _command(_chosen(arguments))(list(arguments), prog_name="nacre", standalone_mode=False) or 0
    except typer.TyperException as error:
        return output.fail(error.format_message(), error.exit_code)
    except typer.Abort:
        return output.fail("Input ended too early.", 1)
    except (Invalid, Misconfigured) as error:
        return output.fail(str(error), 2)
    except NacreError as error:
        return output.fail(in_full(error), 1)
