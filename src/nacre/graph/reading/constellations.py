"""The graph as a dashboard draws it."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from nacre.domain.constellations import (
    Constellation,
    DrawingLimits,
    DrawnCommunity,
    DrawnEntity,
    DrawnLink,
    EntitySummary,
    GraphTotals,
    TimeRange,
)
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Transaction
from nacre.store.base.sharing import moved
from nacre.store.graph import entities
from nacre.store.reads import constellations, graphs

Hub = tuple[EntitySummary, int]


def draw(
    tx: Transaction, scope: Scope, span: DrawingLimits, *, as_of: datetime | None = None, shared: bool = True
) -> Constellation:
    """The graph of a scope and those that other agents opened to it: what is pinned, then the hubs of all of them."""
    places = [tx, *(moved(tx, home) for home in constellations.open_to(tx, scope))] if shared else [tx]
    seen = [(place, hub) for place in places for hub in constellations.hubs(place, span.limit, as_of)]
    chosen = sorted(seen, key=lambda pair: _standing(pair[1]))[: span.limit]
    totals = _totals(places, as_of)
    stars: list[DrawnEntity] = []
    edges: list[DrawnLink] = []
    communities: list[DrawnCommunity] = []
    for place in places:
        here = [hub for at, hub in chosen if at is place]
        ids = {node.id for node, _ in here}
        some = None if totals.entities <= span.limit else ids
        drawn, groups = _drawn(place, here, some, span, as_of)
        stars += drawn
        communities += groups
        linked = constellations.between(place, some, span.dependencies, as_of)
        edges += [edge for edge in linked if edge.source in ids and edge.target in ids]
    return Constellation(
        as_of=as_of,
        range=_range(places),
        totals=totals,
        entities=tuple(sorted(stars, key=lambda each: _standing((each.entity, each.degree)))),
        dependencies=tuple(sorted(edges, key=lambda edge: -edge.strength * edge.confidence)[: span.dependencies]),
        communities=tuple(communities),
        proposals=tuple(constellations.waiting(tx, span.proposals, as_of)),
        dreams=tuple(constellations.dreamt(moved(tx, scope), span.dreams, as_of)),
    )


def _drawn(
    place: Transaction, hubs: Sequence[Hub], some: Collection[UUID] | None, span: DrawingLimits, as_of: datetime | None
) -> tuple[list[DrawnEntity], list[DrawnCommunity]]:
    sides = constellations.sides(place, some, span.aspects, span.attributes, as_of) if span.aspects else {}
    names = constellations.other_names(place, some)
    belongs, communities = constellations.grouped(place, some)
    seen = entities.last_mentioned(place, some, as_of)
    drawn = [
        DrawnEntity(
            agent=place.scope.agent,
            entity=node,
            last_mentioned_at=seen.get(node.id),
            degree=degree,
            aliases=tuple(names.get(node.id, ())),
            community=belongs.get(node.id),
            aspects=tuple(sides.get(node.id, ())),
        )
        for node, degree in hubs
    ]
    return drawn, communities


def _standing(hub: Hub) -> tuple[object, ...]:
    """The order of hubs, for those of several graphs."""
    node, degree = hub
    return (not node.pinned, -degree, -node.mentions, -node.updated_at.timestamp(), node.name, node.id)


def _range(places: Sequence[Transaction]) -> TimeRange:
    known = [constellations.time_range(place) for place in places]
    return TimeRange(
        earliest=min((each.earliest for each in known if each.earliest), default=None),
        latest=max((each.latest for each in known if each.latest), default=None),
    )


def _totals(places: Sequence[Transaction], as_of: datetime | None) -> GraphTotals:
    return GraphTotals(
        entities=sum(sum(graphs.count_by_type(place, as_of).values()) for place in places),
        dependencies=sum(graphs.count_links(place, as_of) - graphs.count_values(place, as_of) for place in places),
    )
