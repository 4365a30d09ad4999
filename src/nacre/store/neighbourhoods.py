"""The links around entities: what one hop of a walk reads."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Boolean, ColumnElement, FromClause, Select, and_, exists, func, literal, or_, select, true, union_all

from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.store.databases import Transaction
from nacre.store.links import in_force, to_link
from nacre.store.schema import entities, links


@dataclass(frozen=True, slots=True)
class Step:
    """A link seen from `node`: walked backwards when it ends there. `place` counts the node's links, best first."""

    node: UUID
    backwards: bool
    place: int
    link: Link


def active(tx: Transaction, ids: Collection[UUID]) -> set[UUID]:
    """Those of `ids` that are entities in force."""
    rows = tx.execute(
        select(entities.c.id).where(
            entities.c.scope_id == tx.scope_id, entities.c.id.in_(ids), entities.c.status == Status.ACTIVE.value
        )
    )
    return set(rows.scalars())


def around(
    tx: Transaction,
    nodes: Collection[UUID],
    *,
    directions: Collection[bool],
    as_of: datetime | None,
    per_node: int | None,
    limit: int,
) -> list[Step]:
    """At most `limit` links around `nodes` whose ends are both in force, and `per_node` in a direction.

    `directions` says whether links are walked backwards. Every node's best link comes before any node's second:
    the surest first, then the one last changed. Of a node with very many links only the best are read.
    """
    most = limit if per_node is None else min(per_node, limit)
    ranked = union_all(*(_ranked(tx, nodes, as_of, most, backwards=way) for way in directions)).subquery()
    rows = tx.execute(
        select(links, ranked.c.node, ranked.c.backwards, ranked.c.place)
        .join_from(ranked, links, and_(links.c.scope_id == tx.scope_id, links.c.id == ranked.c.id))
        .order_by(ranked.c.place, ranked.c.backwards, ranked.c.node, links.c.id)
        .limit(limit)
    )
    return [Step(row.node, bool(row.backwards), row.place, to_link(row)) for row in rows]


def _ranked(
    tx: Transaction, nodes: Collection[UUID], as_of: datetime | None, most: int, *, backwards: bool
) -> Select[tuple[UUID, UUID, bool, int]]:
    """The places of each node's best links, without a look at the others."""
    node = entities.alias("node")
    found = _best(tx, node.c.id, as_of, backwards=backwards).limit(most)
    best: FromClause
    if tx.connection.dialect.name == "postgresql":
        best, each = found.lateral("best"), true()
    else:
        # SQLite has no lateral join, but runs a subquery after IN for each row.
        best = links.alias("best")
        each = and_(best.c.scope_id == tx.scope_id, best.c.id.in_(found.with_only_columns(links.c.id)))
    place = func.row_number().over(partition_by=node.c.id, order_by=_best_first(best))
    return (
        select(best.c.id, node.c.id.label("node"), literal(backwards, Boolean).label("backwards"), place.label("place"))
        .join_from(node, best, each)
        .where(node.c.scope_id == tx.scope_id, node.c.id.in_(nodes))
    )


def _best(
    tx: Transaction, node: ColumnElement[UUID], as_of: datetime | None, *, backwards: bool
) -> Select[tuple[UUID, float, datetime]]:
    here, there = links.c.source_entity, links.c.target_entity
    if backwards:
        here, there = there, here
    # Indexes hold the links of an entity in this order: see links_best_from and links_best_to.
    return (
        select(links.c.id, links.c.confidence, links.c.updated_at)
        .where(links.c.scope_id == tx.scope_id, here == node, in_force(tx, as_of), _leads_on(tx, there))
        .order_by(*_best_first(links))
    )


def _best_first(table: FromClause) -> Sequence[ColumnElement[object]]:
    return (table.c.confidence.desc(), table.c.updated_at.desc(), table.c.id.desc())


def _leads_on(tx: Transaction, end: ColumnElement[UUID]) -> ColumnElement[bool]:
    """A plain value, or an entity in force."""
    in_place = and_(entities.c.scope_id == tx.scope_id, entities.c.id == end, entities.c.status == Status.ACTIVE.value)
    return or_(end.is_(None), exists().where(in_place))
