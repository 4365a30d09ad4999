"""Profiles and connections: what the graph knows, in a few lines for every prompt, and what it adds to a message."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from nacre.domain.entities import Entity, EntityType
from nacre.domain.links import CHANGE, HAS_PRICE, UNTIL, Link, Taste
from nacre.graph.identity import matching
from nacre.graph.reading import nodes, rendering, walks
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities, links, row_history
from nacre.text.budget import count_tokens

MAX_ENTITIES = 50


def profile(tx: Transaction, message: str | None, budget: int, as_of: datetime | None = None) -> str:
    """Entities grouped by kind: those a message names first, then the last changed, as many as fit; "" for none."""
    named = [found.entity_id for found in matching.find(tx, message)] if message else []
    return block(tx, named, budget, as_of=as_of)


def block(
    tx: Transaction,
    subject_ids: Sequence[UUID],
    budget: int,
    *,
    told_ids: Collection[UUID] | None = None,
    as_of: datetime | None = None,
) -> str:
    """The same for entities known to be named. Beside a text that told of entities, only what it adds to that."""
    known = _priced(tx, _in_order(tx, subject_ids, as_of), as_of)
    felt = nodes.find_tastes(tx, known, as_of)
    # What nobody likes or dislikes any more says nothing.
    worth = [
        each
        for each in known
        if felt.get(each.id) != Taste() and (told_ids is None or rendering.is_news(each, told_ids))
    ]
    sizes = range(1, len(worth) + 1)
    fitting = bisect_left(sizes, True, key=lambda size: count_tokens(_rendered(worth[:size], felt)) > budget)
    return _rendered(worth[:fitting], felt) if fitting else ""


def _rendered(entities: Sequence[Entity], felt: Mapping[UUID, Taste]) -> str:
    return "\n".join([rendering.PROFILE_HEADER, *rendering.profile_lines(entities, felt)])


def _in_order(tx: Transaction, subject_ids: Sequence[UUID], as_of: datetime | None) -> list[Entity]:
    known = entities.by_id(tx, subject_ids) if subject_ids else {}
    recent = entities.load(tx, entities.in_force(as_of), entities.drawn(tx), limit=MAX_ENTITIES)
    shown = {each.id: each for each in [*(known[key] for key in subject_ids), *recent]}
    return list((shown if as_of is None else row_history.entities_at(tx, shown.values(), as_of)).values())


def _priced(tx: Transaction, candidates: Sequence[Entity], as_of: datetime | None) -> list[Entity]:
    """Entities as they are, and assets with what they cost: `$67,663, -0.99% today`."""
    assets = [each.id for each in candidates if each.type is EntityType.ASSET]
    held = links.of_entities(tx, assets, HAS_PRICE, as_of) if assets else []
    # The newest come first, and an asset has one price at a time.
    costs = {link.source: _cost(link, as_of or tx.now) for link in reversed(held)}
    return [
        replace(each, description=_joined(costs[each.id], each)) if each.id in costs else each for each in candidates
    ]


def _joined(cost: str, asset: Entity) -> str:
    return f"{cost}, {asset.description}" if asset.description else cost


def _cost(link: Link, now: datetime) -> str:
    change, until = link.properties.get(CHANGE), link.properties.get(UNTIL)
    today = change and until and now < datetime.fromisoformat(until)
    return f"{link.value}, {change} today" if today else link.value or ""


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
