"""The links around entities: what one hop of a walk reads."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    FromClause,
    Select,
    and_,
    column,
    exists,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)

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
        select(ranked).order_by(ranked.c.place, ranked.c.backwards, ranked.c.node, ranked.c.id).limit(limit)
    )
    return [Step(row.node, bool(row.backwards), row.place, to_link(row)) for row in rows]


def _ranked(
    tx: Transaction, nodes: Collection[UUID], as_of: datetime | None, most: int, *, backwards: bool
) -> Select[Any]:
    """Each node's best links and their places, without a look at the others."""
    node = entities.alias("node")
    found = _best(tx, node, as_of, backwards=backwards).limit(most)
    best, joined = (_lateral if tx.connection.dialect.name == "postgresql" else _by_row)(node, found)
    place = func.row_number().over(partition_by=node.c.id, order_by=_best_first(best))
    return (
        select(best, node.c.id.label("node"), literal(backwards, Boolean).label("backwards"), place.label("place"))
        .select_from(joined)
        .where(node.c.scope_id == tx.scope_id, node.c.id.in_(nodes))
    )


def _lateral(node: FromClause, found: Select[Any]) -> tuple[FromClause, FromClause]:
    best = found.lateral("best")
    return best, node.join(best, true())


def _by_row(node: FromClause, found: Select[Any]) -> tuple[FromClause, FromClause]:
    """SQLite has no lateral join, but a table that a function makes may depend on the row before it."""
    best = links.alias("best")
    rows = found.with_only_columns(_row_of(links)).subquery("rows")
    listed = func.json_each(select(func.json_group_array(rows.c.rowid)).scalar_subquery()).table_valued("value")
    return best, node.join(listed, true()).join(best, _row_of(best) == listed.c.value)


def _row_of(table: FromClause) -> ColumnElement[int]:
    return column("rowid", BigInteger, _selectable=table)


def _best(tx: Transaction, node: FromClause, as_of: datetime | None, *, backwards: bool) -> Select[Any]:
    here, there = links.c.source_entity, links.c.target_entity
    if backwards:
        here, there = there, here
    # The indexes links_best_from and links_best_to hold an entity's links in this order.
    return (
        select(links)
        .where(links.c.scope_id == tx.scope_id, here == node.c.id, in_force(tx, as_of), _leads_on(tx, there))
        .order_by(*_best_first(links))
        .correlate(node)
    )


def _best_first(table: FromClause) -> Sequence[ColumnElement[object]]:
    return (table.c.confidence.desc(), table.c.updated_at.desc(), table.c.id.desc())


def _leads_on(tx: Transaction, end: ColumnElement[UUID]) -> ColumnElement[bool]:
    """A plain value, or an entity in force."""
    in_place = and_(entities.c.scope_id == tx.scope_id, entities.c.id == end, entities.c.status == Status.ACTIVE.value)
    return or_(end.is_(None), exists().where(in_place))
