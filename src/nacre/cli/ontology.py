"""`nacre ontology`: changing what is believed. Every change is one operation: checked, logged and undoable."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

from nacre.brain import ScopedNacre
from nacre.cli import aspects, assertions, claims, entities, links, options, output, proposals
from nacre.cli.operations import Actor, DryRun, Payload, Propose, writes
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.audits import CALLER
from nacre.domain.commands import payload
from nacre.domain.errors import Invalid
from nacre.domain.operation_results import StreamReport
from nacre.domain.suggestions import ProposalConsolidation, Suggestions
from nacre.domain.tasks import Task, TaskStatus

app = group(
    "Change what is believed: at once, as a dry run, or as a proposal.",
    "nacre ontology claim set Ana taste/favourite_colour green --reason 'she said so'",
    "nacre ontology stream apply changes.jsonl --dry-run",
    "nacre ontology proposals list --status pending --json",
)
stream = group("Operations as lines of JSON.", "nacre ontology stream apply changes.jsonl --propose")
operations = group(
    "Operations as JSON.",
    "nacre ontology operations apply change.json --dry-run",
    "nacre ontology operations batch changes.json --propose",
)
tasks = group("Entities that are tasks.", "nacre ontology task set 'Ship it' in_progress")

When = Annotated[datetime | None, typer.Option(parser=options.when, metavar="TIME", help="A time.")]
Status = Annotated[TaskStatus | None, typer.Argument(metavar="[STATUS]", help="How far it has come.")]
SomeFile = Annotated[str | None, typer.Argument(metavar="[FILE]", help="A text file in UTF-8; - is stdin.")]
OfSession = Annotated[str | None, typer.Option("--session", help="What people said in this conversation.")]
OfSource = Annotated[str | None, typer.Option("--source", metavar="ID", help="What this piece of evidence says.")]
UseProvider = Annotated[bool, typer.Option("--use-provider", help="Ask the language model of the settings.")]
WriteAssertions = Annotated[bool, typer.Option("--write-assertions", help="Write down who said what.")]
Finished = Annotated[bool, typer.Option("--finished", help="Those that are done or cancelled.")]

app.add_typer(entities.app, name="entity")
app.add_typer(claims.app, name="claim")
app.add_typer(aspects.app, name="aspect")
app.add_typer(links.app, name="link")
app.add_typer(assertions.app, name="assertion")
app.add_typer(proposals.app, name="proposals")
app.add_typer(stream, name="stream")
app.add_typer(operations, name="operations")
app.add_typer(tasks, name="task")


@stream.command("apply")
@scoped
def apply_stream(
    scope: ScopedNacre,
    file: options.File = options.STDIN,
    *,
    dry_run: DryRun = False,
    propose: Propose = False,
    actor: Actor = CALLER,
) -> StreamReport:
    """Carry out a file with one operation a line, all or none."""
    lines = options.content(file).split("\n")
    return scope.ontology.stream(lines, dry_run=dry_run, propose=propose, actor=actor)


@operations.command("apply")
@scoped
def apply_operation(
    scope: ScopedNacre,
    file: options.File = options.STDIN,
    *,
    dry_run: DryRun = False,
    propose: Propose = False,
    actor: Actor = CALLER,
) -> StreamReport:
    """Carry out the one operation in a file."""
    envelope = _json(file)
    if not isinstance(envelope, dict):
        raise Invalid("file", "must hold one object with `operation` and `payload`")
    return scope.ontology.order(envelope, dry_run=dry_run, propose=propose, actor=actor)


@operations.command("batch")
@scoped
def apply_batch(
    scope: ScopedNacre,
    file: options.File = options.STDIN,
    *,
    dry_run: DryRun = False,
    propose: Propose = False,
    actor: Actor = CALLER,
) -> StreamReport:
    """Carry out the list of operations in a file, all or none."""
    held = _json(file)
    batch = held.get("operations", held.get("items")) if isinstance(held, dict) else held
    if not isinstance(batch, Sequence) or isinstance(batch, str):
        raise Invalid("file", "must hold a list of operations, or an object with `operations`")
    return scope.ontology.submit(batch, dry_run=dry_run, propose=propose, actor=actor)


@tasks.command("set")
@writes("set_task")
def set_task(
    entity: options.Entity, status: Status = None, *, expires_at: When = None, retention_until: When = None
) -> Payload:
    """Make an entity a task, or move it on."""
    kept = {"expires_at": expires_at, "retention_until": retention_until}
    return {"entity": entity, "status": status and status.value, **kept}


@tasks.command("list")
@scoped
def list_tasks(scope: ScopedNacre, *, finished: Finished = False, limit: options.Most = 100) -> list[Task]:
    """List the tasks that are not finished, or those that are."""
    return scope.ontology.tasks(finished=finished, limit=limit)


@app.command()
@scoped
def extract(
    scope: ScopedNacre,
    file: SomeFile = None,
    *,
    session: OfSession = None,
    source: OfSource = None,
    use_provider: UseProvider = False,
    propose: Propose = False,
    write_assertions: WriteAssertions = False,
    limit: options.Most = 100,
    actor: Actor = CALLER,
) -> Suggestions:
    """Say what a file, a session or a source would add to the ontology; with --propose, keep it for review."""
    text = options.content(file) if file else None
    return scope.ontology.proposals.extract(
        text,
        session=session,
        source=source,
        use_provider=use_provider,
        write_proposals=propose,
        write_assertions=write_assertions,
        limit=limit,
        actor=actor,
    )


@app.command()
@scoped
def consolidate(
    scope: ScopedNacre,
    *,
    limit: options.Most = 50,
    use_provider: UseProvider = False,
    dry_run: DryRun = False,
    actor: Actor = CALLER,
) -> ProposalConsolidation:
    """Put the proposals that wait in order: what says the same waits once, rivals are named."""
    return scope.ontology.proposals.consolidate(limit=limit, use_provider=use_provider, dry_run=dry_run, actor=actor)


@output.words(Suggestions)
def _suggestions(batch: Suggestions) -> Iterable[str]:
    for order in batch.orders:
        yield output.line(f"{order.operation.operation}: {output.cell(payload(order.operation))}")
    yield f"Found {len(batch.orders)}, proposed {len(batch.proposals)}, wrote down {len(batch.assertions)} assertions."
    yield from (f"note: {output.line(each)}" for each in batch.notes)


@output.words(ProposalConsolidation)
def _consolidation(done: ProposalConsolidation) -> Iterable[str]:
    yield f"Looked at {done.examined} proposals; {len(done.repeated)} said what others say."
    for each in done.rivals:
        conflict = each.conflict
        values = ", ".join(value.value for value in conflict.values)
        yield output.line(f"{conflict.entity}: {conflict.aspect}/{conflict.group}/{conflict.claim}: {values}")
        if each.advice:
            yield "  " + output.line(f"advice: {each.advice.proposal}: {each.advice.why}")
    yield from (f"note: {output.line(each)}" for each in done.notes)


def _json(file: str) -> Any:
    try:
        return json.loads(options.content(file).removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise Invalid("file", f"is not JSON: {error}") from error


output.table(Task, status="status", updated="updated_at", expires="expires_at", name="name")
