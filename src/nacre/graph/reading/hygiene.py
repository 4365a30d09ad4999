"""Hygiene report: what in a graph looks wrong. It changes nothing.

The whole graph is looked at, page by page; only what is shown is bounded.
"""

import heapq
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from uuid import UUID

from nacre.domain import checks
from nacre.domain.entities import Entity
from nacre.domain.graph_reports import (
    AttributeSummary,
    DuplicateEntities,
    HygieneReport,
    HygieneTotals,
    MentionCandidate,
    Reason,
    SuspiciousEntity,
)
from nacre.domain.ids import EntityId, MemoryId
from nacre.domain.scopes import Scope
from nacre.graph.identity import entity_checks, matching
from nacre.graph.identity.entity_checks import MIN_NAME
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities
from nacre.store.reads import hygiene
from nacre.store.reads.hygiene import EntityCheckRow, MemoryCheckRow
from nacre.text import names

MAX_SHOWN = 500
MAX_MEMORIES = 1_000
AROUND = 60

_GRAVITY = {reason: place for place, reason in enumerate(Reason)}


def report(tx: Transaction, scope: Scope, *, limit: int = 50, memory_limit: int = 200) -> HygieneReport:
    """Look through the graph, and through the newest memories of a scope for names that nobody noted."""
    checks.count("limit", limit, maximum=MAX_SHOWN)
    checks.count("memory_limit", memory_limit, maximum=MAX_MEMORIES)
    seen: Counter[bool] = Counter()
    gravest = heapq.nsmallest(limit, _suspects(tx, seen), key=_grave)
    twins = hygiene.twins(tx)
    told = hygiene.newest_memories(tx, sharing.of(tx).memory_home(scope), memory_limit)
    held = hygiene.grounds(tx)
    return HygieneReport(
        suspicious_entities=tuple(_suspicious(entity, reason) for entity, reason in gravest),
        duplicate_entities=tuple(
            DuplicateEntities(canonical_name=each.key, count=len(each.ids), ids=each.ids, names=each.names)
            for each in twins[:limit]
        ),
        attribute_summary=AttributeSummary(
            missing_group_key=held.in_general,
            missing_claim_key=held.without_claim_key,
            missing_source_memory=held.without_grounds,
        ),
        safe_mention_candidates=tuple(_mentions(tx, told, limit)),
        totals=HygieneTotals(entities=seen.total(), suspicious=seen[True], duplicates=len(twins), memories=len(told)),
    )


def count_suspicious(tx: Transaction) -> Counter[Reason | None]:
    """How many entities there are for each reason to doubt them; None is for none."""
    return Counter(_reason(entity) for entity in hygiene.every_entity(tx))


def _suspects(tx: Transaction, seen: Counter[bool]) -> Iterator[tuple[EntityCheckRow, Reason]]:
    for entity in hygiene.every_entity(tx):
        reason = _reason(entity)
        seen[reason is not None] += 1
        if reason is not None:
            yield entity, reason


def _reason(entity: EntityCheckRow) -> Reason | None:
    # Somebody looked at it and pinned it.
    return None if entity.pinned else entity_checks.suspicion(entity.name, entity.type, bare=bool(entity.bare))


def _grave(suspect: tuple[EntityCheckRow, Reason]) -> tuple[int, int, str, UUID]:
    entity, reason = suspect
    return _GRAVITY[reason], -entity.mentions, entity.name, entity.id


def _suspicious(entity: EntityCheckRow, reason: Reason) -> SuspiciousEntity:
    return SuspiciousEntity(
        id=EntityId(entity.id),
        name=entity.name,
        canonical_name=names.canonical(entity.name),
        entity_type=entity.type,
        mentions=entity.mentions,
        reason=reason,
    )


def _mentions(tx: Transaction, memories_told: Sequence[MemoryCheckRow], limit: int) -> list[MentionCandidate]:
    noted = hygiene.mentioned_in(tx, {source for each in memories_told for source in each.sources})
    candidates: list[MentionCandidate] = []
    for memory in memories_told:
        named = matching.find(tx, memory.content)
        known = entities.by_id(tx, [each.entity_id for each in named]) if named else {}
        # A name that several entities go by is found once for each of them.
        places = Counter(each.start for each in named)
        for each in named:
            entity = known[each.entity_id]
            if places[each.start] > 1 or any((source, entity.id) in noted for source in memory.sources):
                continue
            if candidate := _candidate(memory, entity, each.name):
                candidates.append(candidate)
        if len(candidates) >= limit:
            break
    return candidates[:limit]


def _candidate(memory: MemoryCheckRow, entity: Entity, name: str) -> MentionCandidate | None:
    """Safe is a name of some length, of an entity that nobody need doubt, that stands there letter by letter."""
    if len(name) < MIN_NAME and name.isascii():
        return None
    if entity_checks.suspicion(entity.name, entity.type) is not None:
        return None
    place = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", memory.content)
    if place is None:
        return None
    start, end = max(place.start() - AROUND, 0), place.end() + AROUND
    return MentionCandidate(
        memory_id=MemoryId(memory.id),
        entity_id=entity.id,
        entity_name=entity.name,
        mention_text=place[0],
        snippet=" ".join(memory.content[start:end].split()),
    )
