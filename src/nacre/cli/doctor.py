"""`nacre doctor`: what is wrong with a brain, and putting it right."""

from dataclasses import replace
from typing import Annotated

import typer

from nacre.brain import checkups
from nacre.cli import options, output
from nacre.cli.scoped import address, opened
from nacre.domain.checkups import Checkup, Finding, Verdict

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


def examined(context: typer.Context, database: str | None, *, repair: bool, quick: bool = False) -> Checkup:
    """Examine a database, from before it is opened: opening would migrate it."""
    where = address(context.obj, database)
    schema = checkups.schema(where)
    if schema.verdict is Verdict.BROKEN:
        if not (repair and schema.safe):
            return Checkup(findings=(schema,))
        schema = checkups.migrated(checkups.migrate(where))
    with opened(context.obj, {"database": database, "agent": None}) as (nacre, _):
        found = nacre.check() if quick else nacre.doctor(repair=repair)
    return replace(found, findings=(schema, *found.findings[1:]))


def _told(finding: Finding) -> str:
    repaired = [f"Repaired {finding.repaired:,}."] if finding.repaired else []
    hint = "`nacre doctor --repair` puts it right." if finding.safe else finding.advice
    return " ".join([*repaired, finding.message, *([hint] if hint else [])])


output.items(Checkup, "findings")
output.table(Finding, verdict="verdict", what="name", found=_told)
output.failing(Checkup, lambda found: found.broken)
