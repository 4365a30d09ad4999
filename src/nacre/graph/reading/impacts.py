"""Impacts of a change of one entity: the entities that its links lead to, or that lead to it."""

from itertools import groupby

from nacre.domain.entities import Entity
from nacre.domain.impacts import AffectedEntity, Impact, Layer, label
from nacre.graph.reading import walks
from nacre.store.base.databases import Transaction
from nacre.store.graph import entities

DEADLINE_MS = 200
PER_NODE = 200

_WAYS = {"downstream": "out", "upstream": "in"}


def impact(tx: Transaction, entity: Entity, direction: str, max_depth: int) -> Impact:
    """What is at most `max_depth` links away from an entity, `downstream` along them or `upstream` against them."""
    walk = walks.walk(
        tx,
        [entity.id],
        hops=max_depth,
        limit=1,
        direction=_WAYS[direction],
        per_node=PER_NODE,
        deadline_ms=DEADLINE_MS,
    )
    known = entities.by_id(tx, [node.entity_id for node in walk.nodes])
    layers = [
        Layer(depth=depth, label=label(depth), entities=tuple(_affected(known[n.entity_id], n.via) for n in nodes))
        for depth, nodes in groupby(walk.nodes, key=lambda node: node.depth)
    ]
    return Impact(
        entity_id=entity.id,
        entity_name=entity.name,
        direction=direction,
        impact=tuple(layers),
        truncated=walk.truncated,
    )


def _affected(entity: Entity, via: str) -> AffectedEntity:
    return AffectedEntity(id=entity.id, name=entity.name, type=entity.type, via=via)
