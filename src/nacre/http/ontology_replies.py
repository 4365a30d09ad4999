"""Replies of `/api/ontology` about operations, and about what was read or put in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from nacre.domain.assertions import Assertion
from nacre.domain.commands import Command, Quotation, payload
from nacre.domain.dreams import Method
from nacre.domain.operation_results import Effect, OperationResult, StreamProblem, StreamReport
from nacre.domain.plain import Json, plain
from nacre.domain.scopes import Scope
from nacre.domain.suggestions import ProposalConsolidation, RepeatedProposals, Rivals, Suggestions
from nacre.http import failures
from nacre.http.proposal_replies import ProposalReply, result_of
from nacre.http.wire import CamelReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemReply:
    """One operation: the proposal that it is, or as it was carried out; null in a dry run. And what it came to."""

    proposal: ProposalReply | None
    result: Mapping[str, Json] | None

    @classmethod
    def applied(cls, applied: OperationResult, scope: Scope) -> Self:
        """An operation that was carried out or tried."""
        record = applied.record
        done = ProposalReply.done(record, applied.outcome, scope) if record else None
        return cls(proposal=done, result=result_of(applied.outcome))


@dataclass(frozen=True, slots=True, kw_only=True)
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
    def shown(cls, problem: StreamProblem) -> Self:
        """A problem, with the status that it would have alone."""
        held: Any = plain(problem)
        return cls(**held, status=failures.status_of(problem.code))


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReply:
    """What became of a batch; only a dry run has errors."""

    items: Sequence[ItemReply]
    errors: Sequence[ProblemReply]
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


def _summed(outcomes: Sequence[Effect]) -> Effect:
    first = outcomes[0]
    if len(outcomes) == 1:
        return first
    return Effect(
        summary=" ".join(each.summary for each in outcomes),
        entity=first.entity,
        entities=sum(each.entities for each in outcomes),
        links=sum(each.links for each in outcomes),
        claims=sum(each.claims for each in outcomes),
        warnings=tuple(warning for each in outcomes for warning in each.warnings),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedReply:
    """An operation that was found, as `operations/batch` takes it."""

    operation: str
    payload: Mapping[str, Json]
    reason: str | None
    evidence: Sequence[Quotation]
    confidence: float | None

    @classmethod
    def shown(cls, order: Command) -> Self:
        """An order as JSON writes it."""
        return cls(
            operation=order.operation.operation,
            payload=payload(order.operation),
            reason=order.reason,
            evidence=order.evidence,
            confidence=order.confidence,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationReply:
    """What became of the proposals that wait."""

    examined: int
    repeated: Sequence[RepeatedProposals]
    conflicts: Sequence[Rivals]
    notes: Sequence[str]
    dry_run: bool

    @classmethod
    def shown(cls, done: ProposalConsolidation, *, dry_run: bool) -> Self:
        """The report of a consolidation."""
        return cls(
            examined=done.examined,
            repeated=done.repeated,
            conflicts=done.rivals,
            notes=done.notes,
            dry_run=dry_run,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionReply:
    """What a text would add, as `operations/batch` takes it, and what of it was kept."""

    sources: Sequence[UUID]
    method: Method
    operations: Sequence[SuggestedReply]
    count: int
    proposals: Sequence[ProposalReply]
    assertions: Sequence[Assertion]
    notes: Sequence[str]
    input_tokens: int
    output_tokens: int

    @classmethod
    def shown(cls, suggestions: Suggestions, scope: Scope) -> Self:
        """What was found for a scope."""
        return cls(
            sources=suggestions.sources,
            method=suggestions.method,
            operations=[SuggestedReply.shown(each) for each in suggestions.orders],
            count=len(suggestions.orders),
            proposals=[ProposalReply.shown(each, scope) for each in suggestions.proposals],
            assertions=suggestions.assertions,
            notes=suggestions.notes,
            input_tokens=suggestions.input_tokens,
            output_tokens=suggestions.output_tokens,
        )
