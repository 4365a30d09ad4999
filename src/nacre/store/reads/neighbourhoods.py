"""The links around entities: what one hop of a walk reads."""

from collections.abc import Collection
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
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
    true,
    union_all,
)

from nacre.domain.links import Link
from nacre.store.base.databases import Transaction
from nacre.store.graph.entities import standing
from nacre.store.graph.links import in_force, to_link
from nacre.store.tables.schema import entities, links

Column = ColumnElement[Any]

_BEST_FIRST = (links.c.confidence.desc(), links.c.updated_at.desc(), links.c.id.desc())
_ROWID: Column = literal_column("links.rowid", BigInteger)


@dataclass(frozen=True, slots=True)
class LinkStep:
    """A link seen from `node`: walked backwards when it ends there. `place` counts the node's links, best first."""

    node: UUID
    backwards: bool
    place: int
    link: Link


def active(tx: Transaction, ids: Collection[UUID], as_of: datetime | None = None) -> set[UUID]:
    """Those of `ids` that are entities in force, or were at a moment."""
    # Asked for the status alone, SQLite would rather read every entity that has it.
    rows = tx.execute(
        select(entities.c.id, standing(as_of).label("held")).where(
            entities.c.scope_id == tx.scope_id, entities.c.id.in_(ids)
        )
    )
    return {row.id for row in rows if row.held}


def around(
    tx: Transaction,
    nodes: Collection[UUID],
    *,
    directions: Collection[bool],
    as_of: datetime | None,
    per_node: int | None,
    limit: int,
) -> list[LinkStep]:
    """At most `limit` links around `nodes` whose ends are both in force, and `per_node` in a direction.

    `directions` says whether links are walked backwards. Every node's best link comes before any node's second:
    the surest first, then the one last changed. Of a node with very many links only the best are read.
    """
    most = limit if per_node is None else min(per_node, limit)
    each = union_all(*(_ranked(tx, nodes, as_of, most, backwards=way) for way in directions))
    ranked = each.order_by("place", "backwards", "node").limit(limit).subquery()
    rows = tx.execute(
        select(links, ranked.c.node, ranked.c.backwards, ranked.c.place)
        .join_from(ranked, links, and_(links.c.scope_id == tx.scope_id, _row(tx) == ranked.c.row))
        .order_by(ranked.c.place, ranked.c.backwards, ranked.c.node)
    )
    return [LinkStep(row.node, bool(row.backwards), row.place, to_link(row)) for row in rows]


def _ranked(
    tx: Transaction, nodes: Collection[UUID], as_of: datetime | None, most: int, *, backwards: bool
) -> Select[Any]:
    """The rows and places of each node's best links, without a look at the others."""
    node = entities.alias("node")
    found = _best(tx, node, as_of, backwards=backwards).limit(most)
    best, row, place = (_lateral if tx.connection.dialect.name == "postgresql" else _listed)(found)
    return (
        select(row.label("row"), node.c.id.label("node"), literal(backwards, Boolean).label("backwards"), place)
        .join_from(node, best, true())
        .where(node.c.scope_id == tx.scope_id, node.c.id.in_(nodes))
    )


def _best(tx: Transaction, node: FromClause, as_of: datetime | None, *, backwards: bool) -> Select[Any]:
    here, there = links.c.source_entity, links.c.target_entity
    if backwards:
        here, there = there, here
    # The indexes links_best_from and links_best_to hold an entity's links in this order.
    return (
        select(_row(tx).label("row"))
        .where(links.c.scope_id == tx.scope_id, here == node.c.id, in_force(tx, as_of), _leads_on(tx, there, as_of))
        .order_by(*_BEST_FIRST)
        .correlate(node)
    )


def _lateral(statement: Select[Any]) -> tuple[FromClause, Column, Column]:
    best = statement.add_columns(func.row_number().over(order_by=_BEST_FIRST).label("place")).lateral("best")
    return best, best.c.row, best.c.place


def _listed(statement: Select[Any]) -> tuple[FromClause, Column, Column]:
    """SQLite has no lateral join, but a list that is made for a row can be read as a table beside it."""
    rows = select(func.json_group_array(statement.subquery().c.row)).scalar_subquery()
    best = func.json_each(rows).table_valued("key", "value")
    return best, best.c.value, (best.c.key + 1).label("place")


def _row(tx: Transaction) -> Column:
    """What a link's row is found by: on SQLite its number, which a list can hold."""
    return links.c.id if tx.connection.dialect.name == "postgresql" else _ROWID


def _leads_on(tx: Transaction, end: ColumnElement[UUID], as_of: datetime | None) -> ColumnElement[bool]:
    """A plain value, or an entity in force."""
    in_place = and_(entities.c.scope_id == tx.scope_id, entities.c.id == end, standing(as_of))
    return or_(end.is_(None), exists().where(in_place))
