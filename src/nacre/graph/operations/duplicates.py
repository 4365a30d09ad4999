"""Duplicates put right: what is almost certainly one thing is merged, what may be is queued for a person."""

from collections.abc import Collection
from uuid import UUID

from nacre.domain.duplicates import Decision, DuplicateCandidate
from nacre.domain.memories import Status
from nacre.domain.operation_results import DuplicateReport, OperationResult
from nacre.domain.operations import MergeEntities
from nacre.graph.identity import resolution
from nacre.graph.identity.resolution import ComparedPair
from nacre.graph.operations import merge_handlers, path
from nacre.models.embedders import Embedder
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.graph import candidates, entities


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
