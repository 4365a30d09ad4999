"""What a scope believes of its entities: claims, their versions, and who decided."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from nacre.brain.graph import CALLER, Graph, quoted
from nacre.domain import checks
from nacre.domain.claim_operations import (
    AddClaimValue,
    ArchiveClaimValue,
    DeclareCardinality,
    RestoreClaimVersion,
    SetClaimValue,
)
from nacre.domain.claims import Aspect, Cardinality, Claim, ClaimKind, Slot
from nacre.domain.commands import Command, Operation
from nacre.domain.kind_operations import SetTask
from nacre.domain.operations import Selector
from nacre.domain.scopes import Scope
from nacre.domain.tasks import FINISHED, Task, TaskStatus
from nacre.graph import naming
from nacre.ontology.operations import Applied
from nacre.store import aspects, claims, tasks
from nacre.store.sharing import Homes
from nacre.wiring import Parts


class Ontology:
    """Claims about entities. A claim stands at `aspect/group/claim`, or `aspect/claim` in the group `general`."""

    def __init__(self, parts: Parts, scope: Scope, graphs: Homes | None = None) -> None:
        self._parts = parts
        self._scope = scope
        self._graphs = graphs or parts.graphs
        self._graph = Graph(parts, scope, graphs)

    def apply(
        self, batch: Sequence[Operation | Command], *, actor: str = CALLER, dry_run: bool = False
    ) -> list[Applied]:
        """Carry out operations in order, all or none; a dry run shows what they would come to."""
        return self._graph.apply(batch, actor=actor, dry_run=dry_run)

    def undo(self, operation: UUID | str, *, actor: str = CALLER) -> Applied:
        """Take back an operation or a batch by its id, unless something later rests on it."""
        return self._graph.undo(operation, actor=actor)

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

    def archive(self, claim: UUID | str, *, reason: str | None = None, force: bool = False) -> Applied:
        """Take one value of a claim out of force; a constraint only by force."""
        return self.apply([ArchiveClaimValue(attribute_id=claim, reason=reason, force=force)])[0]

    def restore(self, claim: UUID | str, *, reason: str | None = None, force: bool = False) -> Claim:
        """Let a claim say again what it said in an earlier version; that makes a new version."""
        return self._claim(self.apply([RestoreClaimVersion(attribute_id=claim, reason=reason, force=force)])[0])

    def declare(self, key: str, cardinality: Cardinality | str, *, reason: str | None = None) -> Applied:
        """Say whether a claim, by its path, or a predicate holds one value at a time or several."""
        return self.apply([DeclareCardinality(key=key, cardinality=cardinality, reason=reason)])[0]

    def claims(self, entity: Selector, *, as_of: datetime | None = None) -> list[Claim]:
        """What is believed of an entity, or was at a moment; the weightiest aspects first."""
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            return claims.of_entity(tx, naming.find(tx, entity).id, moment)

    def versions(self, entity: Selector, path: str) -> list[Claim]:
        """Everything a claim ever said, the last version first; what was taken out is among it."""
        slot = Slot.at(path)
        with self._graphs.read(self._scope) as tx:
            aspect = aspects.by_key(tx, naming.find(tx, entity).id, slot.aspect)
            return claims.in_slot(tx, aspect.id, slot, deleted=True) if aspect else []

    def aspects(self, entity: Selector) -> list[Aspect]:
        """The sides of an entity, the weightiest first."""
        with self._graphs.read(self._scope) as tx:
            return aspects.of_entities(tx, [naming.find(tx, entity).id])

    def set_task(
        self,
        entity: Selector,
        status: TaskStatus | str | None = None,
        *,
        expires_at: datetime | None = None,
        retention_until: datetime | None = None,
        reason: str | None = None,
    ) -> Applied:
        """Make an entity a task, or move it on; what is not given stays."""
        operation = SetTask(
            entity=entity, status=status, expires_at=expires_at, retention_until=retention_until, reason=reason
        )
        return self.apply([operation])[0]

    def tasks(self, *, finished: bool = False, limit: int = 100) -> list[Task]:
        """The tasks that are not finished, or those that are; what has expired is left out."""
        wanted = FINISHED if finished else set(TaskStatus) - FINISHED
        with self._graphs.read(self._scope) as tx:
            return tasks.current(tx, wanted, limit=checks.count("limit", limit))

    def _claim(self, applied: Applied) -> Claim:
        key = applied.outcome.claim or UUID(int=0)
        with self._graphs.read(self._scope) as tx:
            return claims.by_id(tx, [key])[key]
