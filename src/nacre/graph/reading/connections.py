"""Connections that the graph adds to a message: the entities it names, and the links around them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from nacre.domain.links import Link
from nacre.graph.identity import matching
from nacre.graph.reading import rendering, walks
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities

MAX_HOPS = 2
MAX_LINKS = 15
# Entities that recalled memories name seed a second, shorter walk.
MEMORY_SOURCES = 2
MEMORY_HOPS = 1


@dataclass(frozen=True, slots=True)
class Connections:
    """The links worth showing, as lines, the entities at them, and the entities that the message named."""

    lines: list[str]
    matched: list[UUID]
    shown: frozenset[UUID] = frozenset()


NO_CONNECTIONS = Connections([], [])


def around(tx: Transaction, message: str, recalled: Sequence[str]) -> Connections:
    """The strongest links around the entities a message names, then around those its memories name."""
    named = [found.entity_id for found in matching.find(tx, message)]
    remembered = [found.entity_id for text in recalled[:MEMORY_SOURCES] for found in matching.find(tx, text)]
    chosen: dict[UUID, Link] = {}
    for seeds, hops in ((named, MAX_HOPS), (remembered, MEMORY_HOPS)):
        room = MAX_LINKS - len(chosen)
        if seeds and room > 0:
            found = walks.walk(tx, seeds, hops=hops, limit=MAX_LINKS).best
            chosen |= {link.id: link for link in [each for each in found if each.id not in chosen][:room]}
    names = names_of(tx, chosen.values())
    return Connections(rendering.connection_lines(chosen.values(), names), list(named), frozenset(names))


def names_of(tx: Transaction, links: Iterable[Link]) -> dict[UUID, str]:
    """The names of the entities at links."""
    ends = {end for link in links for end in (link.source, link.target) if end}
    return {key: entity.name for key, entity in entities.by_id(tx, ends).items()}
