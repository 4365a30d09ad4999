"""Walks of the graph from one or more entities, breadth first, and the impact of a change that they show."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from time import monotonic
from uuid import UUID

from nacre.domain import checks
from nacre.domain.entities import Entity
from nacre.domain.errors import Invalid
from nacre.domain.graph_reports import AffectedEntity, Impact, Layer, ReachedNode, Walk, label
from nacre.domain.ids import EntityId
from nacre.domain.links import Link
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities
from nacre.store.reads import neighbourhoods
from nacre.store.reads.neighbourhoods import LinkStep

MAX_HOPS = 10
HOPS = 2
LIMIT = 15
PER_NODE = 50
MAX_ROWS = 5_000
DEADLINE_MS = 2_000
# A link that was last said so many days ago counts half.
HALVED_AFTER_DAYS = 90
BACKWARDS = "~"

_NODES_A_STATEMENT = 200
_DIRECTIONS = {"both": (False, True), "out": (False,), "in": (True,)}

Relevance = Callable[[Link], float]


@dataclass(slots=True)
class _Trail:
    """A walk under way: where it has been, and what it may still do."""

    reached: dict[UUID, ReachedNode]
    frontier: list[UUID]
    per_node: int | None
    rows_left: int
    deadline: float
    links: dict[UUID, Link] = field(default_factory=dict)
    truncated: bool = False

    def spent(self) -> bool:
        """Whether the walk must end here, with more to see."""
        spent = self.rows_left <= 0 or monotonic() >= self.deadline
        self.truncated = self.truncated or spent
        return spent

    def follow(self, step: LinkStep) -> None:
        """Collect a link, and the entity at its other end when it is new."""
        link = self.links.setdefault(step.link.id, step.link)
        end = link.source if step.backwards else link.target
        if end is None or end in self.reached:
            return
        before = self.reached[step.node]
        via = BACKWARDS + link.predicate if step.backwards else link.predicate
        self.reached[end] = ReachedNode(entity_id=end, depth=before.depth + 1, path=(*before.path, end), via=via)
        self.frontier.append(end)


def walk(
    tx: Transaction,
    seeds: Sequence[UUID],
    *,
    hops: int = HOPS,
    limit: int = LIMIT,
    direction: str = "both",
    as_of: datetime | None = None,
    relevance: Relevance | None = None,
    per_node: int | None = PER_NODE,
    max_rows: int = MAX_ROWS,
    deadline_ms: int = DEADLINE_MS,
) -> Walk:
    """Everything within `hops` of the seeds, each entity once and by a shortest way, and the `limit` best links.

    A hop reads one statement for every 200 entities. `per_node` is how many links of an entity are followed in a
    direction, `max_rows` how many links are read in all, and `deadline_ms` after how long no more are read.
    """
    _check_hops(hops)
    checks.count("limit", limit)
    as_of = checks.optional_instant("as_of", as_of)
    directions = _DIRECTIONS[checks.choice("direction", direction, _DIRECTIONS)]
    deadline = monotonic() + deadline_ms / 1000
    start = _start(tx, seeds, as_of)
    trail = _Trail(start, list(start), per_node, max_rows, deadline)
    for _ in range(hops):
        nodes, trail.frontier = trail.frontier, []
        for some in _portions(nodes):
            if trail.spent():
                break
            _hop(tx, trail, some, directions, as_of)
    found = list(trail.links.values())
    return Walk(
        nodes=[node for node in trail.reached.values() if node.depth],
        links=found,
        best=best(found, limit, as_of or tx.now, relevance),
        truncated=trail.truncated,
    )


def best(links: Sequence[Link], limit: int, now: datetime, relevance: Relevance | None = None) -> list[Link]:
    """The `limit` links with the highest confidence × strength × recency × relevance; ties keep their order."""
    scored = [(_score(link, now, relevance), link) for link in links]
    return [link for _, link in sorted(scored, key=lambda pair: -pair[0])[:limit]]


def recency(link: Link, now: datetime) -> float:
    """1 for a link said just now, ½ after 90 days, ⅓ after 180."""
    days = max(now - link.updated_at, timedelta(0)) / timedelta(days=1)
    return 1 / (1 + days / HALVED_AFTER_DAYS)


def _score(link: Link, now: datetime, relevance: Relevance | None) -> float:
    relevant = 1.0 if relevance is None else relevance(link)
    score = link.confidence * link.strength * recency(link, now) * relevant
    # What is not a number would leave the whole order to chance.
    return score if math.isfinite(score) else 0.0


def _start(tx: Transaction, seeds: Sequence[UUID], as_of: datetime | None) -> dict[UUID, ReachedNode]:
    known = {seed for some in _portions(seeds) for seed in neighbourhoods.active(tx, some, as_of)}
    return {
        seed: ReachedNode(entity_id=EntityId(seed), depth=0, path=(EntityId(seed),), via="")
        for seed in seeds
        if seed in known
    }


def _hop(
    tx: Transaction, trail: _Trail, nodes: Sequence[UUID], directions: Sequence[bool], as_of: datetime | None
) -> None:
    # One more than allowed is asked for of each kind, to know whether anything was left out.
    beyond = None if trail.per_node is None else trail.per_node + 1
    limit = trail.rows_left + 1
    steps = neighbourhoods.around(tx, nodes, directions=directions, as_of=as_of, per_node=beyond, limit=limit)
    kept = [step for step in steps[: trail.rows_left] if trail.per_node is None or step.place <= trail.per_node]
    trail.truncated = trail.truncated or len(kept) < len(steps)
    trail.rows_left -= len(kept)
    order = {node: place for place, node in enumerate(nodes)}
    for step in sorted(kept, key=lambda step: (order[step.node], step.backwards, step.place)):
        trail.follow(step)


def _portions(nodes: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    return (nodes[start : start + _NODES_A_STATEMENT] for start in range(0, len(nodes), _NODES_A_STATEMENT))


def _check_hops(hops: object) -> None:
    if isinstance(hops, bool) or not isinstance(hops, int) or not 0 <= hops <= MAX_HOPS:
        raise Invalid("hops", f"must be a whole number from 0 to {MAX_HOPS}, not {hops!r}")


IMPACT_DEADLINE_MS = 200
IMPACTS_PER_NODE = 200

_WAYS = {"downstream": "out", "upstream": "in"}


def impact(tx: Transaction, entity: Entity, direction: str, max_depth: int) -> Impact:
    """What is at most `max_depth` links away from an entity, `downstream` along them or `upstream` against them."""
    reached = walk(
        tx,
        [entity.id],
        hops=max_depth,
        limit=1,
        direction=_WAYS[direction],
        per_node=IMPACTS_PER_NODE,
        deadline_ms=IMPACT_DEADLINE_MS,
    )
    known = entities.by_id(tx, [node.entity_id for node in reached.nodes])
    layers = [
        Layer(depth=depth, label=label(depth), entities=tuple(_affected(known[n.entity_id], n.via) for n in nodes))
        for depth, nodes in groupby(reached.nodes, key=lambda node: node.depth)
    ]
    return Impact(
        entity_id=entity.id,
        entity_name=entity.name,
        direction=direction,
        impact=tuple(layers),
        truncated=reached.truncated,
    )


def _affected(entity: Entity, via: str) -> AffectedEntity:
    return AffectedEntity(id=entity.id, name=entity.name, type=entity.type, via=via)
