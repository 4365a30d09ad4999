"""`nacre memory`: long-term memories."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.forgetting import ForgetReport
from nacre.domain.hits import Evidence
from nacre.domain.memories import Memory, MemoryChange, MemoryMatch

app = group(
    "Look through long-term memories, and forget them.",
    "nacre memory list --category project",
    "nacre memory search 'launch date'",
    "nacre memory history 9d0e3f2b8c1a",
    "nacre memory forget 9d0e3f2b8c1a --purge",
)

Words = Annotated[str, typer.Argument(callback=options.read, help="What to look for; - reads it from stdin.")]
One = Annotated[str, typer.Argument(metavar="MEMORY", help="Its id, or the last twelve characters of it.")]
Some = Annotated[str | None, typer.Argument(metavar="[MEMORY]", help="One memory.")]
Category = Annotated[str | None, typer.Option(help="Only this category and those below it.")]
Since = Annotated[datetime | None, typer.Option(parser=options.when, metavar="TIME", help="Made since.")]
Until = Annotated[datetime | None, typer.Option(parser=options.when, metavar="TIME", help="Made until.")]
Before = Annotated[datetime | None, typer.Option(parser=options.when, metavar="TIME", help="All from before.")]
Everything = Annotated[bool, typer.Option("--everything", help="All that the scope holds, the graph included.")]
Purge = Annotated[bool, typer.Option("--purge", help="Remove it for good; this cannot be undone.")]
Importance = Annotated[float, typer.Argument(min=0, max=1, help="How much it matters.")]


@app.command("list")
@scoped
def list_memories(
    scope: ScopedNacre,
    *,
    category: Category = None,
    tag: options.Tags = None,
    since: Since = None,
    until: Until = None,
    as_of: options.AsOf = None,
    limit: options.Most = 50,
) -> list[MemoryMatch]:
    """List memories, the last seen first."""
    return scope.memories.search(category=category, tags=tag or (), since=since, until=until, as_of=as_of, limit=limit)


@app.command()
@scoped
def search(
    scope: ScopedNacre,
    query: Words,
    *,
    category: Category = None,
    tag: options.Tags = None,
    since: Since = None,
    until: Until = None,
    as_of: options.AsOf = None,
    limit: options.Most = 10,
) -> list[MemoryMatch]:
    """Find memories by words and meaning, best first."""
    return scope.memories.search(
        query, category=category, tags=tag or (), since=since, until=until, as_of=as_of, limit=limit
    )


@app.command()
@scoped
def show(scope: ScopedNacre, memory: One, *, as_of: options.AsOf = None) -> Memory:
    """Show one memory, now or as it was."""
    return scope.memories.get(memory, as_of=as_of)


@app.command()
@scoped
def history(scope: ScopedNacre, memory: One) -> list[MemoryChange]:
    """List what happened to a memory, the last change first."""
    return scope.memories.history(memory)


@app.command()
@scoped
def evidence(scope: ScopedNacre, memory: One) -> list[Evidence]:
    """Show every source that a memory rests on, with the exact words."""
    return scope.memories.evidence(memory)


@app.command()
@scoped
def categories(scope: ScopedNacre) -> dict[str, int]:
    """Count the memories of each category."""
    return scope.memories.categories()


@app.command()
@scoped
def importance(scope: ScopedNacre, memory: One, importance: Importance) -> Memory:
    """Say how much a memory matters, from 0 to 1."""
    return scope.memories.set_importance(memory, importance)


@app.command()
@scoped
def forget(
    scope: ScopedNacre,
    memory: Some = None,
    *,
    before: Before = None,
    everything: Everything = False,
    purge: Purge = False,
) -> ForgetReport:
    """Forget a memory, all from before a time, or everything."""
    return scope.forget(memory, before=before, everything=everything, purge=purge)


@output.words(ForgetReport)
def _forgotten(gone: ForgetReport) -> Iterable[str]:
    kinds = ("memories", "turns", "working", "skills", "feedback", "documents", "entities", "links", "claims")
    counted = ", ".join(f"{getattr(gone, kind)} {kind}" for kind in kinds if getattr(gone, kind))
    yield f"{'Purged' if gone.purged else 'Forgot'} {counted or 'nothing'}."
    if gone.pending:
        yield "Somebody is reading: the bytes leave the log when they have done."


output.table(
    MemoryMatch,
    id="memory.short",
    score="score",
    seen="memory.last_seen_at",
    category="memory.category",
    tags="memory.tags",
    content="memory.content",
)
output.table(
    MemoryChange,
    id="record.id",
    at="record.at",
    operation="record.operation",
    actor="record.actor",
    content=lambda change: change.memory and change.memory.content,
)
