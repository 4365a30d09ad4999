"""The graph in numbers, and as a picture needs it."""

from dataclasses import dataclass
from datetime import datetime

from nacre.domain.entities import Entity
from nacre.domain.links import Link
from nacre.domain.memories import Status
from nacre.store import entities, graphs, links, pasts
from nacre.store import schema as tables
from nacre.store.databases import Transaction

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


def stats(tx: Transaction, as_of: datetime | None = None) -> Stats:
    """Count what is in force, or was at a moment."""
    types = graphs.count_by_type(tx, as_of)
    return Stats(entity_count=sum(types.values()), relation_count=graphs.count_links(tx, as_of), entity_types=types)


def picture(tx: Transaction, limit: int, as_of: datetime | None = None) -> Picture:
    """The most connected entities, and at most three times as many links between them, now or at a moment."""
    ids = graphs.hubs(tx, limit, as_of)
    by_id = entities.by_id(tx, ids)
    if as_of is not None:
        by_id = pasts.entities_at(tx, by_id.values(), as_of)
        ids = [key for key in ids if key in by_id]
    between = links.load(
        tx,
        tables.links.c.source_entity.in_(ids),
        tables.links.c.target_entity.in_(ids) | tables.links.c.target_entity.is_(None),
        links.in_force(tx, as_of),
        limit=LINKS_PER_ENTITY * limit,
    )
    shown = [by_id[key] for key in ids if by_id[key].status is Status.ACTIVE]
    return Picture(entities=shown, relations=between)
