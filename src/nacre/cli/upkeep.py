"""`nacre extract` and `nacre dream`: the graph from texts, and what keeps all of it clean."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain import checks
from nacre.domain.dreams import Dream, DreamRecord, PassChange, PassName, PassReport
from nacre.domain.errors import Invalid
from nacre.domain.extractions import Extraction

dreams = group(
    "What earlier dreams did, and what stopped them.", "nacre dreams list", "nacre dreams reset consolidation"
)

File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="A text file in UTF-8.")]
Provider = Annotated[str | None, typer.Option(help="A provider of language models; else the settings'.")]
Model = Annotated[str | None, typer.Option(help="A language model; else NACRE_LLM_MODEL, else rules.")]
Sure = Annotated[float, typer.Option("--min-confidence", min=0, max=1, help="How sure a language model must be.")]
Passes = Annotated[list[PassName] | None, typer.Option("--pass", help="Only this pass. Repeatable.")]
OnePass = Annotated[PassName, typer.Argument(metavar="PASS", help="The pass.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")]


def extract(
    scope: ScopedNacre,
    file: File,
    *,
    provider: Provider = None,
    model: Model = None,
    min_confidence: Sure = 0.75,
    dry_run: DryRun = False,
) -> Extraction:
    """Bring what a text file says into the graph."""
    typer.echo(f"Reading {file} …", err=True)
    return scope.graph.extract(
        _text(file), provider=provider, model=model, min_confidence=min_confidence, ref=file.name, dry_run=dry_run
    )


def dream(scope: ScopedNacre, *, passes: Passes = None, dry_run: DryRun = False) -> Dream:
    """Clean up: consolidate, infer, extract, resolve, decay. Everything it changes can be undone."""
    return scope.dreams.run(passes, dry_run=dry_run, progress=_progress)


@dreams.command("list")
@scoped
def list_dreams(scope: ScopedNacre, *, limit: options.Most = 10) -> list[DreamRecord]:
    """List the last dreams, the last one first; `--json` has their reports."""
    return scope.dreams.history(limit=limit)


@dreams.command()
@scoped
def reset(scope: ScopedNacre, name: OnePass) -> output.ShortResult:
    """Let a pass work again that its circuit breaker has paused."""
    was_paused = scope.dreams.reset(name)
    return output.ShortResult("It works again." if was_paused else "It was not paused.", {"was_paused": was_paused})


def _progress(report: PassReport) -> None:
    typer.echo(f"{report.name.value}: {report.status.value}", err=True)


def _text(file: Path) -> str:
    if file.stat().st_size > 4 * checks.MAX_TEXT:
        raise Invalid("text", f"is longer than {checks.MAX_TEXT:,} characters")
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Invalid("text", f"is not UTF-8: byte {error.start} cannot be read") from error


@output.words(Extraction)
def _extraction(done: Extraction) -> Iterator[str]:
    """What a text came to, in words."""
    found = f"{done.entities} new entities, {done.links} links and {done.claims} claims"
    yield f"Found {found}, by {done.method.value}."
    if done.merged or done.flagged:
        yield f"Joined {done.merged} duplicates; {done.flagged} more may be."
    if done.input_tokens:
        yield f"Cost {done.input_tokens:,} tokens read and {done.output_tokens:,} written."
    for note in (*done.failed, *done.notes):
        yield f"- {note}"


@output.words(Dream)
def _dream(dream: Dream) -> Iterator[str]:
    """What a cycle did and why, in words."""
    if dream.dry_run:
        yield "A dry run: nothing was changed."
    for each in dream.passes:
        counted = ", ".join(f"{count} {name}" for name, count in each.counts.items() if count)
        told = f" ({counted})" if counted else ""
        yield f"{each.name.value}: {each.status.value}, by {each.method.value}{told}"
        yield from (f"  {_change_line(change)}" for change in each.changes)
        yield from (f"  refused: {_change_line(change)}" for change in each.refused)
        yield from (f"  note: {note}" for note in each.notes)


def _change_line(change: PassChange) -> str:
    return f"{change.what} Why: {change.why}."


output.table(DreamRecord, id="id", trigger="trigger", status="status", started="started_at", finished="finished_at")
