"""How much a graph holds, and how much of what is remembered it covers."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, case, func, select

from nacre.domain.claims import ClaimKind
from nacre.domain.memories import Status
from nacre.domain.navigation import KnowledgeStats
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Transaction
from nacre.store.evidence.evidence_references import portions
from nacre.store.graph import claims, links
from nacre.store.reads import graphs
from nacre.store.reads.reports import RECENT_FEEDBACK
from nacre.store.tables.schema import aspects, attributes, memories, memory_sources, mentions
from nacre.store.tables.schema import links as links_table

# What feedback may do to the weight of an aspect at most.
MAX_WEIGHT = 1.0
MIN_WEIGHT = 0.1

_ACTIVE = Status.ACTIVE.value


def stats(tx: Transaction, memory_home: Scope) -> KnowledgeStats:
    """Count what is in force, and the memories in `memory_home` that nothing of it rests on."""
    weights = _weights(tx)
    believed = _claims(tx)
    held, loose = _memories(tx, memory_home)
    return KnowledgeStats(
        entity_count=sum(graphs.count_by_type(tx).values()),
        aspect_count=weights.held,
        attribute_count=believed.get(ClaimKind.ATTRIBUTE.value, 0),
        constraint_count=believed.get(ClaimKind.CONSTRAINT.value, 0),
        dependency_count=_dependencies(tx),
        memory_count=held,
        unassigned_memory_count=loose,
        coverage_percent=round(100 * (held - loose) / held, 1) if held else 0.0,
        feedback_updated_aspect_count=weights.weighed or 0,
        average_aspect_weight=round(weights.average or 0.0, 4),
        max_weight_aspect_count=weights.highest or 0,
        min_weight_aspect_count=weights.lowest or 0,
    )


def _weights(tx: Transaction) -> Row[Any]:
    def so_many(condition: ColumnElement[bool]) -> ColumnElement[int]:
        return func.sum(case((condition, 1), else_=0))

    return tx.execute(
        select(
            func.count().label("held"),
            func.avg(aspects.c.weight).label("average"),
            so_many(aspects.c.weight >= MAX_WEIGHT).label("highest"),
            so_many(aspects.c.weight <= MIN_WEIGHT).label("lowest"),
            so_many(aspects.c.weighed_at >= tx.now - RECENT_FEEDBACK).label("weighed"),
        ).where(aspects.c.scope_id == tx.scope_id, aspects.c.status == _ACTIVE)
    ).one()


def _claims(tx: Transaction) -> dict[str, int]:
    counted = select(attributes.c.kind, func.count().label("held"))
    rows = tx.execute(
        counted.where(attributes.c.scope_id == tx.scope_id, claims.in_force(tx)).group_by(attributes.c.kind)
    )
    return {row.kind: row.held for row in rows}


def _dependencies(tx: Transaction) -> int:
    between = links_table.c.scope_id == tx.scope_id, links_table.c.target_entity.isnot(None), links.in_force(tx)
    count: int = tx.execute(select(func.count()).select_from(links_table).where(*between)).scalar_one()
    return count


def _memories(tx: Transaction, home: Scope) -> tuple[int, int]:
    """How many memories are in force, and how many of them the graph makes nothing of.

    The memories of an agent that shares them are in another scope than the graph, so no statement joins the two.
    """
    held = _told_by(tx, home)
    loose = held.keys() - _claimed(tx)
    known = _known(tx, {source for memory in loose for source in held[memory]})
    return len(held), sum(held[memory].isdisjoint(known) for memory in loose)


def _told_by(tx: Transaction, home: Scope) -> dict[UUID, set[UUID]]:
    """The memories in force, each with its evidence."""
    cited = and_(memory_sources.c.scope_id == memories.c.scope_id, memory_sources.c.memory_id == memories.c.id)
    rows = tx.execute(
        select(memories.c.id, memory_sources.c.source_id)
        .select_from(memories.outerjoin(memory_sources, cited))
        .where(memories.c.scope_id == home.id, memories.c.status == _ACTIVE)
    )
    evidence_by_id: dict[UUID, set[UUID]] = {}
    for row in rows:
        evidence_by_id.setdefault(row.id, set()).update([row.source_id] if row.source_id else [])
    return evidence_by_id


def _claimed(tx: Transaction) -> set[UUID]:
    """The memories that a claim rests on."""
    rests = attributes.c.scope_id == tx.scope_id, attributes.c.memory_id.isnot(None), claims.in_force(tx)
    return set(tx.execute(select(attributes.c.memory_id).where(*rests)).scalars())


def _known(tx: Transaction, evidence: Collection[UUID]) -> set[UUID]:
    """The evidence that a claim rests on, or that is known to speak of an entity."""
    item_ids: set[UUID] = set()
    for some in portions(evidence):
        cited = attributes.c.scope_id == tx.scope_id, attributes.c.source_id.in_(some), claims.in_force(tx)
        speaking = mentions.c.scope_id == tx.scope_id, mentions.c.source_id.in_(some)
        item_ids.update(tx.execute(select(attributes.c.source_id).where(*cited)).scalars())
        item_ids.update(tx.execute(select(mentions.c.source_id).where(*speaking)).scalars())
    return item_ids
