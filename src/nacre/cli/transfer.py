"""`nacre export` and `nacre import`: a scope as files, and what files bring in."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import output
from nacre.cli.options import STDIN
from nacre.domain.transfers import Format, Transfer

STEP = 1_000
SHOWN = 20

Target = Annotated[str, typer.Argument(metavar="FILE", help="A file, or a folder for rockbot; - is stdout.")]
Source = Annotated[str, typer.Argument(metavar="PATH", help="A file or a folder; - is stdin.")]
Written = Annotated[Format, typer.Option("--format", help="How to write it; only jsonl can be restored whole.")]
Read = Annotated[Format | None, typer.Option("--format", help="What it is; told from the files if left out.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would come in, and change nothing.")]


def export(scope: ScopedNacre, file: Target, *, format: Written = Format.JSONL) -> Transfer:
    """Write a scope to a file, as it is at one moment."""
    if file != STDIN:
        return scope.transfer.export(file, format=format)
    report = scope.transfer.export(typer.get_text_stream("stdout", encoding="utf-8"), format=format)
    for told in lines(report):
        output.note(told)
    raise typer.Exit


def load(scope: ScopedNacre, path: Source, *, format: Read = None, dry_run: DryRun = False) -> Transfer:
    """Bring in an exported scope, transcripts of coding agents, exports of accounts, or what other memories hold."""
    if path != STDIN:
        return scope.transfer.load(path, format=format, dry_run=dry_run, progress=_progress)
    with tempfile.NamedTemporaryFile() as kept:
        shutil.copyfileobj(typer.get_binary_stream("stdin"), kept)
        kept.flush()
        return scope.transfer.load(Path(kept.name), format=format, dry_run=dry_run, progress=_progress)


def _progress(done: int) -> None:
    if done % STEP == 0:
        output.note(f"{done:,} records …")


@output.words(Transfer)
def lines(report: Transfer) -> Iterator[str]:
    """What a transfer came to, in words."""
    counted = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in report.counts.items() if count)
    yield f"{'Would transfer' if report.dry_run else 'Transferred'} {counted or 'nothing'} ({report.format.value})."
    if report.batch:
        yield f"Take it back with: nacre undo {report.batch}"
    for note in report.notes:
        yield f"note: {note}"
    if report.skipped:
        yield f"Left out {len(report.skipped):,}:"
        yield from (f"- {each.where}: {each.why}" for each in report.skipped[:SHOWN])
    if len(report.skipped) > SHOWN:
        yield f"- and {len(report.skipped) - SHOWN:,} more; --json lists all of them."
