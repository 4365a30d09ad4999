"""Assertions of a scope: who said what of its entities."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from nacre.brain.graph import Graph
from nacre.brain.probing import probed
from nacre.domain import checks, ids
from nacre.domain.assertion_operations import (
    ArchiveAssertion,
    CreateAssertion,
    LinkAssertion,
    SupersedeAssertion,
    check_evidence,
)
from nacre.domain.assertions import Assertion, AssertionFilter, AssertionStatus, Stance
from nacre.domain.audits import CALLER
from nacre.domain.commands import Command, Operation, Origin, Quotation
from nacre.domain.errors import Invalid
from nacre.domain.navigation import check_offset
from nacre.domain.operation_results import OperationResult
from nacre.domain.operations import Selector
from nacre.domain.scopes import Scope
from nacre.graph.beliefs import assertions
from nacre.store.base.homes import Homes
from nacre.wiring import Parts


@probed("assertions")
class Assertions:
    """What was said of entities, and by whom. It says nothing of what is believed: claims do."""

    def __init__(self, parts: Parts, scope: Scope, graphs: Homes | None = None) -> None:
        self._parts = parts
        self._scope = scope
        self._graphs = graphs or parts.graphs
        self._graph = Graph(parts, scope, graphs)

    def add(
        self,
        entity: Selector,
        predicate: str,
        content: str,
        *,
        speaker: str | None = None,
        asserted_at: datetime | None = None,
        confidence: float = 1.0,
        evidence: Iterable[Quotation | Mapping[str, object]] = (),
        claim: UUID | str | None = None,
        reason: str | None = None,
        origin: Origin | None = None,
        created_by: str = CALLER,
    ) -> Assertion:
        """Write down that somebody claims, believes, observed, decided, prefers, denies or questions something.

        Each piece of evidence has a `quote` and perhaps the `source` in which it stands word for word, such as an
        observed turn's id. `claim` is the version of a claim that it speaks of; `origin` is kept in the log.
        """
        operation = CreateAssertion(
            entity=entity,
            predicate=predicate,
            content=content,
            speaker=speaker,
            asserted_at=asserted_at,
            confidence=confidence,
            evidence=check_evidence(evidence),
            attribute_id=claim,
            reason=reason,
        )
        return self._done(Command(operation=operation, origin=origin), created_by)

    def get(self, assertion: UUID | str) -> Assertion:
        """One assertion, in force or not."""
        key = ids.parse("assertion", assertion)
        with self._graphs.read(self._scope) as tx:
            return assertions.get(tx, key)

    def list(
        self,
        *,
        entity: Selector | None = None,
        predicate: str | None = None,
        speaker: str | None = None,
        status: str | None = AssertionStatus.ACTIVE.value,
        claim: UUID | str | None = None,
        as_of: datetime | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> Sequence[Assertion]:
        """What was said, the last first; a `status` of None takes in what was archived or superseded.

        `as_of` shows what had been said by then and was in force then.
        """
        checks.optional_name("speaker", speaker)
        if as_of is not None and status not in (None, AssertionStatus.ACTIVE):
            raise Invalid("status", "tells of now; with `as_of` it must be `active` or left out")
        check_offset(offset)
        wanted = AssertionFilter(
            predicate=None if predicate is None else Stance(checks.choice("predicate", predicate, Stance)),
            speaker=speaker,
            status=None if status is None else AssertionStatus(checks.choice("status", status, AssertionStatus)),
            claim=None if claim is None else ids.parse("claim", claim),
            as_of=checks.optional_instant("as_of", as_of),
        )
        checks.count("limit", limit)
        with self._graphs.read(self._scope) as tx:
            return assertions.listed(tx, entity, wanted, limit=limit, offset=offset)

    def link_claim(
        self, assertion: UUID | str, claim: UUID | str, *, reason: str | None = None, actor: str = CALLER
    ) -> Assertion:
        """Say which claim an assertion speaks of: the version that is in force now. The claim stays as it is."""
        return self._done(LinkAssertion(assertion=assertion, attribute_id=claim, reason=reason), actor)

    def archive(self, assertion: UUID | str, *, reason: str | None = None, actor: str = CALLER) -> OperationResult:
        """Take an assertion out of force."""
        return self._graph.apply([ArchiveAssertion(assertion=assertion, reason=reason)], actor=actor)[0]

    def supersede(
        self,
        assertion: UUID | str,
        content: str,
        *,
        predicate: str | None = None,
        speaker: str | None = None,
        asserted_at: datetime | None = None,
        confidence: float | None = None,
        evidence: Iterable[Quotation | Mapping[str, object]] = (),
        reason: str | None = None,
        created_by: str = CALLER,
    ) -> Assertion:
        """Put a new assertion in the place of one, which stays readable. What is not given stays as it was."""
        operation = SupersedeAssertion(
            assertion=assertion,
            content=content,
            predicate=predicate,
            speaker=speaker,
            asserted_at=asserted_at,
            confidence=confidence,
            evidence=check_evidence(evidence),
            reason=reason,
        )
        return self._done(operation, created_by)

    def _done(self, operation: Operation | Command, actor: str = CALLER) -> Assertion:
        applied = self._graph.apply([operation], actor=actor)[0]
        return self.get(applied.outcome.assertion or "")
