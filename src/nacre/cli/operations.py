"""Commands that change the graph: each names an operation's payload, and can be tried, proposed and explained."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any

import typer

from nacre.brain import ScopedNacre
from nacre.cli import output
from nacre.cli.scoped import joined, scoped
from nacre.domain.audits import CALLER
from nacre.domain.errors import Invalid
from nacre.domain.operation_results import OperationResult, StreamReport

Payload = Mapping[str, object]

DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")]
Propose = Annotated[bool, typer.Option("--propose", help="Keep it for review instead of doing it.")]
Reason = Annotated[str | None, typer.Option(help="Why; the log keeps it.")]
Quote = Annotated[str | None, typer.Option(help="The words it rests on.")]
SaidIn = Annotated[str | None, typer.Option(metavar="SOURCE", help="The id of what holds these words exactly.")]
Actor = Annotated[str, typer.Option(help="Who does it; the log keeps it.")]
Force = Annotated[bool, typer.Option("--force", help="Do it although a pin, a constraint or a type forbids it.")]


def writes(operation: str) -> Callable[[Callable[..., Payload]], Callable[..., None]]:
    """Make a command of a function that gives the payload of an operation."""

    def made(function: Callable[..., Payload]) -> Callable[..., None]:
        def command(
            scope: ScopedNacre,
            *,
            reason: Reason = None,
            quote: Quote = None,
            said_in: SaidIn = None,
            dry_run: DryRun = False,
            propose: Propose = False,
            actor: Actor = CALLER,
            **given: Any,
        ) -> StreamReport:
            payload = {name: value for name, value in function(**given).items() if value is not None}
            envelope = {"operation": operation, "payload": payload, "reason": reason, **_evidence(quote, said_in)}
            return scope.ontology.order(envelope, dry_run=dry_run, propose=propose, actor=actor)

        return scoped(joined(command, function, own=0))

    return made


def _evidence(quote: str | None, said_in: str | None) -> Payload:
    if said_in and not quote:
        raise Invalid("quote", "must be given with `said-in`: the exact words")
    return {"evidence": [{"quote": quote, "source": said_in}]} if quote else {}


@output.words(StreamReport)
def _report(report: StreamReport) -> Iterable[str]:
    if report.dry_run:
        yield "A dry run: nothing was changed."
    for applied in report.applied:
        yield from _applied(applied)
    for proposal in report.proposals:
        yield f"Proposed {proposal.operation} [{proposal.id}]"
    for problem in report.errors:
        place = f"line {problem.line}" if problem.line else f"operations[{problem.index}]"
        yield output.line(f"{place} ({problem.operation}): {problem.error}")


@output.words(OperationResult)
def _applied(applied: OperationResult) -> Iterator[str]:
    done = f" [{applied.record.id}]" if applied.record else ""
    yield output.line(applied.outcome.summary) + done
    for warning in applied.outcome.warnings:
        yield output.line(f"warning: {warning}")


output.failing(StreamReport, lambda report: bool(report.errors))
