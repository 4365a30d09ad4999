"""`nacre install`, `uninstall` and `hook`: Nacre inside the coding agents and assistants that people use."""

from collections.abc import Iterable
from typing import Annotated

import typer

from nacre.cli import options, output
from nacre.clients import hooks, installing
from nacre.clients.catalogue import CLIENTS
from nacre.clients.installing import ClientState, Installation
from nacre.domain.errors import Invalid

ClientName = Annotated[str | None, typer.Argument(help=f"One of {', '.join(CLIENTS)}.", show_default=False)]
Listed = Annotated[bool, typer.Option("--list", help="Show which clients are here, and where Nacre is installed.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")]
PerProject = Annotated[bool, typer.Option("--per-project", help="Give each project a memory of its own.")]


def install(
    client: ClientName = None,
    *,
    listed: Listed = False,
    dry_run: DryRun = False,
    per_project: PerProject = False,
    as_json: options.AsJson = False,
) -> None:
    """Put Nacre into a client: hooks, and an MCP server beside them."""
    if listed:
        output.show(installing.states(), as_json=as_json)
        return
    output.show(installing.install(_given(client), per_project=per_project, dry_run=dry_run), as_json=as_json)


def uninstall(client: ClientName = None, *, dry_run: DryRun = False, as_json: options.AsJson = False) -> None:
    """Take Nacre out of a client; what it has learned stays."""
    output.show(installing.uninstall(_given(client), dry_run=dry_run), as_json=as_json)


def hook(client: ClientName = None, *, per_project: PerProject = False) -> None:
    """Answer a client's hook, whose payload is on standard input; clients call this."""
    raise typer.Exit(hooks.run([client or "", *([hooks.PER_PROJECT] if per_project else [])]))


def _given(client: str | None) -> str:
    if client is None:
        raise Invalid("client", f"must be one that is known: {', '.join(CLIENTS)}")
    return client


@output.words(Installation)
def _installation(done: Installation) -> Iterable[str]:
    if not done.files:
        yield f"{done.title}: nothing to change."
        return
    yield done.diff.rstrip("\n")
    yield f"{done.title}: {'changed' if done.done else 'would change'} {', '.join(map(str, done.files))}."
    for backup in done.backups:
        yield f"What was there before is in {backup}."
    if done.remark:
        yield done.remark


output.table(ClientState, client="client", title="title", found="found", installed="installed", problem="problem")
