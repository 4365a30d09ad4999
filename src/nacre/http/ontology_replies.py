"""What `/api/ontology` answers about operations, and about what was read or put in order."""

from collections.abc import Sequence
from typing import Any, Self
from uuid import UUID

from nacre.domain.commands import Command
from nacre.domain.dreams import Method
from nacre.domain.plain import plain
from nacre.domain.scopes import Scope
from nacre.domain.suggestions import Consolidation, Rivals, Suggestions
from nacre.graph.handlers import Outcome
from nacre.http import failures
from nacre.http.belief_replies import AssertionReply
from nacre.http.proposal_replies import ConflictReply, ProposalReply, QuotationReply, conflict_fields, result_of
from nacre.http.wire import CamelReply
from nacre.ontology.operations import Applied, payload
from nacre.ontology.streams import Problem, StreamReport


class ItemReply(CamelReply):
    """One operation: the proposal that it is, or as it was carried out; null in a dry run. And what it came to."""

    proposal: ProposalReply | None
    result: dict[str, Any] | None

    @classmethod
    def applied(cls, applied: Applied, scope: Scope) -> Self:
        """An operation that was carried out or tried."""
        record = applied.record
        done = ProposalReply.done(record, applied.outcome, scope) if record else None
        return cls(proposal=done, result=result_of(applied.outcome))


class OperationReply(ItemReply):
    """What became of one order. One that merges several entities is summed up; its first proposal names the batch."""

    dry_run: bool
    proposed: bool

    @classmethod
    def summed(cls, report: StreamReport, scope: Scope) -> Self:
        """The report of a batch of one."""
        first = _items(report, scope)[0]
        outcomes = [each.outcome for each in report.applied]
        result = result_of(_summed(outcomes)) if outcomes else None
        return cls(proposal=first.proposal, result=result, dry_run=report.dry_run, proposed=report.proposed)


class ProblemReply(CamelReply):
    """Why an operation of a batch cannot be."""

    index: int
    line: int | None
    operation: str | None
    error: str
    code: str
    status: int

    @classmethod
    def shown(cls, problem: Problem) -> Self:
        """A problem, with the status that it would have alone."""
        held: Any = plain(problem)
        return cls(**held, status=failures.status_of(problem.code))


class BatchReply(CamelReply):
    """What became of a batch; only a dry run has errors."""

    items: list[ItemReply]
    errors: list[ProblemReply]
    count: int
    dry_run: bool
    proposed: bool

    @classmethod
    def shown(cls, report: StreamReport, scope: Scope) -> Self:
        """The report of a batch."""
        return cls(
            items=_items(report, scope),
            errors=[ProblemReply.shown(each) for each in report.errors],
            count=report.count,
            dry_run=report.dry_run,
            proposed=report.proposed,
        )


def _items(report: StreamReport, scope: Scope) -> list[ItemReply]:
    waiting = [ItemReply(proposal=ProposalReply.shown(each, scope), result=None) for each in report.proposals]
    return [*(ItemReply.applied(each, scope) for each in report.applied), *waiting]


def _summed(outcomes: Sequence[Outcome]) -> Outcome:
    first = outcomes[0]
    if len(outcomes) == 1:
        return first
    return Outcome(
        summary=" ".join(each.summary for each in outcomes),
        entity=first.entity,
        entities=sum(each.entities for each in outcomes),
        links=sum(each.links for each in outcomes),
        claims=sum(each.claims for each in outcomes),
        warnings=tuple(warning for each in outcomes for warning in each.warnings),
    )


class SuggestedReply(CamelReply):
    """An operation that was found, as `operations/batch` takes it."""

    operation: str
    payload: dict[str, Any]
    reason: str | None
    evidence: list[QuotationReply]
    confidence: float | None

    @classmethod
    def shown(cls, order: Command) -> Self:
        """An order as JSON writes it."""
        return cls(
            operation=order.operation.operation,
            payload=payload(order.operation),
            reason=order.reason,
            evidence=[QuotationReply.of(each) for each in order.evidence],
            confidence=order.confidence,
        )


class AdvisedReply(CamelReply):
    """Which proposal a language model would apply, and why. It decides nothing."""

    proposal_id: UUID
    why: str


class RivalsReply(ConflictReply):
    """A claim for which several values wait, and what a model says of them where one was asked."""

    advice: AdvisedReply | None

    @classmethod
    def advised(cls, rivals: Rivals) -> Self:
        """A conflict with its advice."""
        said = rivals.advice
        advice = AdvisedReply(proposal_id=said.proposal, why=said.why) if said else None
        return cls(**conflict_fields(rivals.conflict), advice=advice)


class RepeatedReply(CamelReply):
    """Proposals that say the same: one still waits, and the others were rejected for it."""

    kept: UUID
    rejected: list[UUID]


class ConsolidationReply(CamelReply):
    """What became of the proposals that wait."""

    examined: int
    repeated: list[RepeatedReply]
    conflicts: list[RivalsReply]
    notes: list[str]
    dry_run: bool

    @classmethod
    def shown(cls, done: Consolidation, *, dry_run: bool) -> Self:
        """The report of a consolidation."""
        return cls(
            examined=done.examined,
            repeated=[RepeatedReply.of(each) for each in done.repeated],
            conflicts=[RivalsReply.advised(each) for each in done.rivals],
            notes=list(done.notes),
            dry_run=dry_run,
        )


class ExtractionReply(CamelReply):
    """What a text would add, as `operations/batch` takes it, and what of it was kept."""

    sources: list[UUID]
    method: Method
    operations: list[SuggestedReply]
    count: int
    proposals: list[ProposalReply]
    assertions: list[AssertionReply]
    notes: list[str]
    input_tokens: int
    output_tokens: int

    @classmethod
    def shown(cls, found: Suggestions, scope: Scope) -> Self:
        """What was found for a scope."""
        return cls(
            sources=list(found.sources),
            method=found.method,
            operations=[SuggestedReply.shown(each) for each in found.orders],
            count=len(found.orders),
            proposals=[ProposalReply.shown(each, scope) for each in found.proposals],
            assertions=[AssertionReply.shown(each) for each in found.assertions],
            notes=list(found.notes),
            input_tokens=found.input_tokens,
            output_tokens=found.output_tokens,
        )
