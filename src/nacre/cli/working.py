"""`nacre working`: scratch entries that expire."""

from datetime import timedelta
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.options import STDIN, group
from nacre.cli.scoped import scoped
from nacre.domain.working import MAX_TTL, WorkingEntry

app = group(
    "Keep scratch entries under a namespace such as session/abc, until they expire.",
    "nacre working save plan 'first the tests' --namespace session/abc --ttl 600",
    "nacre working list --namespace session/abc",
)

Namespace = Annotated[str, typer.Option(help="Whose entries: session/…, patrol/… or subagent/….")]
Key = Annotated[str, typer.Argument(help="A key of the namespace, or a full path.")]
Seconds = Annotated[
    int | None, typer.Option(min=1, max=int(MAX_TTL.total_seconds()), help="How long to keep it; 300 if left out.")
]
Category = Annotated[str | None, typer.Option(help="A path such as project/launch.")]
Prefix = Annotated[str | None, typer.Option(help="Look below this path instead, such as patrol.")]
Words = Annotated[str | None, typer.Argument(metavar="[QUERY]", help="What to look for.")]

COMMAND_LINE = "session/command-line"


@app.command()
@scoped
def save(
    scope: ScopedNacre,
    key: Key,
    text: options.Text = STDIN,
    *,
    namespace: Namespace = COMMAND_LINE,
    ttl: Seconds = None,
    category: Category = None,
    tag: options.Tags = None,
) -> WorkingEntry:
    """Keep an entry, in place of what its key held."""
    kept = None if ttl is None else timedelta(seconds=ttl)
    return scope.working(namespace).save(key, text, ttl=kept, category=category, tags=tag or ())


@app.command()
@scoped
def get(scope: ScopedNacre, key: Key, *, namespace: Namespace = COMMAND_LINE) -> WorkingEntry:
    """Show an entry."""
    return scope.working(namespace).get(key)


@app.command("list")
@scoped
def list_entries(
    scope: ScopedNacre, *, namespace: Namespace = COMMAND_LINE, below: Prefix = None
) -> list[WorkingEntry]:
    """List the entries of a namespace, the newest first."""
    return scope.working(namespace).list(below)


@app.command()
@scoped
def search(
    scope: ScopedNacre,
    query: Words = None,
    *,
    namespace: Namespace = COMMAND_LINE,
    below: Prefix = None,
    category: Category = None,
    tag: options.Tags = None,
    limit: options.Most = 20,
) -> list[WorkingEntry]:
    """Find entries by words and meaning, best first."""
    return scope.working(namespace).search(query, category=category, tags=tag or (), namespace=below, limit=limit)


@app.command()
@scoped
def delete(scope: ScopedNacre, key: Key, *, namespace: Namespace = COMMAND_LINE) -> output.ShortResult:
    """Remove an entry of the namespace."""
    was_there = scope.working(namespace).delete(key)
    return output.ShortResult("Deleted." if was_there else "There was none.", {"deleted": was_there})


output.table(WorkingEntry, key="key", expires="expires_at", category="category", tags="tags", value="value")
