"""`nacre db`: the database itself."""

from collections.abc import Iterable
from typing import Annotated

import typer

from nacre.brain import checkups
from nacre.cli import doctor, options, output
from nacre.cli.groups import group
from nacre.cli.scoped import address, opened
from nacre.domain.checkups import Migration
from nacre.store import distributing

app = group(
    "Migrate, check and distribute the database.",
    "nacre db check --database brain.db",
    "nacre db migrate",
    "nacre db distribute --dry-run",
)

DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the statements, and run none.")]


@app.command()
def migrate(context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False) -> None:
    """Bring the schema up to date. Opening a database does that, too."""
    output.show(checkups.migrate(address(context.obj, database)), as_json=as_json)


@app.command()
def check(context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False) -> None:
    """Look whether schema, references and indexes are as they should be; nothing is changed."""
    output.show(doctor.examined(context, database, repair=False, quick=True), as_json=as_json)


@app.command()
def distribute(
    context: typer.Context,
    *,
    dry_run: DryRun = False,
    database: options.Database = None,
    as_json: options.AsJson = False,
) -> None:
    """Spread the tables over the nodes of a Citus cluster, each by its scope."""
    if dry_run:
        statements = distributing.statements()
        shown = output.Said("\n".join(f"{each};" for each in statements), {"statements": [*statements]})
        output.show(shown, as_json=as_json)
        return
    with opened(context.obj, {"database": database, "agent": None}) as (nacre, _):
        done = checkups.distribute(nacre.parts)
        output.show(output.Said(f"Distributed {done} tables.", {"distributed": done}), as_json=as_json)


@output.words(Migration)
def _migration(done: Migration) -> Iterable[str]:
    before = done.before or "nothing"
    yield f"Already at {done.after}." if done.before == done.after else f"{before} → {done.after}"
