"""`nacre mcp`: the memory for an agent that speaks the Model Context Protocol."""

import signal
import sys
from enum import StrEnum
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options
from nacre.cli.scoped import opened

TERMINAL = "An MCP client starts this command and talks to it; press Ctrl-D to end it."


class Tools(StrEnum):
    """Which tools are offered."""

    FEW = "few"
    ALL = "all"


Offered = Annotated[Tools, typer.Option("--tools", help="The few that agents need, or all of them.")]
Session = Annotated[str, typer.Option(help="Where working memory is kept.")]


def mcp(
    context: typer.Context,
    *,
    tools: Offered = Tools.FEW,
    session: Session = "default",
    database: options.Database = None,
    agent: options.Agent = None,
    user: options.User = None,
    chat: options.Chat = None,
) -> None:
    """Serve an MCP client over standard input and output."""
    # The protocol's library takes as long to import as all the rest, and no other command needs it.
    from nacre.mcp import stdio  # noqa: PLC0415

    if sys.stdin.isatty():
        typer.echo(TERMINAL, err=True)
    chosen = {"database": database, "agent": agent, "user": user, "chat": chat}
    with opened(context.obj, chosen, lasting=True) as (nacre, scope):
        nacre.parts.follow_ups.work_later()
        # A thread that waits for input cannot be interrupted, so Ctrl-C ends the process; what was answered is kept.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        stdio.serve(ScopedNacre(nacre.parts, scope), session=session, every=tools is Tools.ALL)
