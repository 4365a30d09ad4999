"""The graph in numbers, and as a picture needs it."""

from dataclasses import dataclass
from datetime import datetime

from nacre.domain.entities import Entity
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.store import entities, graphs, links, pasts
from nacre.store import schema as tables
from nacre.store.databases import Transaction
from nacre.store.graphs import Edge, Node

LINKS_PER_ENTITY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much there is, and of what kinds."""

    entity_count: int
    relation_count: int
    entity_types: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Entities and the links between them, for drawing."""

    entities: list[Entity]
    relations: list[Link]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A large graph in few words, and how many entities and links between entities there are in all."""

    nodes: list[Node]
    edges: list[Edge]
    total_nodes: int
    total_edges: int


def stats(tx: Transaction, as_of: datetime | None = None) -> Stats:
    """Count what is in force, or was at a moment."""
    types = graphs.count_by_type(tx, as_of)
    return Stats(entity_count=sum(types.values()), relation_count=graphs.count_links(tx, as_of), entity_types=types)


def picture(tx: Transaction, limit: int, as_of: datetime | None = None, *, values: bool = True) -> Picture:
    """The most connected entities, and at most three times as many links between them, now or at a moment.

    Links to plain values are among them, unless `values` is False.
    """
    ids = graphs.hubs(tx, limit, as_of)
    by_id = entities.by_id(tx, ids)
    if as_of is not None:
        by_id = pasts.entities_at(tx, by_id.values(), as_of)
        ids = [key for key in ids if key in by_id]
    ends = tables.links.c.target_entity.in_(ids)
    between = links.load(
        tx,
        tables.links.c.source_entity.in_(ids),
        ends | tables.links.c.target_entity.is_(None) if values else ends,
        links.in_force(tx, as_of),
        limit=LINKS_PER_ENTITY * limit,
    )
    shown = [by_id[key] for key in ids if by_id[key].status is Status.ACTIVE]
    return Picture(entities=shown, relations=between)


def sketch(tx: Transaction, limit: int) -> Sketch:
    """The most connected entities, and at most three times as many links between them, without their particulars."""
    ids = graphs.hubs(tx, limit)
    return Sketch(
        nodes=graphs.nodes(tx, ids),
        edges=graphs.edges(tx, ids, LINKS_PER_ENTITY * limit),
        total_nodes=sum(graphs.count_by_type(tx).values()),
        total_edges=graphs.count_links(tx) - graphs.count_values(tx),
    )
