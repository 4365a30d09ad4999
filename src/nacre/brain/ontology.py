"""Ontology of a scope: what it believes of its entities as claims, their versions, and who decided."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from nacre.brain.assertions import Assertions
from nacre.brain.graph import Graph, quoted
from nacre.brain.offers import Offers
from nacre.brain.probing import probed
from nacre.brain.proposals import Proposals
from nacre.domain import checks, ids
from nacre.domain.audits import CALLER
from nacre.domain.claim_operations import (
    AddClaimValue,
    ArchiveClaimValue,
    DeclareCardinality,
    RestoreClaimVersion,
    SetClaimValue,
)
from nacre.domain.claims import MAX_VERSION, Aspect, Cardinality, Claim, ClaimKind, ClaimStatus, Slot
from nacre.domain.commands import Command, Operation
from nacre.domain.errors import Invalid
from nacre.domain.explanations import Explanation, LinkExplanation
from nacre.domain.kind_operations import SetTask
from nacre.domain.links import LinkEvent
from nacre.domain.navigation import MAX_PAGE, page
from nacre.domain.operation_results import OperationResult, StreamReport
from nacre.domain.operations import Selector
from nacre.domain.proposals import Proposal
from nacre.domain.scopes import Scope
from nacre.domain.tasks import FINISHED, Task, TaskStatus
from nacre.domain.traversals import (
    DEFAULT_EXPANSION,
    MAX_EXPANSION,
    EntityExpansion,
    Focus,
    Traversal,
    TraversalConfig,
    TraversalTelemetry,
)
from nacre.graph.identity import naming
from nacre.graph.operations import path as operations_path
from nacre.graph.operations import payloads, proposals, streams
from nacre.graph.operations.streams import StreamEntry
from nacre.graph.reading import expansions, explanations, navigation, traversal, traversal_focus
from nacre.store.base.homes import Homes
from nacre.wiring import Parts


@probed("ontology")
class Ontology:
    """Claims about entities. A claim stands at `aspect/group/claim`, or `aspect/claim` in the group `general`."""

    def __init__(self, parts: Parts, scope: Scope, graphs: Homes | None = None) -> None:
        self._parts = parts
        self._scope = scope
        self._graphs = graphs or parts.graphs
        self._graph = Graph(parts, scope, graphs)

    def apply(
        self, batch: Sequence[Operation | Command], *, actor: str = CALLER, dry_run: bool = False
    ) -> list[OperationResult]:
        """Carry out operations in order, all or none; a dry run shows what they would come to."""
        return self._graph.apply(batch, actor=actor, dry_run=dry_run)

    def propose(self, batch: Sequence[Operation | Command], *, actor: str = CALLER) -> list[Proposal]:
        """Keep operations for review, all or none; what could not be carried out now, in this order, is refused."""
        checks.name("actor", actor)
        with self._graphs.write(self._scope) as tx:
            operations_path.bring_evidence(tx, batch, self._scope)
            return proposals.propose(tx, batch, actor=actor)

    def order(
        self, envelope: Mapping[str, object], *, dry_run: bool = False, propose: bool = False, actor: str = CALLER
    ) -> StreamReport:
        """As `submit`, for one envelope: what is wrong with it is raised in every mode."""
        _check_modes(dry_run=dry_run, propose=propose)
        commands = payloads.to_commands(envelope)
        if propose:
            made = tuple(self.propose(commands, actor=actor))
            return StreamReport(count=len(made), dry_run=False, proposed=True, proposals=made)
        applied = tuple(self.apply(commands, actor=actor, dry_run=dry_run))
        return StreamReport(count=len(applied), dry_run=dry_run, proposed=False, applied=applied)

    def submit(
        self,
        envelopes: Iterable[Mapping[str, object]],
        *,
        dry_run: bool = False,
        propose: bool = False,
        actor: str = CALLER,
        sole_actor: bool = False,
    ) -> StreamReport:
        """Carry out operations as JSON writes them, all or none; or only try them, or keep them for review.

        An envelope has an `operation`, its `payload`, and optionally its grounds. A dry run tells all that is wrong.
        `sole_actor` refuses an envelope that names another actor.
        """
        entries = streams.read_objects(envelopes)
        return self._run(entries, actor, dry_run=dry_run, propose=propose, sole_actor=sole_actor)

    def stream(
        self,
        lines: Iterable[str],
        *,
        dry_run: bool = False,
        propose: bool = False,
        actor: str = CALLER,
        sole_actor: bool = False,
    ) -> StreamReport:
        """As `submit`, for lines of JSON with an envelope each."""
        entries = streams.read_lines(lines)
        return self._run(entries, actor, dry_run=dry_run, propose=propose, sole_actor=sole_actor)

    @property
    def proposals(self) -> Proposals:
        """Changes that wait for somebody to decide."""
        return Proposals(self._parts, self._scope, self._graphs)

    def _run(
        self, entries: Sequence[StreamEntry], actor: str, *, dry_run: bool, propose: bool, sole_actor: bool
    ) -> StreamReport:
        _check_modes(dry_run=dry_run, propose=propose)
        checks.name("actor", actor)
        if sole_actor:
            streams.check_actor(entries, actor)
        orders = [order for entry in entries for order in entry.orders] if dry_run else streams.orders(entries)
        run = streams.rehearse if dry_run else streams.propose if propose else streams.apply
        with self._graphs.write(self._scope) as tx, tx.tried() if dry_run else nullcontext():
            operations_path.bring_evidence(tx, orders, self._scope)
            return run(tx, entries, actor=actor)

    def undo(self, operation: UUID | str, *, actor: str = CALLER) -> OperationResult:
        """Take back an operation or a batch by its id, unless something later rests on it."""
        return self._graph.undo(operation, actor=actor)

    @property
    def assertions(self) -> Assertions:
        """Who said what of entities, whether or not it is believed."""
        return Assertions(self._parts, self._scope, self._graphs)

    def set(
        self,
        entity: Selector,
        path: str,
        value: str,
        *,
        kind: str = ClaimKind.ATTRIBUTE.value,
        confidence: float = 1.0,
        importance: float = 0.5,
        valid_from: datetime | None = None,
        said_in: UUID | str | None = None,
        quote: str | None = None,
        reason: str | None = None,
        force: bool = False,
    ) -> Claim:
        """Give a claim a new value; what it said before stays readable.

        `valid_from` is since when it holds: a value that held before the present one lands in the past.
        """
        slot = Slot.at(path)
        operation = SetClaimValue(
            entity=entity,
            aspect=slot.aspect,
            group=slot.group,
            claim=slot.claim,
            value=value,
            kind=kind,
            confidence=confidence,
            importance=importance,
            valid_from=valid_from,
            evidence=quoted(self._parts, self._scope, said_in, quote),
            reason=reason,
            force=force,
        )
        return self._claim(self.apply([operation])[0])

    def add(
        self,
        entity: Selector,
        path: str,
        value: str,
        *,
        kind: str = ClaimKind.ATTRIBUTE.value,
        confidence: float = 1.0,
        importance: float = 0.5,
        valid_from: datetime | None = None,
        said_in: UUID | str | None = None,
        quote: str | None = None,
        reason: str | None = None,
    ) -> Claim:
        """Add a value beside those that a claim has."""
        slot = Slot.at(path)
        operation = AddClaimValue(
            entity=entity,
            aspect=slot.aspect,
            group=slot.group,
            claim=slot.claim,
            value=value,
            kind=kind,
            confidence=confidence,
            importance=importance,
            valid_from=valid_from,
            evidence=quoted(self._parts, self._scope, said_in, quote),
            reason=reason,
        )
        return self._claim(self.apply([operation])[0])

    def archive(self, claim: UUID | str, *, reason: str | None = None, force: bool = False) -> OperationResult:
        """Take one value of a claim out of force; a constraint only by force."""
        return self.apply([ArchiveClaimValue(attribute_id=claim, reason=reason, force=force)])[0]

    def restore(self, claim: UUID | str, *, reason: str | None = None, force: bool = False) -> Claim:
        """Let a claim say again what it said in an earlier version; that makes a new version."""
        return self._claim(self.apply([RestoreClaimVersion(attribute_id=claim, reason=reason, force=force)])[0])

    def declare(self, key: str, cardinality: Cardinality | str, *, reason: str | None = None) -> OperationResult:
        """Say whether a claim, by its path, or a predicate holds one value at a time or several."""
        return self.apply([DeclareCardinality(key=key, cardinality=cardinality, reason=reason)])[0]

    def claims(self, entity: Selector, *, as_of: datetime | None = None) -> list[Claim]:
        """What is believed of an entity, or was at a moment; the weightiest aspects first."""
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            return explanations.believed(tx, entity, moment)

    def versions(
        self,
        entity: Selector,
        path: str,
        *,
        kind: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Claim]:
        """Everything a claim ever said, the last version first; what was taken out is among it."""
        with self._graphs.read(self._scope) as tx:
            held = explanations.versions(tx, entity, path, kind, status)
        return held if limit is None and not offset else held[page(limit or MAX_PAGE, offset)]

    def version(
        self, entity: Selector, path: str, version: int, *, kind: str | None = None, status: str | None = None
    ) -> Claim:
        """One version of a claim. Where several values stand side by side, each counts its own versions."""
        checks.count("version", version, maximum=MAX_VERSION)
        with self._graphs.read(self._scope) as tx:
            return explanations.numbered(explanations.versions(tx, entity, path, kind, status), version)

    def evidence(
        self,
        entity: Selector,
        path: str,
        *,
        kind: str | None = None,
        status: str | None = ClaimStatus.ACTIVE.value,
        limit: int = 50,
        offset: int = 0,
    ) -> list[Explanation]:
        """What the versions of a claim rest on, the last first; a `status` of None takes in what no longer holds."""
        with self._graphs.read(self._scope) as tx:
            held = explanations.versions(tx, entity, path, kind, status)[page(limit, offset)]
            return [explanations.claim(tx, each.id) for each in held]

    def explain(
        self,
        claim: UUID | str | None = None,
        *,
        entity: Selector | None = None,
        path: str | None = None,
        as_of: datetime | None = None,
    ) -> list[Explanation]:
        """Why something is believed: one claim by its id, or what an entity's claims say, or said at a moment.

        Each tells since when, from which exact words, what it replaced and who decided.
        """
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            if claim is not None:
                return [explanations.claim(tx, ids.parse("claim", claim))]
            if entity is None:
                raise Invalid("claim", "or an entity must be given")
            return explanations.beliefs(tx, entity, path, moment)

    def explain_link(self, link: UUID | str) -> LinkExplanation:
        """Why a link is there: its words, and the operations that made it what it is."""
        with self._graphs.read(self._scope) as tx:
            return explanations.link(tx, link)

    def link_history(self, link: UUID | str) -> list[LinkEvent]:
        """Everything that happened to a link, as the database itself wrote it down."""
        with self._graphs.read(self._scope) as tx:
            return explanations.link_events(tx, ids.parse("link", link))

    def aspects(self, entity: Selector) -> list[Aspect]:
        """The sides of an entity, the weightiest first."""
        with self._graphs.read(self._scope) as tx:
            return navigation.aspects_of(tx, entity)

    def traverse(
        self,
        query: str | None = None,
        *,
        focal: Sequence[Selector] = (),
        checkpoint: Sequence[UUID | str] = (),
        project: str | None = None,
        session: str | None = None,
        pinned: bool = True,
        config: TraversalConfig | None = None,
    ) -> Traversal:
        """The memories and turns around the entities that matter, the best first, and what must hold for them.

        The walk starts from `focal`; without it, from what the checkpoint, the project's path and the query name, and
        from pinned entities. It never brings what belongs to another scope.
        """
        asked = None if query is None else checks.text("query", query)
        checks.optional_name("session", session)
        with self._graphs.read(self._scope) as tx:
            if focal:
                given = tuple(dict.fromkeys(naming.find(tx, each).id for each in focal))
                focus = Focus(entity_ids=given, source="given", session=session)
            else:
                focus = traversal_focus.focus(
                    tx, query=asked, checkpoint=checkpoint, project=project, session=session, pinned=pinned
                )
            budgets = replace(config or TraversalConfig(), scope=self._scope)
            found = traversal.traverse(tx, focus, budgets, query=asked)
            traversal.last_traversals(self._parts.database).note(self._scope.id, found, tx.now)
            return found

    def last_traversal(self) -> TraversalTelemetry | None:
        """What the scope's last traversal came to, if there was one since the brain was opened."""
        return traversal.last_traversals(self._parts.database).of(self._scope.id)

    def expand(
        self, entity: Selector, aspect: str | None = None, *, max_tokens: int = DEFAULT_EXPANSION
    ) -> EntityExpansion:
        """All that is known of an entity, or of one aspect of it, as much as fits into a number of tokens."""
        checks.count("max_tokens", max_tokens, maximum=MAX_EXPANSION)
        with self._graphs.read(self._scope) as tx:
            return expansions.expand(tx, self._scope, naming.find(tx, entity), aspect, max_tokens)

    @property
    def offers(self) -> Offers:
        """What sessions were offered from the graph, and whether it was of use."""
        return Offers(self._parts, self._scope, self._graphs)

    def set_task(
        self,
        entity: Selector,
        status: TaskStatus | str | None = None,
        *,
        expires_at: datetime | None = None,
        retention_until: datetime | None = None,
        reason: str | None = None,
    ) -> OperationResult:
        """Make an entity a task, or move it on; what is not given stays."""
        operation = SetTask(
            entity=entity, status=status, expires_at=expires_at, retention_until=retention_until, reason=reason
        )
        return self.apply([operation])[0]

    def tasks(self, *, finished: bool = False, limit: int = 100) -> list[Task]:
        """The tasks that are not finished, or those that are; what has expired is left out."""
        wanted = FINISHED if finished else set(TaskStatus) - FINISHED
        with self._graphs.read(self._scope) as tx:
            return navigation.current_tasks(tx, wanted, checks.count("limit", limit))

    def _claim(self, applied: OperationResult) -> Claim:
        with self._graphs.read(self._scope) as tx:
            return explanations.claim_by_id(tx, applied.outcome.claim)


def _check_modes(*, dry_run: bool, propose: bool) -> None:
    if dry_run and propose:
        raise Invalid("propose", "and `dry_run` exclude each other")
