"""How much a graph holds, and how much of what is remembered it covers."""

from typing import Any

from sqlalchemy import ColumnElement, Row, and_, case, func, or_, select

from nacre.domain.claims import ClaimKind
from nacre.domain.memories import Status
from nacre.domain.navigation import KnowledgeStats
from nacre.domain.scopes import Scope
from nacre.store import claims, graphs, links
from nacre.store.databases import Transaction
from nacre.store.reports import RECENT_FEEDBACK
from nacre.store.schema import aspects, attributes, memories, memory_sources, mentions
from nacre.store.schema import links as links_table

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
    """How many memories are in force, and how many of them the graph makes nothing of."""
    mine = memories.c.scope_id == home.id, memories.c.status == _ACTIVE
    held: int = tx.execute(select(func.count()).select_from(memories).where(*mine)).scalar_one()
    loose = select(func.count()).select_from(memories).where(*mine, ~_assigned(tx, home))
    return held, tx.execute(loose).scalar_one() if held else 0


def _assigned(tx: Transaction, home: Scope) -> ColumnElement[bool]:
    """Each list is made once, however many memories there are."""
    mine = and_(attributes.c.scope_id == tx.scope_id, claims.in_force(tx))
    claimed = select(attributes.c.memory_id).where(mine, attributes.c.memory_id.isnot(None))
    cited = select(attributes.c.source_id).where(mine, attributes.c.source_id.isnot(None))
    speaking = select(mentions.c.source_id).where(mentions.c.scope_id == tx.scope_id)
    source = memory_sources.c.source_id
    told = select(memory_sources.c.memory_id).where(
        memory_sources.c.scope_id == home.id, or_(source.in_(cited), source.in_(speaking))
    )
    return or_(memories.c.id.in_(claimed), memories.c.id.in_(told))
