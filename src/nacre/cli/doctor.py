"""`nacre doctor`: what is wrong with a brain, and putting it right."""

from dataclasses import replace
from typing import Annotated

import typer

from nacre.brain import health
from nacre.cli import options, output
from nacre.cli.scoped import address, opened
from nacre.domain.doctor_reports import CheckFinding, DoctorReport, Severity

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
