"""Duplicates put right: what is surely one thing is merged, what may be is queued, or planned and proposed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from nacre.domain.commands import Command
from nacre.domain.duplicates import OTHER_TYPE, SAME_TYPE, Decision, DuplicateCandidate, MergeEntity, MergePlan
from nacre.domain.entities import Entity, EntityType
from nacre.domain.errors import Conflict, Invalid
from nacre.domain.ids import ProposalId
from nacre.domain.memories import Status
from nacre.domain.operation_results import DuplicateReport, OperationResult
from nacre.domain.operations import MergeEntities, Selector
from nacre.graph.identity import naming, resolution
from nacre.graph.identity.resolution import ComparedPair
from nacre.graph.operations import merge_handlers, path, proposals
from nacre.models.embedders import Embedder
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.graph import candidates, entities
from nacre.store.graph import proposals as stored
from nacre.store.maintenance import repairs


def resolve(tx: Transaction, changed: Collection[UUID], embedder: Embedder | None) -> DuplicateReport:
    """Merge what changed entities certainly duplicate, and queue what they may duplicate."""
    # Two resolutions of a scope at once could merge the same entity twice.
    scopes.lock(tx)
    found = resolution.candidates(tx, changed, embedder)
    merged = [applied for pair in found if pair.verdict == "merge" and (applied := _merge(tx, pair))]
    flagged = candidates.add(tx, [(each.a, each.b, each.similarity) for each in found if each.verdict == "flag"])
    return DuplicateReport(merged=tuple(merged), flagged=flagged)


def scan(tx: Transaction, embedder: Embedder | None, *, threshold: float, limit: int) -> int:
    """Queue the scope's likeliest duplicates for review; returns how many are new."""
    scopes.lock(tx)
    found = resolution.scan(tx, embedder, threshold=threshold, limit=limit)
    return candidates.add(tx, [(pair.a, pair.b, pair.similarity) for pair in found])


def _merge(tx: Transaction, pair: ComparedPair) -> OperationResult | None:
    known = entities.by_id(tx, [pair.a, pair.b])
    one, other = known[pair.a], known[pair.b]
    if Status.ARCHIVED in (one.status, other.status):
        # An earlier pair of the same round took one of them.
        return None
    target, source = sorted((one, other), key=lambda each: (-each.confidence, each.created_at, each.id))
    reason = f"names {pair.name_similarity:.2f}, meaning {pair.cosine or 0:.2f}"
    merge = MergeEntities(target=target.id, source=source.id, reason=reason)
    return path.apply(tx, [merge], actor=merge_handlers.BY_ITSELF)[0]


def listed(tx: Transaction, status: Decision, *, limit: int, offset: int) -> list[DuplicateCandidate]:
    """The pairs that wait for a decision, the most alike first; or those that were decided so, the last first."""
    return candidates.listed(tx, status, limit=limit, offset=offset)


# The merges that wait for a decision: into which entity, of which, and by which proposal.
PendingMerges = Mapping[tuple[UUID, UUID], ProposalId]

LOW, REVIEW, BLOCKED = "low", "review_required", "blocked"


def duplicates(tx: Transaction, *, limit: int) -> list[MergePlan]:
    """A plan for each group of entities of one name; pairs that somebody told apart are left alone."""
    apart, waiting = candidates.decided(tx), _waiting(tx)
    plans: list[MergePlan] = []
    for group in repairs.same_named(tx):
        target, *others = sorted(group, key=_standing)
        sources = [each for each in others if candidates.couple(target.id, each.id) not in apart]
        if sources and len(plans) < limit:
            plans.append(_plan(tx, target, sources, waiting))
    return plans


def plan(tx: Transaction, target: Selector, sources: Sequence[Selector]) -> MergePlan:
    """What it would mean to make entities part of another."""
    if not sources:
        raise Invalid("sources", "must not be empty")
    stays = naming.one(tx, target)
    go = {found.id: found for found in (naming.one(tx, each) for each in sources)}
    if stays.id in go:
        raise Invalid("sources", "must not hold the target itself")
    return _plan(tx, stays, list(go.values()), _waiting(tx))


def propose(tx: Transaction, planned: MergePlan, *, actor: str) -> MergePlan:
    """Propose the merges of a plan that nobody has proposed yet; a blocked plan is refused."""
    if planned.risk == BLOCKED:
        raise Conflict(f"A source of the merge into {planned.target.slug} is pinned. Unpin it first.")
    waiting = _waiting(tx)
    orders = [_order(planned, each) for each in planned.sources if (planned.target.id, each.id) not in waiting]
    made = [each.id for each in proposals.propose(tx, orders, actor=actor)] if orders else []
    return replace(planned, proposals=(*planned.proposals, *made))


def _order(planned: MergePlan, source: MergeEntity) -> Command:
    # Whoever applies a merge of different types has seen that they differ.
    merge = MergeEntities(target=planned.target.id, source=source.id, force=planned.risk == REVIEW)
    reason = f"{source.name} ({source.type}) may be {planned.target.name} ({planned.target.type})"
    return Command(operation=merge, reason=reason, confidence=planned.confidence, risk=planned.risk)


def _standing(entity: Entity) -> tuple[object, ...]:
    """Who stays: the pinned, then the most mentioned, the last changed, and the one with the shorter name."""
    return (
        entity.pinned_at is None,
        -entity.mentions,
        -entity.updated_at.timestamp(),
        len(entity.name),
        str(entity.id),
    )


def _plan(tx: Transaction, target: Entity, sources: Sequence[Entity], waiting: PendingMerges) -> MergePlan:
    types = {each.type for each in (target, *sources)}
    others = {each.type for each in sources} - {target.type, EntityType.UNKNOWN}
    differ = bool(others) and target.type is not EntityType.UNKNOWN
    pinned = any(each.pinned_at for each in sources)
    return MergePlan(
        target=_twin(target),
        sources=tuple(_twin(each) for each in sources),
        confidence=SAME_TYPE if len(types) == 1 else OTHER_TYPE,
        risk=BLOCKED if pinned else REVIEW if differ else LOW,
        impact=repairs.impact(tx, sources),
        proposals=tuple(key for each in sources if (key := waiting.get((target.id, each.id)))),
    )


def _waiting(tx: Transaction) -> PendingMerges:
    pending = stored.pending(tx, [MergeEntities.operation])
    pairs = [(str(each.payload["target"]), str(each.payload["source"]), each.id) for each in pending]
    return {
        (UUID(target), UUID(source)): key
        for target, source, key in pairs
        if naming.is_id(target) and naming.is_id(source)
    }


def _twin(entity: Entity) -> MergeEntity:
    return MergeEntity(
        id=entity.id,
        name=entity.name,
        slug=entity.slug,
        type=entity.type.value,
        mentions=entity.mentions,
        pinned=entity.pinned_at is not None,
    )
