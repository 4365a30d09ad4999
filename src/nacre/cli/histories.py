"""`nacre history`, `undo`, `sessions` and `summaries`: what was done, and what was said."""

from collections.abc import Iterable
from typing import Annotated

import typer

from nacre.brain import ScopedNacre
from nacre.cli import options, output
from nacre.cli.operations import Actor
from nacre.cli.options import group
from nacre.cli.scoped import scoped
from nacre.domain.audits import CALLER, AuditRecord
from nacre.domain.hits import Recall
from nacre.domain.operation_results import OperationResult
from nacre.domain.summaries import Summary, SummaryReport
from nacre.domain.turns import SessionInfo, StoredTurn

sessions = group("Conversations, as they were held.", "nacre sessions list", "nacre sessions show s1 --limit 5")
summaries = group("What conversations came to.", "nacre summaries make s1", "nacre summaries search 'the launch'")

Before = Annotated[str | None, typer.Option(metavar="ID", help="Those before this operation.")]
Operation = Annotated[str, typer.Argument(help="The id of an operation or of a batch, as `nacre history` shows it.")]
Session = Annotated[str, typer.Argument(help="The conversation.")]
Words = Annotated[str, typer.Argument(help="What to look for.")]


def history(scope: ScopedNacre, *, limit: options.Most = 50, before: Before = None) -> list[AuditRecord]:
    """List what was done to memories, graph and ontology, the last operation first."""
    return scope.history(limit=limit, before=before)


def undo(scope: ScopedNacre, operation: Operation, *, actor: Actor = CALLER) -> OperationResult:
    """Take back an operation or a batch, unless something later rests on it."""
    return scope.undo(operation, actor=actor)


@sessions.command("list")
@scoped
def list_sessions(scope: ScopedNacre, *, limit: options.Most = 100) -> list[SessionInfo]:
    """List the conversations, the last one first."""
    return scope.conversations.sessions(limit=limit)


@sessions.command("show")
@scoped
def show_session(scope: ScopedNacre, session: Session, *, limit: options.Most = 20) -> list[StoredTurn]:
    """Show the last messages of a conversation, the oldest first."""
    return scope.conversations.last(session, limit=limit)


@summaries.command("list")
@scoped
def list_summaries(scope: ScopedNacre, *, limit: options.Most = 50, offset: options.Offset = 0) -> list[Summary]:
    """List summaries, the last conversation first."""
    return scope.summaries.list(limit=limit, offset=offset)


@summaries.command("show")
@scoped
def show_summary(scope: ScopedNacre, session: Session) -> Summary:
    """Show what a conversation came to."""
    return scope.summaries.of(session)


@summaries.command("make")
@scoped
def make_summary(scope: ScopedNacre, session: Session) -> SummaryReport:
    """Sum up a conversation now."""
    return scope.summaries.summarize(session)


@summaries.command("search")
@scoped
def search_summaries(scope: ScopedNacre, query: Words, *, limit: options.Most = 10) -> Recall:
    """Find summaries by words and meaning, best first."""
    return scope.summaries.search(query, limit=limit)


@output.words(SummaryReport)
def _summarized(made: SummaryReport) -> Iterable[str]:
    yield made.summary.content
    yield from (f"note: {output.line(each)}" for each in made.notes)


output.table(
    AuditRecord,
    id="id",
    at="at",
    actor="actor",
    operation="operation",
    undone=lambda record: record.undone_by is not None,
    why=lambda record: record.reason or output.cell(record.payload)[:200],
)
output.table(SessionInfo, turns="turns", first="first_at", last="last_at", session="session")
output.table(
    StoredTurn, id="id", at="at", who=lambda said: said.turn.speaker or said.turn.role, text=lambda said: said.turn.text
)
output.table(Summary, session="session", latest="latest_at", turns="turns", method="method", content="content")
