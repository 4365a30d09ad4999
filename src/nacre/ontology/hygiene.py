"""What in a graph looks wrong: a report that changes nothing.

The whole graph is looked at, page by page; only what is shown is bounded.
"""

import heapq
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from nacre.domain import checks
from nacre.domain.entities import Entity
from nacre.domain.ids import EntityId, MemoryId
from nacre.domain.scopes import Scope
from nacre.graph import matching
from nacre.ontology import suspicions
from nacre.ontology.suspicions import MIN_NAME, Reason
from nacre.store import entities, hygiene
from nacre.store.databases import Transaction
from nacre.store.hygiene import Looked, Told
from nacre.text import names

MAX_SHOWN = 500
MAX_MEMORIES = 1_000
AROUND = 60

_GRAVITY = {reason: place for place, reason in enumerate(Reason)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspiciousEntity:
    """An entity that may be none, and why."""

    id: EntityId
    name: str
    canonical_name: str
    entity_type: str
    mentions: int
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateEntities:
    """Entities with one name."""

    canonical_name: str
    count: int
    ids: tuple[UUID, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeSummary:
    """Claims in force that stand in no group of their own, have no key, or rest on no memory and no evidence."""

    missing_group_key: int
    missing_claim_key: int
    missing_source_memory: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionCandidate:
    """A memory that names a known entity, in exactly its words, without being known to speak of it."""

    memory_id: MemoryId
    entity_id: EntityId
    entity_name: str
    mention_text: str
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How much was looked at, and how much was found, whether it is shown or not."""

    entities: int
    suspicious: int
    duplicates: int
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hygiene:
    """The gravest of what looks wrong."""

    suspicious_entities: tuple[SuspiciousEntity, ...]
    duplicate_entities: tuple[DuplicateEntities, ...]
    attribute_summary: AttributeSummary
    safe_mention_candidates: tuple[MentionCandidate, ...]
    totals: Totals


def report(tx: Transaction, memory_home: Scope, *, limit: int = 50, memory_limit: int = 200) -> Hygiene:
    """Look through the graph, and through the newest memories for names that nobody noted."""
    checks.count("limit", limit, maximum=MAX_SHOWN)
    checks.count("memory_limit", memory_limit, maximum=MAX_MEMORIES)
    seen: Counter[bool] = Counter()
    gravest = heapq.nsmallest(limit, _suspects(tx, seen), key=_grave)
    twins = hygiene.twins(tx)
    told = hygiene.newest_memories(tx, memory_home, memory_limit)
    held = hygiene.grounds(tx)
    return Hygiene(
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
        totals=Totals(entities=seen.total(), suspicious=seen[True], duplicates=len(twins), memories=len(told)),
    )


def count_suspicious(tx: Transaction) -> Counter[Reason | None]:
    """How many entities there are for each reason to doubt them; None is for none."""
    return Counter(_reason(entity) for entity in hygiene.every_entity(tx))


def _suspects(tx: Transaction, seen: Counter[bool]) -> Iterator[tuple[Looked, Reason]]:
    for entity in hygiene.every_entity(tx):
        reason = _reason(entity)
        seen[reason is not None] += 1
        if reason is not None:
            yield entity, reason


def _reason(entity: Looked) -> Reason | None:
    # Somebody looked at it and pinned it.
    return None if entity.pinned else suspicions.suspicion(entity.name, entity.type, bare=bool(entity.bare))


def _grave(suspect: tuple[Looked, Reason]) -> tuple[int, int, str, UUID]:
    entity, reason = suspect
    return _GRAVITY[reason], -entity.mentions, entity.name, entity.id


def _suspicious(entity: Looked, reason: Reason) -> SuspiciousEntity:
    return SuspiciousEntity(
        id=EntityId(entity.id),
        name=entity.name,
        canonical_name=names.canonical(entity.name),
        entity_type=entity.type,
        mentions=entity.mentions,
        reason=reason,
    )


def _mentions(tx: Transaction, told: Sequence[Told], limit: int) -> list[MentionCandidate]:
    noted = hygiene.mentioned_in(tx, {source for each in told for source in each.sources})
    found: list[MentionCandidate] = []
    for memory in told:
        named = matching.find(tx, memory.content)
        known = entities.by_id(tx, [each.entity_id for each in named]) if named else {}
        # A name that several entities go by is found once for each of them.
        places = Counter(each.start for each in named)
        for each in named:
            entity = known[each.entity_id]
            if places[each.start] > 1 or any((source, entity.id) in noted for source in memory.sources):
                continue
            if candidate := _candidate(memory, entity, each.name):
                found.append(candidate)
        if len(found) >= limit:
            break
    return found[:limit]


def _candidate(memory: Told, entity: Entity, name: str) -> MentionCandidate | None:
    """Safe is a name of some length, of an entity that nobody need doubt, that stands there letter by letter."""
    if len(name) < MIN_NAME and name.isascii():
        return None
    if suspicions.suspicion(entity.name, entity.type) is not None:
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
