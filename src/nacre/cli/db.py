"""`nacre db` and `nacre doctor`: the database itself, and what is wrong with a brain."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from nacre.brain import health
from nacre.cli import options, output
from nacre.cli.options import group
from nacre.cli.scoped import address, opened, settled
from nacre.domain.doctor_reports import BuiltIndexes, CheckFinding, DoctorReport, Migration, Severity
from nacre.domain.forgetting import ScrubReport
from nacre.domain.transfers import Backup

app = group(
    "Migrate, check, index, back up, restore, scrub and distribute the database.",
    "nacre db check --database brain.db",
    "nacre db backup brain.backup",
    "nacre db restore brain.backup --database copy.db",
    "nacre db migrate",
    "nacre db index",
    "nacre db scrub",
    "nacre db distribute --dry-run",
)

# So many rows, or pages, are worth a word on the way.
LONG = 50_000

DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the statements, and run none.")]

Target = Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")]
Source = Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")]
Copy = Annotated[bool, typer.Option("--copy", help="An SQLite file that can be opened as it is, not an archive.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there already.")]
Verify = Annotated[bool, typer.Option("--verify", help="Look the backup over from end to end, and restore nothing.")]


@app.command()
def migrate(context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False) -> None:
    """Bring the schema up to date. Opening a database does that, too."""
    output.show(health.migrate(address(context.obj, database)), as_json=as_json)


@app.command()
def check(context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False) -> None:
    """Look whether schema, references and indexes are as they should be; nothing is changed."""
    output.show(examined(context, database, repair=False, quick=True), as_json=as_json)


@app.command()
def index(context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False) -> None:
    """Have PostgreSQL index the scopes that are too large for memory, while others write; again when there are more."""
    settings = settled(context.obj, database=database)
    output.show(health.build_indexes(settings), as_json=as_json)


@app.command()
def scrub(context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False) -> None:
    """Leave no bytes of what was purged in tables and indexes; on PostgreSQL nobody can use a table meanwhile."""
    with opened(context.obj, {"database": database, "agent": None}) as (nacre, _):
        output.show(nacre.scrub(), as_json=as_json)


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
        statements = health.distribution_statements()
        shown = output.ShortResult("\n".join(f"{each};" for each in statements), {"statements": [*statements]})
        output.show(shown, as_json=as_json)
        return
    with opened(context.obj, {"database": database, "agent": None}) as (nacre, _):
        done = health.distribute(nacre.parts)
        output.show(output.ShortResult(f"Distributed {done} tables.", {"distributed": done}), as_json=as_json)


@app.command()
def backup(
    context: typer.Context,
    file: Target,
    *,
    copy: Copy = False,
    overwrite: Overwrite = False,
    database: options.Database = None,
    as_json: options.AsJson = False,
) -> None:
    """Write all that the database holds to a file, while others write; it is read back and compared."""
    where = address(context.obj, database)
    done = health.write_backup_at(where, file, copy=copy, overwrite=overwrite, tell=ProgressPrinter())
    output.show(done, as_json=as_json)


@app.command()
def restore(
    context: typer.Context,
    file: Source,
    *,
    verify: Verify = False,
    database: options.Database = None,
    as_json: options.AsJson = False,
) -> None:
    """Bring back all that a backup holds, into a database that holds nothing."""
    where = address(context.obj, database)
    done = health.verify_backup(file) if verify else health.restore_backup(file, where, ProgressPrinter())
    output.show(done, as_json=as_json)


class ProgressPrinter:
    """Tells of every tenth that is done, where there is more than a moment's work."""

    def __init__(self) -> None:
        self._told = 0

    def __call__(self, done: int, every: int) -> None:
        tenths = done * 10 // max(every, 1)
        if every >= LONG and tenths > self._told:
            self._told = tenths
            output.note(f"{tenths * 10} % …")


@output.words(Backup)
def _backup(backup: Backup) -> Iterable[str]:
    tables = sum(map(bool, backup.counts.values()))
    yield f"{backup.path}: {backup.rows:,} rows of {tables} tables, {backup.size:,} bytes, schema {backup.schema}"
    yield "Every byte is as it was written." if backup.sealed else "SQLite finds nothing wrong with it."


@output.words(BuiltIndexes)
def _built(done: BuiltIndexes) -> Iterable[str]:
    yield from (f"Made {name}" for name in done.made)
    yield from (f"Dropped {name}" for name in done.dropped)
    yield from done.notes
    if not done.made and not done.dropped:
        yield "Every scope that is too large for memory has the indexes it can have."


@output.words(ScrubReport)
def _scrubbed(done: ScrubReport) -> Iterable[str]:
    yield f"No bytes of deleted rows are left in {done.tables} tables."
    if done.pending:
        yield "Somebody reads from before: the log keeps bytes until they have done. Run it again then."
    yield from done.notes


@output.words(Migration)
def _migration(done: Migration) -> Iterable[str]:
    before = done.before or "nothing"
    yield f"Already at {done.after}." if done.before == done.after else f"{before} → {done.after}"


Repair = Annotated[bool, typer.Option("--repair", help="Put right what can be put right without losing anything.")]


def doctor(
    context: typer.Context,
    *,
    repair: Repair = False,
    database: options.Database = None,
    as_json: options.AsJson = False,
) -> None:
    """Say what is wrong with a brain, and with --repair put right what is safe."""
    output.show(examined(context, database, repair=repair), as_json=as_json)


def examined(context: typer.Context, database: str | None, *, repair: bool, quick: bool = False) -> DoctorReport:
    """Examine a database, from before it is opened: opening would migrate it."""
    where = address(context.obj, database)
    schema = health.schema(where)
    if schema.verdict is Severity.BROKEN:
        if not (repair and schema.safe):
            return DoctorReport(findings=(schema,))
        schema = health.migrated(health.migrate(where))
    with opened(context.obj, {"database": database, "agent": None}) as (nacre, _):
        found = nacre.check() if quick else nacre.doctor(repair=repair)
    return replace(found, findings=(schema, *found.findings[1:]))


def _finding_line(finding: CheckFinding) -> str:
    repaired = [f"Repaired {finding.repaired:,}."] if finding.repaired else []
    hint = "`nacre doctor --repair` puts it right." if finding.safe else finding.advice
    return " ".join([*repaired, finding.message, *([hint] if hint else [])])


output.items(DoctorReport, "findings")
output.table(CheckFinding, verdict="verdict", what="name", found=_finding_line)
output.failing(DoctorReport, lambda found: found.broken)
