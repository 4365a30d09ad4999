"""The graph in numbers, and as a picture needs it."""

from datetime import datetime

from nacre.domain.graph_reports import GraphPicture, GraphSketch, GraphStats
from nacre.domain.memories import Status
from nacre.domain.navigation import KnowledgeStats
from nacre.domain.scopes import Scope
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities, links, row_history
from nacre.store.reads import coverage, graphs, reports
from nacre.store.tables import schema as tables

LINKS_PER_ENTITY = 3


def stats(tx: Transaction, as_of: datetime | None = None) -> GraphStats:
    """Count what is in force, or was at a moment."""
    types = graphs.count_by_type(tx, as_of)
    return GraphStats(
        entity_count=sum(types.values()), relation_count=graphs.count_links(tx, as_of), entity_types=types
    )


def picture(tx: Transaction, limit: int, as_of: datetime | None = None, *, values: bool = True) -> GraphPicture:
    """The most connected entities, and at most three times as many links between them, now or at a moment.

    Links to plain values are among them, unless `values` is False.
    """
    ids = graphs.hubs(tx, limit, as_of)
    by_id = entities.by_id(tx, ids)
    if as_of is not None:
        by_id = row_history.entities_at(tx, by_id.values(), as_of)
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
    return GraphPicture(entities=shown, relations=between)


def sketch(tx: Transaction, limit: int) -> GraphSketch:
    """The most connected entities, and at most three times as many links between them, without their particulars."""
    ids = graphs.hubs(tx, limit)
    return GraphSketch(
        nodes=graphs.nodes(tx, ids),
        edges=graphs.edges(tx, ids, LINKS_PER_ENTITY * limit),
        total_nodes=sum(graphs.count_by_type(tx).values()),
        total_edges=graphs.count_links(tx) - graphs.count_values(tx),
    )


def knowledge(tx: Transaction, scope: Scope) -> KnowledgeStats:
    """How much is known, and how much of what a scope remembers it covers."""
    home = sharing.of(tx).memory_home(scope)
    return reports.kept(tx, "stats", lambda: coverage.stats(tx, home), sharing.moved(tx, home))
